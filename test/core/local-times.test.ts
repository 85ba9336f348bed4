import { describe, expect, it } from 'vitest'
import { DAY_MS, timeZone, type ZoneRule, zonesFrom } from '../../src/core/values/time-zone.ts'

const MINUTE = 60_000

/** A branch A whose zone changes on the days of its rules. */
const zonesOf = (...names: [valid_from: string, time_zone: string][]) =>
  zonesFrom([
    { branch_office: null, valid_from: '', time_zone: 'UTC' },
    ...names.map(
      ([valid_from, time_zone]): ZoneRule => ({ branch_office: 'A', valid_from, time_zone }),
    ),
  ])

type Zones = ReturnType<typeof zonesOf>

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The local time of a moment, as the platform writes it in Swedish: `2026-11-01 01:30:00`. */
const platformTime = (zones: Zones, ms: number): string => {
  const timeZone = zones.nameAt('A', new Date(ms))
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  const formatter = formatters.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', options)
  formatters.set(timeZone, formatter)
  return formatter.format(ms).replace(' ', 'T')
}

/** The moments of each local minute of a day, found by a search through every minute. */
const searchMinutes = (zones: Zones, day: string): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  const midnight = Date.parse(day)
  for (let ms = midnight; ms < midnight + DAY_MS; ms += MINUTE) {
    found.set(new Date(ms).toISOString().slice(0, 19), [])
  }
  for (let ms = midnight - DAY_MS; ms < midnight + 2 * DAY_MS; ms += MINUTE) {
    found.get(platformTime(zones, ms))?.push(new Date(ms).toISOString())
  }
  return found
}

const instantsOf = (zones: Zones, localTime: string) =>
  zones.instantsOf('A', localTime).map((instant) => instant.toISOString())

describe('the instants of a local time', () => {
  it.each([
    ['Tijuana in spring', '2026-03-08', zonesOf(['', 'America/Tijuana']), 60, 0],
    ['Tijuana in autumn', '2026-11-01', zonesOf(['', 'America/Tijuana']), 0, 60],
    ['Ciudad Juárez in spring', '2026-03-08', zonesOf(['', 'America/Ciudad_Juarez']), 60, 0],
    ['Ciudad Juárez in autumn', '2026-11-01', zonesOf(['', 'America/Ciudad_Juarez']), 0, 60],
    ['Vancouver in spring', '2025-03-09', zonesOf(['', 'America/Vancouver']), 60, 0],
    ['Mexico City at its last change', '2022-10-30', zonesOf(['', 'America/Mexico_City']), 0, 60],
    ['Mexico City a year later', '2023-10-29', zonesOf(['', 'America/Mexico_City']), 0, 0],
    ['half an hour forward', '2026-10-04', zonesOf(['', 'Australia/Lord_Howe']), 30, 0],
    ['half an hour back', '2026-04-05', zonesOf(['', 'Australia/Lord_Howe']), 0, 30],
    ['a zone with half an hour', '2026-11-02', zonesOf(['', 'Asia/Kolkata']), 0, 0],
    ['clocks set forward at midnight', '2026-09-06', zonesOf(['', 'America/Santiago']), 60, 0],
    [
      'a branch that moves east at midnight',
      '2026-11-10',
      zonesOf(['', 'America/Tijuana'], ['2026-11-10', 'America/Cancun']),
      180,
      0,
    ],
    [
      'a branch that moves west at midnight',
      '2026-03-10',
      zonesOf(['', 'America/Mexico_City'], ['2026-03-10', 'America/Tijuana']),
      0,
      60,
    ],
    [
      'a branch that moves west on the night of a clock change',
      '2026-11-01',
      zonesOf(['', 'America/Mexico_City'], ['2026-11-01', 'America/Tijuana']),
      0,
      120,
    ],
  ])('are those of a search: %s, %s', (_, day, zones, missing, twice) => {
    const counts = [0, 0, 0]
    for (const [localTime, expected] of searchMinutes(zones, day)) {
      expect(instantsOf(zones, localTime), localTime).toEqual(expected)
      counts[expected.length] = (counts[expected.length] ?? 0) + 1
    }
    expect(counts).toEqual([missing, 1440 - missing - twice, twice])
  })

  it('agree with a search in Vancouver, whatever the platform knows of its clocks', () => {
    const zones = zonesOf(['', 'America/Vancouver'])
    for (const day of ['2026-11-01', '2027-03-14']) {
      for (const [localTime, expected] of searchMinutes(zones, day)) {
        expect(instantsOf(zones, localTime), localTime).toEqual(expected)
      }
    }
  })

  it('keep their seconds', () => {
    const zones = zonesOf(['', 'America/Tijuana'])
    expect(instantsOf(zones, '2026-11-01T01:59:59')).toEqual([
      '2026-11-01T08:59:59.000Z',
      '2026-11-01T09:59:59.000Z',
    ])
    expect(instantsOf(zones, '2026-11-02T08:58:12')).toEqual(['2026-11-02T16:58:12.000Z'])
  })
})

