import { describe, expect, it } from 'vitest'
import { isConsistent, rootByInclusion } from '../../sdk/evidence/proofs.ts'
import { toHex } from '../../src/core/values/bytes.ts'
import { GrowingTree, leafHash, nodeHash } from '../../src/evidence/seal/merkle.ts'
import { SealedTree } from '../../src/evidence/seal/sealed-tree.ts'
import { sealedRanges, sealFinder } from '../support/trees.ts'

/** The leaves, roots and proofs of Certificate Transparency's own tests of RFC 6962. */
const LEAVES = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'].map(leafHash)

const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

/** The right-hand siblings from the first leaf up to the root of eight leaves. */
const RIGHT_OF_FIRST = [
  '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
]
const FIRST_TWO = 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'
const FIFTH = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'
const FIFTH_AND_SIXTH = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a'
const LAST_TWO = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0'
const FIRST_FOUR = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'

const INCLUSION: [index: number, size: number, path: string[]][] = [
  [0, 1, []],
  [0, 8, RIGHT_OF_FIRST],
  [5, 8, [FIFTH, LAST_TWO, FIRST_FOUR]],
  [2, 3, [FIRST_TWO]],
]

const CONSISTENCY: [from: number, to: number, proof: string[]][] = [
  [1, 1, []],
  [1, 8, RIGHT_OF_FIRST],
  [6, 8, [FIFTH_AND_SIXTH, LAST_TWO, FIRST_FOUR]],
]

const grown = (leaves: typeof LEAVES) => {
  const tree = new GrowingTree()
  for (const leaf of leaves) tree.add(leaf)
  return tree
}

describe('the test vectors of RFC 6962', () => {
  it.each([...ROOTS.entries()])('a tree of %i leaves has the root %s', (size, root) => {
    expect(toHex(grown(LEAVES.slice(0, size)).root)).toBe(root)
  })

  const tree = new SealedTree(sealFinder(sealedRanges(LEAVES, [1, 2, 3, 2])))

  it.each(INCLUSION)('leaf %i of %i has its path', async (index, size, path) => {
    expect((await tree.inclusion(index, size)).map(toHex)).toEqual(path)
  })

  it.each(CONSISTENCY)('a tree of %i leaves is the start of one of %i', async (from, to, proof) => {
    expect((await tree.consistency(from, to)).map(toHex)).toEqual(proof)
  })
})

describe('a tree that is stored as seals', () => {
  const leaves = Array.from({ length: 70 }, (_, i) => leafHash(`evento ${i}`))
  const roots = Array.from({ length: 71 }, (_, size) => grown(leaves.slice(0, size)).root)
  const rootOf = (size: number) => roots[size] ?? expect.unreachable()

  it.each([
    ['one seal', [70]],
    ['seals of one', Array(70).fill(1)],
    ['seals of sixteen', [...Array(4).fill(16), 6]],
    ['seals of any size', [7, 1, 1, 32, 2, 20, 7]],
  ])('proves every event and every pair of sizes: %s', async (_, sizes: number[]) => {
    const seals = sealedRanges(leaves, sizes)
    const tree = new SealedTree(sealFinder(seals))
    for (const { size, before } of seals) {
      for (let index = before; index < size; index++) {
        const path = await tree.inclusion(index, size)
        expect(rootByInclusion(leaves[index] ?? rootOf(0), { index, path }, size)).toEqual(
          rootOf(size),
        )
      }
      for (const later of seals.filter((one) => one.size >= size)) {
        const proof = await tree.consistency(size, later.size)
        const [first, second] = [size, later.size].map((n) => ({ size: n, root: rootOf(n) }))
        if (!first || !second) return expect.unreachable()
        expect(isConsistent(first, second, proof)).toBe(true)
        expect(isConsistent({ ...first, root: rootOf(0) }, second, proof)).toBe(false)
        expect(isConsistent(first, { ...second, root: rootOf(0) }, proof)).toBe(false)
        expect(isConsistent(first, second, [...proof, rootOf(1)])).toBe(false)
      }
    }
  })

  it('reads few seals for a proof that spans many', async () => {
    const seals = sealedRanges(leaves, Array(70).fill(1))
    const read = new Set<number>()
    const sealAt = sealFinder(seals)
    const tree = new SealedTree((size) => {
      read.add(size)
      return sealAt(size)
    })
    await tree.consistency(3, 70)
    expect(read.size).toBeLessThan(20)
  })

  it('rejects a proof of another leaf, index or size, and a cut or longer one', async () => {
    const tree = new SealedTree(sealFinder(sealedRanges(leaves, [60, 10])))
    const path = await tree.inclusion(50, 60)
    const leaf = leaves[50] ?? expect.unreachable()
    const root = (over: object) => rootByInclusion(leaf, { index: 50, path, ...over }, 60)
    expect(root({})).toEqual(rootOf(60))
    for (const wrong of [
      root({ index: 51 }),
      root({ index: 60 }),
      root({ path: path.slice(1) }),
      root({ path: path.slice(0, -1) }),
      root({ path: [...path, leaf] }),
      rootByInclusion(leaf, { index: 50, path }, 200),
      rootByInclusion(nodeHash(leaf, leaf), { index: 50, path }, 60),
    ]) {
      expect(wrong).not.toEqual(rootOf(60))
    }
  })
})
