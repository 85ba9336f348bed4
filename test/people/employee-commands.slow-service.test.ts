import { expect, it } from 'vitest'
import { addDays } from '../../src/core/time-zone.ts'
import { failedWith, succeededWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'
import { signInToService } from '../support/service-evidence.ts'

const { service, place, run } = useOperator()

it('npm run employee adds, moves and records the last day, and rejects invalid input', async () => {
  const added = await run('employee', ['add', 'X-1', '--name', 'Rosa Lara', '--branch', 'Norte'])
  expect(added).toEqual(succeededWith(`Added X-1 ${place}.\n`))
  expect((await run('employee', ['add', 'X-1', '--name', 'Otra'])).err).toBe(
    'That employee exists already.\n',
  )
  expect((await run('employee', ['move', 'X-1', '--group', 'Semanal', '--yes'])).status).toBe(0)
  expect((await run('employee', ['move', 'X-1'])).status).toBe(1)
  expect((await run('employee', ['move', 'nadie', '--group', 'X'])).err).toBe(
    'No employee has that id.\n',
  )
  expect((await run('employee', ['leave', 'X-1', '--day', '2026-02-30'])).err).toBe(
    '2026-02-30 is not a date, YYYY-MM-DD.\n',
  )
  expect((await run('employee', ['leave', 'X-1', '--day', '2026-12-31', '--yes'])).status).toBe(0)
  expect((await run('employee', ['list'])).out).toMatch(
    /'X-1'.+'Rosa Lara'.+'Norte'.+'Semanal'.+'2026-12-31'/,
  )
})

it('npm run employee asks before it writes what looks like a mistake', async () => {
  const nextYear = addDays(new Date().toISOString().slice(0, 10), 364)
  const slips = [
    [
      ['move', 'E-001', '--branch', 'Nrote'],
      'No other employee is in the branch Nrote. Move E-001',
    ],
    [
      ['move', 'E-001', '--group', 'Quicenal'],
      'No other employee is in the group Quicenal. ' +
        'There are unpaid days, which will be paid with the new group. Move E-001',
    ],
    [
      ['leave', 'E-001', '--day', nextYear],
      `${nextYear} is more than 180 days ahead. Record ${nextYear} as the last day of E-001`,
    ],
    [['add', 'e-001', '--name', 'Otra'], 'The id looks like E-001. Add e-001'],
  ] as const
  for (const [args, question] of slips) {
    expect(await run('employee', [...args])).toEqual(
      failedWith(`${question} ${place}? Nothing was changed: --yes does it.\n`),
    )
  }
  expect((await run('employee', ['list'])).out).toMatch(/'E-001'.+'Centro'.+ '' .+ null/)
  expect((await run('employee', ['move', 'E-001', '--branch', 'Sur'])).status).toBe(0)
  expect((await run('employee', ['move', 'E-001', '--branch', 'Nueva', '--yes'])).status).toBe(0)
  expect((await run('employee', ['list'])).out).not.toContain('e-001')
})

it('npm run employee writes by the rules of the API, and leaves a record of each change', async () => {
  const { err: invalid } = await run('employee', ['add', ' X-2', '--name', 'Otra', '--yes'])
  expect(invalid).toBe(
    'A new id has 1 to 50 visible characters, and no blanks before or after them.\n',
  )
  const { err: paid } = await run('employee', ['leave', 'E-010', '--day', '2020-01-01', '--yes'])
  expect(paid).toMatch(
    /^Closing 1 has paid \d{4}-\d\d-\d\d, which is later: unlock and correct such days first\.\n$/,
  )
  await run('employee', ['add', 'X-3', '--name', 'Eva Ruiz', '--started', '2026-11-02'])
  await run('employee', ['move', 'X-3', '--department', 'Ventas'])
  await run('employee', ['leave', 'X-3', '--day', '2026-11-30'])
  const admin = await signInToService(service)
  const { data } = JSON.parse(await admin.get('/v2/people/changes?subject=employee&limit=500'))
  type Change = { subject_id: string; user: object | null; changes: { field: string }[] }
  const [added, ...changes] = data.changes.filter((one: Change) => one.subject_id === 'X-3')
  expect(added.user).toBeNull()
  expect(added.changes[0]).toEqual({ field: 'full_name', before: null, after: 'Eva Ruiz' })
  expect(changes).toMatchObject([
    { user: null, changes: [{ field: 'department', before: '', after: 'Ventas' }] },
    { user: null, changes: [{ field: 'ended_at', before: null, after: '2026-11-30' }] },
  ])
})

it('npm run employee -- forget lists where the person is still named', async () => {
  const added = ['E-ADIOS', '--name', 'Fulgencia Ontiveros', '--phone', '5550004321']
  await run('employee', ['add', ...added, '--started', '2015-01-01'])
  const admin = await signInToService(service)
  await admin.decide(1, 'approved', 'La vio fulgencia ONTIVEROS.')
  const { out } = await run('employee', ['forget', 'E-ADIOS', '--yes'])
  expect(out).toMatch(/Look at each:\n {2}log_comments\.comment, \d+\nEvidence goes on to verify/)
  expect(out).toContain('Forgot E-ADIOS, with 0 comments, in ')
  expect(out).toMatch(/\nWhat others wrote about the person elsewhere[^.]+\.\n*$/)
  expect((await run('employee', ['forget', 'E-ADIOS', '--yes'])).out).toContain(
    'No text of the database names the person any more.',
  )
})

it('npm run employee -- forget names the picture’s file to delete, only in the first run', async () => {
  const forget = async () => (await run('employee', ['forget', 'E-013', '--now', '--yes'])).out
  expect(await forget()).toContain('delete empleados/renata-cardenas.png.')
  expect(await forget()).not.toContain('picture')
})
