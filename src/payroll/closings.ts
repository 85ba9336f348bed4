import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, type Zones } from '../core/time-zone.ts'
import {
  beginClosing,
  cancelClosing,
  type FirstTaken,
  findClosing,
  finishClosing,
  type PersonRow,
  type StoredClosing,
  sweepBroken,
  type Totals,
  writePage,
} from './closings.queries.ts'
import { reviewOf, unsyncedSources } from './hours.ts'
import { hashesInOrder, hashOfClosing, hashOfPerson } from './line-hashes.ts'
import type { Line } from './lines.queries.ts'
import type { PersonWithLogs } from './people.queries.ts'
import { type PersonDays, readPersonDays } from './person-days.ts'
import { listTaken, readSelection, type Selection, type TakenRow } from './selection.queries.ts'
import { hasLogs, type WorkDay } from './work-days.ts'

/**
 * A closing takes people up to a day and pays, for each of their days since their opening, the day's
 * figure less what active closings have paid for it: docs/payroll.md has the rules in words.
 */

export interface ClosingRequest extends Selection {
  /** The first day that stays open. */
  before: string
  /** The first day that is paid here, of all who are taken for the first time. */
  from?: string | undefined
  /** The same, for some: by employee id. */
  openings?: Readonly<Record<string, string>> | undefined
}

export interface ClosingContext {
  maxShiftHours: number
  /** Today, in the installation's zone. */
  today: string
  now: Date
}

const PEOPLE_MAX = 5_000

/** Somebody whom a closing takes, with the lines. */
export interface TakenPerson {
  person: PersonWithLogs
  lines: Line[]
  /** The first day of the period. */
  fromDay: string
  endAt: string
  lockAt: string
  /** Where this closing takes the person first: what is known of the first day. */
  first: FirstTaken | undefined
  /** The day said as the first one paid here; the suggested one in a preview that lacks it. */
  opening: string
  pending: number
  pendingOfPeriod: number
  exceptionsLeft: number
  unsynced: string[]
  hash: string
}

/** A paid day on which nothing begins any more: it has its last line's place. */
const vanishedDay = (
  { day, department, branch_office }: PersonWithLogs['paid'][number],
  held_by: number | null,
): WorkDay => ({
  day,
  department,
  branch_office,
  first_in: null,
  last_out: null,
  pairs: 0,
  worked_seconds: null,
  standing_seconds: 0,
  held_by,
  detail: '',
  exceptions: [],
  notices: [],
  log_ids: [],
  rejected_ids: [],
  ends_at: null,
})

/** Nothing that was paid for a held day is taken back, and what is new must stand. */
const toLine = (
  day: WorkDay,
  paid: PersonWithLogs['paid'][number] | undefined,
  {
    employee_id,
    isOfPeriod,
    isReviewed,
  }: { employee_id: string; isOfPeriod: boolean; isReviewed: boolean },
): Line => {
  const [figure, paidBefore] = [day.worked_seconds ?? 0, paid?.seconds ?? 0]
  const isHeld = day.held_by !== null
  const difference = isHeld ? Math.max(0, day.standing_seconds - paidBefore) : figure - paidBefore
  const paidNow = paidBefore + difference
  return {
    employee_id,
    day: day.day,
    of_period: isOfPeriod ? 1 : 0,
    department: day.department,
    branch_office: day.branch_office,
    first_in: day.first_in,
    last_out: day.last_out,
    pairs: day.pairs,
    worked_seconds: paidNow === 0 && (isHeld || day.pairs === 0) ? null : paidNow,
    paid_before_seconds: paidBefore,
    difference_seconds: difference,
    previous_closing_id: paid?.closing_id ?? null,
    held_seconds: isHeld ? Math.abs(figure - paidNow) : 0,
    held_by: day.held_by,
    detail: day.detail,
    exceptions: day.exceptions.join(' '),
    notices: day.notices.join(' '),
    needs_look: isOfPeriod && needsLook(day) && !isReviewed ? 1 : 0,
  }
}

interface TakenFrom {
  row: TakenRow
  opening: string
  first: FirstTaken | undefined
  /** The first day of the period. */
  fromDay: string
  /** The first day that is looked at. */
  since: string
}

