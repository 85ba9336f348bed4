import { expect, it } from 'vitest'
import { compareWithOracle } from '../support/pairing-cases.ts'

it('pairs punches as documented, for thousands of person-days', () => {
  const seeds = Array.from({ length: 4_000 }, (_, i) => 1_000 + i)
  expect(compareWithOracle(seeds)).toBeGreaterThan(15_000)
})

it('pairs punches as documented for people who never rest, too', () => {
  const seeds = Array.from({ length: 100 }, (_, i) => 10_000 + i)
  expect(compareWithOracle(seeds, 150)).toBeGreaterThan(2_000)
})
