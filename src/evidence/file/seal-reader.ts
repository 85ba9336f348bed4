import type { BatchDb } from '../../core/db/batch-db.ts'
import { fromHex } from '../../core/values/bytes.ts'
import { HASH_BYTES, type Hash, splitHashes } from '../seal/merkle.ts'
import type { SealedRange } from '../seal/sealed-tree.ts'
import { readSealRange, type SealWithEdges } from './file-seals.queries.ts'

export type LoadedSeal = SealedRange & { stored: SealWithEdges }

/** The maximum number of leaves that a query reads after its first seal. As text, they take 1 MB. */
const LEAVES_PER_QUERY = 16_384

/**
 * If two needed seals are at most this many leaves apart, all seals between them are read too. That
 * takes four queries. To prove that the second continues the first takes seven otherwise.
 */
const GAP_MAX = 4 * LEAVES_PER_QUERY

/** A seal has an edge, a checkpoint and tokens besides its leaves. */
const SEALS_PER_QUERY = 128

/** The results that are kept in memory. Proofs are made in the order of seals, so few are needed. */
const RESULTS_KEPT = 4

const hashesOf = (hex: string): Hash[] => splitHashes(fromHex(hex))

/** Most seals that a query reads are between the needed ones, so their hashes are never parsed. */
const toRange = (stored: SealWithEdges): LoadedSeal => {
  let leaves: Hash[] | undefined
  return {
    stored,
    before: stored.size - stored.leaves.length / (2 * HASH_BYTES),
    size: stored.size,
    get leaves() {
      leaves ??= hashesOf(stored.leaves)
      return leaves
    },
    get edgeBefore() {
      return hashesOf(stored.edge_before)
    },
    get edge() {
      return hashesOf(stored.edge)
    },
  }
}

/** The index of the first of these ascending sizes that is not less than `size`. */
const indexOfSize = (sizes: readonly number[], size: number): number => {
  let [low, high] = [0, sizes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sizes[middle] ?? 0) < size) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns a function that reads the seal with the last leaf of a tree of this size. Where needed
 * seals are close together, one query reads many of them. So a file stays below the Worker's limit
 * of 1,000 queries per invocation.
 * @param sizes the sizes of the trees of the seals from the first needed one on, ascending
 * @param needed those of the seals that have an event of the file
 */
export const createSealReader = (
  db: BatchDb,
  sizes: readonly number[],
  needed: readonly number[],
) => {
  let results: Map<number, LoadedSeal>[] = []

  const isNear = (size: number): boolean => {
    const next = needed[indexOfSize(needed, size)]
    const previous = needed[indexOfSize(needed, size + 1) - 1]
    if (next === undefined || previous === undefined) return false
    return next - previous <= GAP_MAX
  }

  const lastOfQuery = (index: number): number => {
    const mayRead = (i: number) =>
      i < index + SEALS_PER_QUERY && (sizes[i] ?? 0) - (sizes[index] ?? 0) <= LEAVES_PER_QUERY
    let last = index
    while (last + 1 < sizes.length && mayRead(last + 1) && isNear(sizes[last + 1] ?? 0)) last++
    return last
  }

  return async (size: number): Promise<LoadedSeal> => {
    const index = indexOfSize(sizes, size)
    const from = sizes[index] ?? size
    const kept = results.find((result) => result.has(from))?.get(from)
    if (kept) return kept
    const seals = await readSealRange(db, from, sizes[lastOfQuery(index)] ?? size)
    const result = new Map(seals.map((stored) => [stored.size, toRange(stored)]))
    results = [...results, result].slice(-RESULTS_KEPT)
    const read = result.get(from)
    if (!read) throw new Error(`No seal ends at ${from} events.`)
    return read
  }
}
