import { env } from 'cloudflare:workers'
import { signing } from 'hono/utils/jwt/jws'
import { describe, expect, it, vi } from 'vitest'
import { users } from '../../src/core/db/schema.ts'
import { verifyPassword } from '../../src/people/passwords.ts'
import { expectFailure, expectInvalid, expectSuccess, failure, get, post } from '../support/api.ts'
import { anEmployee, aUser, db, PASSWORD } from '../support/factories.ts'

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

  it('takes an address before a number, and a number only of that domain', async () => {
    await anEmployee({ employee_id: '24' })
    await aUser({ email: 'otra@empresa.mx', employee_id: '24' })
    const own = await aUser({ email: '24@sin-correo.invalid' })
    const res = await login({ email: '24@sin-correo.invalid', password: PASSWORD })
    expect(res.body.data.user.id).toBe(own.id)
    const other = await login({ email: '24@empresa.mx', password: PASSWORD })
    expectFailure(other, 401, WRONG.message)
  })

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
