import { type Bytes, fromBase64 } from './bytes.ts'

/** The text format of the keys of seals, as in golang.org/x/mod/sumdb/note. */

/** The byte of the algorithm, which precedes the bytes of a key. */
export const ED25519 = 1
const KEY_BYTES = 32

/** `PRIVATE+KEY+origin+id+base64`. The origin has no spaces and no plus sign. */
export const SIGNER_KEY_PATTERN = /^PRIVATE\+KEY\+([^\s+]+)\+([0-9a-f]{8})\+([^\s]+)$/

/** The 32 bytes of an Ed25519 key. Undefined if the text is not such a key. */
export const keyBytes = (base64: string | undefined): Bytes | undefined => {
  const bytes = fromBase64(base64 ?? '')
  return bytes?.length === 1 + KEY_BYTES && bytes[0] === ED25519 ? bytes.slice(1) : undefined
}

export const isSignerKey = (text: string): boolean =>
  keyBytes(SIGNER_KEY_PATTERN.exec(text)?.[3]) !== undefined
