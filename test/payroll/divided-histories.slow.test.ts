import { expect, it } from 'vitest'
import { compareDivided } from '../support/divided-histories.ts'

/** These 100 seeds are too slow for `npm test`. divided-histories.test.ts runs three others. */
const SEEDS = Array.from({ length: 100 }, (_, i) => 100 + i)

it.each(SEEDS)('two installations pay the same as one: seed %i', async (seed) => {
  const { closings } = await compareDivided(seed)
  expect(closings).toBeGreaterThan(1)
})
