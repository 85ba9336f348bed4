import { describe, expect, it } from 'vitest'
import { config_entries } from '../../src/core/tables/clients.ts'
import { expectFailure, expectInvalid, expectSuccess, get, post } from '../support/api.ts'
import { aClient, aConfigEntry, aModule, db } from '../support/factories.ts'

describe('GET /v2/clients/modules_enabled', () => {
  it('lists the app’s modules by id, with exactly the contract’s fields', async () => {
    const hidden = await aModule({ enabled_app: false })
    const first = await aModule({ name: 'Nómina', enabled: false })
    const second = await aModule({ name: 'Checador' })

    const res = await get('/v2/clients/modules_enabled')

    const { description, icon } = first
    const shown = { description, icon, enabled_app: true }
    expectSuccess(res, 'Módulos habilitados.', [
      { id: first.id, name: 'Nómina', enabled: false, ...shown },
      { id: second.id, name: 'Checador', enabled: true, ...shown },
    ])
    expect(res.text).not.toContain(hidden.name)
  })

  it('is a 404, never an empty list, when the app has no modules', async () => {
    await aModule({ enabled_app: false })
    const res = await get('/v2/clients/modules_enabled')
    expectFailure(res, 404, 'No hay módulos habilitados.')
  })
})

describe('POST /v2/clients/validate-code', () => {
  const validate = (body: unknown) => post('/v2/clients/validate-code', body)

  it('returns an active client with exactly the contract’s fields', async () => {
    const { id } = await aClient({ code: 'NORTE-01' })

    const res = await validate({ code: 'NORTE-01' })

    const shown = { id, code: 'NORTE-01', name: 'Comercial del Centro', status: 'activo' }
    const url_base = 'https://centro.example.com'
    expectSuccess(res, 'El código es válido.', { ...shown, url_base })
  })

  const ACTIVE = ['ACTIVO', 'Activo', 'aCtIvO']
  it.each(ACTIVE)('treats the status %s as active, and returns it as stored', async (status) => {
    await aClient({ code: 'NORTE-01', status })
    const res = await validate({ code: 'NORTE-01' })
    expect(res.status).toBe(200)
    expect(res.body.data.status).toBe(status)
  })

  const INACTIVE = ['inactivo', 'activo ', ' activo', 'activo\n', 'actıvo', 'ACTİVO', '']
  it.each(INACTIVE)('is a 403 for a client whose status is %j', async (status) => {
    await aClient({ code: 'NORTE-01', status })
    const res = await validate({ code: 'NORTE-01' })
    expectFailure(res, 403, 'El cliente está inactivo o bloqueado.')
  })

  it.each([
    ['another letter case', 'Café-01', 'café-01'],
    ['a blank at the end', 'Café-01', 'Café-01 '],
    ['a wildcard', 'Café-01', 'Caf%'],
    ['the accent decomposed', 'Caf\u00e9-01', 'Cafe\u0301-01'],
    ['the accent composed', 'Cafe\u0301-01', 'Caf\u00e9-01'],
    ['the replacement character', 'Café-01', 'Caf\ufffd-01'],
    ['an equal number', '1', '1.0'],
  ])('is a 404 for a code with %s', async (_, stored, code) => {
    await aClient({ code: stored })
    const res = await validate({ code })
    expectFailure(res, 404, 'No existe un cliente con ese código.')
  })

  const CODES = [' con blancos ', 'ÑANDÚ', '100%', 'e\u0301', '🏢', "O'Hara"]
  it.each(CODES)('finds the code %j byte for byte', async (code) => {
    await aClient({ code })
    const res = await validate({ code })
    expect(res.status).toBe(200)
    expect(res.body.data.code).toBe(code)
  })

  const MISSING = 'El código es obligatorio.'

  it.each([
    ['an empty body', '', MISSING],
    ['malformed JSON', '{', MISSING],
    ['no code', {}, MISSING],
    ['a null code', { code: null }, MISSING],
    ['a blank code', { code: ' \t\n' }, MISSING],
    ['a number', { code: 5 }, 'El código debe ser texto.'],
    ['a lone surrogate', { code: 'a\udfff' }, 'El código contiene caracteres no válidos.'],
    ['NUL', { code: 'NORTE-01\0' }, 'El código contiene caracteres no válidos.'],
  ])('is a 422 for %s, with only message and errors', async (_, body, message) => {
    await aClient({ code: 'NORTE-01' })
    const res = await validate(body)
    expect([res.status, res.body]).toEqual([422, { message, errors: { code: [message] } }])
  })

  it('treats bytes that are not UTF-8 as a malformed body, not as another code', async () => {
    await aClient({ code: 'Caf\ufffd' })
    const latin1 = Uint8Array.from('{"code":"Café"}', (letter) => letter.charCodeAt(0))
    expect((await post('/v2/clients/validate-code', latin1)).status).toBe(422)
  })

  it('reads no code from the query', async () => {
    await aClient({ code: 'NORTE-01' })
    expect((await post('/v2/clients/validate-code?code=NORTE-01')).status).toBe(422)
  })
})

describe('GET /v2/clients/config/{config}', () => {
  it('returns the entry with exactly the contract’s fields', async () => {
    await aConfigEntry({ key: 'logo' })
    const res = await get('/v2/clients/config/logo')
    const entry = { key: 'logo', tipo: 'archivo', nombre: 'Logotipo', valor: 'config/logo.png' }
    expectSuccess(res, 'Configuración encontrada.', entry)
  })

  const VALUES = ['{"a":1}', '5', 'true', '']
  it.each(VALUES)('returns the value %j as the stored text', async (valor) => {
    await aConfigEntry({ key: 'dato', tipo: 'json', valor })
    expect((await get('/v2/clients/config/dato')).body.data.valor).toBe(valor)
  })

  const NAMES = ['misión y visión', 'a/b', '100%', '%41', 'a+b', '🏢', '.x']
  it.each(NAMES)('finds the name %j by its percent-encoded form', async (key) => {
    await aConfigEntry({ key })
    const res = await get(`/v2/clients/config/${encodeURIComponent(key)}`)
    expect(res.status).toBe(200)
    expect(res.body.data.key).toBe(key)
  })

  const UNKNOWN_NAMES = ['Logo', 'logo%20', '%20', '%E2%80%A8', 'log', 'logo%25', '%FF', '%']
  it.each(UNKNOWN_NAMES)('is a 404 for the name %s', async (name) => {
    await aConfigEntry({ key: 'logo' })
    const res = await get(`/v2/clients/config/${name}`)
    expectFailure(res, 404, 'No existe una configuración con ese nombre.')
  })

  it('is a 422 for a name with NUL', async () => {
    await aConfigEntry({ key: 'logo' })
    const res = await get('/v2/clients/config/logo%00')
    expectInvalid(res, 'config', 'El nombre de la configuración contiene caracteres no válidos.')
  })

  it('reads the entry from the database on each request', async () => {
    await aConfigEntry({ key: 'logo', valor: 'uno.png' })
    expect((await get('/v2/clients/config/logo')).body.data.valor).toBe('uno.png')
    await db.update(config_entries).set({ valor: 'dos.png' })
    expect((await get('/v2/clients/config/logo')).body.data.valor).toBe('dos.png')
  })
})
