import { expect, it } from 'vitest'
import { failedWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'

const { run, admin, place } = useOperator()

it('npm run employee -- forget lists where the person is still named', async () => {
  const ana = await admin()
  await ana.addEmployee('E-ADIOS', 'Fulgencia Ontiveros')
  await ana.changeEmployee('E-ADIOS', {
    phone: '5550004321',
    started_at: '2015-01-01',
    ended_at: '2016-01-31',
  })
  await ana.change([1], 'approved', 'La vio fulgencia ONTIVEROS.')
  const { out } = await run('employee', ['forget', 'E-ADIOS', '--yes'])
  expect(out).toMatch(/Look at each:\n {2}log_comments\.comment, \d+\nEvidence goes on to verify/)
  expect(out).toContain('Forgot E-ADIOS, with 0 comments, in ')
  expect(out).toMatch(/\nWhat others wrote about the person elsewhere[^.]+\.\n*$/)
  expect((await run('employee', ['forget', 'E-ADIOS', '--yes'])).out).toContain(
    'No text of the database names the person any more.',
  )
})

it('npm run employee -- forget names the picture’s file to delete, only in the first run', async () => {
  const ana = await admin()
  await ana.changeEmployee('E-013', { ended_at: '2026-01-31' })
  const forget = async () => (await run('employee', ['forget', 'E-013', '--now', '--yes'])).out
  expect(await forget()).toContain('delete empleados/renata-cardenas.png.')
  expect(await forget()).not.toContain('picture')
})

it('npm run employee -- forget refuses who works, also with --now', async () => {
  const ana = await admin()
  await ana.addEmployee('E-SIGUE', 'Fabiola Prieto')
  const forget = (...flags: string[]) => run('employee', ['forget', 'E-SIGUE', ...flags])
  const refused = (state: string) =>
    failedWith(
      `E-SIGUE (Fabiola Prieto) ${state}. Nothing was erased: only who has left is forgotten.
The last day is set in the console, under Personas.\n`,
    )
  expect(await forget('--now', '--yes')).toEqual(refused('has no last day'))
  await ana.changeEmployee('E-SIGUE', { ended_at: '2099-12-31' })
  expect(await forget('--now', '--yes')).toEqual(refused('works until 2099-12-31'))
  await ana.changeEmployee('E-SIGUE', { ended_at: '2026-01-31' })
  expect((await forget('--yes')).err).toMatch(/^Records are kept until 2031-01-31/)
  expect(await forget('--now')).toEqual(
    failedWith(
      `Erase E-SIGUE (Fabiola Prieto) for good ${place}? Nothing was changed: --yes does it.\n`,
    ),
  )
})
