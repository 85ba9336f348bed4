import { timingSafeEqual } from 'node:crypto'
import { compare } from 'bcryptjs'

/**
 * Passwords are hashed by PBKDF2-HMAC-SHA-512 with 210,000 iterations (OWASP Password Storage Cheat
 * Sheet). Workers reject more than 100,000 iterations per call, so there are three rounds of
 * 70,000. The 64 bytes of each round are the password of the next one. A hash is stored as a
 * PHC-style string, `$pbkdf2-sha512$r=3,i=70000$<salt>$<hash>`, with unpadded base64.
 */
const ROUNDS = 3
const ITERATIONS = 70_000
const ITERATIONS_MAX = 100_000
const HASH_BYTES = 64
const SALT_BYTES = 16

/**
 * The limits of a password's length in Unicode code points. The minimum is only for new passwords.
 */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1024

const PBKDF2_HASH =
  /^\$pbkdf2-sha512\$r=(\d),i=(\d{1,6})\$([A-Za-z0-9+/]{2,})\$([A-Za-z0-9+/]{86})$/

/** A hash imported from the legacy API. Verifying a cost over 13 would take seconds of CPU time. */
const BCRYPT_HASH = /^\$2[by]\$(0[4-9]|1[0-3])\$[./A-Za-z0-9]{53}$/

interface Pbkdf2Hash {
  rounds: number
  iterations: number
  salt: Uint8Array
  hash: Uint8Array
}

/** A hash that no password has, with the current cost. Comparing it takes the usual time. */
const DUMMY_HASH: Pbkdf2Hash = {
  rounds: ROUNDS,
  iterations: ITERATIONS,
  salt: new Uint8Array(SALT_BYTES),
  hash: new Uint8Array(HASH_BYTES),
}

interface Verification {
  matches: boolean
  /** Whether the password matches a hash in an older form, which should be replaced. */
  outdated: boolean
}

const NO_MATCH: Verification = { matches: false, outdated: false }

const toBase64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

const derive = async (
  password: string,
  { salt, rounds, iterations }: Omit<Pbkdf2Hash, 'hash'>,
): Promise<Uint8Array> => {
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations }
  let secret: Uint8Array = new TextEncoder().encode(password)
  for (let round = 0; round < rounds; round++) {
    const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
    secret = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, HASH_BYTES * 8))
  }
  return secret
}

const parsePbkdf2 = (stored: string): Pbkdf2Hash | undefined => {
  const [, r, i, salt, hash] = PBKDF2_HASH.exec(stored) ?? []
  // No base64 has this length, and `atob` throws on it.
  if (!salt || !hash || salt.length % 4 === 1) return undefined
  const [rounds, iterations] = [Number(r), Number(i)]
  const withinBounds = rounds >= 1 && iterations >= 1 && iterations <= ITERATIONS_MAX
  return withinBounds
    ? { rounds, iterations, salt: fromBase64(salt), hash: fromBase64(hash) }
    : undefined
}

const verifyPbkdf2 = async (
  password: string,
  { hash, ...cost }: Pbkdf2Hash,
): Promise<Verification> => {
  const matches = timingSafeEqual(await derive(password, cost), hash)
  const current = cost.rounds === ROUNDS && cost.iterations === ITERATIONS
  return { matches, outdated: matches && !current }
}

const BCRYPT_BYTES = 72
const byteLength = (text: string): number => new TextEncoder().encode(text).length

/**
 * Does the work of checking a current hash, so that the time does not reveal unknown users. A wrong
 * password takes longer if the stored hash is of bcrypt.
 */
const rejectInConstantTime = async (password: string): Promise<Verification> => {
  await derive(password, DUMMY_HASH)
  return NO_MATCH
}

/** Whether `verifyPassword` supports the form of a stored hash. */
export const isSupportedHash = (stored: string): boolean =>
  BCRYPT_HASH.test(stored) || parsePbkdf2(stored) !== undefined

export const hashPassword = async (password: string): Promise<string> => {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const hash = await derive(password, { salt, rounds: ROUNDS, iterations: ITERATIONS })
  return `$pbkdf2-sha512$r=${ROUNDS},i=${ITERATIONS}$${toBase64(salt)}$${toBase64(hash)}`
}

/**
 * Checks a password against a stored hash, which may be in an older form. If there is no hash or
 * its form is not supported, it does the same work and rejects the password.
 */
export const verifyPassword = async (
  password: string,
  stored: string | undefined,
): Promise<Verification> => {
  if (stored !== undefined && BCRYPT_HASH.test(stored)) {
    const matches = await compare(password, stored)
    // Bcrypt reads only 72 bytes. A given password of 72 bytes or more may differ from the user's
    // real password after these bytes. The real password must still work, so the old hash is kept.
    return matches
      ? { matches, outdated: byteLength(password) < BCRYPT_BYTES }
      : rejectInConstantTime(password)
  }
  const hash = stored === undefined ? undefined : parsePbkdf2(stored)
  return hash ? verifyPbkdf2(password, hash) : rejectInConstantTime(password)
}
