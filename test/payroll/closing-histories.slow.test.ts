import { expect, it } from 'vitest'
import { runHistory } from '../support/payroll-histories.ts'

/** These 100 seeds are too slow for `npm test`. closing-histories.test.ts runs five others. */
const SEEDS = Array.from({ length: 100 }, (_, i) => 100 + i)

it.each(SEEDS)('pays each day its worked seconds in the end: seed %i', async (seed) => {
  const { closings } = await runHistory(seed)
  expect(closings).toBeGreaterThan(0)
})
