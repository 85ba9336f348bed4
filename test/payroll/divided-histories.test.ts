import { expect, it } from 'vitest'
import { compareDivided } from '../support/divided-histories.ts'

it.each([1, 2, 3])('two installations pay the same as one: seed %i', async (seed) => {
  const { days, closings, uncertain } = await compareDivided(seed)
  expect(days).toBeGreaterThan(60)
  expect(closings).toBeGreaterThan(1)
  // A weekend's rest makes everybody's pairing certain, so nobody is left out of the comparison.
  expect(uncertain).toBe(0)
})
