import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { valueOn } from '../../core/values/dated.ts'
import { waitForOtherRequests } from '../../core/values/event-loop.ts'
import {
  addDays,
  DAY_MS,
  earlier,
  HOUR_MS,
  MINUTE_MS,
  type Zones,
} from '../../core/values/time-zone.ts'
import { guardDays } from './guard-shifts.ts'
import type { HoursLog } from './hours-log.ts'
import { inPairingOrder } from './pairing.ts'
import {
  type PersonWithLogs,
  type ReadRange,
  readPeopleWithLogs,
} from './people-with-logs.queries.ts'
import { toStretches } from './stretches.ts'
import type { WorkDay } from './work-day.ts'
import { type DayOptions, daysOfStretches } from './work-days.ts'

/**
 * The days of people. A stretch is a series of logs without a pause longer than the longest shift.
 * Pairing starts where a stretch starts, so a day has the same figure in every requested period.
 */

export interface DaysOptions {
  /** The zones to use in place of the stored ones. */
  zones?: Zones
  /** Changes the longest shifts of a person. */
  amend?: (person: PersonWithLogs) => PersonWithLogs
  /** The first local day that is not needed. */
  before: string
  /** Whether pending logs count as if they were approved. */
  countPending: boolean
  /** The current time, if it matters who is at work. */
  now?: Date
}

export interface PersonDays {
  person: PersonWithLogs
  /** All days since the first stretch began. Some of them may be before the requested days. */
  days: WorkDay[]
  /** Sorted as pairing needs them: by second, then by kind (salida, entrada, checada), then by id. */
  logs: readonly HoursLog[]
  /** What the days were made with. */
  dayOptions: DayOptions
  /** The days of punches that may be guards longer than the longest shift. */
  guardDays: ReadonlySet<string>
}

/** The longest shift that any rule may allow, in hours. */
const LONGEST_SHIFT_HOURS = 36

/**
 * To find where a stretch and the stretch before it begin, 15 days before the first needed day are
 * read. Most people had two pauses in these days. For people without any, 40 days are read, then
 * 200, and at last all days.
 */
const LOOK_BACK_DAYS = [15, 40, 200, undefined] as const

/** A local day begins less than one day before or after the same day of UTC. */
const ZONE_DAYS = 1

/**
 * Enough time for a shift that begins on the last day, and for one more longest shift. A pending
 * log in that extra time can still change the pairs of the last day. Ten minutes more are enough for
 * the logs that repeat the last one.
 */
const LOOK_AHEAD_MS = 2 * LONGEST_SHIFT_HOURS * HOUR_MS + 10 * MINUTE_MS

/**
 * About how many logs are read for a page of people, if each person has four logs a day. A page is
 * small, so that no other request waits long.
 */
const PAGE_LOGS = 2_500

const chunksOf = function* <T>(items: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size)
}

const dayOptionsOf = (
  { shift_rules, company_shifts, started_at, ended_at, paid_from, paid }: PersonWithLogs,
  { countPending, now }: DaysOptions,
): DayOptions => {
  const ruleHours = (day: string) =>
    shift_rules.findLast(([from]: readonly [string, number]) => from <= day)?.[1]
  // Who was hired again and is paid from an earlier day has worked here before.
  const firstPayrollDay = earlier(started_at, paid_from ?? started_at)
  const paidDays = new Set(paid.filter(({ seconds }) => seconds > 0).map(({ day }) => day))
  return {
    maxShiftOn: (day) => (ruleHours(day) ?? valueOn(company_shifts, day)) * 3600,
    hasShiftRule: (day) => ruleHours(day) !== undefined,
    isOffPayroll: (day) =>
      (ended_at !== null && day > ended_at) || (day < firstPayrollDay && !paidDays.has(day)),
    countPending,
    now,
  }
}

const toHoursLogs = ({ logs, closedPeriods }: PersonWithLogs, zones: Zones): HoursLog[] =>
  logs
    .map((log) => {
      const date = new Date(log.recorded_at)
      // Each field by its name: copying the rest of a row takes several times as long.
      return {
        log_id: log.log_id,
        kind: log.kind,
        status: log.status,
        recorded_at: log.recorded_at,
        department: log.department,
        branch_office: log.branch_office,
        request_comment: log.request_comment,
        isManual: log.is_manual,
        isRequest: log.is_request,
        isOtherNetwork: log.is_other_network,
        second: Math.floor(date.getTime() / 1000),
        local: zones.zoneAt(log.branch_office, date).localTime(date),
        isLate: closedPeriods.some(
          ({ end_at, created_at }) => log.recorded_at < end_at && created_at < log.received_at,
        ),
      }
    })
    .sort(inPairingOrder)

/**
 * The stretches since the last pause before a day, and the one before it, whose days show whether
 * later ones are inverted. If the begin of that one was not read, it is left out.
 * Undefined if more logs must be read to find the last pause.
 */
