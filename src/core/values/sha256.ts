import { createHash } from 'node:crypto'

/**
 * Synchronous SHA-256. A promise of Web Crypto takes several times as long as hashing a tree node.
 * The build of the verifier page replaces this module.
 */
export const sha256 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(bytes).digest())
