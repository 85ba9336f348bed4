import { expect, it } from 'vitest'
import { succeededWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'

const { service, place, run } = useOperator()

const validate = async (code: string) => {
  const init = { method: 'POST', body: JSON.stringify({ code }) }
  return (await fetch(`${service.api}/v2/clients/validate-code`, init)).status
}

it('npm run client adds, lists, blocks and activates', async () => {
  const add = ['add', 'PEÑA 1', '--name', 'La Peña', '--url-base', 'https://pena.mx']
  expect((await run('client', add)).status).toBe(0)
  expect(await validate('PEÑA 1')).toBe(200)
  expect((await run('client', ['block', 'PEÑA 1'])).status).toBe(0)
  expect(await validate('PEÑA 1')).toBe(403)
  expect((await run('client', ['list'])).out).toMatch(
    /'PEÑA 1'.+'La Peña'.+'bloqueado'.+'https:\/\/pena\.mx'/,
  )
  expect((await run('client', ['activate', 'PEÑA 1'])).status).toBe(0)
  expect(await validate('PEÑA 1')).toBe(200)
  expect((await run('client', ['block', 'peña 1'])).err).toBe('No client has that code.\n')
})

it('npm run config sets, gets and lists', async () => {
  expect(await run('config', ['set', 'misión', 'Servir', '--nombre', 'Misión'])).toEqual(
    succeededWith(`Added misión ${place}.\n`),
  )
  expect(await run('config', ['set', 'misión', 'Servir mejor'])).toEqual(
    succeededWith(`Changed misión ${place}.\n`),
  )
  expect((await run('config', ['get', 'misión'])).out).toBe('Servir mejor\n')
  expect((await run('config', ['list'])).out).toMatch(/'misión'.+'texto'.+'Misión'.+'Servir mejor'/)
  expect((await run('config', ['get', 'nada'])).err).toBe('No entry has that key.\n')
})
