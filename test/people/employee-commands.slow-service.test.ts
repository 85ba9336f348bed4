import { expect, it } from 'vitest'
import { printed } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'
import { signInToService } from '../support/service-evidence.ts'

const { service, place, run } = useOperator()

it('npm run employee adds, moves and records the last day, and rejects invalid input', async () => {
  const added = await run('employee', ['add', 'X-1', '--name', 'Rosa Lara', '--branch', 'Norte'])
  expect(added).toEqual(printed(`Added X-1 ${place}.\n`))
  expect((await run('employee', ['add', 'X-1', '--name', 'Otra'])).err).toBe(
    'That employee exists already.\n',
  )
  expect((await run('employee', ['move', 'X-1', '--group', 'Semanal'])).status).toBe(0)
  expect((await run('employee', ['move', 'X-1'])).status).toBe(1)
  expect((await run('employee', ['move', 'nadie', '--group', 'X'])).err).toBe(
    'No employee has that id.\n',
  )
  expect((await run('employee', ['leave', 'X-1', '--day', '2026-02-30'])).err).toBe(
    '2026-02-30 is not a date, YYYY-MM-DD.\n',
  )
  expect((await run('employee', ['leave', 'X-1', '--day', '2026-12-31'])).status).toBe(0)
  expect((await run('employee', ['list'])).out).toMatch(
    /'X-1'.+'Rosa Lara'.+'Norte'.+'Semanal'.+'2026-12-31'/,
  )
})

it('npm run employee -- forget lists where the person is still named', async () => {
  const added = ['E-ADIOS', '--name', 'Fulgencia Ontiveros', '--phone', '5550004321']
  await run('employee', ['add', ...added, '--started', '2015-01-01'])
  const admin = await signInToService(service)
  await admin.decide(1, 'approved', 'La vio fulgencia ONTIVEROS.')
  const { out } = await run('employee', ['forget', 'E-ADIOS', '--yes'])
  expect(out).toMatch(/Look at each:\n {2}log_comments\.comment, \d+\nEvidence goes on to verify/)
  expect(out).toContain('Forgot E-ADIOS, with 0 comments, in ')
  expect((await run('employee', ['forget', 'E-ADIOS', '--yes'])).out).toContain(
    'No text of the database names the person any more.',
  )
})
