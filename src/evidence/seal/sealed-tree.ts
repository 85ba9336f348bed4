import { type Hash, nodeHash, perfectSubtrees, splitPoint } from './merkle.ts'

/**
 * A seal's leaves, and the edge of the tree before and after the seal (`GrowingTree` explains
 * edges).
 */
export interface SealedRange {
  before: number
  size: number
  leaves: readonly Hash[]
  edgeBefore: readonly Hash[]
  edge: readonly Hash[]
}

/** Returns the seal that contains the last leaf of a tree of this size. */
type SealAt = (size: number) => Promise<SealedRange>

const keyOf = (first: number, end: number): string => `${first}-${end}`

/** Makes proofs over a tree that is stored in seals. It reads only the seals that a proof needs. */
export class SealedTree {
  readonly #sealAt: SealAt
  /** The roots of the perfect subtrees in the edges of the seals that were read. */
  readonly #edges = new Map<string, Hash>()
  readonly #subtrees = new WeakMap<SealedRange, Map<string, Hash>>()

  constructor(sealAt: SealAt) {
    this.#sealAt = sealAt
  }

  #keepEdge(size: number, edge: readonly Hash[]): void {
    for (const [i, [first, end]] of perfectSubtrees(size).entries()) {
      const root = edge[i]
      if (root) this.#edges.set(keyOf(first, end), root)
    }
  }

  async #read(size: number): Promise<SealedRange> {
    const seal = await this.#sealAt(size)
    if (!this.#subtrees.has(seal)) {
      this.#subtrees.set(seal, new Map())
      this.#keepEdge(seal.before, seal.edgeBefore)
      this.#keepEdge(seal.size, seal.edge)
    }
    return seal
  }

  /** The root of a subtree whose leaves are all in one seal. */
  #within(seal: SealedRange, first: number, end: number): Hash {
    const leaf = end - first === 1 ? seal.leaves[first - seal.before] : undefined
    if (leaf) return leaf
    const subtrees = this.#subtrees.get(seal)
    const cached = subtrees?.get(keyOf(first, end))
    if (cached) return cached
    const middle = first + splitPoint(end - first)
    const root = nodeHash(this.#within(seal, first, middle), this.#within(seal, middle, end))
    subtrees?.set(keyOf(first, end), root)
    return root
  }

  /** The root of the subtree with the leaves from `first` to `end - 1`. */
  async root(first: number, end: number): Promise<Hash> {
    const cached = this.#edges.get(keyOf(first, end))
    if (cached) return cached
    const seal = await this.#read(end)
    if (seal.before <= first) return this.#within(seal, first, end)
    const onEdge = this.#edges.get(keyOf(first, end))
    if (onEdge) return onEdge
    const middle = first + splitPoint(end - first)
    return nodeHash(await this.root(first, middle), await this.root(middle, end))
  }

  /** PATH of RFC 6962, section 2.1.1. It begins with the leaf's sibling. */
  async inclusion(index: number, size: number): Promise<Hash[]> {
    await this.#read(size)
    const path: Hash[] = []
    for (let [first, end] = [0, size]; end - first > 1; ) {
      const middle = first + splitPoint(end - first)
      if (index < middle) {
        path.push(await this.root(middle, end))
        end = middle
      } else {
        path.push(await this.root(first, middle))
        first = middle
      }
    }
    return path.reverse()
  }

  /**
   * PROOF of RFC 6962, section 2.1.2. It proves that the tree of `to` leaves begins with the tree
   * of `from` leaves.
   */
  async consistency(from: number, to: number): Promise<Hash[]> {
    await this.#read(from)
    await this.#read(to)
    const proof: Hash[] = []
    let [first, end] = [0, to]
    while (from !== end) {
      const middle = first + splitPoint(end - first)
      if (from <= middle) {
        proof.push(await this.root(middle, end))
        end = middle
      } else {
        proof.push(await this.root(first, middle))
        first = middle
      }
    }
    if (first !== 0) proof.push(await this.root(first, end))
    return proof.reverse()
  }
}
