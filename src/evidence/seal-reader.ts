import { fromHex } from '../core/bytes.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { splitHashes } from './merkle.ts'
import { readSealRange, type SealWithEdges } from './person-evidence.queries.ts'
import type { SealedRange } from './sealed-tree.ts'

/** A seal as it is stored, and as a part of the tree. */
export type ReadSeal = SealedRange & { stored: SealWithEdges }

/** Seals a query: each is some 70 KB. */
const SEALS_A_QUERY = 16

/** Seals kept in memory: proofs go forward. */
const KEPT = 4 * SEALS_A_QUERY

/** Between two seals that are needed, this many others are read rather than searched for. */
const GAP_MAX = 128

const toRange = (stored: SealWithEdges): ReadSeal => {
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

/** The index of the first of these sizes, in ascending order, that is not below another. */
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
 * Reads seals many a query, near those that are `needed`, and one a query elsewhere; so a year of a
 * person stays below the 1,000 queries of an invocation.
 */
export const createSealReader = (
  db: BatchDb,
  sizes: readonly number[],
  needed: readonly number[],
) => {
  const kept = new Map<number, ReadSeal>()

  const isNear = (size: number): boolean => {
    const next = needed[indexOfSize(needed, size)]
    const previous = needed[indexOfSize(needed, size + 1) - 1]
    if (next === undefined || previous === undefined) return false
    return indexOfSize(sizes, next) - indexOfSize(sizes, previous) <= GAP_MAX
  }

  const lastOfQuery = (index: number): number => {
    let last = index
    while (last + 1 < index + SEALS_A_QUERY && isNear(sizes[last + 1] ?? 0)) last++
    return last
  }

  return async (size: number): Promise<ReadSeal> => {
    const index = indexOfSize(sizes, size)
    const cached = kept.get(sizes[index] ?? 0)
    if (cached) return cached
    const [from, until] = [sizes[index] ?? size, sizes[lastOfQuery(index)] ?? size]
    for (const stored of await readSealRange(db, from, until)) {
      kept.set(stored.size, toRange(stored))
    }
    for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old)
    const read = kept.get(from)
    if (!read) throw new Error(`No seal ends at ${from} events.`)
    return read
  }
}
