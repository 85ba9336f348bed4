import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addDays, earlier, later, type Zones } from '../../core/values/time-zone.ts'
import { type PersonDays, readPersonDays, reviewOf, unsyncedSources } from '../hours/person-days.ts'
import { emptyDay, hasAddedLog, hasLogs, isToLookAt, type WorkDay } from '../hours/work-day.ts'
import { hashOfPerson, type LineWithSpans, type Totals, totalsOf } from './closing-lines.ts'
import type { ClosingWindow } from './selection.ts'

type Person = PersonDays['person']
type PaidDay = Person['paid'][number]

/** What a closing pays one person, and what it leaves unpaid. */
export interface PersonClosing {
  person: Person
  window: ClosingWindow
  /** Whether the closing takes the person. A leaver without lines is not taken. */
  is_taken: boolean
  /** The lines in the order of their days. */
  lines: LineWithSpans[]
  totals: Totals
  /** The end of the paid days: the start of the day `before` in the person's branch. */
  end_at: string
  /**
   * Logs before this moment that were decided when the closing began are paid.
   * It is `end_at`, or just after the last exit if that is later.
   */
  lock_at: string
  /** The sources that have not sent all logs of the closing. */
  unsynced: string[]
  /** The lines of days that probably count rest as work, if nobody has confirmed their seconds. */
  unconfirmed: LineWithSpans[]
  /**
   * Set if the closing is the first to take the person, or pays days before the first day of the
   * person's last closing. `seconds` is what it pays, or what it pays for those days.
   */
  first_taken: { first_day: string; was: string | null; seconds: number } | null
  /** The days with hours before the person's first day, which no closing pays. Null if none. */
  left_out: { days: number; seconds: number; reason: ClosingWindow['left_out_reason'] } | null
  hash: string
}

/**
 * A pending log that can still change a day's hours holds the day. A held day deducts nothing, and
 * pays only the pairs that exist whether all pending logs count or none of them. Any other day pays
 * the difference.
 */
const differenceOf = (day: WorkDay, paidBefore: number): number =>
  day.hold
    ? Math.max(0, day.hold.certain_seconds - paidBefore)
    : (day.worked_seconds ?? 0) - paidBefore

/**
 * Whether somebody should review the day because of its exceptions, or because of a notice that is in
 * doubt. If `pendientes` is the only exception, the day should be reviewed only if a
 * person added one of its logs.
 */
const needsReview = (day: WorkDay): boolean =>
  isToLookAt({ ...day, exceptions: day.exceptions.filter((name) => name !== 'pendientes') }) ||
  (day.exceptions.length > 0 && hasAddedLog(day))

const toLine = (
  day: WorkDay,
  paid: PaidDay | undefined,
  { person, window }: { person: Person; window: ClosingWindow },
): LineWithSpans => {
  const paidBefore = paid?.seconds ?? 0
  const difference = differenceOf(day, paidBefore)
  const paidNow = paidBefore + difference
  const isOfPeriod = day.day >= window.period_from
  const needsLook = isOfPeriod && needsReview(day) && reviewOf(person, day) === null
  return {
    employee_id: person.employee_id,
    day: day.day,
    of_period: isOfPeriod ? 1 : 0,
    department: day.department,
    branch_office: day.branch_office,
    first_in: day.first_in,
    last_out: day.last_out,
    pairs: day.pairs,
    // What is paid for the day in total.
    worked_seconds: paidNow === 0 && (day.hold || day.pairs === 0) ? null : paidNow,
    paid_before_seconds: paidBefore,
    difference_seconds: difference,
    previous_closing_id: paid?.closing_id ?? null,
    held_seconds: day.hold ? Math.abs((day.worked_seconds ?? 0) - paidNow) : 0,
    held_by: day.hold?.log_id ?? null,
    detail: day.detail,
    exceptions: day.exceptions.join(' '),
    notices: day.notices.join(' '),
    needs_look: needsLook ? 1 : 0,
    spans: day.spans,
    extra_log_ids: day.extra_log_ids,
  }
}

/**
 * A day is stored if its pay changes, or if hours of it are held back. A day of the period is also
 * stored if it has a log that is not rejected.
 */
const isStored = (line: LineWithSpans, { log_ids }: WorkDay): boolean =>
  line.difference_seconds !== 0 ||
  line.held_seconds !== 0 ||
  (line.of_period === 1 && log_ids.length > 0)

/**
 * Adds the paid days to which no shift belongs now, because a later decision has moved their shifts
 * to other days. So their payment is deducted. If a pending log holds such a day, the day stays
 * held.
 */
