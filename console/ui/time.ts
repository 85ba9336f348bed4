import type { LogRow } from '../../sdk/api-types.ts'
import { signedIn } from '../session/session.ts'
import { counted } from './text.ts'

/**
 * A page knows no zone: the zone data of browsers is older or other than the service's. Days, and
 * times with an offset, are already local and are shown unchanged. Times in UTC end in Z. The
 * service says the offsets of their zones; without a zone it is the installation's.
 */

export const HOUR_MS = 3_600_000

/** The first and the last day, both local and both included. */
export interface Period {
  from: string
  to: string
}

const offsetAt = (ms: number, zone: string): number => {
  const offsets = signedIn().zones.find(({ time_zone }) => time_zone === zone)?.utc_offsets ?? []
  return offsets.findLast(({ from }) => from === '' || Date.parse(from) <= ms)?.seconds ?? 0
}

/** `2026-11-09T08:03:27` */
const local = (moment: string, zone?: string): string => {
  if (!moment.endsWith('Z')) return moment.slice(0, 19)
  const ms = Date.parse(moment)
  const seconds = offsetAt(ms, zone ?? signedIn().time_zone)
  return new Date(ms + seconds * 1000).toISOString().slice(0, 19)
}

/** A cache, since formatters are slow to make and a list has hundreds of times. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Writes the names of a local day, as every browser knows them. */
const format = (moment: string, options: Intl.DateTimeFormatOptions, zone?: string): string => {
  const key = JSON.stringify(options)
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat('es-MX', { timeZone: 'UTC', ...options })
  formatters.set(key, formatter)
  return formatter.format(new Date(`${local(moment, zone).slice(0, 10)}T00:00:00Z`))
}

/** The current zone of a branch. For an unknown branch, it is the installation's zone. */
export const zoneOf = (branch: string | undefined): string => {
  const { branches, time_zone } = signedIn()
  return branches.find(({ branch_office }) => branch_office === branch)?.time_zone ?? time_zone
}

/** Whether a branch has another zone than the installation. Then pages name the zones of times. */
export const hasZones = (): boolean => {
  const { branches, time_zone } = signedIn()
  return branches.some((branch) => branch.time_zone !== time_zone)
}

/** The names in the Ley de los Husos Horarios of 2022; along the border, those of its neighbors. */
const MEXICAN_ZONES: Record<string, string> = {
  'America/Bahia_Banderas': 'hora del centro',
  'America/Cancun': 'hora del sureste',
  'America/Chihuahua': 'hora del centro',
  'America/Ciudad_Juarez': 'hora de la montaña',
  'America/Hermosillo': 'hora del Pacífico',
  'America/Matamoros': 'hora central',
  'America/Mazatlan': 'hora del Pacífico',
  'America/Merida': 'hora del centro',
  'America/Mexico_City': 'hora del centro',
  'America/Monterrey': 'hora del centro',
  'America/Ojinaga': 'hora central',
  'America/Tijuana': 'hora del noroeste',
}

const ACCENTED: Record<string, string> = {
  Cancun: 'Cancún',
  'Ciudad Juarez': 'Ciudad Juárez',
  Mazatlan: 'Mazatlán',
  Merida: 'Mérida',
}

/** `hora del noroeste (Tijuana)`, `hora del centro` for Mexico City, or `hora de Vancouver`. */
export const zoneName = (timeZone: string): string => {
  const last = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  const city = ACCENTED[last] ?? last
  const name = MEXICAN_ZONES[timeZone]
  if (!name) return `hora de ${city}`
  return timeZone === 'America/Mexico_City' ? name : `${name} (${city})`
}

/** `2026-11-09` */
export const dayOf = (moment: string, zone?: string): string => local(moment, zone).slice(0, 10)

/** `08:03:27` */
export const exactTime = (moment: string, zone?: string): string => local(moment, zone).slice(11)

/** `08:03` */
export const clockTime = (moment: string, zone?: string): string =>
  local(moment, zone).slice(11, 16)

