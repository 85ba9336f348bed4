import { describe, expect, it, vi } from 'vitest'
import { revoked_tokens, users } from '../../src/core/db/schema.ts'
import { expectFailure, get, post } from '../support/api.ts'
import { aUser, db, PASSWORD, tokenFor } from '../support/factories.ts'

const isValid = async (token: string) => (await get('/auth/me', { token })).status === 200
const revoked = () => db.select().from(revoked_tokens)

describe('POST /auth/logout', () => {
  it('ends this token from the next request on, and no other', async () => {
    const user = await aUser()
    const other = await tokenFor(user)

    const res = await post('/auth/logout', undefined, { token: user.token })

    expect(res.status).toBe(200)
    expect(res.body).toEqual({ success: true, message: 'Sesión cerrada.', data: null })
    expect(await isValid(user.token)).toBe(false)
    expect(await isValid(other)).toBe(true)
    expect(await revoked()).toHaveLength(1)
  })
})

describe('POST /auth/logout_all', () => {
  it('ends every token of the user, and no other user’s', async () => {
    const [user, other] = [await aUser(), await aUser()]
    const second = await tokenFor(user)

    const res = await post('/auth/logout_all', undefined, { token: user.token })

    expect(res.status).toBe(200)
    expect(res.body).toEqual({
      success: true,
      message: 'Se cerraron todas las sesiones.',
      data: null,
    })
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

    expect(res.status).toBe(200)
    expect(res.body).toEqual({
      success: true,
      message: 'La contraseña se cambió.',
      data: {
        user: {
          id: user.id,
          email: 'ana@empresa.mx',
          first_name: 'Ana',
          last_name: 'Torres',
          mother_last_name: 'Rivas',
          role: 'employee',
          active: 1,
        },
        token: expect.any(String),
        token_type: 'Bearer',
      },
    })
    expect(await isValid(res.body.data.token)).toBe(true)
    expect([await isValid(user.token), await isValid(other)]).toEqual([false, false])
    expect(await revoked()).toEqual([])
    const login = (password: string) => post('/auth/login', { email: user.email, password })
    expect((await login(PASSWORD)).status).toBe(401)
    expect((await login(NEW)).status).toBe(200)
  })

  it.each([
    ['8 letters', 'ocho ocho'.slice(0, 8)],
    ['1,024 code points', '🔑'.repeat(1024)],
  ])('accepts %s', async (_, password) => {
    const { token } = await aUser()
    expect((await change(token, { current_password: PASSWORD, password })).status).toBe(200)
  })

  it.each([
    [
      'a wrong current password',
      { current_password: 'otra', password: NEW },
      { current_password: ['La contraseña actual no es correcta.'] },
    ],
    [
      'the current password as the new one',
      { current_password: PASSWORD, password: PASSWORD },
      { password: ['La contraseña nueva debe ser distinta de la actual.'] },
    ],
    [
      '7 code points',
      { current_password: PASSWORD, password: '🔑'.repeat(7) },
      { password: ['La contraseña debe tener al menos 8 caracteres.'] },
    ],
    [
      '1,025 code points',
      { current_password: PASSWORD, password: 'x'.repeat(1025) },
      { password: ['La contraseña no puede tener más de 1024 caracteres.'] },
    ],
    [
      'blanks',
      { current_password: PASSWORD, password: ' '.repeat(9) },
      { password: ['La contraseña es obligatoria.'] },
    ],
    [
      'NUL',
      { current_password: PASSWORD, password: 'una clave\0' },
      { password: ['La contraseña contiene caracteres no válidos.'] },
    ],
    [
      'no current password',
      { password: NEW },
      { current_password: ['La contraseña actual es obligatoria.'] },
    ],
  ])('is a 422 for %s, and changes nothing', async (_, body, errors) => {
    const user = await aUser()
    const res = await change(user.token, body)
    expectFailure(res, 422, Object.values(errors)[0]?.[0] ?? '', errors)
    expect((await db.select().from(users))[0]).toMatchObject({
      password_hash: user.password_hash,
      token_version: 0,
    })
    expect(await isValid(user.token)).toBe(true)
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
    const user = await aUser()
    const { email } = user
    const before = await post(
      '/auth/login',
      { email, password: PASSWORD },
      { env: { TOKEN_SECRET: PREVIOUS } },
    )
    const rotated = { TOKEN_SECRET: NEXT, TOKEN_SECRET_PREVIOUS: PREVIOUS } as Partial<Env>
    const after = await post('/auth/login', { email, password: PASSWORD }, { env: rotated })
    const me = async (token: string, env: Partial<Env>) =>
      (await get('/auth/me', { token, env })).status

    expect(await me(before.body.data.token, rotated)).toBe(200)
    expect(await me(after.body.data.token, rotated)).toBe(200)
    expect(await me(after.body.data.token, { TOKEN_SECRET: NEXT })).toBe(200)
    expect(await me(before.body.data.token, { TOKEN_SECRET: NEXT })).toBe(401)
    expect(await me(after.body.data.token, { TOKEN_SECRET: PREVIOUS })).toBe(401)
  })

  it.each(['TOKEN_SECRET', 'TOKEN_SECRET_PREVIOUS'])(
    'is a 500 for a %s under 32 bytes, and logs the rule',
    async (name) => {
      const error = vi.spyOn(console, 'error').mockImplementation(() => {})
      const res = await get('/auth/me', { env: { [name]: 'x'.repeat(31) } })
      expect(res.status).toBe(500)
      expect(String(error.mock.calls[0]?.[0])).toContain(`${name} must be`)
      error.mockRestore()
    },
  )
})
