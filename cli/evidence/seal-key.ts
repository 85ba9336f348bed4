import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { concat, fromBase64, toBase64 } from '../../src/core/values/bytes.ts'
import { verifierKeyOf } from '../../src/evidence/seal/checkpoint.ts'

const ED25519 = Uint8Array.of(1)

const bytesOf = (base64url = '') =>
  fromBase64(Buffer.from(base64url, 'base64url').toString('base64')) ?? new Uint8Array()

/**
 * Makes a signer key and its verifier key. Their origin is unique, so that the seals of a database
 * and of a restored copy of it can be told apart.
 */
export const createSealKey = (place: string) => {
  const origin = `checada/${place}/${randomBytes(4).toString('hex')}`
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const verifierKey = verifierKeyOf(origin, bytesOf(x))
  const id = verifierKey.split('+')[1]
  const seed = toBase64(concat(ED25519, bytesOf(d)))
  return { signerKey: `PRIVATE+KEY+${origin}+${id}+${seed}`, verifierKey }
}