/** The first day of the half month that ends before a day. */
const halfMonthBefore = (before: string): string => {
  const last = addDays(before, -1)
  return last.slice(8) <= '15' ? `${last.slice(0, 8)}01` : `${last.slice(0, 8)}16`
}

const latest = (...days: (string | null)[]): string =>
  days
    .filter((day) => day !== null)
    .toSorted()
    .at(-1) ?? ''

/** A log changes no day before its pair and the shift that it holds: two longest shifts, and a zone. */
const CHANGED_DAYS = 4

/** Where a person's looking begins, and what is known of somebody who is taken first. */
const toTakenFrom = (
  row: TakenRow,
  request: ClosingRequest,
  {
    suggestedFrom,
    zone,
  }: {
    suggestedFrom: (group: string) => string
    zone: (moment: string) => string
  },
): TakenFrom => {
  const suggested = latest(
    row.started_at,
    row.first_log_at && zone(row.first_log_at),
    suggestedFrom(row.payroll_group),
  )
  const said = request.openings?.[row.employee_id] ?? request.from
  const opening = row.opening ?? said ?? suggested
  const fromDay = row.base_before ?? opening
  const changed = row.changed_at && addDays(zone(row.changed_at), -CHANGED_DAYS)
  const since = row.is_whole ? opening : latest(opening, changed ?? fromDay)
  const { employee_id, first_log_at, started_at } = row
  return {
    row,
    opening,
    first:
      row.opening === null
        ? { employee_id, full_name: '', first_log_at, started_at, suggested }
        : undefined,
    fromDay,
    since: [since, fromDay].toSorted()[0] ?? fromDay,
  }
}

