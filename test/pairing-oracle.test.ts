import { expect, it } from 'vitest'
import { compareWithOracle } from './support/pairing-cases.ts'

it('pairs punches as the words of the documentation say: some hundred person-days', () => {
  const seeds = Array.from({ length: 100 }, (_, i) => i + 1)
  expect(compareWithOracle(seeds)).toBeGreaterThan(300)
})
