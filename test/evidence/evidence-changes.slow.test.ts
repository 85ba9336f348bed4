import { expect, it } from 'vitest'
import { changeFiles } from '../support/evidence-changes.ts'

it('notices each of 5,000 changes of a good file', async () => {
  const { faulty = 0, unreadable = 0, sound = 0 } = await changeFiles(5_000, 1)
  expect(faulty + unreadable + sound).toBe(5_000)
  expect(faulty).toBeGreaterThan(1_000)
  expect(unreadable).toBeGreaterThan(1_000)
})