const toTakenPerson = (
  personDays: PersonDays,
  { row, opening, first, fromDay, since }: TakenFrom,
  { before, zones }: { before: string; zones: Zones },
): TakenPerson => {
  const { person, days, logs } = personDays
  const { employee_id, branch_office } = person
  const paidByDay = new Map(person.paid.map((paid) => [paid.day, paid]))
  const byDay = new Map(days.map((day) => [day.day, day]))
  for (const paid of person.paid) {
    const day = byDay.get(paid.day)
    if (!day || !hasLogs(day)) byDay.set(paid.day, vanishedDay(paid, day?.held_by ?? null))
  }
  const inPeriod = (day: string) => day >= fromDay
  const lines = [...byDay.values()]
    .filter(({ day }) => day >= opening && day < before && day >= since)
    .map((day) =>
      toLine(day, paidByDay.get(day.day), {
        employee_id,
        isOfPeriod: inPeriod(day.day),
        isReviewed: reviewOf(person, day) !== null,
      }),
    )
    .filter((line) => {
      const isEmpty = line.difference_seconds === 0 && line.held_seconds === 0
      const hasLogs = (byDay.get(line.day)?.log_ids.length ?? 0) > 0
      return !isEmpty || (line.of_period === 1 && hasLogs)
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const endAt = zones.startOfDay(branch_office, before).toISOString()
  const startAt = zones.startOfDay(branch_office, fromDay).toISOString()
  const openAt = zones.startOfDay(branch_office, opening).toISOString()
  const closed = days.filter(({ day }) => day >= opening && day < before)
  const lastEnd = closed.flatMap(({ ends_at }) => ends_at ?? []).at(-1)
  const afterLast = lastEnd && new Date(Date.parse(lastEnd) + 1).toISOString()
  const idsOfClosed = new Set(closed.flatMap(({ log_ids }) => log_ids))
  const pending = logs.filter(
    ({ log_id, status, recorded_at }) =>
      status === 'pending' &&
      recorded_at >= openAt &&
      (recorded_at < endAt || idsOfClosed.has(log_id)),
  )
  const [firstLog] = logs
  const older = row.pending.filter(
    (moment: string) => moment >= openAt && (!firstLog || moment < firstLog.recorded_at),
  )
  return {
    person,
    lines,
    fromDay,
    endAt,
    lockAt: latest(endAt, afterLast ?? null),
    first: first && { ...first, full_name: person.full_name },
    opening,
    pending: pending.length + older.length,
    pendingOfPeriod: pending.filter(({ recorded_at }) => recorded_at >= startAt).length,
    exceptionsLeft: lines.filter(({ needs_look }) => needs_look === 1).length,
    unsynced: unsyncedSources(person, addDays(before, -1), zones),
    hash: hashOfPerson(lines),
  }
}

/** A day needs a look if it has an exception other than `pendientes`, or one beside a manual log. */
const needsLook = ({ exceptions, notices }: WorkDay): boolean =>
  exceptions.some((name) => name !== 'pendientes') ||
  (exceptions.length > 0 && notices.includes('manual'))

/** Nobody is taken of whom nothing is paid and who had left before their own last closing. */
const isTaken = ({ row }: TakenFrom, { lines }: TakenPerson): boolean =>
  row.base_before === null ||
  row.ended_at === null ||
  row.ended_at >= row.base_before ||
  lines.length > 0

/**
 * Checks a request, and says whom a closing would take.
 * @throws DomainError for what the request says wrongly; OPENINGS_MISSING unless it is a preview
 */
const findTaken = async (
  db: AuthorizedDb,
  request: ClosingRequest,
  { isPreview, today, zones }: { isPreview: boolean; today: string; zones: () => Zones },
): Promise<TakenFrom[]> => {
  const { before, payroll_group, employee_id, from, openings = {} } = request
  if (before > addDays(today, 1)) throw new DomainError('CLOSING_AHEAD')
  const { people, paidBefore } = await readSelection(db, { payroll_group, employee_id })
  if (people === 0 && employee_id !== null) throw new DomainError('UNKNOWN_EMPLOYEE')
  if (people === 0 && payroll_group) throw new DomainError('UNKNOWN_PAYROLL_GROUP')
  if (from && from >= before) throw new DomainError('FROM_AFTER_CLOSING')
  if (Object.values(openings).some((day) => day >= before)) {
    throw new DomainError('OPENING_AFTER_CLOSING')
  }
  const suggestedFrom = (group: string): string => {
    const day = paidBefore.get(group)
    return day !== undefined && day < before ? day : halfMonthBefore(before)
  }
  const firsts = [from ?? halfMonthBefore(before), ...Object.values(openings)]
  const since = firsts.toSorted()[0] ?? before
  const rows = await listTaken(db, { payroll_group, employee_id, before, since })
  if (rows.length > PEOPLE_MAX) throw new DomainError('TOO_MANY_PEOPLE', { count: PEOPLE_MAX })
  const byId = new Map(rows.map((row) => [row.employee_id, row]))
  for (const id of Object.keys(openings)) {
    const row = byId.get(id)
    if (!row) throw new DomainError('OPENING_OF_UNKNOWN_EMPLOYEE')
    if (row.opening !== null) throw new DomainError('OPENING_EXISTS', { employeeId: id })
  }
  if (!isPreview) refuseEmptyClosing(rows, before, zones())
  const missing = from
    ? []
    : rows.filter((row) => row.opening === null && !openings[row.employee_id])
  if (!isPreview && missing.length > 0) {
    throw new DomainError('OPENINGS_MISSING', { count: missing.length })
  }
  const zone = (moment: string) => {
    const date = new Date(moment)
    return zones().zoneAt('', date).localTime(date).slice(0, 10)
  }
  return rows.map((row) => toTakenFrom(row, request, { suggestedFrom, zone }))
}

/**
 * A period in which nobody worked can be closed, so somebody whose opening lies before the day counts.
 * @throws DomainError CLOSING_TAKES_NOBODY; CLOSING_BEFORE_LOGS where nobody has a log before the day
 */
const refuseEmptyClosing = (rows: readonly TakenRow[], before: string, zones: Zones): void => {
  if (rows.length === 0) throw new DomainError('CLOSING_TAKES_NOBODY')
  const hasDays = ({ opening, first_log_at, branch_office }: TakenRow): boolean => {
    if (opening !== null) return opening < before
    const end = zones.startOfDay(branch_office, before).toISOString()
    return first_log_at !== null && first_log_at < end
  }
  if (!rows.some(hasDays)) throw new DomainError('CLOSING_BEFORE_LOGS')
}

/** Pages of the people whom a closing takes, with what it pays. */
async function* takenPages(
  db: AuthorizedDb,
  request: ClosingRequest,
  { taken, maxShiftHours }: { taken: readonly TakenFrom[]; maxShiftHours: number },
): AsyncGenerator<TakenPerson[]> {
  const { before } = request
  const byId = new Map(taken.map((one) => [one.row.employee_id, one]))
  const people = taken.map(({ row, since }) => ({ employee_id: row.employee_id, from: since }))
  const options = { before, preview: false, maxShiftHours }
  for await (const page of readPersonDays(db, people, options)) {
    yield page.flatMap((personDays) => {
      const from = byId.get(personDays.person.employee_id)
      if (!from) return []
      const person = toTakenPerson(personDays, from, { before, zones: db.zones() })
      return isTaken(from, person) ? [person] : []
    })
  }
}

const noTotals = (): Totals => ({
  people: 0,
  days: 0,
  period_seconds: 0,
  added_seconds: 0,
  deducted_seconds: 0,
  held_seconds: 0,
  exceptions_left: 0,
  pending: 0,
  pending_of_period: 0,
})

/** What a line adds to the sums: a deduction is never netted. */
export const amountsOf = (
  lines: readonly Pick<Line, 'of_period' | 'difference_seconds' | 'held_seconds'>[],
) => {
  const sum = (filter: (line: (typeof lines)[number]) => boolean) =>
    lines.filter(filter).reduce((total, line) => total + line.difference_seconds, 0)
  return {
    period_seconds: sum((line) => line.of_period === 1 && line.difference_seconds > 0),
    added_seconds: sum((line) => line.of_period === 0 && line.difference_seconds > 0),
    deducted_seconds: -sum((line) => line.difference_seconds < 0) || 0,
    held_seconds: lines.reduce((total, { held_seconds }) => total + held_seconds, 0),
  }
}

/** Everything a closing comes to, gathered a person at a time. */
const createSummary = () => {
  const totals = noTotals()
  const unsynced = new Set<string>()
  const firstTaken: FirstTaken[] = []
  const hashes = new Map<string, string>()
  const checks = { lines: 0, sum: 0 }
  return {
    add(taken: TakenPerson): void {
      const amounts = amountsOf(taken.lines)
      totals.people++
      totals.days += taken.lines.filter((line) => line.of_period === 1 && line.pairs > 0).length
      totals.period_seconds += amounts.period_seconds
      totals.added_seconds += amounts.added_seconds
      totals.deducted_seconds += amounts.deducted_seconds
      totals.held_seconds += amounts.held_seconds
      totals.exceptions_left += taken.exceptionsLeft
      totals.pending += taken.pending
      totals.pending_of_period += taken.pendingOfPeriod
      for (const source of taken.unsynced) unsynced.add(source)
      if (taken.first) firstTaken.push(taken.first)
      if (taken.lines.length > 0) hashes.set(taken.person.employee_id, taken.hash)
      checks.lines += taken.lines.length
      checks.sum += taken.lines.reduce((sum, line) => sum + line.difference_seconds, 0)
    },
    totals,
    firstTaken,
    checks,
    unsynced: () => [...unsynced].sort(),
    hash: () => hashOfClosing(hashesInOrder(hashes)),
  }
}

const summarize = async (pages: AsyncIterable<TakenPerson[]>) => {
  const summary = createSummary()
  for await (const page of pages) for (const taken of page) summary.add(taken)
  return summary
}

/** @throws DomainError PENDING_LOGS where anything is pending */
const refusePending = ({ pending: count, pending_of_period: ofPeriod }: Totals): void => {
  if (count > 0) throw new DomainError('PENDING_LOGS', { count, ofPeriod })
}

/** A closing as responses show it; `id`, `hash` and `user` are null in a preview. */
export const toClosing = ({ totals, ...row }: StoredClosing) => {
  const { cancelled_at, cancelled_by, cancelled_name, cancel_comment, ...closing } = row
  const { id, before, payroll_group, employee_id, ...rest } = closing
  return {
    id,
    before,
    payroll_group,
    employee_id,
    ...totals,
    ...rest,
    cancelled:
      cancelled_at === null
        ? null
        : {
            at: cancelled_at,
            comment: cancel_comment ?? '',
            user: { id: cancelled_by ?? 0, full_name: cancelled_name ?? '' },
          },
  }
}

/** What a closing would pay, without writing anything: whatever is pending or lacks an opening. */
export const previewClosing = async (
  db: AuthorizedDb,
  request: ClosingRequest,
  { maxShiftHours, today, now }: ClosingContext,
) => {
  const summary = await summarize(previewPages(db, request, { maxShiftHours, today, now }))
  const { before, payroll_group, employee_id } = request
  return {
    id: null,
    before,
    payroll_group,
    employee_id,
    ...summary.totals,
    first_taken: summary.firstTaken,
    unsynced: summary.unsynced(),
    hash: null,
    comment: null,
    user: null,
    created_at: now.toISOString(),
    cancelled: null,
  }
}

/** The people of a preview with their lines, a page at a time. */
export async function* previewPages(
  db: AuthorizedDb,
  request: ClosingRequest,
  { maxShiftHours, today }: ClosingContext,
): AsyncGenerator<TakenPerson[]> {
  const options = { isPreview: true, today, zones: db.zones }
  // The zones are known after the first batch in scope.
  await db.batch(() => [])
  const taken = await findTaken(db, request, options)
  yield* takenPages(db, request, { taken, maxShiftHours })
}

const toPersonRow = (taken: TakenPerson): PersonRow => ({
  employee_id: taken.person.employee_id,
  payroll_group: taken.person.payroll_group,
  branch_office: taken.person.branch_office,
  from_day: taken.fromDay,
  end_at: taken.endAt,
  lock_at: taken.lockAt,
  opening: taken.first ? taken.opening : null,
  first_log_at: taken.first?.first_log_at ?? null,
  suggested: taken.first?.suggested ?? null,
  pending: taken.pending,
  pending_of_period: taken.pendingOfPeriod,
  hash: taken.hash,
})

interface Progress {
  done: number
  total: number
}

/**
 * Closes: all of it counts, or nothing. It is written a page at a time under a random token, and
 * counts once everything is there and no closing, cancellation or unlock has come in meanwhile.
 * @throws DomainError PENDING_LOGS with their number, unless they are left; CLOSING_OUTDATED
 */
export const closeDays = async (
  db: AuthorizedDb,
  request: ClosingRequest & { comment: string | null; leavePending: boolean },
  { maxShiftHours, today, now }: ClosingContext,
  onProgress: (progress: Progress) => void = () => undefined,
) => {
  const { before, payroll_group, employee_id, comment, leavePending } = request
  await db.batch(() => [])
  const options = { isPreview: false, today, zones: db.zones }
  // Before anything is written: what the request says wrongly, and what is pending.
  const requested = await findTaken(db, request, options)
  if (!leavePending && requested.some(({ row }) => row.pending.length > 0)) {
    const { totals } = await summarize(takenPages(db, request, { taken: requested, maxShiftHours }))
    refusePending(totals)
  }
  await sweepBroken(db)
  const token = crypto.randomUUID()
  const at = now.toISOString()
  const selection = { before, payroll_group, employee_id }
  const id = await beginClosing(db, { ...selection, comment, token, at })
  // The newest event is read: now people are fixed.
  const taken = await findTaken(db, request, options)
  const summary = createSummary()
  for await (const page of takenPages(db, request, { taken, maxShiftHours })) {
    for (const person of page) summary.add(person)
    const people = page.map(toPersonRow)
    const lines = page.flatMap((person) => person.lines)
    await writePage(db, { id, token }, { people, lines })
    onProgress({ done: summary.totals.people, total: taken.length })
  }
  const { totals, checks } = summary
  if (!leavePending && totals.pending > 0) {
    await sweepBroken(db)
    refusePending(totals)
  }
  const closing = await finishClosing(db, {
    ...totals,
    ...checks,
    id,
    token,
    at,
    unsynced: JSON.stringify(summary.unsynced()),
    hash: summary.hash(),
  })
  return toClosing(closing)
}

/** @throws DomainError CLOSING_NOT_FOUND */
export const getClosing = async (db: AuthorizedDb, id: number) => {
  const closing = await findClosing(db, id)
  if (!closing) throw new DomainError('CLOSING_NOT_FOUND')
  return toClosing(closing)
}

/**
 * Cancels a closing that was made by mistake: nobody was paid by it, and the next one pays its days.
 * @throws DomainError CLOSING_NOT_FOUND, or CLOSING_CANCELLED a second time
 */
export const cancel = async (
  db: AuthorizedDb,
  cancellation: { id: number; comment: string; at: string },
) => {
  return toClosing(await cancelClosing(db, cancellation))
}
