import { expect, it } from 'vitest'
import { newestRelease, type OffsetOf } from '../../src/health/zone-data.ts'

/** What the newest data says, in hours. */
const OFFSETS: Record<string, number> = {
  'America/Ciudad_Juarez': -7,
  'Antarctica/Vostok': 5,
  'America/Coyhaique': -3,
  'America/Vancouver': -7,
}

const without =
  (changes: Record<string, number | undefined>): OffsetOf =>
  (zone) =>
    ({ ...OFFSETS, ...changes })[zone]

it.each([
  [{}, '2026b'],
  [{ 'America/Vancouver': -8 }, '2025b'],
  [{ 'America/Vancouver': -8, 'America/Coyhaique': undefined }, '2023d'],
  [{ 'Antarctica/Vostok': 7 }, '2022g'],
  // Debian 12's ICU 72 has the data of 2022e.
  [{ 'America/Ciudad_Juarez': undefined, 'Antarctica/Vostok': 7 }, null],
])('names the newest release whose changes are known: without %j it is %s', (changes, release) => {
  expect(newestRelease(without(changes))).toBe(release)
})
