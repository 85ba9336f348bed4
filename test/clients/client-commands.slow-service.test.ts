import { expect, it } from 'vitest'
import { failedWith, succeededWith } from '../support/command.ts'
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

it('npm run client changes the given fields, and warns about an address that breaks apps', async () => {
  const add = ['add', 'SUR-9', '--name', 'Sur', '--url-base', 'https://sur.mx/api']
  const warning = 'Look at url_base: has a path or a last slash before the /api of apps.\n'
  const added = { status: 0, out: `Added SUR-9 ${place}.\n`, err: warning }
  expect(await run('client', add)).toEqual(added)
  const change = (...fields: string[]) => run('client', ['change', 'SUR-9', ...fields])
  expect(await change('--url-base', 'https://sur.mx/')).toMatchObject({ status: 0, err: warning })
  expect(await change('--url-base', 'https://sur.mx')).toEqual(
    succeededWith(`Changed SUR-9 ${place}.\n`),
  )
  expect(await change('--name', 'Textiles del Sur')).toMatchObject({ status: 0, err: '' })
  expect((await run('client', ['list'])).out).toMatch(
    /'SUR-9'.+'Textiles del Sur'.+'activo'.+'https:\/\/sur\.mx'/,
  )
  expect(await change()).toEqual(failedWith('Say what changes: --name or --url-base.\n'))
  expect((await change('--url-base', 'sur.mx')).status).toBe(1)
  expect((await run('client', ['change', 'sur-9', '--name', 'X'])).err).toBe(
    'No client has that code.\n',
  )
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
