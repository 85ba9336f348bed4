import { expect, it } from 'vitest'
import { runHistory } from '../support/payroll-histories.ts'

it.each([1, 2, 3, 4, 5])('pays each day its worked seconds in the end: seed %i', async (seed) => {
  const { closings, days } = await runHistory(seed)
  expect(closings).toBeGreaterThan(2)
  expect(days).toBeGreaterThan(10)
})
