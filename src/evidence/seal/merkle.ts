import { type Bytes, bytesOf, concat } from '../../core/values/bytes.ts'
import { sha256 } from '../../core/values/sha256.ts'

/** The Merkle tree of RFC 6962, section 2.1, over SHA-256. */

export type Hash = Bytes

export const HASH_BYTES = 32

const LEAF_PREFIX = Uint8Array.of(0)
const NODE_PREFIX = Uint8Array.of(1)

export const leafHash = (text: string): Hash => sha256(concat(LEAF_PREFIX, bytesOf(text)))

export const nodeHash = (left: Hash, right: Hash): Hash => sha256(concat(NODE_PREFIX, left, right))

/** Splits concatenated hashes, which is how they are stored. */
export const splitHashes = (bytes: Bytes): Hash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, i) =>
    bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  )

/** The largest power of two below a size. RFC 6962 divides a tree there. */
export const splitPoint = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1)

/** The perfect subtrees of a tree, from the left. Each has the leaves from `first` to `end - 1`. */
export const perfectSubtrees = (size: number): [first: number, end: number][] => {
  const subtrees: [number, number][] = []
  for (let first = 0; first < size; ) {
    const width = 2 ** Math.floor(Math.log2(size - first))
    subtrees.push([first, first + width])
    first += width
  }
  return subtrees
}

/** A tree that only grows. It stores its edge: the roots of its perfect subtrees, from the left. */
export class GrowingTree {
  size: number
  readonly #edge: Hash[]

  constructor(size = 0, edge: readonly Hash[] = []) {
    this.size = size
    this.#edge = [...edge]
  }

  add(leaf: Hash): void {
    let node = leaf
    // In binary, the size ends in a 1 for each subtree that this leaf completes.
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = this.#edge.pop()
      if (left) node = nodeHash(left, node)
    }
    this.#edge.push(node)
    this.size++
  }

  get edge(): readonly Hash[] {
    return this.#edge
  }

  get root(): Hash {
    if (this.size === 0) return sha256(new Uint8Array())
    return this.#edge.reduceRight((right, left) => nodeHash(left, right))
  }
}
