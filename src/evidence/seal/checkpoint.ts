import {
  type Bytes,
  bytesOf,
  concat,
  equal,
  fromBase64,
  fromHex,
  toBase64,
  toHex,
} from '../../core/values/bytes.ts'
import { sha256 } from '../../core/values/sha256.ts'
import { ED25519, keyBytes, SIGNER_KEY_PATTERN } from '../../core/values/signer-key.ts'
import { HASH_BYTES, type Hash } from './merkle.ts'

/**
 * A checkpoint (C2SP tlog-checkpoint) is a signed note (C2SP signed-note). Its text has the origin,
 * the size of the tree and the root. The signature is Ed25519.
 */

const KEY_ID_BYTES = 4
const SIGNATURE_BYTES = 64

/** The bytes that precede the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Uint8Array.from([
  0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20,
])

const VERIFIER_KEY_PATTERN = /^([^\s+]+)\+([0-9a-f]{8})\+([^\s]+)$/

const keyId = (name: string, publicKey: Uint8Array): Bytes =>
  sha256(concat(bytesOf(`${name}\n`), Uint8Array.of(ED25519), publicKey)).slice(0, KEY_ID_BYTES)

export interface Signer {
  /** The name of the evidence that is sealed. It is also the name of the key. */
  origin: string
  id: Bytes
  key: CryptoKey
  /** The public key, as `name+id+base64`. */
  verifierKey: string
}

export const verifierKeyOf = (origin: string, publicKey: Uint8Array): string =>
  `${origin}+${toHex(keyId(origin, publicKey))}+${toBase64(concat(Uint8Array.of(ED25519), publicKey))}`

/** Reads `PRIVATE+KEY+origin+id+base64`. The base64 encodes a byte 1 and the 32-byte seed. */
export const readSigner = async (text: string): Promise<Signer> => {
  const [, origin, , encoded] = SIGNER_KEY_PATTERN.exec(text) ?? []
  const seed = keyBytes(encoded)
  if (!origin || !seed) throw new Error('Not a signer key.')
  const pkcs8 = concat(PKCS8_PREFIX, seed)
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const { x = '' } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey
  const publicKey =
    fromBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`) ?? new Uint8Array()
  return {
    origin,
    id: keyId(origin, publicKey),
    key,
    verifierKey: verifierKeyOf(origin, publicKey),
  }
}

export const signCheckpoint = async (
  { origin, id, key }: Signer,
  size: number,
  root: Hash,
): Promise<string> => {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, bytesOf(text)))
  return `${text}\n\u2014 ${origin} ${toBase64(concat(id, signature))}\n`
}

export interface VerifierKey {
  name: string
  id: Bytes
  key: CryptoKey
}

/** Reads `name+id+base64`. Returns undefined if the text is malformed or has another key's id. */
export const readVerifierKey = async (text: string): Promise<VerifierKey | undefined> => {
  const [, name, id, encoded] = VERIFIER_KEY_PATTERN.exec(text) ?? []
  const publicKey = keyBytes(encoded)
  if (!name || !id || !publicKey || !equal(fromHex(id), keyId(name, publicKey))) return undefined
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  return { name, id: fromHex(id), key }
}

interface Note {
  /** The signed text, with its last line feed. */
  text: string
  /** The names of the keys with a valid signature. */
  signers: string[]
}

/** A signature line: a dash, the key's name, and base64 of the key's id and signature. */
const SIGNATURE_PATTERN = /^\u2014 ([^\s+]+) (\S+)$/

const SIGNATURES_MAX = 100

const isValidSignature = async (
  { key }: VerifierKey,
  signature: Bytes,
  text: string,
): Promise<boolean> =>
  signature.length === SIGNATURE_BYTES &&
  (await crypto.subtle.verify('Ed25519', key, signature, bytesOf(text)))

interface UncheckedNote {
  text: string
  signatures: { name: string; id: Bytes; signature: Bytes }[]
}

/** Reads a signed note without checking its signatures. Returns undefined if it is malformed. */
export const readNote = (note: string): UncheckedNote | undefined => {
  const end = note.lastIndexOf('\n\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the specification forbids them
  if (end < 0 || !note.endsWith('\n') || /[\0-\t\v-\x1f]/.test(note)) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return undefined
  const signatures: UncheckedNote['signatures'] = []
  for (const line of lines) {
    const [, name, encoded] = SIGNATURE_PATTERN.exec(line) ?? []
    const bytes = fromBase64(encoded ?? '')
    if (!name || !bytes || bytes.length <= KEY_ID_BYTES) return undefined
    const [id, signature] = [bytes.slice(0, KEY_ID_BYTES), bytes.slice(KEY_ID_BYTES)]
    signatures.push({ name, id, signature })
  }
  return { text: note.slice(0, end + 1), signatures }
}

/** Whether a signature says that it is by this key. */
export const isOfKey = (
  { name, id }: UncheckedNote['signatures'][number],
  key: VerifierKey,
): boolean => key.name === name && equal(key.id, id)

/**
 * Reads a signed note and checks its signatures. Returns undefined if the note is malformed, if no
 * known key signed it, or if a signature of a known key is invalid. Signatures by other keys are
 * ignored.
 */
export const openNote = async (
  note: string,
  keys: readonly VerifierKey[],
): Promise<Note | undefined> => {
  const read = readNote(note)
  if (!read) return undefined
  const { text, signatures } = read
  const signers: string[] = []
  for (const signature of signatures) {
    const key = keys.find((known) => isOfKey(signature, known))
    if (!key) continue
    if (!(await isValidSignature(key, signature.signature, text))) return undefined
    signers.push(signature.name)
  }
  return signers.length > 0 ? { text, signers } : undefined
}

export interface Checkpoint {
  origin: string
  size: number
  root: Hash
}

const CHECKPOINT_PATTERN = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([^\n]+)\n([^\n]+\n)*$/

/** Reads the text of a checkpoint without its signatures. Returns undefined if it is malformed. */
export const parseCheckpoint = (text: string): Checkpoint | undefined => {
  const [, origin, size, encoded] = CHECKPOINT_PATTERN.exec(text) ?? []
  const root = fromBase64(encoded ?? '')
  return origin && root?.length === HASH_BYTES ? { origin, size: Number(size), root } : undefined
}

/** Reads a signed checkpoint. Returns undefined unless the key of its origin has signed it. */
export const openCheckpoint = async (
  note: string,
  keys: readonly VerifierKey[],
): Promise<Checkpoint | undefined> => {
  const opened = await openNote(note, keys)
  const checkpoint = opened && parseCheckpoint(opened.text)
  return checkpoint && opened.signers.includes(checkpoint.origin) ? checkpoint : undefined
}