const withPaidDays = (days: readonly WorkDay[], paidDays: readonly PaidDay[]): WorkDay[] => {
  const dayByName = new Map(days.map((day) => [day.day, day]))
  for (const paid of paidDays) {
    const day = dayByName.get(paid.day)
    if (!day || !hasLogs(day)) {
      dayByName.set(paid.day, { ...emptyDay(paid.day, paid), hold: day?.hold ?? null })
    }
  }
  return [...dayByName.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/**
 * Counts the pending logs of the closing, and the pending logs of its period. The logs that were
 * read begin near `compare_from`. The moments of older pending logs are in `window.pending`.
 */
const pendingTotals = (
  { person, logs }: PersonDays,
  daysOfWindow: readonly WorkDay[],
  { window, end_at, zones }: { window: ClosingWindow; end_at: string; zones: Zones },
) => {
  const momentOf = (day: string) => zones.startOfDay(person.branch_office, day).toISOString()
  const [firstAt, periodAt] = [momentOf(window.first_day), momentOf(window.period_from)]
  const idsOfDays = new Set(daysOfWindow.flatMap(({ log_ids }) => log_ids))
  const pending = logs.filter(
    ({ log_id, status, recorded_at }) =>
      status === 'pending' &&
      recorded_at >= firstAt &&
      (recorded_at < end_at || idsOfDays.has(log_id)),
  )
  const firstRead = logs.map(({ recorded_at }) => recorded_at).reduce(earlier, end_at)
  const older = window.pending.filter((moment) => moment >= firstAt && moment < firstRead)
  return {
    pending: pending.length + older.length,
    pending_of_period: pending.filter(({ recorded_at }) => recorded_at >= periodAt).length,
  }
}

const firstTakenOf = (
  lines: readonly LineWithSpans[],
  { first_day, last_first_day: was }: ClosingWindow,
): PersonClosing['first_taken'] => {
  if (was !== null && first_day >= was) return null
  const added = lines.filter(({ day }) => was === null || day < was)
  const seconds = added.reduce((sum, { difference_seconds }) => sum + difference_seconds, 0)
  return was !== null && seconds === 0 ? null : { first_day, was, seconds }
}

const leftOutOf = (
  { person, days }: PersonDays,
  { first_day, before, left_out_from, left_out_reason: reason }: ClosingWindow,
): PersonClosing['left_out'] => {
  if (left_out_from === null) return null
  const paidByDay = new Map(person.paid.map(({ day, seconds }) => [day, seconds]))
  const unpaid = days
    .filter(({ day }) => day >= left_out_from && day < earlier(first_day, before))
    .filter(({ day }) => (paidByDay.get(day) ?? 0) === 0)
    .map(({ worked_seconds }) => worked_seconds ?? 0)
    .filter((seconds) => seconds > 0)
  if (unpaid.length === 0) return null
  const seconds = unpaid.reduce((sum, ofDay) => sum + ofDay, 0)
  return { days: unpaid.length, seconds, reason }
}

const toPersonClosing = (
  personDays: PersonDays,
  window: ClosingWindow,
  zones: Zones,
): PersonClosing => {
  const { person, days } = personDays
  const { first_day, compare_from, before } = window
  const paidByDay = new Map(person.paid.map((paid) => [paid.day, paid]))
  const isOfWindow = ({ day }: WorkDay) => day >= first_day && day < before
  const lineOfDay = new Map(
    withPaidDays(days, person.paid)
      .filter((day) => window.may_be_taken && isOfWindow(day) && day.day >= compare_from)
      .map((day) => [day, toLine(day, paidByDay.get(day.day), { person, window })] as const)
      .filter(([day, line]) => isStored(line, day)),
  )
  const lines = [...lineOfDay.values()]
  const unconfirmed = [...lineOfDay]
    .filter(([day]) => day.counts_rest && reviewOf(person, day) === null)
    .map(([, line]) => line)
  const daysOfWindow = days.filter(isOfWindow)
  const end_at = zones.startOfDay(person.branch_office, before).toISOString()
  const lastExit = daysOfWindow.flatMap(({ ends_at }) => ends_at ?? []).at(-1)
  const afterLastExit = lastExit ? new Date(Date.parse(lastExit) + 1).toISOString() : null
  return {
    person,
    window,
    is_taken: window.may_be_taken && !(window.is_leaver && lines.length === 0),
    lines,
    totals: {
      people: 1,
      ...totalsOf(lines),
      ...pendingTotals(personDays, daysOfWindow, { window, end_at, zones }),
    },
    end_at,
    lock_at: later(end_at, afterLastExit),
    unsynced: unsyncedSources(person, addDays(before, -1), zones),
    unconfirmed,
    first_taken: firstTakenOf(lines, window),
    left_out: leftOutOf(personDays, window),
    hash: hashOfPerson(lines),
  }
}

/** What the closing pays and leaves unpaid, a page of people at a time. */
export async function* closingPages(
  db: AuthorizedDb,
  windows: readonly ClosingWindow[],
  { before }: { before: string },
): AsyncGenerator<PersonClosing[]> {
  const windowById = new Map(windows.map((window) => [window.employee_id, window]))
  const people = windows.map(({ employee_id, compare_from, left_out_from }) => ({
    employee_id,
    firstDay: earlier(compare_from, left_out_from ?? compare_from),
  }))
  const options = { before, countPending: false }
  for await (const page of readPersonDays(db, people, options)) {
    yield page.flatMap((personDays) => {
      const window = windowById.get(personDays.person.employee_id)
      return window ? toPersonClosing(personDays, window, db.zones()) : []
    })
  }
}
