import { env } from 'cloudflare:workers'
import { sign } from 'hono/jwt'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken, verifyToken } from '../../src/core/http/token.ts'
import { get } from '../support/api.ts'
import { aUser, tokenFor } from '../support/factories.ts'

const MINUTE = 60_000

const payloadOf = (user: { id: number }) => ({
  sub: String(user.id),
  jti: crypto.randomUUID(),
  ver: 0,
  iat: Math.floor(Date.now() / 1000),
})

const base64url = (value: unknown) =>
  btoa(JSON.stringify(value)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '')

const damage = (token: string, part: number) =>
  token
    .split('.')
    .map((text, i) => {
      const middle = Math.floor(text.length / 2)
      const other = text[middle] === 'A' ? 'B' : 'A'
      return i === part ? text.slice(0, middle) + other + text.slice(middle + 1) : text
    })
    .join('.')

/** Encodes the same signature in a different way: its last character has two unused bits. */
const reencode = (token: string) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = letters.indexOf(token.at(-1) ?? '')
  return token.slice(0, -1) + letters[last + 1]
}

type Forge = (user: {
  id: number
  token: string
  token_version: number
}) => string | Promise<string>

const signed = (payload: unknown) => sign(payload as Record<string, unknown>, env.TOKEN_SECRET)

const FORGERIES: [string, Forge][] = [
  ['no token', () => ''],
  ['junk', () => 'junk'],
  ['three parts of junk', () => 'a.b.c'],
  ['a damaged header', (user) => damage(user.token, 0)],
  ['a damaged payload', (user) => damage(user.token, 1)],
  ['a damaged signature', (user) => damage(user.token, 2)],
  ['another spelling of the same signature', (user) => reencode(user.token)],
  ['padding', (user) => `${user.token}=`],
  ['no signature', (user) => user.token.replace(/[^.]+$/, '')],
  ['another secret', (user) => sign(payloadOf(user), 'another-secret-of-thirty-two-bytes')],
  ['HS512 with our secret', (user) => sign(payloadOf(user), env.TOKEN_SECRET, 'HS512')],
  [
    'alg: none',
    (user) => `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(payloadOf(user))}.`,
  ],
  ['an unknown user', () => signed(payloadOf({ id: 99 }))],
  ['a payload of null', () => signed(null)],
  ['a payload of text', () => signed('1')],
  ['no subject', (user) => signed({ ...payloadOf(user), sub: undefined })],
  ['a subject that is a number', (user) => signed({ ...payloadOf(user), sub: user.id })],
  ['a subject with a sign', (user) => signed({ ...payloadOf(user), sub: `+${user.id}` })],
  ['no token id', (user) => signed({ ...payloadOf(user), jti: undefined })],
  ['an empty token id', (user) => signed({ ...payloadOf(user), jti: '' })],
  ['no version', (user) => signed({ ...payloadOf(user), ver: undefined })],
  ['a future version', (user) => signed({ ...payloadOf(user), ver: 1 })],
  ['no time of issue', (user) => signed({ ...payloadOf(user), iat: undefined })],
  ['an end that is text', (user) => signed({ ...payloadOf(user), exp: '9999999999' })],
  ['an end that has come', (user) => signed({ ...payloadOf(user), exp: payloadOf(user).iat })],
  ['an audience that is a list', (user) => signed({ ...payloadOf(user), aud: ['checada'] })],
  ['a machine that is not true', (user) => signed({ ...payloadOf(user), machine: 'yes' })],
]

