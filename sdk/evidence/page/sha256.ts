/** Takes the place of src/core/sha256.ts in browsers, which have no SHA-256 without promises. */
export { sha256 } from '@noble/hashes/sha2.js'
