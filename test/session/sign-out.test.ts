import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { revoked_tokens, users } from '../../src/core/tables/users.ts'
import { runScheduled } from '../../src/scheduled.ts'
import { expectInvalid, expectSuccess, get, isValid, post } from '../support/api.ts'
import { aUser, db, PASSWORD, tokenFor } from '../support/factories.ts'

const revoked = () => db.select().from(revoked_tokens)

it('POST /auth/logout ends this token from the next request on, and no other', async () => {
  const user = await aUser()
  const other = await tokenFor(user)

  const res = await post('/auth/logout', undefined, { token: user.token })

  expectSuccess(res, 'Sesión cerrada.', null)
  expect(await isValid(user.token)).toBe(false)
  expect(await isValid(other)).toBe(true)
  expect(await revoked()).toHaveLength(1)
})

describe('a signed-out token that ends by itself', () => {
  const HOURLY = '7 * * * *'
  const MINUTE = 60_000

  /** Signs in and out, and returns the token. */
  const signOut = async (TOKEN_TTL_MINUTES: string) => {
    const { email } = await aUser()
    const settings = { env: { TOKEN_TTL_MINUTES } }
    const { body } = await post('/auth/login', { email, password: PASSWORD }, settings)
    const { token } = body.data
    expect((await post('/auth/logout', undefined, { token, ...settings })).status).toBe(200)
    return token
  }
  const prune = (at: number, cron = HOURLY) => runScheduled(env, cron, () => new Date(at))

  it('is kept with its end, and no longer than that', async () => {
    const token = await signOut('30')
    const [row] = await revoked()
    expect(row?.exp).toBe(JSON.parse(atob(token.split('.')[1])).exp)
    const end = (row?.exp ?? 0) * 1000

    await prune(end - 1)
    expect(await revoked()).toEqual([row])
    await prune(end, '* * * * *')
    expect(await revoked()).toEqual([row])
    await prune(end)
    expect(await revoked()).toEqual([])
  })

  it('is kept for good if it names no end, whatever the setting is later', async () => {
    const token = await signOut('')
    await prune(Date.now() + 1e6 * MINUTE)
    expect(await revoked()).toMatchObject([{ exp: null }])
    expect(await isValid(token)).toBe(false)
  })
})

describe('POST /auth/logout_all', () => {
  it('ends every token of the user, and no other user’s', async () => {
    const [user, other] = [await aUser(), await aUser()]
    const second = await tokenFor(user)

    const res = await post('/auth/logout_all', undefined, { token: user.token })

    expectSuccess(res, 'Se cerraron todas las sesiones.', null)
    expect([await isValid(user.token), await isValid(second)]).toEqual([false, false])
    expect(await isValid(other.token)).toBe(true)
  })

  it('deletes the revoked token ids of this user only', async () => {
    const [user, other] = [await aUser(), await aUser()]
    await post('/auth/logout', undefined, { token: await tokenFor(user) })
    await post('/auth/logout', undefined, { token: await tokenFor(other) })

    await post('/auth/logout_all', undefined, { token: user.token })

    expect((await revoked()).map((row) => row.user_id)).toEqual([other.id])
  })

  it('does not end a token issued in the same second', async () => {
    const { email, token } = await aUser()
    await post('/auth/logout_all', undefined, { token })
    const { body } = await post('/auth/login', { email, password: PASSWORD })
    expect(await isValid(body.data.token)).toBe(true)
    expect(await isValid(token)).toBe(false)
  })
})

describe('POST /auth/password', () => {
  const change = (token: string, body: unknown) => post('/auth/password', body, { token })
  const NEW = 'otra clave 🔑'

  it('changes the password, ends every token and returns a new one', async () => {
    const user = await aUser({ email: 'ana@empresa.mx' })
    const other = await tokenFor(user)
    await post('/auth/logout', undefined, { token: await tokenFor(user) })

    const res = await change(user.token, { current_password: PASSWORD, password: NEW })

    expect([res.status, res.body.message]).toEqual([200, 'La contraseña se cambió.'])
    expect(await isValid(res.body.data.token)).toBe(true)
    expect([await isValid(user.token), await isValid(other)]).toEqual([false, false])
    expect(await revoked()).toEqual([])
    const login = (password: string) => post('/auth/login', { email: user.email, password })
    expect((await login(PASSWORD)).status).toBe(401)
    const { body } = await login(NEW)
    const { token: _, ...session } = body.data
    expect(res.body.data).toEqual({ ...session, token: expect.any(String) })
  })

  it.each([
    ['8 letters', 'ocho ocho'.slice(0, 8)],
    ['1,024 code points', '🔑🔐'.repeat(512)],
  ])('accepts %s', async (_, password) => {
    const { token } = await aUser()
    expect((await change(token, { current_password: PASSWORD, password })).status).toBe(200)
  })

  const expectRejected = async (body: object, field: string, message: string) => {
    const user = await aUser()
    expectInvalid(await change(user.token, body), field, message)
    expect((await db.select().from(users))[0]).toMatchObject({
      password_hash: user.password_hash,
      token_version: 0,
    })
    expect(await isValid(user.token)).toBe(true)
  }

  it.each([
    ['another one', 'otra', 'La contraseña actual no es correcta.'],
    ['none', undefined, 'La contraseña actual es obligatoria.'],
  ])('is a 422 for %s as the current password, and changes nothing', async (...row) => {
    const [, current_password, message] = row
    await expectRejected({ current_password, password: NEW }, 'current_password', message)
  })

  it.each([
    ['the current one', PASSWORD, 'La contraseña nueva debe ser distinta de la actual.'],
    ['7 code points', '🔑'.repeat(7), 'La contraseña debe tener al menos 8 caracteres.'],
    ['1,025 code points', 'x'.repeat(1025), 'La contraseña no puede tener más de 1024 caracteres.'],
  ])('is a 422 for %s as the new password, and changes nothing', async (_, password, message) => {
    await expectRejected({ current_password: PASSWORD, password }, 'password', message)
  })

  it('reports both fields of an empty body', async () => {
    const { token } = await aUser()
    const res = await change(token, '')
    expect(Object.keys(res.body.errors)).toEqual(['current_password', 'password'])
  })
})

describe('rotating the secret', () => {
  const PREVIOUS = 'the-secret-that-signed-until-today-00'
  const NEXT = 'the-secret-that-signs-from-now-on-000'

  it('keeps old tokens valid, and signs new ones with the new secret', async () => {
    const { email } = await aUser()
    const login = (env: Partial<Env>) => post('/auth/login', { email, password: PASSWORD }, { env })
    const before = await login({ TOKEN_SECRET: PREVIOUS })
    const rotated = { TOKEN_SECRET: NEXT, TOKEN_SECRET_PREVIOUS: PREVIOUS } as Partial<Env>
    const after = await login(rotated)
    const me = async (token: string, env: Partial<Env>) =>
      (await get('/auth/me', { token, env })).status

    expect(await me(before.body.data.token, rotated)).toBe(200)
    expect(await me(after.body.data.token, rotated)).toBe(200)
    expect(await me(after.body.data.token, { TOKEN_SECRET: NEXT })).toBe(200)
    expect(await me(before.body.data.token, { TOKEN_SECRET: NEXT })).toBe(401)
    expect(await me(after.body.data.token, { TOKEN_SECRET: PREVIOUS })).toBe(401)
  })
})
