export type Bytes = Uint8Array<ArrayBuffer>

const utf8 = new TextEncoder()

export const bytesOf = (text: string): Bytes => utf8.encode(text) as Bytes

export const concat = (...parts: readonly Uint8Array[]): Bytes => {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

const HEX_BY_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const toHex = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += HEX_BY_BYTE[byte]
  return text
}

/**
 * The value of each hexadecimal digit, by its character code. It includes capital letters, because
 * SQLite's hex() writes them.
 */
const DIGIT_VALUES = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGIT_VALUES[digit.charCodeAt(0)] = value
  DIGIT_VALUES[digit.toUpperCase().charCodeAt(0)] = value
}

const digit = (text: string, at: number): number => DIGIT_VALUES[text.charCodeAt(at)] ?? 0

/** The text must be pairs of hexadecimal digits, small or capital. This is not checked. */
export const fromHex = (text: string): Bytes => {
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = digit(text, 2 * i) * 16 + digit(text, 2 * i + 1)
  return bytes
}

/**
 * String.fromCharCode takes each byte of a chunk as an argument, and the number of arguments is
 * limited.
 */
const CHUNK_BYTES = 8_192

/** Standard base64 with padding (RFC 4648, section 4). */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let i = 0; i < bytes.length; i += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(i, i + CHUNK_BYTES))
  }
  return btoa(text)
}

/** Returns undefined for any text that `toBase64` does not produce. */
export const fromBase64 = (text: string): Bytes | undefined => {
  // atob would accept some malformed texts, so that two texts could have the same bytes.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}
