import { bytesOf, toHex } from './bytes.ts'
import { sha256 } from './sha256.ts'

/**
 * SHA-256 of a salt, a line feed and a text. The hash does not reveal the text, but can later prove
 * it. Salts must be 32 hexadecimal digits. Otherwise a different salt and text could give the same
 * bytes.
 */
export const saltedHash = (salt: string, text: string): string =>
  toHex(sha256(bytesOf(`${salt}\n${text}`)))

/** The comment of an event, as it is stored. `text` is null if the event has no comment. */
export interface SaltedComment {
  text: string | null
  salt: string
}

/**
 * Salts a comment: `words` is stored, and `hash` goes into the event. Without a text, `hash` and
 * `words.text` are null.
 */
export const saltComment = (
  text: string | undefined,
): { hash: string | null; words: SaltedComment } => {
  const { salt, hash } = withNewSalt(text ?? '')
  return { hash: text === undefined ? null : hash, words: { text: text ?? null, salt } }
}

/** A random salt of 16 bytes, in hexadecimal, and the hash of the text with it. */
export const withNewSalt = (text: string): { salt: string; hash: string } => {
  const salt = toHex(crypto.getRandomValues(new Uint8Array(16)))
  return { salt, hash: saltedHash(salt, text) }
}
