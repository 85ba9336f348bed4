import { expect, it } from 'vitest'
import { compareExtraLogs, compareWithOracle } from '../support/pairing-cases.ts'

it('pairs punches as documented, for thousands of person-days', () => {
  const seeds = Array.from({ length: 4_000 }, (_, i) => 1_000 + i)
  expect(compareWithOracle(seeds)).toBeGreaterThan(15_000)
})

it('pairs punches as documented for people who never rest, too', () => {
  const seeds = Array.from({ length: 100 }, (_, i) => 10_000 + i)
  expect(compareWithOracle(seeds, 150)).toBeGreaterThan(2_000)
})

it('names the punches that are too many, for thousands of people', () => {
  const seeds = Array.from({ length: 4_000 }, (_, i) => 20_000 + i)
  expect(compareExtraLogs(seeds)).toBeGreaterThan(500)
})
