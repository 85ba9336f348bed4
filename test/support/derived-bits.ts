import { toHex } from '../../src/core/values/bytes.ts'

/**
 * Derives the bits of a password and a salt once: three derivations of PBKDF2 take a tenth of a
 * second, and most tests have the same few passwords. The service calls `deriveBits` as always.
 */

const { subtle } = crypto
const importKey = subtle.importKey.bind(subtle)
const deriveBits = subtle.deriveBits.bind(subtle)

/** The passwords of keys, which cannot be read from them. */
const passwords = new WeakMap<CryptoKey, string>()
const derived = new Map<string, ArrayBuffer>()

subtle.importKey = async (...[format, data, algorithm, ...rest]: Parameters<typeof importKey>) => {
  const key = await importKey(format, data, algorithm, ...rest)
  if (algorithm === 'PBKDF2') passwords.set(key, toHex(data as Uint8Array))
  return key
}

subtle.deriveBits = async (algorithm, key, length) => {
  const password = passwords.get(key)
  if (password === undefined || typeof algorithm === 'string') {
    return deriveBits(algorithm, key, length)
  }
  const salt = toHex(algorithm.salt as Uint8Array)
  const id = JSON.stringify([password, { ...algorithm, salt }, length])
  const known = derived.get(id)
  if (known) return known.slice()
  const bits = await deriveBits(algorithm, key, length)
  derived.set(id, bits.slice())
  return bits
}
