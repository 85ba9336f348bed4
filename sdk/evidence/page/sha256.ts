/** Replaces src/core/values/sha256.ts in browsers, where SHA-256 is only available with promises. */
export { sha256 } from '@noble/hashes/sha2.js'
