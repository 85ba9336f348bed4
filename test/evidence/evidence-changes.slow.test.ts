import { expect, it } from 'vitest'
import { findUnnoticedFlips, verifyChangedFiles } from '../support/evidence-changes.ts'

it('the verifier notices each of 5,000 changes, except in parts that are not signed', async () => {
  const { faulty = 0, unreadable = 0, sound = 0 } = await verifyChangedFiles(5_000, 1)
  expect(faulty + unreadable + sound).toBe(5_000)
  expect(faulty).toBeGreaterThan(1_000)
  expect(unreadable).toBeGreaterThan(1_000)
})

it('the verifier notices a flipped bit of each byte', async () => {
  expect(await findUnnoticedFlips(1)).toEqual([])
})
