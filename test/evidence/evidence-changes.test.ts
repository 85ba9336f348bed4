import { expect, it } from 'vitest'
import { faultsOf } from '../support/evidence.ts'
import { findUnnoticedFlips, goodFiles, verifyChangedFiles } from '../support/evidence-changes.ts'

const files = await goodFiles()

it('the verifier notices each of 200 changes, except in parts that are not signed', async () => {
  const { faulty = 0, unreadable = 0, sound = 0 } = await verifyChangedFiles(200, 20_261_102)
  expect(faulty + unreadable + sound).toBe(200)
  expect(Math.min(faulty, unreadable)).toBeGreaterThan(40)
})

it('the verifier notices a flipped bit', async () => {
  expect(await findUnnoticedFlips(97)).toEqual([])
})

it.each([
  ['the moment of the export', files.whole, '"exported_at":"2026', '"exported_at":"2027'],
  ['the date of a seal', files.whole, /(?<="seal":3,"at":"2026-11-02T16:)00/, '01'],
  ['an actor', files.whole, /"actors":.*/, '"actors":{}}'],
  ['how many events', files.person, '"count":5', '"count":6'],
  ['the last line feed', files.whole, /\n$/, ''],
])('the verifier does not notice a change of %s', async (_, text, part, other) => {
  const changed = text.replace(part, other)
  expect(changed).not.toBe(text)
  expect(await faultsOf(changed)).toEqual([])
})
