import { expect, it } from 'vitest'
import { compareDivided } from '../support/divided-histories.ts'

/** `npm test` has no time for these. divided-histories.test.ts runs three others. */
const SEEDS = Array.from({ length: 100 }, (_, i) => 100 + i)

it.each(SEEDS)('two installations pay what one would: seed %i', async (seed) => {
  const { closings } = await compareDivided(seed)
  expect(closings).toBeGreaterThan(1)
})