/** `lunes 9 de noviembre` */
export const longDay = (moment: string): string =>
  format(moment, { weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '')

/** `lunes 9` */
export const weekday = (moment: string): string =>
  format(moment, { weekday: 'long', day: 'numeric' }).replace(',', '')

/** `9 de noviembre` */
export const dayAndMonth = (moment: string): string =>
  format(moment, { day: 'numeric', month: 'long' })

/** `9 de noviembre de 2026` */
export const longDate = (day: string): string =>
  format(day, { day: 'numeric', month: 'long', year: 'numeric' })

/** `lun 9`, or `mié 28 de oct` if the day `beside` is in another month. */
export const shortDay = (day: string, beside = day): string => {
  const month = day.slice(0, 7) === beside.slice(0, 7) ? undefined : 'short'
  return format(day, { weekday: 'short', day: 'numeric', month }).replace(/[.,]/g, '')
}

/** `9 nov, 08:03` */
export const shortMoment = (moment: string, zone?: string): string => {
  const day = format(moment, { day: 'numeric', month: 'short' }, zone).replace('.', '')
  return `${day}, ${clockTime(moment, zone)}`
}

/** `1 al 15 de noviembre` */
export const daysName = ({ from, to }: Period): string => {
  const first = from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))}` : dayAndMonth(from)
  return from === to ? dayAndMonth(to) : `${first} al ${dayAndMonth(to)}`
}

/** `1 al 15 de noviembre de 2026` */
export const periodName = (period: Period): string =>
  `${daysName(period)} de ${period.to.slice(0, 4)}`

export const earlierOf = (a: string, b: string): string => (a < b ? a : b)

export const laterOf = (a: string, b: string): string => (a < b ? b : a)

export const today = (): string => dayOf(new Date().toISOString())

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 24 * HOUR_MS).toISOString().slice(0, 10)

/** The last day on which a shift that begins on `day` may end. A shift has at most 36 hours. */
export const nightEndOf = (day: string): string => addDays(day, 2)

/** The Monday on or before a day. */
export const mondayOf = (day: string): string =>
  addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** The fortnight of a day: from the 1st to the 15th, or from the 16th to the end of the month. */
export const fortnightOf = (day: string): Period => {
  const month = day.slice(0, 8)
  if (day <= `${month}15`) return { from: `${month}01`, to: `${month}15` }
  const nextMonth = addDays(`${month}28`, 4).slice(0, 8)
  return { from: `${month}16`, to: addDays(`${nextMonth}01`, -1) }
}

/** The time between two moments, rounded down: `3 h` or `2 días`. Undefined if under an hour. */
export const elapsed = (from: string, to: string): string | undefined => {
  const hours = Math.floor((Date.parse(to) - Date.parse(from)) / HOUR_MS)
  if (hours < 1) return undefined
  return hours < 24 ? `${hours} h` : counted(Math.floor(hours / 24), 'día')
}

/**
 * The time from a log's `recorded_at` to its arrival, `2 h`. Undefined if the log was imported, or if
 * the time is less than an hour; for a phone, which may have had a wrong clock, than five minutes.
 */
export const arrivalDelay = (
  log: Pick<LogRow, 'source' | 'recorded_at' | 'received_at'>,
): string | undefined => {
  const { source, recorded_at, received_at } = log
  if (source === '') return undefined
  const minutes = Math.floor((Date.parse(received_at) - Date.parse(recorded_at)) / 60_000)
  const isMarked = source.startsWith('app:') && minutes >= 5 && minutes < 60
  return isMarked ? `${minutes} min` : elapsed(recorded_at, received_at)
}

/** `10 h 17 min`, or `−10 h 17 min` if negative. */
export const duration = (seconds: number): string => {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  // Below a thousand there is nothing to group, and a long list has a thousand durations.
  const whole = `${hours < 1000 ? hours : hours.toLocaleString('es-MX')} h`
  const text = hours === 0 ? `${rest} min` : rest === 0 ? whole : `${whole} ${rest} min`
  return seconds < 0 && minutes > 0 ? `−${text}` : text
}

/** `10:17:04`, with seconds, because the figures on a card must add up exactly. */
export const exactDuration = (seconds: number): string => {
  const size = Math.abs(seconds)
  const rest = new Date(size * 1000).toISOString().slice(14, 19)
  return `${seconds < 0 ? '−' : ''}${Math.floor(size / 3600)}:${rest}`
}

/** `10.28 h`: payroll counts in decimal hours. */
export const inHours = (seconds: number): string => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `${(seconds / 3600).toLocaleString('es-MX', digits)} h`
}
