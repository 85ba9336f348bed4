import { expect, it } from 'vitest'
import { readSettings } from '../../src/core/http/settings.ts'
import { expectFailure, get } from '../support/api.ts'

const SECRET = 'x'.repeat(32)

it('reads blank and absent settings as unset', () => {
  const defaults = {
    TOKEN_SECRET: SECRET,
    TOKEN_AUDIENCE: undefined,
    TOKEN_TTL_MINUTES: undefined,
    ALLOWED_ORIGINS: [],
    ADMIN_ROLES: ['admin'],
    FILES_ORIGIN: undefined,
    LEGACY_ORIGIN: undefined,
    LEGACY_PATHS: [],
    SEAL_KEY: undefined,
    VAPID_KEY: undefined,
    TSA_URL: undefined,
    NOTIFY_URL: undefined,
    NOTIFY_SECRET: [],
    INTAKE_ROLES: [],
    PAYROLL_ROLES: ['admin'],
    PEOPLE_ROLES: undefined,
    REQUIRE_COMMENT: [],
    EMPLOYEE_CLOCK_IN: false,
    EMPLOYEE_REQUESTS: false,
    FORBID_SELF_APPROVAL: false,
    DB_LIMIT_MB: 10_000,
  }
  const blank = { TOKEN_TTL_MINUTES: ' ', ALLOWED_ORIGINS: '', ADMIN_ROLES: '\t' }
  expect(readSettings({ TOKEN_SECRET: SECRET })).toEqual(defaults)
  expect(readSettings({ TOKEN_SECRET: SECRET, ...blank })).toEqual(defaults)
})

it('reads lists with blanks and trailing commas', () => {
  const settings = readSettings({
    TOKEN_SECRET: SECRET,
    TOKEN_TTL_MINUTES: '90',
    ALLOWED_ORIGINS: ' https://a.mx, http://localhost:5173 ,capacitor://localhost,',
    ADMIN_ROLES: 'admin , rh',
  })
  expect(settings.TOKEN_TTL_MINUTES).toBe(90)
  expect(settings.ALLOWED_ORIGINS).toEqual([
    'https://a.mx',
    'http://localhost:5173',
    'capacitor://localhost',
  ])
  expect(settings.ADMIN_ROLES).toEqual(['admin', 'rh'])
})

it.each([
  ['on', true],
  ['On', true],
  ['true', true],
  ['1', true],
  ['off', false],
  ['OFF', false],
  ['false', false],
  ['0', false],
])('reads %s as %j', (text, value) => {
  const names = ['EMPLOYEE_CLOCK_IN', 'EMPLOYEE_REQUESTS', 'FORBID_SELF_APPROVAL'] as const
  for (const name of names) {
    expect(readSettings({ TOKEN_SECRET: SECRET, [name]: text })[name]).toBe(value)
  }
})

it('parses an environment once', () => {
  const env = { TOKEN_SECRET: SECRET }
  expect(readSettings(env)).toBe(readSettings(env))
})

it.each([
  ['TOKEN_SECRET', ''],
  ['TOKEN_SECRET', '   '],
  ['TOKEN_SECRET', 'x'.repeat(31)],
  ['TOKEN_SECRET_PREVIOUS', 'x'.repeat(31)],
  ['TOKEN_TTL_MINUTES', '0'],
  ['TOKEN_TTL_MINUTES', '-5'],
  ['TOKEN_TTL_MINUTES', '1.5'],
  ['TOKEN_TTL_MINUTES', '30m'],
  ['TOKEN_TTL_MINUTES', '1e3'],
  ['TOKEN_TTL_MINUTES', '99999999999999999999'],
  ['ALLOWED_ORIGINS', 'app.empresa.mx'],
  ['ALLOWED_ORIGINS', 'https://app.empresa.mx/'],
  ['ALLOWED_ORIGINS', 'https://app.empresa.mx/ruta'],
  ['ALLOWED_ORIGINS', 'https://*.empresa.mx'],
  ['ALLOWED_ORIGINS', ','],
  ['ADMIN_ROLES', ' , '],
  ['FILES_ORIGIN', 'http://archivos.mx'],
  ['FILES_ORIGIN', 'https://archivos.mx/empresa'],
  ['FILES_ORIGIN', 'https://ana:clave@archivos.mx'],
  ['LEGACY_ORIGIN', 'https://vieja.mx/'],
  ['LEGACY_PATHS', '/api/v2/reportes'],
  ['LEGACY_PATHS', '/api/v1/'],
  ['SEAL_KEY', 'una clave cualquiera'],
  ['VAPID_KEY', 'una clave cualquiera'],
  ['TSA_URL', 'sello.example.com'],
  ['NOTIFY_URL', 'http://avisos.empresa.mx/'],
  ['NOTIFY_URL', 'http://localhost.empresa.mx/'],
  ['NOTIFY_URL', 'https://ana:clave@avisos.empresa.mx/'],
  ['NOTIFY_URL', 'avisos.empresa.mx'],
  ['NOTIFY_SECRET', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['NOTIFY_SECRET', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2Lj'],
  ['NOTIFY_SECRET', `whsec_${'A'.repeat(88)}`],
  ['NOTIFY_SECRET', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS'],
  ['NOTIFY_SECRET', Array(3).fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').join(' ')],
  ['FORBID_SELF_APPROVAL', 'sí'],
  ['REQUIRE_COMMENT', 'borrado'],
  ['DB_LIMIT_MB', '0'],
  ['DB_LIMIT_MB', '10 GB'],
])('rejects %s=%j and names the variable, not the value', (name, value) => {
  const read = () => readSettings({ TOKEN_SECRET: SECRET, [name]: value })
  expect(read).toThrow(new RegExp(`^${name} must be [^;]+$`))
  if (value.length > 2) expect(read).not.toThrow(value)
})

it('requires one or two secrets for the messages to NOTIFY_URL, which may be on loopback', () => {
  const whsec = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const read = (NOTIFY_URL: string, NOTIFY_SECRET: string) =>
    readSettings({ TOKEN_SECRET: SECRET, NOTIFY_URL, NOTIFY_SECRET })
  expect(() => read('https://avisos.mx/x?y', ' ')).toThrow(/^NOTIFY_SECRET must be [^;]+$/)
  expect(read('https://avisos.mx/x?y', whsec).NOTIFY_SECRET).toEqual([whsec])
  expect(read('', ` ${whsec}\n${whsec}`).NOTIFY_SECRET).toEqual([whsec, whsec])
  for (const host of ['localhost:9000', '127.0.0.1', '127.1.2.3', '[::1]:9000']) {
    expect(read(`http://${host}/`, whsec).NOTIFY_URL).toBe(`http://${host}/`)
  }
})

it('names every invalid variable', () => {
  expect(() => readSettings({ TOKEN_TTL_MINUTES: 'x' })).toThrow(/TOKEN_SECRET.*TOKEN_TTL_MINUTES/)
})

it('responds with a 500 without the cause while a setting is invalid', async () => {
  const res = await get('/v2/clients/modules_enabled', { env: { TOKEN_TTL_MINUTES: '0' } })
  expectFailure(res, 500, 'Ocurrió un error interno. Inténtalo de nuevo más tarde.')
})
