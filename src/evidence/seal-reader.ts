import { fromHex } from '../core/bytes.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { splitHashes } from './merkle.ts'
import { readSealRange, type SealWithEdges } from './person-evidence.queries.ts'
import type { SealedRange } from './sealed-tree.ts'

export type LoadedSeal = SealedRange & { stored: SealWithEdges }

/** The maximum number of seals that a query reads. A seal takes about 70 KB. */
const SEALS_PER_QUERY = 16

/** The number of seals kept in memory. Proofs are made in the order of seals, so few are needed. */
const SEALS_KEPT = 4 * SEALS_PER_QUERY

/** If two needed seals are at most this many seals apart, all seals between them are read too. */
const GAP_MAX = 128

const toRange = (stored: SealWithEdges): LoadedSeal => {
  const leaves = splitHashes(fromHex(stored.leaves))
  return {
    stored,
    before: stored.size - leaves.length,
    size: stored.size,
    leaves,
    edgeBefore: splitHashes(fromHex(stored.edge_before)),
    edge: splitHashes(fromHex(stored.edge)),
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
 * seals are close together, one query reads up to 16 seals. So the evidence of a year stays below
 * the Worker's limit of 1,000 queries per invocation.
 */
export const createSealReader = (
  db: BatchDb,
  sizes: readonly number[],
  needed: readonly number[],
) => {
  const kept = new Map<number, LoadedSeal>()

  const isNear = (size: number): boolean => {
    const next = needed[indexOfSize(needed, size)]
    const previous = needed[indexOfSize(needed, size + 1) - 1]
    if (next === undefined || previous === undefined) return false
    return indexOfSize(sizes, next) - indexOfSize(sizes, previous) <= GAP_MAX
  }

  const lastOfQuery = (index: number): number => {
    let last = index
    while (last + 1 < index + SEALS_PER_QUERY && isNear(sizes[last + 1] ?? 0)) last++
    return last
  }

  return async (size: number): Promise<LoadedSeal> => {
    const index = indexOfSize(sizes, size)
    const cached = kept.get(sizes[index] ?? 0)
    if (cached) return cached
    const [from, until] = [sizes[index] ?? size, sizes[lastOfQuery(index)] ?? size]
    for (const stored of await readSealRange(db, from, until)) {
      kept.set(stored.size, toRange(stored))
    }
    for (const old of [...kept.keys()].slice(0, -SEALS_KEPT)) kept.delete(old)
    const read = kept.get(from)
    if (!read) throw new Error(`No seal ends at ${from} events.`)
    return read
  }
}
