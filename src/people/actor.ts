import { bytesOf, toHex } from '../core/bytes.ts'
import { sha256 } from '../core/sha256.ts'

/**
 * Makes the hash that identifies a user in the events. It is the SHA-256 of a random salt (16
 * bytes, in hexadecimal), a line feed and the normalized address. With the salt, the hash proves
 * who decided. Without the salt, it reveals nothing.
 */
export const createActor = (emailKey: string) => {
  const actor_salt = toHex(crypto.getRandomValues(new Uint8Array(16)))
  return { actor_hash: toHex(sha256(bytesOf(`${actor_salt}\n${emailKey}`))), actor_salt }
}
