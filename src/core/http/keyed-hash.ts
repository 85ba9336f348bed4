import { bytesOf, toHex } from '../values/bytes.ts'
import type { Settings } from './settings.ts'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

const importKey = (bytes: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign'])

const sign = async (key: BufferSource, text: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign('HMAC', await importKey(key), bytesOf(text))

const SHOWN_BYTES = 8

/**
 * A text for the log in place of a value that the log must not have: equal values have the same one
 * until TOKEN_SECRET changes, and nobody without it can try values. Its key is derived, so that no
 * value of a request is signed with the key of the tokens.
 */
export const keyedHash = async ({ TOKEN_SECRET }: Settings, value: string): Promise<string> => {
  const key = await sign(bytesOf(TOKEN_SECRET), 'request log')
  return toHex(new Uint8Array(await sign(key, value)).subarray(0, SHOWN_BYTES))
}
