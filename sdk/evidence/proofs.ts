import { equal, fromBase64 } from '../../src/core/values/bytes.ts'
import { HASH_BYTES, type Hash, nodeHash } from '../../src/evidence/seal/merkle.ts'

export interface Proof {
  index: number
  path: Hash[]
  /** The signed checkpoint to which the proof leads. */
  checkpoint: string
}

/** Reads hashes in base64. Returns undefined if any of them is malformed. */
export const readHashes = (lines: readonly string[]): Hash[] | undefined => {
  const hashes = lines.flatMap((line) => {
    const hash = fromBase64(line)
    return hash?.length === HASH_BYTES ? [hash] : []
  })
  return hashes.length === lines.length ? hashes : undefined
}

const PROOF_PATTERN =
  /^c2sp\.org\/tlog-proof@v1\n(?:extra [^\n]+\n)?index (0|[1-9]\d{0,15})\n((?:[^\n]+\n)*)\n/

/** Reads a C2SP tlog-proof. Returns undefined if the text is not such a proof. */
export const parseProof = (text: string): Proof | undefined => {
  const [head, index, lines = ''] = PROOF_PATTERN.exec(text) ?? []
  const path = readHashes(lines.split('\n').slice(0, -1))
  return head && path
    ? { index: Number(index), path, checkpoint: text.slice(head.length) }
    : undefined
}

const isOdd = (n: number): boolean => n % 2 === 1
const halve = (n: number): number => Math.floor(n / 2)

/**
 * Computes the root from a leaf and its inclusion proof (RFC 9162, section 2.1.3.2). Returns
 * undefined if the proof does not fit the size of the tree.
 */
export const rootByInclusion = (
  leaf: Hash,
  { index, path }: Pick<Proof, 'index' | 'path'>,
  size: number,
): Hash | undefined => {
  if (index >= size) return undefined
  let [node, last, root] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return undefined
    if (isOdd(node) || node === last) {
      root = nodeHash(sibling, root)
      while (!isOdd(node) && node !== 0) [node, last] = [halve(node), halve(last)]
    } else {
      root = nodeHash(root, sibling)
    }
    ;[node, last] = [halve(node), halve(last)]
  }
  return last === 0 ? root : undefined
}

interface Tree {
  size: number
  root: Hash
}

/** Whether a proof shows that `second` begins with `first` (RFC 9162, section 2.1.4.2). */
export const isConsistent = (first: Tree, second: Tree, proof: readonly Hash[]): boolean => {
  if (first.size === second.size) return proof.length === 0 && equal(first.root, second.root)
  if (first.size < 1 || first.size > second.size) return false
  const isPowerOfTwo = Number.isInteger(Math.log2(first.size))
  const [start, ...path] = isPowerOfTwo ? [first.root, ...proof] : proof
  if (!start) return false
  let [node, last] = [first.size - 1, second.size - 1]
  while (isOdd(node)) [node, last] = [halve(node), halve(last)]
  let [root1, root2] = [start, start]
  for (const hash of path) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      root1 = nodeHash(hash, root1)
      root2 = nodeHash(hash, root2)
      while (!isOdd(node) && node !== 0) [node, last] = [halve(node), halve(last)]
    } else {
      root2 = nodeHash(root2, hash)
    }
    ;[node, last] = [halve(node), halve(last)]
  }
  return last === 0 && equal(root1, first.root) && equal(root2, second.root)
}
