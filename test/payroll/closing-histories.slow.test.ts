import { expect, it } from 'vitest'
import { runHistory } from '../support/payroll-histories.ts'

/** The hundred that `npm test` has no time for; five stand in closing-histories.test.ts. */
const SEEDS = Array.from({ length: 100 }, (_, i) => 100 + i)

it.each(SEEDS)('pays each day its figure after any history: seed %i', async (seed) => {
  const { closings } = await runHistory(seed)
  expect(closings).toBeGreaterThan(0)
})
