import { GrowingTree, type Hash } from '../../src/evidence/seal/merkle.ts'
import type { SealedRange } from '../../src/evidence/seal/sealed-tree.ts'

/** Splits leaves into seals. `sizes` has the number of leaves of each seal. */
export const sealedRanges = (leaves: readonly Hash[], sizes: readonly number[]): SealedRange[] => {
  const tree = new GrowingTree()
  let next = 0
  return sizes.map((count) => {
    const [before, edgeBefore] = [tree.size, [...tree.edge]]
    const own = leaves.slice(next, next + count)
    for (const leaf of own) tree.add(leaf)
    next += count
    return { before, size: tree.size, leaves: own, edgeBefore, edge: [...tree.edge] }
  })
}

/** Returns a function that finds the first seal with at least a given tree size. */
export const sealFinder = (seals: readonly SealedRange[]) => async (size: number) => {
  const seal = seals.find((one) => one.size >= size)
  if (!seal) throw new Error(`No seal has ${size} leaves.`)
  return seal
}
