import { DomainError } from '../errors.ts'
import type { Dated } from './dated.ts'

/** Local times and days in a time zone, such as America/Mexico_City, and the zones of branches. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The last day that is taken anywhere. The year of the day after it still has four digits. */
export const LAST_DAY = '9999-12-30'

const DAY_AFTER_LAST_MS = Date.UTC(9999, 11, 31)

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** How the zones of IANA are written. It is no offset such as `-0600`. */
const ZONE_NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/

/** Whether this is a zone's name in its own letter case. The runtime takes others, too. */
export const isTimeZone = (name: string): boolean => {
  if (!ZONE_NAME.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // The older name of a zone is resolved to its newer one.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

export interface TimeZone {
  /** For example `America/Mexico_City`. */
  readonly name: string
  /** The local time of a moment: `2026-11-02 08:00:00`. */
  localTime(moment: Date): string
  /** The local day of a moment: `2026-11-02`. */
  localDay(moment: Date): string
  /** The local time of a moment with its offset, in whole seconds: `2026-11-02T08:00:00-06:00`. */
  localAt(moment: Date): string
  /** The first moment of a local day. Undefined if the text is not a date. */
  startOfDay(date: string): Date | undefined
  /** The first moment of a local day. A moment is returned unchanged. */
  startOf(dayOrMoment: string): Date
  /** The first moment after a local day or after a moment. */
  endOf(dayOrMoment: string): Date
  /**
   * The moments with a local time such as `2026-11-02T08:58:12`, in order. None if the clocks skip
   * it, two if they are set back over it.
   */
  instantsOf(localTime: string): Date[]
  /**
   * The zone's offsets from UTC, from OFFSET_YEARS before the year of a moment to as many after it.
   * Each has the moment from which it holds, '' for the first.
   */
  offsetsAround(moment: Date): UtcOffset[]
}

interface UtcOffset {
  from: string
  seconds: number
}

const OFFSET_YEARS = 6

/**
 * The date some days later: `addDays('2026-11-30', 1)` is `2026-12-01`. `days` may be negative. No
 * date is later than the day after LAST_DAY.
 */
export const addDays = (date: string, days: number): string =>
  new Date(Math.min(Date.parse(date) + days * DAY_MS, DAY_AFTER_LAST_MS)).toISOString().slice(0, 10)

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']

export const weekdayOf = (day: string): string => WEEKDAYS[new Date(day).getUTCDay()] ?? ''

/** The earlier of two days, or of two stored moments. */
export const earlier = (a: string, b: string): string => (a < b ? a : b)

/** The later of two days, or of two stored moments. Returns `a` if `b` is null. */
export const later = (a: string, b: string | null): string => (b === null || b < a ? a : b)

/** Whether a text is a date, LAST_DAY at most. */
export const isDate = (text: string): boolean => parseDate(text) !== undefined && text <= LAST_DAY

const parseDate = (date: string): number | undefined => {
  const [, year, month, day] = DATE.exec(date) ?? []
  if (!year || !month || !day) return undefined
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return new Date(utc).toISOString().startsWith(date) ? utc : undefined
}

const makeTimeZone = (name: string): TimeZone => {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    timeZoneName: 'longOffset',
    hour: 'numeric',
  })

  // Offsets change only on quarter hours. One offset per quarter hour is cached, because formatting
  // is slow.
  const offsets = new Map<number, number>()
  const offsetAt = (ms: number): number => {
    const quarter = Math.floor(ms / (HOUR_MS / 4))
    const cached = offsets.get(quarter)
    if (cached !== undefined) return cached
    const text = clock.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? []
    const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
    const offset = sign === '-' ? -size : size
    if (offsets.size > 50_000) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }

  const localIso = (ms: number): string => new Date(ms + offsetAt(ms)).toISOString()

  /**
   * The first moment of a day. The offset may change on that day, so midnight is tried with the
   * offset of a day earlier and of a day later. The first result that lies within the day is used.
   */
  const startOf = (utc: number): Date => {
    const date = new Date(utc).toISOString().slice(0, 10)
    const candidates = [utc - offsetAt(utc - DAY_MS), utc - offsetAt(utc + DAY_MS)]
    const first = candidates.sort((a, b) => a - b).find((ms) => localIso(ms).startsWith(date))
    return new Date(first ?? utc - offsetAt(utc))
  }

  const offsetText = (ms: number): string => {
    const minutes = offsetAt(ms) / 60_000
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    const twoDigits = (value: number) => String(value).padStart(2, '0')
    return `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
  }

  const startOfDay = (date: string) => {
    const utc = parseDate(date)
    return utc === undefined ? undefined : startOf(utc)
  }
  const startOfNextDay = (date: string) => {
    const utc = parseDate(date)
    return utc === undefined ? undefined : startOf(utc + DAY_MS)
  }

  /** The offset may change near that time, so the offsets of a day earlier and later are tried. */
  const instantsOf = (localTime: string): Date[] => {
    const utc = Date.parse(`${localTime}Z`)
    const offsets = new Set([offsetAt(utc - DAY_MS), offsetAt(utc + DAY_MS)])
    return [...offsets]
      .map((offset) => utc - offset)
      .filter((ms) => ms + offsetAt(ms) === utc)
      .sort((a, b) => a - b)
      .map((ms) => new Date(ms))
  }

  /** The first moment in an interval from which its last offset holds, if it has one change. */
  const changeIn = (from: number, to: number): number => {
    const quarter = HOUR_MS / 4
    let [before, after] = [from / quarter, to / quarter]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle * quarter) === offsetAt(to)) after = middle
      else before = middle
    }
    return after * quarter
  }

  const offsetsByYear = new Map<number, UtcOffset[]>()
  const offsetsAround = (moment: Date): UtcOffset[] => {
    const year = moment.getUTCFullYear()
    const known = offsetsByYear.get(year)
    if (known) return known
    let ms = Date.UTC(year - OFFSET_YEARS, 0)
    const end = Date.UTC(year + OFFSET_YEARS, 0)
    const found = [{ from: '', seconds: offsetAt(ms) / 1000 }]
    // No zone changes its clocks twice within two weeks.
    for (; ms < end; ms += 14 * DAY_MS) {
      const next = ms + 14 * DAY_MS
      if (offsetAt(next) === offsetAt(ms)) continue
      const change = new Date(changeIn(ms, next)).toISOString()
      found.push({ from: change, seconds: offsetAt(next) / 1000 })
    }
    offsetsByYear.set(year, found)
    return found
  }

  return {
    name,
    instantsOf,
    offsetsAround,
    localTime: (moment) => localIso(moment.getTime()).slice(0, 19).replace('T', ' '),
    localDay: (moment) => localIso(moment.getTime()).slice(0, 10),
    localAt: (moment) => {
      const ms = moment.getTime()
      return `${localIso(ms).slice(0, 19)}${offsetText(ms)}`
    },
    startOfDay,
    startOf: (text) => startOfDay(text) ?? new Date(text),
    endOf: (text) => startOfNextDay(text) ?? new Date(Date.parse(text) + 1),
  }
}

const zonesByName = new Map<string, TimeZone>()

/** @throws DomainError UNKNOWN_ZONE if this runtime has no such zone, unlike the one that stored it */
export const timeZone = (name: string): TimeZone => {
  const known = zonesByName.get(name)
  if (known) return known
  try {
    const zone = makeTimeZone(name)
    zonesByName.set(name, zone)
    return zone
  } catch (cause) {
    throw new DomainError('UNKNOWN_ZONE', { time_zone: name }, { cause })
  }
}

/**
 * The zone of a branch from a local day on, or of the company if the branch is null. `valid_from` is
 * '' if it always was the zone.
 */
export interface ZoneRule {
  branch_office: string | null
  valid_from: string
  time_zone: string
}

/** The zones of all branches. Branches without a rule have the company's zone. */
export interface Zones {
  /** The branches that have rules of their own. */
  readonly branches: readonly string[]
  /** The branch '' stands for the company. */
  zoneAt(branch: string, moment: Date): TimeZone
  /** The name of a branch's zone at a moment. */
  nameAt(branch: string, moment: Date): string
  /** The first moment of a local day of a branch. The day must be a valid date. */
  startOfDay(branch: string, day: string): Date
  /**
   * The moments at which a branch has a local time such as `2026-11-02T08:58:12`, in order. None if
   * the time is skipped, because the clocks are set forward or the branch gets another zone. Two if
   * the time comes twice.
   */
  instantsOf(branch: string, localTime: string): Date[]
  /** The first local time that a branch has after one that it skips. */
  timeAfterGap(branch: string, localTime: string): string
}

interface ZonePeriod {
  /** The first moment, in milliseconds. */
  since: number
  /** The first local day. '' for the first period. */
  day: string
  name: string
}

const startIn = (name: string, day: string): number =>
  timeZone(name).startOfDay(day)?.getTime() ?? 0

/**
 * The periods of dated zones, newest first. A period begins at midnight of the old or the new zone,
 * whichever is later. If that is the new zone's, the day begins at the old midnight, and its first
 * hours have the old zone.
 */
const periodsOf = (names: Dated<string>): ZonePeriod[] => {
  const periods: ZonePeriod[] = []
  for (const [day, name] of names) {
    const before = periods[0]?.name
    const since =
      before === undefined ? -Infinity : Math.max(startIn(before, day), startIn(name, day))
    periods.unshift({ since, day, name })
  }
  return periods
}

const namesOf = (rules: readonly ZoneRule[] = []): Dated<string> =>
  rules.map(({ valid_from, time_zone }) => [valid_from, time_zone] as const)

/**
 * A branch has the company's zones until its first rule.
 * @param rules sorted by `valid_from`, with one rule per branch and day
 */
export const zonesFrom = (rules: readonly ZoneRule[]): Zones => {
  const byOffice = Map.groupBy(rules, ({ branch_office }) => branch_office)
  const ofCompany = namesOf(byOffice.get(null))
  const companyPeriods = periodsOf(ofCompany)
  const byBranch = new Map<string, ZonePeriod[]>()
  for (const [branch, ofBranch] of byOffice) {
    if (branch === null) continue
    const names = namesOf(ofBranch)
    const since = names[0]?.[0] ?? ''
    byBranch.set(branch, periodsOf([...ofCompany.filter(([day]) => day < since), ...names]))
  }
  const periodsIn = (branch: string) => byBranch.get(branch) ?? companyPeriods
  const nameAt = (branch: string, moment: Date) =>
    periodsIn(branch).find(({ since }) => moment.getTime() >= since)?.name ?? 'UTC'
  return {
    branches: [...byBranch.keys()],
    nameAt,
    zoneAt: (branch, moment) => timeZone(nameAt(branch, moment)),
    instantsOf: (branch, localTime) =>
      [...new Set(periodsIn(branch).map(({ name }) => name))]
        .flatMap((name) =>
          timeZone(name)
            .instantsOf(localTime)
            .filter((moment) => nameAt(branch, moment) === name),
        )
        .sort((a, b) => a.getTime() - b.getTime()),
    timeAfterGap: (branch, localTime) => {
      // Offsets change only on quarter hours, and zones at a midnight.
      const quarter = HOUR_MS / 4
      const utc = Date.parse(`${localTime}Z`)
      for (
        let ms = Math.floor((utc - DAY_MS) / quarter) * quarter;
        ms <= utc + DAY_MS;
        ms += quarter
      ) {
        const moment = new Date(ms)
        const local = timeZone(nameAt(branch, moment)).localTime(moment).replace(' ', 'T')
        if (local > localTime) return local
      }
      throw new Error(`The branch does not skip ${localTime}.`)
    },
    // The first day of a rule begins at midnight of the previous zone.
    startOfDay: (branch, day) => {
      const periods = periodsIn(branch)
      const period = periods.find((candidate) => day > candidate.day) ?? periods.at(-1)
      return new Date(startIn(period?.name ?? 'UTC', day))
    },
  }
}

/** The local time of a stored moment in a branch, with its offset: `2026-11-02T08:00:00-06:00`. */
export const localAt = (moment: string, branch: string, zones: Zones): string => {
  const date = new Date(moment)
  return zones.zoneAt(branch, date).localAt(date)
}

export const localDay = (moment: string, branch: string, zones: Zones): string => {
  const date = new Date(moment)
  return zones.zoneAt(branch, date).localDay(date)
}

/** The local days of a moment in the company's zone and in each branch with a zone of its own. */
export const localDaysOf = (moment: string, zones: Zones): string[] =>
  ['', ...zones.branches].map((branch) => localDay(moment, branch, zones))

/** The company's local day. */
export const companyDay = (now: Date, zones: Zones): string => zones.zoneAt('', now).localDay(now)
