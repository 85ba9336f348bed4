import { expect, it } from 'vitest'
import floor from '../bench/baseline.ts'
import service from '../src/index.ts'

it('stands where the other tests of this project expect the service', () => {
  expect(service).toBe(floor)
})
