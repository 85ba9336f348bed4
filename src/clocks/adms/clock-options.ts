import { DAY_MS, type Zones } from '../../core/values/time-zone.ts'

/** What the service tells a clock about itself and about the time. */

interface Asking {
  branch_office: string
  stamp: string | null
  zones: Zones
}

const HALF_YEAR_MS = 182 * DAY_MS

/**
 * The offset of a branch in minutes. Undefined if it changes within a year, because a clock would
 * keep the old one.
 */
const steadyOffset = (branch: string, zones: Zones, now: Date): number | undefined => {
  const offsets = [-1, 0, 1].map((halves) => {
    const moment = new Date(now.getTime() + halves * HALF_YEAR_MS)
    const [, sign, hours, minutes] =
      /([+-])(\d{2}):(\d{2})$/.exec(zones.zoneAt(branch, moment).localAt(moment)) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  })
  return new Set(offsets).size === 1 ? offsets[0] : undefined
}

/** The option is in hours, or in minutes if these are no whole hours. */
const zoneOption = (minutes: number): number => (minutes % 60 === 0 ? minutes / 60 : minutes)

/**
 * The options that make a clock send each punch at once, and after a pause everything since its last
 * `Stamp`. There is no PushProtVer, because from 2.4 on, clocks would encrypt what they send. The
 * stamps of other tables keep clocks from sending names, photos and fingerprints.
 */
export const optionsOf = ({ branch_office, stamp, zones }: Asking, now: Date): string => {
  const offset = steadyOffset(branch_office, zones, now)
  return [
    `ATTLOGStamp=${stamp ?? 'None'}`,
    'OPERLOGStamp=9999',
    'ATTPHOTOStamp=9999',
    'ErrorDelay=60',
    'Delay=60',
    'TransTimes=00:00;14:05',
    'TransInterval=1',
    'TransFlag=TransData AttLog',
    ...(offset === undefined ? [] : [`TimeZone=${zoneOption(offset)}`]),
    'Realtime=1',
    'Encrypt=None',
    'ServerVer=2.2.14',
    '',
  ].join('\n')
}

/** The protocol counts seconds since 2000, as if every month had 31 days. */
const protocolSeconds = (now: Date): number => {
  const months = (now.getUTCFullYear() - 2000) * 12 + now.getUTCMonth()
  const days = months * 31 + now.getUTCDate() - 1
  return days * 86_400 + (Math.floor(now.getTime() / 1000) % 86_400)
}

/** The time in UTC, and the offset of the clock's branch: `DateTime=866…,ServerTZ=-0600`. */
export const timeOf = ({ branch_office, zones }: Asking, now: Date): string => {
  const offset = zones.zoneAt(branch_office, now).localAt(now).slice(-6).replace(':', '')
  return `DateTime=${protocolSeconds(now)},ServerTZ=${offset}`
}

const DAY_SECONDS = 86_400

/** From this moment of 2020 on, a number may count the seconds since 1970. */
const UNIX_FROM = 1_577_836_800

/**
 * What the clock gets back when it connects again. It is a counter, or the seconds of its last punch.
 * Null if it lies in the future, because the clock would then send nothing that is older.
 */
export const believedStamp = (text: string, now: Date): string | null => {
  if (!/^\d{1,20}$/.test(text)) return null
  const stamp = Number(text)
  const unixTomorrow = now.getTime() / 1000 + DAY_SECONDS
  const isUnix = stamp >= UNIX_FROM && stamp <= unixTomorrow
  return isUnix || stamp <= protocolSeconds(now) + DAY_SECONDS ? text : null
}
