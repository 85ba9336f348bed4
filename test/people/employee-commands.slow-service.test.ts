import { expect, it } from 'vitest'
import { useOperator } from '../support/operator.ts'

const { run, admin } = useOperator()

it('npm run employee -- forget lists where the person is still named', async () => {
  const ana = await admin()
  await ana.addEmployee('E-ADIOS', 'Fulgencia Ontiveros')
  await ana.changeEmployee('E-ADIOS', { phone: '5550004321', started_at: '2015-01-01' })
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
  const forget = async () => (await run('employee', ['forget', 'E-013', '--now', '--yes'])).out
  expect(await forget()).toContain('delete empleados/renata-cardenas.png.')
  expect(await forget()).not.toContain('picture')
})