const sincePause = (
  stretches: readonly HoursLog[][],
  { logsFrom, firstDay }: ReadRange,
): readonly HoursLog[][] | undefined => {
  const first = stretches[0]?.[0]
  if (logsFrom === '' || !first) return stretches
  const last = stretches.findLastIndex(([begin]) => begin && begin.local.slice(0, 10) < firstDay)
  // If more time than the longest shift is between `logsFrom` and the first log, there is a pause
  // before the log.
  const isAfterPause = first.second - Date.parse(logsFrom) / 1000 > LONGEST_SHIFT_HOURS * 3600
  if (last > 1) return stretches.slice(last - 1)
  if (isAfterPause) return stretches
  return last === 1 ? stretches.slice(1) : undefined
}

/** Pages of people with their days from `firstDay` on, in the order given. */
export async function* readPersonDays(
  db: AuthorizedDb,
  people: readonly Omit<ReadRange, 'logsFrom'>[],
  options: DaysOptions,
): AsyncGenerator<PersonDays[]> {
  const { before, zones, amend = (person) => person } = options
  const until = new Date(Date.parse(before) + ZONE_DAYS * DAY_MS + LOOK_AHEAD_MS).toISOString()
  const [earliest = before] = people.map(({ firstDay }) => firstDay).toSorted()
  const days = (Date.parse(before) - Date.parse(earliest)) / DAY_MS + LOOK_BACK_DAYS[0]
  const pageSize = Math.max(4, Math.min(200, Math.floor(PAGE_LOGS / (4 * days))))
  for (const page of chunksOf(people, pageSize)) {
    const results = new Map<string, PersonDays>()
    let remaining = page
    for (const lookBack of LOOK_BACK_DAYS) {
      if (remaining.length === 0) break
      const ranges = new Map(
        remaining.map(({ employee_id, firstDay }) => {
          const logsFrom =
            lookBack === undefined ? '' : `${addDays(firstDay, -lookBack)}T00:00:00.000Z`
          return [employee_id, { employee_id, logsFrom, firstDay }]
        }),
      )
      for (const stored of await readPeopleWithLogs(db, [...ranges.values()], until)) {
        const person = amend(stored)
        const range = ranges.get(person.employee_id)
        if (!range) continue
        const dayOptions = dayOptionsOf(person, options)
        const allLogs = toHoursLogs(person, zones ?? db.zones())
        const stretches = sincePause(toStretches(allLogs, dayOptions.maxShiftOn), range)
        if (!stretches) continue
        const logs = stretches.flat()
        const workDays = daysOfStretches(stretches, logs, dayOptions)
        // A pause would hide the punches before the first day, so that all logs are looked at.
        const guards = guardDays(allLogs, dayOptions.maxShiftOn)
        const ofPerson = { person, days: workDays, logs, dayOptions, guardDays: guards }
        results.set(person.employee_id, ofPerson)
      }
      remaining = lookBack === undefined ? [] : page.filter((one) => !results.has(one.employee_id))
    }
    yield page.flatMap(({ employee_id }) => results.get(employee_id) ?? [])
    await waitForOtherRequests()
  }
}

/** A source matters on a day if its last log of the employee is at most this many days older. */
const SOURCE_DAYS = 31

/**
 * The sources of a person that have not sent all logs up to the end of a local day. A clock says
 * nothing of the days before its first one.
 */
export const unsyncedSources = (
  { sources, branch_office }: PersonWithLogs,
  day: string,
  zones: Zones,
): string[] => {
  if (sources.length === 0) return []
  const since = zones.startOfDay(branch_office, addDays(day, -SOURCE_DAYS)).toISOString()
  const end = zones.startOfDay(branch_office, addDays(day, 1)).toISOString()
  return sources
    .filter(({ from_day }) => from_day === null || day >= from_day)
    .filter((source) => source.last_recorded_at >= since && source.complete_until < end)
    .map(({ source }) => source)
}

/** Who has reviewed a day and found it right, and when. */
export interface Review {
  user: { id: number; full_name: string }
  at: string
  comment: string | null
}

/**
 * The review of a day. Null if there is none, or if a log of the day or the confirmed seconds have
 * changed since.
 */
export const reviewOf = ({ reviews }: PersonWithLogs, day: WorkDay): Review | null => {
  const review = reviews.find((candidate) => candidate.day === day.day)
  if (!review) return null
  const ids = new Set([...day.log_ids, ...day.rejected_ids])
  if (review.changed_ids.some((id: number) => ids.has(id))) return null
  const { confirmed_seconds } = review
  const mustBeConfirmed = confirmed_seconds !== null || day.exceptions.includes('posible_desfase')
  if (mustBeConfirmed && confirmed_seconds !== (day.worked_seconds ?? 0)) return null
  const { user_id, full_name, at, comment } = review
  return { user: { id: user_id, full_name }, at, comment }
}