describe('authentication', () => {
  it.each(FORGERIES)('is the same 401 for %s', async (_, forge) => {
    const token = await forge(await aUser())
    const res = await get('/auth/me', { token })
    expect([res.status, res.text]).toEqual([401, '{"message":"No autenticado."}'])
    expect(res.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR '])('accepts the scheme as %j', async (scheme) => {
    const { token } = await aUser()
    const headers = { Authorization: `${scheme} ${token}` }
    expect((await get('/auth/me', { headers })).status).toBe(200)
  })

  const SCHEMES = ['', 'Basic ', 'Bearer', 'Bearer: ', 'Token ', 'Bearer x ']
  it.each(SCHEMES)('is a 401 for a token after %j', async (scheme) => {
    const { token } = await aUser()
    const headers = { Authorization: `${scheme}${token}` }
    expect((await get('/auth/me', { headers })).status).toBe(401)
  })

  it('reads no token from the query', async () => {
    const { token } = await aUser()
    expect((await get(`/auth/me?token=${token}&access_token=${token}`)).status).toBe(401)
  })
})

describe('the audience of a token', () => {
  const as = (TOKEN_AUDIENCE: string) => ({ ...readSettings(env), TOKEN_AUDIENCE })
  const statusAt = async (token: string, TOKEN_AUDIENCE: string) =>
    (await get('/auth/me', { token, env: { TOKEN_AUDIENCE } })).status

  it('is the installation, and no other one takes it', async () => {
    const user = { id: (await aUser()).id, tokenVersion: 0 }
    const token = await issueToken(user, as('checada'), new Date())
    expect(await statusAt(token, 'checada')).toBe(200)
    expect(await statusAt(token, 'checada-staging')).toBe(401)
    expect(await statusAt(token, '')).toBe(401)
  })

  it('may be missing, as in older tokens', async () => {
    const { token } = await aUser()
    expect(await statusAt(token, 'checada')).toBe(200)
  })
})

describe('the lifetime of a token', () => {
  const aged = async (ms: number, TOKEN_TTL_MINUTES: string) => {
    const user = await aUser()
    const token = await tokenFor(user, new Date(Date.now() - ms))
    return (await get('/auth/me', { token, env: { TOKEN_TTL_MINUTES } })).status
  }

  it('is unlimited by default', async () => {
    expect(await aged(10 * 365 * 24 * 60 * MINUTE, '')).toBe(200)
  })

  it('ends after the configured minutes, not before', async () => {
    expect(await aged(29 * MINUTE, '30')).toBe(200)
    expect(await aged(30 * MINUTE, '30')).toBe(401)
  })

  it('may start in the future, since clocks differ', async () => {
    expect(await aged(-5_000, '')).toBe(200)
    expect(await aged(-5_000, '30')).toBe(200)
  })
})

describe('the end that a token has written down', () => {
  const issuedAt = new Date('2026-11-02T14:00:00.000Z')
  const iat = issuedAt.getTime() / 1000
  const withTtl = (TOKEN_TTL_MINUTES = '') =>
    readSettings({ TOKEN_SECRET: env.TOKEN_SECRET, TOKEN_TTL_MINUTES })
  const issued = (ttl: string, machine = false) =>
    issueToken({ id: 1, tokenVersion: 0 }, withTtl(ttl), issuedAt, { machine })
  const readPayload = (token: string) => JSON.parse(atob(token.split('.')[1] ?? ''))

  it('is in a person’s token where the setting ends tokens, and in no other', async () => {
    const jti = expect.any(String)
    expect(readPayload(await issued('30'))).toEqual({ sub: '1', jti, ver: 0, iat, exp: iat + 1800 })
    expect(Object.keys(readPayload(await issued('')))).toEqual(['sub', 'jti', 'ver', 'iat'])
    const ofMachine = ['sub', 'jti', 'ver', 'iat', 'machine']
    expect(Object.keys(readPayload(await issued('30', true)))).toEqual(ofMachine)
  })

  it.each([
    ['30', '10', 10],
    ['30', '60', 30],
    ['30', '', 30],
    ['', '10', 10],
    ['9007199254740991', '30', 30],
  ])('issued with %j and judged by %j: ends after %i minutes', async (before, after, minutes) => {
    const token = await issued(before)
    const end = issuedAt.getTime() + minutes * MINUTE
    const verified = (at: number) => verifyToken(token, withTtl(after), new Date(at))
    expect(await verified(end - 1)).toMatchObject({ userId: 1 })
    expect(await verified(end)).toBeUndefined()
  })
})
