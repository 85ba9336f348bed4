import { env } from 'cloudflare:workers'
import { signing } from 'hono/utils/jwt/jws'
import { describe, expect, it, vi } from 'vitest'
import { users } from '../../src/core/tables/users.ts'
import { verifyPassword } from '../../src/session/passwords.ts'
import { expectFailure, expectInvalid, expectSuccess, failure, get, post } from '../support/api.ts'
import { anEmployee, aUser, db, PASSWORD } from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

const login = (body: unknown) => post('/auth/login', body)

const WRONG = failure('El correo electrónico o la contraseña no son correctos.')
const INACTIVE = failure('El usuario está inactivo.')
const NO_EMAIL = 'El correo electrónico es obligatorio.'
const NO_PASSWORD = 'La contraseña es obligatoria.'

describe('POST /auth/login', () => {
  it('has no field for the end of a token, which the token has', async () => {
    const { email } = await aUser()
    const settings = { env: { TOKEN_TTL_MINUTES: '30' } }
    const { body } = await post('/auth/login', { email, password: PASSWORD }, settings)
    expect(Object.keys(body.data)).toEqual(['user', 'token', 'token_type'])
    expect(JSON.parse(atob(body.data.token.split('.')[1]))).toHaveProperty('exp')
  })

  it('signs a user in with exactly the contract’s fields', async () => {
    const user = await aUser({ email: 'ana@empresa.mx', role: 'admin' })

    const res = await login({ email: 'ana@empresa.mx', password: PASSWORD })

    expectSuccess(res, 'Inicio de sesión correcto.', {
      user: {
        id: user.id,
        email: 'ana@empresa.mx',
        first_name: 'Ana',
        last_name: 'Torres',
        mother_last_name: 'Rivas',
        role: 'admin',
        active: 1,
      },
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
    })
  })

  it.each([
    ['in capitals', 'ANA.PEÑA@EMPRESA.MX'],
    ['with blanks around it', '  ana.peña@empresa.mx\t'],
  ])('finds the user by an address %s', async (_, email) => {
    await aUser({ email: 'Ana.Peña@Empresa.mx' })

    const res = await login({ email, password: PASSWORD })

    expect(res.status).toBe(200)
    expect(res.body.data.user.email).toBe('Ana.Peña@Empresa.mx')
  })

  it.each(['E-002@sin-correo.invalid', ' e-002@SIN-CORREO.invalid'])(
    'finds a person by the employee number, whatever the person’s address: %s',
    async (email) => {
      await anEmployee({ employee_id: 'E-002' })
      await aUser({ email: 'luis@empresa.mx', employee_id: 'E-002' })
      const res = await login({ email, password: PASSWORD })
      expect([res.status, res.body.data.user.email]).toEqual([200, 'luis@empresa.mx'])
      expectFailure(await login({ email, password: 'otra' }), 401, WRONG.message)
    },
  )

  it.each([
    ['a wrong password', 'ana@empresa.mx', 'otra', 401, WRONG],
    ['a password with a blank more', 'ana@empresa.mx', `${PASSWORD} `, 401, WRONG],
    ['an unknown address', 'nadie@empresa.mx', PASSWORD, 401, WRONG],
    ['an inactive user', 'baja@empresa.mx', PASSWORD, 403, INACTIVE],
    ['an inactive user with a wrong password', 'baja@empresa.mx', 'otra', 401, WRONG],
  ])('rejects %s with the same response as a wrong address or password', async (...row) => {
    const [, email, password, status, body] = row
    await aUser({ email: 'ana@empresa.mx' })
    await aUser({ email: 'baja@empresa.mx', active: 0 })
    const res = await login({ email, password })
    expect([res.status, res.text]).toEqual([status, JSON.stringify(body)])
  })

  it('does the same hashing for unknown and inactive users and wrong passwords', async () => {
    await aUser({ email: 'ana@empresa.mx' })
    await aUser({ email: 'baja@empresa.mx', active: 0 })
    const derive = vi.spyOn(crypto.subtle, 'deriveBits')
    const derivations = async (email: string, password: string) => {
      derive.mockClear()
      await login({ email, password })
      return derive.mock.calls.map(
        ([algorithm]) => (algorithm as { iterations: number }).iterations,
      )
    }

    const known = await derivations('ana@empresa.mx', PASSWORD)

    expect(known).toEqual([70_000, 70_000, 70_000])
    expect(await derivations('ana@empresa.mx', 'otra')).toEqual(known)
    expect(await derivations('nadie@empresa.mx', 'otra')).toEqual(known)
    expect(await derivations('baja@empresa.mx', PASSWORD)).toEqual(known)
    expect(await derivations('baja@empresa.mx', 'otra')).toEqual(known)
    derive.mockRestore()
  })

  it.each([
    ['an empty body', ''],
    ['malformed JSON', '{"email":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('reports both fields as missing when the body is %s', async (_, body) => {
    const res = await post('/auth/login', body)

    expectFailure(res, 422, `${NO_EMAIL} (y 1 error más)`, {
      email: [NO_EMAIL],
      password: [NO_PASSWORD],
    })
    expect(Object.keys(res.body.errors)).toEqual(['email', 'password'])
  })

  const NO_ADDRESSES = ['ana', 'ana@', '@empresa.mx', 'a@b@c', 'ana torres@empresa.mx']
  it.each(NO_ADDRESSES)('is a 422 for %s as the email', async (email) => {
    const message = 'El correo electrónico no es una dirección válida.'
    expectInvalid(await login({ email, password: 'x' }), 'email', message)
  })

  it.each([
    ['nothing', undefined, NO_EMAIL],
    ['null', null, NO_EMAIL],
    ['blanks', '  ', NO_EMAIL],
    ['a number', 5, 'El correo electrónico debe ser texto.'],
    ['half a pair', '\ud800@empresa.mx', 'El correo electrónico contiene caracteres no válidos.'],
  ])('is a 422 for %s as the email', async (_, email, message) => {
    expectInvalid(await login({ email, password: 'x' }), 'email', message)
  })

  it.each([
    ['nothing', undefined, NO_PASSWORD],
    ['blanks', '   ', NO_PASSWORD],
    ['a list', ['x'], 'La contraseña debe ser texto.'],
    ['NUL', 'a\0b', 'La contraseña contiene caracteres no válidos.'],
    [
      '1,025 code points',
      '🔑'.repeat(1025),
      'La contraseña no puede tener más de 1024 caracteres.',
    ],
  ])('is a 422 for %s as the password', async (_, password, message) => {
    expectInvalid(await login({ email: 'a@b', password }), 'password', message)
  })

  it('accepts a password of 1,024 code points as input', async () => {
    await aUser({ email: 'ana@empresa.mx' })
    const res = await login({ email: 'ana@empresa.mx', password: '🔑'.repeat(1024) })
    expect(res.status).toBe(401)
  })

  it('reads the body as JSON with any content type, and ignores unknown fields', async () => {
    await aUser({ email: 'ana@empresa.mx' })
    const body = { email: 'ana@empresa.mx', password: PASSWORD, remember: true }
    const res = await post('/auth/login', body, { headers: { 'Content-Type': 'text/plain' } })
    expect(res.status).toBe(200)
  })

  it.each(['2y', '2b'])('accepts a $%s$ hash of the legacy API, and replaces it', async (kind) => {
    const hash = `$${kind}$04$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w36`
    await aUser({ email: 'ana@empresa.mx', password_hash: hash })
    const stored = async () => (await db.select().from(users))[0]?.password_hash

    expect((await login({ email: 'ana@empresa.mx', password: 'otra' })).status).toBe(401)
    expect(await stored()).toBe(hash)
    expect((await login({ email: 'ana@empresa.mx', password: 'Añeja 🔑' })).status).toBe(200)
    expect(await stored()).toMatch(/^\$pbkdf2-sha512\$r=3,i=70000\$/)
    expect((await login({ email: 'ana@empresa.mx', password: 'Añeja 🔑' })).status).toBe(200)
    expect((await login({ email: 'ana@empresa.mx', password: 'otra' })).status).toBe(401)
  })

  it('keeps the legacy hash of an inactive user', async () => {
    const hash = '$2y$04$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w36'
    await aUser({ email: 'ana@empresa.mx', password_hash: hash, active: 0 })
    expect((await login({ email: 'ana@empresa.mx', password: 'Añeja 🔑' })).status).toBe(403)
    expect((await db.select().from(users))[0]?.password_hash).toBe(hash)
  })

  it('replaces a hash of other parameters, and still accepts the password', async () => {
    const old =
      '$pbkdf2-sha512$r=1,i=1000$AAECAwQFBgcICQoLDA0ODw$ffC6x3Lnwz9F2g4GPZGeCBMVGTYHzQlyLonMshdkunLwWMsjFbNPwE7S3PntupIpUPCam2DnHmbOlZZUP+dwqA'
    await aUser({ email: 'ana@empresa.mx', password_hash: old })

    expect((await login({ email: 'ana@empresa.mx', password: 'antigua' })).status).toBe(200)

    const [user] = await db.select().from(users)
    expect(user?.password_hash).toMatch(/^\$pbkdf2-sha512\$r=3,i=70000\$/)
    expect(await verifyPassword('antigua', user?.password_hash)).toEqual({
      matches: true,
      outdated: false,
    })
    expect((await login({ email: 'ana@empresa.mx', password: 'antigua' })).status).toBe(200)
  })
})

const base64url = (bytes: string) =>
  btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

it.each([
  ['{"alg":"HS256","typ":"JWT"}', 200],
  ['{"typ":"JWT","alg":"HS256"}', 401],
  ['{"alg":"HS256","typ":"JWT","crit":["exp"]}', 401],
  ['{"alg":"none","typ":"JWT"}', 401],
])('a token that our secret signed with the header %s is a %i', async (header, status) => {
  const { id } = await aUser()
  const payload = JSON.stringify({ sub: String(id), jti: 'x', ver: 0, iat: 0 })
  const signed = `${base64url(header)}.${base64url(payload)}`
  const bytes = await signing(env.TOKEN_SECRET, 'HS256', new TextEncoder().encode(signed))
  const signature = base64url(String.fromCharCode(...new Uint8Array(bytes)))
  expect((await get('/auth/me', { token: `${signed}.${signature}` })).status).toBe(status)
})

describe('POST /auth/login by the employee number', () => {
  const NUMBER = '@sin-correo.invalid'
  /** An employee with an account, which has the address that an invitation gives. */
  const aWorker = async (employee_id: string, row: Parameters<typeof aUser>[0] = {}) => {
    await anEmployee({ employee_id })
    return aUser({ employee_id, email: `${employee_id.toLowerCase()}${NUMBER}`, ...row })
  }
  /** The id of the account that a number leads to, or the status. */
  const idOf = async (number: string, password = PASSWORD) => {
    const { status, body, text } = await login({ email: `${number}${NUMBER}`, password })
    if (status !== 200) expect([status, text]).toEqual([401, JSON.stringify(WRONG)])
    return status === 200 ? (body.data.user.id as number) : status
  }

  it('leads to the own account, although another account has an address like the number', async () => {
    const admin = await aWorker('E-001', { email: 'ana@empresa.mx', role: 'admin' })
    const worker = await aWorker('E 001', { email: `e-001${NUMBER}` })
    // The third is from a page of 2.0, which has only the number of the administrator for both.
    for (const number of ['E-001', 'e-001', 'E-001']) expect(await idOf(number)).toBe(admin.id)
    expect(await idOf('E%20001')).toBe(worker.id)
    expect(await idOf('e%20001')).toBe(worker.id)
  })

  it('leads to the person whose number it is, not to an account that once had it', async () => {
    await aUser({ email: `00125${NUMBER}`, active: 0 })
    const worker = await aWorker('00125', { email: 'luis@empresa.mx' })
    expect(await idOf('00125')).toBe(worker.id)
    expect(await idOf('125')).toBe(worker.id)
  })

  it('takes a number without case, without zeros, as 2.0 sent it, and the stored address', async () => {
    const numbers = ['00125', 'Ñ-7', 'B/3', '000', 'Á 1', '50%', 'x@y', 'n'.repeat(60), '🙂 1']
    const workers = new Map<string, number>()
    for (const number of numbers) {
      const { id } = await aWorker(number, { email: `persona${workers.size}${NUMBER}` })
      workers.set(number, id)
    }
    const leadsTo = async (typed: string, number: string) =>
      expect([typed, await idOf(typed)]).toEqual([typed, workers.get(number)])
    for (const number of numbers) await leadsTo(encodeURIComponent(number), number)
    for (const typed of ['125', '0125', '00000125', 'persona0']) await leadsTo(typed, '00125')
    await leadsTo('0', '000')
    await leadsTo('%C3%B1-7', 'Ñ-7')
    await leadsTo('ñ-7', 'Ñ-7')
    await leadsTo('b-3', 'B/3')
    await leadsTo('50%', '50%')
    await leadsTo('N'.repeat(60), 'n'.repeat(60))
  })

  it('refuses what two accounts may mean, as it refuses a wrong password', async () => {
    const [one, other] = [await aWorker('0125'), await aWorker('00125')]
    expect(await idOf('125')).toBe(401)
    expect([await idOf('0125'), await idOf('00125')]).toEqual([one.id, other.id])
    await aWorker('A B', { email: 'a@empresa.mx' })
    await aWorker('A/B', { email: 'b@empresa.mx' })
    expect(await idOf('a-b')).toBe(401)
  })

  it('is about nobody for a number that only looks like another', async () => {
    await aWorker('E-001', { email: 'ana@empresa.mx' })
    await aWorker('125', { email: 'luis@empresa.mx' })
    const forged = [
      '%00125',
      '125%00',
      '%2500125',
      '１２５',
      '%EF%BC%91%EF%BC%92%EF%BC%95',
      'Е-001',
    ]
    for (const number of [...forged, 'E%E2%80%91001', '1_5', '1%255', '_-001', '-----']) {
      expect([number, await idOf(number)]).toEqual([number, 401])
    }
    expect(await idOf('1250')).toBe(401)
    expect(await idOf('125', 'otra')).toBe(401)
  })

  it('takes a long number of letters that only fold into those of ASCII', async () => {
    const kelvin = '\u212a'.repeat(50)
    expect([await aWorker('Á 1'), await idOf(kelvin)]).toEqual([expect.anything(), 401])
    const { id } = await aWorker(kelvin, { email: 'ana@empresa.mx' })
    expect(await idOf(kelvin)).toBe(id)
  })

  it('takes an address for an address alone', async () => {
    await aWorker('24', { email: 'otra@empresa.mx' })
    for (const email of ['24@empresa.mx', '24@sin-correo.invalid.mx', '24@x.sin-correo.invalid']) {
      expectFailure(await login({ email, password: PASSWORD }), 401, WRONG.message)
    }
  })

  it('asks the database once, whether or not the number exists', async () => {
    await aWorker('00125')
    const requestsFor = async (number: string) => {
      const { DB, recording } = recordQueries(env.DB)
      await post('/auth/login', { email: `${number}${NUMBER}`, password: 'otra' }, { env: { DB } })
      return [recording.calls, [...recording.results.keys()]]
    }
    const known = await requestsFor('00125')
    expect(known[0]).toBe(1)
    expect(await requestsFor('125')).toEqual(known)
    expect(await requestsFor('9')).toEqual(known)
  })
})
