import { expect } from 'vitest'
import { LOG_KINDS } from '../../src/core/values/log-values.ts'
import { timeZone } from '../../src/core/values/time-zone.ts'
import type { HoursLog } from '../../src/payroll/hours/hours-log.ts'
import { inPairingOrder } from '../../src/payroll/hours/pairing.ts'
import type { WorkDay } from '../../src/payroll/hours/work-day.ts'
import { type DayOptions, toWorkDays } from '../../src/payroll/hours/work-days.ts'
import { daysByOracle, type OracleDay, type OracleLog, type OracleRules } from './pairing-oracle.ts'
import { createRandom } from './random.ts'

/** Generates punches at the limits of the pairing rules, and compares the hours with the oracle. */

const HOUR_S = 3600

/** Zones and first days of unusual periods: clock changes, a leap day, the end of a year. */
const STARTS = [
  ['America/Tijuana', '2026-03-06'],
  ['America/Tijuana', '2026-10-30'],
  ['America/Ciudad_Juarez', '2026-03-06'],
  ['America/Ciudad_Juarez', '2026-10-30'],
  ['America/Mexico_City', '2028-02-27'],
  ['America/Mexico_City', '2026-12-30'],
] as const

export interface PersonCase {
  logs: OracleLog[]
  rules: (readonly [from: string, hours: number])[]
}

/** The seconds between two punches: often a limit of the rules, or a second more or less. */
const gapOf = ({ next, int, pick }: ReturnType<typeof createRandom>, longest: number): number => {
  const r = next()
  if (r < 0.25) return pick([0, 0, 1, 20, 59, 60, 61, 299, 300, 301, 302])
  if (r < 0.32) return longest + pick([-1, 0, 1])
  if (r < 0.36) return longest - pick([299, 300, 301])
  if (r < 0.4) return 12 * HOUR_S + int(3) - 1
  if (r < 0.5) return 24 * HOUR_S + pick([-HOUR_S, 0, HOUR_S, -1, 1])
  if (r < 0.8) return int(10 * HOUR_S)
  return int(30 * HOUR_S)
}

export const aPersonCase = (seed: number, size = 24): PersonCase => {
  const random = createRandom(seed)
  const { next, int, pick } = random
  const [time_zone, start] = pick(STARTS)
  const isGuard = next() < 0.3
  const hours = isGuard ? 26 : pick([16, 16, 16, 8])
  const day = (n: number) => new Date(Date.parse(start) + n * 86_400_000).toISOString().slice(0, 10)
  const changeDay = day(1 + int(4))
  const rules: PersonCase['rules'] = [['', hours]]
  if (next() < 0.4) rules.push([changeDay, pick([10, 16, 26])])
  // Two rules may begin on the same day. Then the newer one applies.
  if (next() < 0.2) rules.push([pick([changeDay, changeDay, day(5)]), pick([12, 26])])
  const isOfChecadas = next() < 0.3
  // A person may work in two branches. Each log's day and time are in the zone of its branch.
  const zones = next() < 0.2 ? [time_zone, 'America/Mexico_City'] : [time_zone]
  let second = Date.parse(start) / 1000 + int(48 * HOUR_S)
  const logs: OracleLog[] = []
  const count = 1 + int(size)
  for (let i = 0; i < count; i++) {
    second += gapOf(random, hours * HOUR_S)
    // In most zones, the new time is midnight or one second before midnight.
    if (next() < 0.08) second += 86_400 - (second % 86_400) + pick([6, 7, 8]) * HOUR_S - int(2)
    const status = pick(['approved', 'approved', 'approved', 'pending', 'rejected'] as const)
    const kind = isOfChecadas && next() < 0.9 ? 'checada' : pick(LOG_KINDS)
    const recorded_at = new Date(second * 1000 + pick([0, 0, int(1000)])).toISOString()
    logs.push({ log_id: i + 1, kind, status, recorded_at, time_zone: pick(zones) })
  }
  // The ids do not follow the times, because logs can arrive in any order.
  const ids = logs.map(({ log_id }) => [next(), log_id] as const).toSorted(([a], [b]) => a - b)
  for (const [i, log] of logs.entries()) log.log_id = ids[i]?.[1] ?? 0
  return { logs, rules }
}

const toHoursLog = ({ time_zone, ...log }: OracleLog): HoursLog => ({
  ...log,
  second: Math.floor(Date.parse(log.recorded_at) / 1000),
  local: timeZone(time_zone).localTime(new Date(log.recorded_at)),
  department: 'Ventas',
  branch_office: 'Norte',
  isManual: false,
  isRequest: false,
  isOtherNetwork: false,
  request_comment: null,
  isLate: false,
})

