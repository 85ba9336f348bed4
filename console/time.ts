/**
 * Times in the zone of a log's branch, never the browser's: a local time with its offset is shown as it
 * stands, and a moment in UTC in the installation's zone.
 */
import type { LogRow } from '../sdk/api-types.ts'
import { signedIn } from './api/session.ts'

const HOUR_MS = 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()

const LOCAL = /^(.{19})[+-]\d\d:\d\d$/

const format = (
  moment: string,
  options: Intl.DateTimeFormatOptions,
  { locale = 'es-MX', zone = '' } = {},
): string => {
  const [, local] = LOCAL.exec(moment) ?? []
  const timeZone = local ? 'UTC' : zone || signedIn().time_zone
  const key = JSON.stringify([timeZone, options, locale])
  const formatter = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options })
  formats.set(key, formatter)
  return formatter.format(new Date(local ? `${local}Z` : moment))
}

/** The zone of a branch, as it is now. */
export const zoneOf = (branch: string | undefined): string => {
  const { branches, time_zone } = signedIn()
  return branches.find(({ branch_office }) => branch_office === branch)?.time_zone ?? time_zone
}

/** Whether this installation has more than one zone: then each field that takes a time names its own. */
export const hasZones = (): boolean => {
  const { branches, time_zone } = signedIn()
  return branches.some((branch) => branch.time_zone !== time_zone)
}

/** `hora del Pacífico (Tijuana)`; of the capital, `hora del centro`. */
export const zoneName = (zone: string): string => {
  const now = new Date().toISOString()
  const parts = format(now, { timeZoneName: 'longGeneric', hour: 'numeric' }, { zone }).split(' ')
  const name = parts
    .slice(parts.indexOf('hora'))
    .join(' ')
    .replace('estándar central', 'del centro')
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ')
  return city === 'Mexico City' ? name : `${name} (${city})`
}

/** `2026-11-09` */
export const dayOf = (moment: string, zone = ''): string =>
  format(moment, { year: 'numeric', month: '2-digit', day: '2-digit' }, { locale: 'en-CA', zone })

/** `08:03` */
export const clockTime = (moment: string, zone = ''): string =>
  format(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, { zone })

/** `08:03:27` */
export const exactTime = (moment: string, zone = ''): string =>
  format(
    moment,
    { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    { zone },
  )

/** `lunes 9 de noviembre` */
export const longDay = (moment: string): string =>
  format(moment, { weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '')

/** `Lunes 9 de noviembre` */
export const dayHeading = (moment: string): string => {
  const day = longDay(moment)
  return day.charAt(0).toUpperCase() + day.slice(1)
}

/** `lunes 9` */
export const weekday = (moment: string): string =>
  format(moment, { weekday: 'long', day: 'numeric' }).replace(',', '')

/** `9 nov, 08:03` */
export const shortMoment = (moment: string, zone = ''): string => {
  const day = format(moment, { day: 'numeric', month: 'short' }, { zone }).replace('.', '')
  return `${day}, ${clockTime(moment, zone)}`
}

export const today = (): string => dayOf(new Date().toISOString())

export const daysAgo = (days: number): string =>
  dayOf(new Date(Date.now() - days * 24 * HOUR_MS).toISOString())

export const shifted = (moment: string, hours: number): string =>
  new Date(Date.parse(moment) + hours * HOUR_MS).toISOString()

/** The instant of a local day and time; the second guess settles the hours around a clock change. */
export const toInstant = (day: string, time: string, zone = signedIn().time_zone): string => {
  const wanted = Date.parse(`${day}T${time}Z`)
  const guess = (ms: number): number => {
    const at = new Date(ms).toISOString()
    return ms + wanted - Date.parse(`${dayOf(at, zone)}T${exactTime(at, zone)}Z`)
  }
  return new Date(guess(guess(wanted))).toISOString()
}

/** How long after the other moment: `3 h`, `2 días`; undefined under an hour. */
export const elapsed = (from: string, to: string): string | undefined => {
  const hours = Math.floor((Date.parse(to) - Date.parse(from)) / HOUR_MS)
  if (hours < 1) return undefined
  const days = Math.floor(hours / 24)
  if (days < 1) return `${hours} h`
  return days === 1 ? '1 día' : `${days} días`
}

/** How late a log arrived; undefined for what was imported, which came with the installation. */
export const lateness = ({ source, recorded_at, received_at }: LogRow): string | undefined =>
  source === '' ? undefined : elapsed(recorded_at, received_at)

/** Local days, both included. */
export interface Period {
  from: string
  to: string
}

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 24 * HOUR_MS).toISOString().slice(0, 10)

/** An instant in a local day, to write the day by. */
export const noonOf = (day: string): string => toInstant(day, '12:00')

/** The days 1 to 15 of a month, or 16 to its end. */
export const fortnightOf = (day: string): Period => {
  const month = day.slice(0, 8)
  if (day <= `${month}15`) return { from: `${month}01`, to: `${month}15` }
  const to = addDays(`${addDays(`${month}28`, 4).slice(0, 8)}01`, -1)
  return { from: `${month}16`, to }
}

/** `lun 9`; `mié 28 de oct` where it is of another month than the day beside. */
export const shortDay = (day: string, beside = day): string => {
  const month = day.slice(0, 7) === beside.slice(0, 7) ? undefined : 'short'
  return format(noonOf(day), { weekday: 'short', day: 'numeric', month }).replace(/[.,]/g, '')
}

/** `9 de noviembre` */
export const dayOfMonth = (day: string): string =>
  format(noonOf(day), { day: 'numeric', month: 'long' })

/** `1 al 15 de noviembre` */
export const periodName = ({ from, to }: Period): string => {
  const first = from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))}` : dayOfMonth(from)
  return from === to ? dayOfMonth(to) : `${first} al ${dayOfMonth(to)}`
}

/** `10 h 17 min`; a sign where it is negative. */
export const duration = (seconds: number): string => {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const whole = `${hours.toLocaleString('es-MX')} h`
  const text = hours === 0 ? `${rest} min` : rest === 0 ? whole : `${whole} ${rest} min`
  return seconds < 0 && minutes > 0 ? `−${text}` : text
}

/** `10:17:04`, exact: figures of a card add up. */
export const exactDuration = (seconds: number): string => {
  const size = Math.abs(seconds)
  const rest = new Date(size * 1000).toISOString().slice(14, 19)
  return `${seconds < 0 ? '−' : ''}${Math.floor(size / 3600)}:${rest}`
}

/** `10.28 h`, as payroll has it. */
export const inHours = (seconds: number): string => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `${(seconds / 3600).toLocaleString('es-MX', digits)} h`
}

/** The Monday of a day's week. */
export const mondayOf = (day: string): string =>
  addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
