/** Local times and days of a time zone, such as America/Mexico_City. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export interface TimeZone {
  /** The local time of a moment: `2026-11-02 08:00:00`. */
  localTime(moment: Date): string
  /** The first moment of a local day; undefined for a text that is not a date. */
  startOfDay(date: string): Date | undefined
  /** The first moment of the next day. */
  startOfNextDay(date: string): Date | undefined
}

/** A date some days later, or earlier: `addDays('2026-11-30', 1)` is `2026-12-01`. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

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

  // Offsets change on quarter hours only: caching one per quarter saves a slow format call.
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

  const local = (ms: number): string => new Date(ms + offsetAt(ms)).toISOString()

  /** Midnight by the offset before or after a clock change: the first of the two within the day. */
  const startOf = (utc: number): Date => {
    const date = new Date(utc).toISOString().slice(0, 10)
    const candidates = [utc - offsetAt(utc - DAY_MS), utc - offsetAt(utc + DAY_MS)]
    const first = candidates.sort((a, b) => a - b).find((ms) => local(ms).startsWith(date))
    return new Date(first ?? utc - offsetAt(utc))
  }

  return {
    localTime: (moment) => local(moment.getTime()).slice(0, 19).replace('T', ' '),
    startOfDay: (date) => {
      const utc = parseDate(date)
      return utc === undefined ? undefined : startOf(utc)
    },
    startOfNextDay: (date) => {
      const utc = parseDate(date)
      return utc === undefined ? undefined : startOf(utc + DAY_MS)
    },
  }
}

const zones = new Map<string, TimeZone>()

export const timeZone = (name: string): TimeZone => {
  const zone = zones.get(name) ?? makeTimeZone(name)
  zones.set(name, zone)
  return zone
}
