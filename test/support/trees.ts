import { GrowingTree, type Hash } from '../../src/evidence/merkle.ts'
import type { SealedRange } from '../../src/evidence/sealed-tree.ts'

/** Leaves as seals of these sizes have them. */
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

/** Finds the seal of a size among these. */
export const sealAtIn = (seals: readonly SealedRange[]) => async (size: number) => {
  const seal = seals.find((one) => one.size >= size)
  if (!seal) throw new Error(`No seal has ${size} leaves.`)
  return seal
}
