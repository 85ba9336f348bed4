import { describe, expect, it } from 'vitest'
import { parseProof } from '../../sdk/evidence/proofs.ts'
import { isSignerKey } from '../../src/core/values/signer-key.ts'
import {
  openCheckpoint,
  openNote,
  parseCheckpoint,
  readSigner,
  readVerifierKey,
  signCheckpoint,
} from '../../src/evidence/seal/checkpoint.ts'
import { leafHash } from '../../src/evidence/seal/merkle.ts'
import { proofText } from '../../src/evidence/seal/proof.ts'
import { SIGNER_KEY, VERIFIER_KEY } from '../support/evidence-files.ts'

/** The example note of golang.org/x/mod/sumdb/note. The tests use its keys. */
const TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`
const NOTE = `${TEXT}
\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`

/** The examples in the C2SP specifications tlog-checkpoint and tlog-proof. */
const CHECKPOINT_TEXT =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
const PROOF_HEAD = `c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6kYXJ3aW4tYXJ
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=

`

const keyOf = async (text: string) => (await readVerifierKey(text)) ?? expect.unreachable(text)

describe('keys', () => {
  it('reads a signer key and shows the key that verifies it', async () => {
    const signer = await readSigner(SIGNER_KEY)
    expect(signer.origin).toBe('PeterNeumann')
    expect(signer.verifierKey).toBe(VERIFIER_KEY)
    expect(isSignerKey(SIGNER_KEY)).toBe(true)
  })

  it.each([
    VERIFIER_KEY,
    SIGNER_KEY.slice(0, -4),
    SIGNER_KEY.replace('+AYEK', '+AoEK'),
    SIGNER_KEY.replace('PeterNeumann', 'Peter Neumann'),
    SIGNER_KEY.replace('c74f20a3', 'C74F20A3'),
    '',
  ])('does not accept %j as a signer key', async (text) => {
    expect(isSignerKey(text)).toBe(false)
    await expect(readSigner(text)).rejects.toThrow('Not a signer key.')
  })

  it.each([
    SIGNER_KEY,
    VERIFIER_KEY.replace('c74f20a3', 'c74f20a4'),
    VERIFIER_KEY.replace('Peter', 'Petra'),
    '',
  ])('does not accept %j as a verifier key', async (text) => {
    expect(await readVerifierKey(text)).toBeUndefined()
  })
})

describe('a signed note', () => {
  it('is opened by the key that signed it', async () => {
    const signers = ['PeterNeumann']
    expect(await openNote(NOTE, [await keyOf(VERIFIER_KEY)])).toEqual({ text: TEXT, signers })
  })

  it('may have signatures by unknown keys before and after the known one', async () => {
    const other = `\u2014 otra ${btoa('quién soy yo')}\n`
    const [text, signature] = NOTE.split('\n\u2014')
    const note = `${text}\n${other}\u2014${signature}${other}`
    expect((await openNote(note, [await keyOf(VERIFIER_KEY)]))?.signers).toEqual(['PeterNeumann'])
  })

  it.each([
    ['no key', NOTE, false],
    ['a different text', NOTE.replace('cryptography', 'cryptografy'), true],
    ['a different signature', NOTE.replace('SffcvIAQ', 'SffcvIAR'), true],
    ['a malformed signature', NOTE.replace('JnAM=', 'JnAN='), true],
    ['no signature', TEXT, true],
    ['no blank line', NOTE.replace('\n\n', '\n'), true],
    ['a cut last line', NOTE.slice(0, -1), true],
    ['a tab', NOTE.replace('you think', 'you\tthink'), true],
    ['a line that is no signature', `${NOTE}x\n`, true],
  ])('is not opened: %s', async (_, note, withKey) => {
    const keys = withKey ? [await keyOf(VERIFIER_KEY)] : []
    expect(await openNote(note, keys)).toBeUndefined()
  })
})

describe('a checkpoint', () => {
  it('is read as in the example of C2SP', () => {
    expect(parseCheckpoint(CHECKPOINT_TEXT)).toMatchObject({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
    })
    expect(parseCheckpoint(`${CHECKPOINT_TEXT}an extension\n`)?.size).toBe(20_852_163)
  })

  it.each([
    CHECKPOINT_TEXT.replace('20852163', '020852163'),
    CHECKPOINT_TEXT.replace('20852163', '-1'),
    CHECKPOINT_TEXT.replace('q2I=', 'q2I'),
    CHECKPOINT_TEXT.replace('CsUY', ''),
    CHECKPOINT_TEXT.slice(0, -1),
    `${CHECKPOINT_TEXT}\nx\n`,
  ])('is not read from %j', (text) => {
    expect(parseCheckpoint(text)).toBeUndefined()
  })

  it('is signed, and opened by the key of its own origin only', async () => {
    const signer = await readSigner(SIGNER_KEY)
    const root = leafHash('a')
    const note = await signCheckpoint(signer, 7, root)
    expect(await openCheckpoint(note, [await keyOf(VERIFIER_KEY)])).toEqual({
      origin: 'PeterNeumann',
      size: 7,
      root,
    })
    const foreign = await signCheckpoint({ ...signer, origin: 'otra' }, 7, root)
    expect(await openCheckpoint(foreign, [await keyOf(VERIFIER_KEY)])).toBeUndefined()
  })
})

describe('a proof', () => {
  it('is read as in the example of C2SP', () => {
    const proof = parseProof(`${PROOF_HEAD}${CHECKPOINT_TEXT}`)
    expect(proof).toMatchObject({ index: 73_894, checkpoint: CHECKPOINT_TEXT })
    expect(proof?.path).toHaveLength(2)
  })

  it('is written as it is read', () => {
    const path = [leafHash('a'), leafHash('b')]
    expect(parseProof(proofText(5, path, NOTE))).toEqual({ index: 5, path, checkpoint: NOTE })
    expect(parseProof(proofText(0, [], NOTE))).toEqual({ index: 0, path: [], checkpoint: NOTE })
  })

  it.each([
    PROOF_HEAD.replace('v1', 'v2'),
    PROOF_HEAD.replace('73894', '073894'),
    PROOF_HEAD.replace('dPlQ=', 'dPlQ'),
    PROOF_HEAD.replace('index', 'Index'),
  ])('is not read after %j', (head) => {
    expect(parseProof(`${head}${NOTE}`)).toBeUndefined()
  })
})
