import { createHash } from 'node:crypto'

/**
 * SHA-256, without the promises of Web Crypto, which take several times as long as the hash of a
 * node. The page for browsers is built with another module in the place of this one.
 */
export const sha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(bytes).digest())