const toOracleDay = (day: WorkDay): OracleDay => ({
  day: day.day,
  first_in: day.first_in,
  last_out: day.last_out,
  pairs: day.pairs,
  worked_seconds: day.worked_seconds,
  certain_seconds: day.hold?.certain_seconds ?? day.worked_seconds ?? 0,
  held_by: day.hold?.log_id ?? null,
  detail: day.detail,
  exceptions: day.exceptions.filter((name) => name !== 'posible_desfase'),
  notices: day.notices,
  log_ids: day.log_ids,
  spans: day.spans.map(({ shift_day: _, ...span }) => span),
})

type LongestShifts = Pick<OracleRules, 'longest' | 'hasOwn'>

const daysOptions = ({ longest, hasOwn }: Required<LongestShifts>): DayOptions => ({
  maxShiftOn: longest,
  hasShiftRule: hasOwn,
  isOffPayroll: () => false,
  countPending: false,
  now: undefined,
})

/** Compares the days of generated people with the oracle's days. Returns the number of days. */
export const compareWithOracle = (seeds: readonly number[], size?: number): number =>
  seeds.reduce((count, seed) => {
    const { logs, rules } = aPersonCase(seed, size)
    const longest = (day: string) => (rules.findLast(([from]) => from <= day)?.[1] ?? 0) * HOUR_S
    const hasOwn = (day: string) => rules.some(([from]) => from !== '' && from <= day)
    for (const preview of [false, true]) {
      const options = { ...daysOptions({ longest, hasOwn }), countPending: preview }
      const days = toWorkDays(logs.map(toHoursLog).sort(inPairingOrder), options)
      const expected = daysByOracle(logs, { longest, hasOwn, preview })
      expect(days.map(toOracleDay), `seed ${seed}`).toEqual(
        expected.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
      )
    }
    return count + new Set(logs.map(({ recorded_at }) => recorded_at.slice(0, 10))).size
  }, 0)

const SPOILING = ['sin_salida', 'sin_entrada', 'entrada_repetida', 'menos_de_60_s']

/**
 * The days of a person as the oracle reads them without one log, and which of them are whole. The
 * service alone knows inverted days.
 */
const wholeDays = (logs: readonly OracleLog[], { longest, hasOwn }: Required<LongestShifts>) => {
  const own = toWorkDays(
    logs.map(toHoursLog).sort(inPairingOrder),
    daysOptions({ longest, hasOwn }),
  )
  const inverted = new Set(
    own.filter(({ exceptions }) => exceptions.includes('posible_desfase')).map(({ day }) => day),
  )
  const days = daysByOracle(logs, { longest, hasOwn, preview: true })
  const has = (names: readonly string[]) => (day: OracleDay) =>
    day.exceptions.some((name) => names.includes(name))
  return {
    isWhole: (name: string) =>
      !inverted.has(name) && !days.some((day) => day.day === name && has(SPOILING)(day)),
    isLong: (name: string) => days.some((day) => day.day === name && has(['jornada_larga'])(day)),
    names: days.map(({ day }) => day),
  }
}

/**
 * Compares the logs that are too many with the oracle, which leaves out each log of a generated
 * person. Each log that the service names makes its day whole. Each log of a day that makes the day
 * whole and spoils no other is named. Returns how many are named.
 */
export const compareExtraLogs = (seeds: readonly number[]): number =>
  seeds.reduce((count, seed) => {
    const { logs: all, rules } = aPersonCase(seed, 12)
    const logs = all.map((log) => ({ ...log, status: 'approved' as const }))
    const longest = (day: string) => (rules.findLast(([from]) => from <= day)?.[1] ?? 0) * HOUR_S
    const hasOwn = (day: string) => rules.some(([from]) => from !== '' && from <= day)
    const sorted = logs.map(toHoursLog).sort(inPairingOrder)
    const before = wholeDays(logs, { longest, hasOwn })
    const days = toWorkDays(sorted, daysOptions({ longest, hasOwn }))
    const named = new Map(days.map(({ day, extra_log_ids }) => [day, extra_log_ids]))
    for (const log of sorted) {
      const others = sorted.filter((other) => other !== log)
      const isClose = others.some(({ second }) => Math.abs(second - log.second) <= HOUR_S)
      const after = wholeDays(
        logs.filter(({ log_id }) => log_id !== log.log_id),
        { longest, hasOwn },
      )
      const spoils = [...before.names, ...after.names].some(
        (day) =>
          (before.isWhole(day) && !after.isWhole(day)) ||
          (!before.isLong(day) && after.isLong(day)),
      )
      for (const { day, log_ids } of days) {
        const label = `seed ${seed}, log ${log.log_id}, ${day}`
        const isNamed = named.get(day)?.includes(log.log_id) ?? false
        const mends = !before.isWhole(day) && after.isWhole(day)
        if (isNamed) {
          expect(isClose, label).toBe(true)
          expect(mends || (before.isLong(day) && !after.isLong(day)), label).toBe(true)
        } else if (log_ids.includes(log.log_id) && isClose && !spoils) {
          expect(mends, label).toBe(false)
        }
      }
    }
    return count + days.reduce((sum, { extra_log_ids }) => sum + extra_log_ids.length, 0)
  }, 0)
