import { pbkdf2Sync } from 'node:crypto'
import * as bcrypt from 'bcryptjs'
import { afterEach, expect, it, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/session/passwords.ts'
import { PASSWORD, PASSWORD_HASH } from '../support/factories.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The same hash by an independent implementation, Node's PBKDF2. */
const hashByNode = (password: string, salt: Uint8Array, rounds: number, iterations: number) => {
  let secret = Buffer.from(password, 'utf8')
  for (let round = 0; round < rounds; round++) {
    secret = pbkdf2Sync(secret, salt, iterations, 64, 'sha512')
  }
  return secret.toString('base64').replace(/=+$/, '')
}

it('hashes like an independent PBKDF2, with the current parameters', async () => {
  const stored = await hashPassword('contraseña 🔑')
  const [, algorithm, cost, salt = '', hash] = stored.split('$')
  expect([algorithm, cost]).toEqual(['pbkdf2-sha512', 'r=3,i=70000'])
  expect(Buffer.from(salt, 'base64')).toHaveLength(16)
  expect(hash).toBe(hashByNode('contraseña 🔑', Buffer.from(salt, 'base64'), 3, 70_000))
})

it('never runs more than 100,000 iterations in one call, the limit of Workers', async () => {
  const derive = vi.spyOn(crypto.subtle, 'deriveBits')
  await hashPassword(PASSWORD)
  await verifyPassword(PASSWORD, PASSWORD_HASH)
  await verifyPassword(PASSWORD, undefined)
  const iterations = derive.mock.calls.map(([a]) => (a as { iterations: number }).iterations)
  expect(iterations).toHaveLength(9)
  expect(Math.max(...iterations)).toBeLessThanOrEqual(100_000)
})

it('uses a new salt for every hash', async () => {
  expect(await hashPassword(PASSWORD)).not.toBe(await hashPassword(PASSWORD))
})

it('accepts the right password and rejects a wrong one', async () => {
  expect(await verifyPassword(PASSWORD, PASSWORD_HASH)).toEqual({ matches: true, outdated: false })
  const { matches } = await verifyPassword(`${PASSWORD}x`, PASSWORD_HASH)
  expect(matches).toBe(false)
})

it('verifies a hash of other parameters and reports it as outdated', async () => {
  const salt = Buffer.from('0123456789abcdef')
  const hash = hashByNode('antigua', salt, 2, 1000)
  const stored = `$pbkdf2-sha512$r=2,i=1000$${salt.toString('base64').replace(/=+$/, '')}$${hash}`
  expect(await verifyPassword('antigua', stored)).toEqual({ matches: true, outdated: true })
  expect(await verifyPassword('otra', stored)).toEqual({ matches: false, outdated: false })
})

it('never replaces a bcrypt hash if the password reaches bcrypt’s limit of 72 bytes', async () => {
  const long = await bcrypt.hash(`${'x'.repeat(72)}-right`, 4)
  for (const password of ['x'.repeat(72), `${'x'.repeat(72)}-wrong`, `${'x'.repeat(72)}-right`]) {
    expect(await verifyPassword(password, long)).toEqual({ matches: true, outdated: false })
  }
  const short = await bcrypt.hash(`ñ${'x'.repeat(69)}`, 4)
  expect(await verifyPassword(`ñ${'x'.repeat(69)}`, short)).toEqual({
    matches: true,
    outdated: true,
  })
})

it('does the work of a current hash after a failed bcrypt check, to equal the timing', async () => {
  const derive = vi.spyOn(crypto.subtle, 'deriveBits')
  const { matches } = await verifyPassword(
    'otra',
    '$2y$04$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w36',
  )
  expect(matches).toBe(false)
  expect(derive).toHaveBeenCalledTimes(3)
})

it.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['text', 'secreta'],
  ['another algorithm', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA'],
  ['too many iterations for Workers', PASSWORD_HASH.replace('i=70000', 'i=100001')],
  [
    'a bcrypt cost that would take seconds',
    '$2y$14$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w36',
  ],
  ['a truncated bcrypt hash', '$2y$04$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w3'],
  ['a salt of a length that no base64 has', PASSWORD_HASH.replace(/\$[^$]+(?=\$[^$]+$)/, '$AAAAA')],
  ['no rounds', PASSWORD_HASH.replace('r=3', 'r=0')],
  ['a short hash', PASSWORD_HASH.slice(0, -2)],
])('rejects every password against %s, after the same work', async (_, stored) => {
  const derive = vi.spyOn(crypto.subtle, 'deriveBits')
  expect(await verifyPassword(PASSWORD, stored)).toEqual({ matches: false, outdated: false })
  expect(derive).toHaveBeenCalledTimes(3)
})
