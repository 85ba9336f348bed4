import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compare } from '../../console/ui/order.ts'

it('keeps the order of equal texts', () => {
  expect([compare('a', 'b'), compare('b', 'a'), compare('a', 'a')]).toEqual([-1, 1, 0])
})

it('is what the console sorts by: no other comparator leaves out the equal ones', () => {
  const files = globSync('console/**/*.{ts,tsx}')
  const reversing = files.filter((file) => /\? (-1 : 1|1 : -1)\b/.test(readFileSync(file, 'utf8')))
  expect(reversing.filter((file) => !file.endsWith('ui/order.ts'))).toEqual([])
})
