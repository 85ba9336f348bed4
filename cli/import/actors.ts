import { toHex } from '../../src/core/bytes.ts'
import { saltedHash } from '../../src/evidence/leaf.ts'

/**
 * How the events name a user: SHA-256 of a random salt (16 bytes, in hexadecimal), a line feed and
 * the normalized address. With the salt it proves who decided; without it, it shows nothing.
 */
export const createActor = (emailKey: string) => {
  const actor_salt = toHex(crypto.getRandomValues(new Uint8Array(16)))
  return { actor_hash: saltedHash(actor_salt, emailKey), actor_salt }
}