it.each([
  ['2026-03-08T02:00:00', '2026-03-08T03:00:00', zonesOf(['', 'America/Tijuana'])],
  ['2026-03-08T02:59:59', '2026-03-08T03:00:00', zonesOf(['', 'America/Tijuana'])],
  ['2026-10-04T02:10:00', '2026-10-04T02:30:00', zonesOf(['', 'Australia/Lord_Howe'])],
  ['2026-09-06T00:30:00', '2026-09-06T01:00:00', zonesOf(['', 'America/Santiago'])],
  // A day that a country skipped, when it moved to the other side of the date line.
  ['2011-12-30T12:00:00', '2011-12-31T00:00:00', zonesOf(['', 'Pacific/Apia'])],
  [
    '2026-11-10T01:30:00',
    '2026-11-10T03:00:00',
    zonesOf(['', 'America/Tijuana'], ['2026-11-10', 'America/Cancun']),
  ],
])('after %s, which no clock shows, the next time is %s', (localTime, next, zones) => {
  expect(zones.instantsOf('A', localTime)).toEqual([])
  expect(zones.timeAfterGap('A', localTime)).toBe(next)
})

describe('the offsets of a zone', () => {
  const offsets = (name: string) => timeZone(name).offsetsAround(new Date('2026-11-25T12:00:00Z'))

  it('have the moments from which they hold', () => {
    expect(offsets('America/Tijuana').slice(0, 4)).toEqual([
      { from: '', seconds: -8 * 3600 },
      { from: '2020-03-08T10:00:00.000Z', seconds: -7 * 3600 },
      { from: '2020-11-01T09:00:00.000Z', seconds: -8 * 3600 },
      { from: '2021-03-14T10:00:00.000Z', seconds: -7 * 3600 },
    ])
    expect(offsets('America/Mexico_City').at(-1)).toEqual({
      from: '2022-10-30T07:00:00.000Z',
      seconds: -6 * 3600,
    })
    expect(offsets('UTC')).toEqual([{ from: '', seconds: 0 }])
  })

  it.each(['America/Ciudad_Juarez', 'America/Vancouver', 'Africa/Casablanca', 'Asia/Kolkata'])(
    'give the local time of each hour: %s',
    (name) => {
      const found = offsets(name)
      const end = Date.UTC(2032, 0)
      for (let ms = Date.UTC(2020, 0); ms < end; ms += DAY_MS / 4) {
        const seconds = found.findLast(({ from }) => from === '' || Date.parse(from) <= ms)?.seconds
        const local = new Date(ms + (seconds ?? 0) * 1000).toISOString().slice(0, 19)
        if (local !== timeZone(name).localAt(new Date(ms)).slice(0, 19)) expect([ms, local]).toBe(1)
      }
    },
  )
})
