import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf, type Scope } from '../../core/db/scope.ts'
import type { DayWithPending } from './pending-seconds.ts'
import { periodOfQuery, readToday } from './period.ts'
import { type HoursRequest, isAt, type PeriodDays, pagesOfDays } from './period-days.ts'
import { type PersonDays, type Review, reviewOf } from './person-days.ts'
import type { Span } from './spans.ts'
import { isToLookAt, type WorkDay } from './work-day.ts'

type ShownDay = Omit<DayWithPending, 'hold' | 'counts_rest' | 'rejected_ids' | 'ends_at'>

/** A day of a person, with the hours that closings have paid for it. */
export interface HoursRow extends ShownDay {
  employee_id: string
  full_name: string
  payroll_group: string
  paid_seconds: number | null
  closing_id: number | null
  reviewed: Review | null
  /** What the person wrote to ask for logs of the day. */
  request_comments: string[]
  /** Whether the person may work guards that the longest shift does not pair. */
  maybe_long_shift: boolean
}

const idsInScope = (logs: PersonDays['logs'], ids: readonly number[], scope: Scope): number[] => {
  const branches = branchesOf(scope)
  if (branches === null) return [...ids]
  const inScope = logs.filter(({ branch_office }) => branches.includes(branch_office))
  const idsOfScope = new Set(inScope.map(({ log_id }) => log_id))
  return ids.filter((id) => idsOfScope.has(id))
}

/** A log of a branch that the reader does not see keeps its time in the span, but not its id. */
const spansInScope = (spans: readonly Span[], log_ids: readonly number[]): Span[] => {
  const shown = (id: number | null) => (id !== null && log_ids.includes(id) ? id : null)
  return spans.map((span) => ({
    ...span,
    from_log_id: shown(span.from_log_id),
    to_log_id: shown(span.to_log_id),
  }))
}

const requestComments = (
  logs: PersonDays['logs'],
  { notices }: WorkDay,
  ids: number[],
): string[] =>
  notices.includes('solicitada')
    ? logs.flatMap((log) => (ids.includes(log.log_id) ? (log.request_comment ?? []) : []))
    : []

const toDayRow = (
  { person, logs, guardDays }: PersonDays,
  day: DayWithPending,
  scope: Scope,
): HoursRow => {
  const { hold, counts_rest, rejected_ids, ends_at, ...shown } = day
  const paid = person.paid.find((candidate) => candidate.day === day.day)
  const log_ids = idsInScope(logs, day.log_ids, scope)
  return {
    employee_id: person.employee_id,
    full_name: person.full_name,
    payroll_group: person.payroll_group,
    ...shown,
    paid_seconds: paid?.seconds ?? null,
    closing_id: paid?.closing_id ?? null,
    reviewed: reviewOf(person, day),
    log_ids,
    spans: spansInScope(day.spans, log_ids),
    extra_log_ids: idsInScope(logs, day.extra_log_ids, scope),
    request_comments: requestComments(logs, day, log_ids),
    maybe_long_shift: guardDays.has(day.day),
  }
}

/** One row per employee and day, a page at a time. */
export async function* pagesOfHours(
  db: AuthorizedDb,
  query: HoursRequest,
): AsyncGenerator<HoursRow[]> {
  for await (const page of pagesOfDays(db, query, { totals: false })) {
    const scope = query.ownEmployeeId ? null : db.scope()
    yield page.flatMap((one) =>
      one.days
        .filter((day) => isAt(day, query, scope))
        .filter((day) => !query.exceptions || isToLookAt(day))
        .filter((day) => !query.working || day.working_since !== null)
        .map((day) => toDayRow(one, day, scope))
        .filter(({ reviewed }) => !query.exceptions || reviewed === null),
    )
  }
}

const OWN_DAYS_MAX = 31

/**
 * The days of one person in all branches and departments in a period, and the weeks of these days. The last week
 * is complete only if the period includes all of it.
 */
export const readOwnHours = async (
  db: AuthorizedDb,
  ownEmployeeId: string,
  period: { from?: string | undefined; to?: string | undefined },
  now: Date,
) => {
  const { from, to } = periodOfQuery(period, await readToday(db, now), OWN_DAYS_MAX)
  const options = { filter: {}, preview: false, exceptions: false }
  const query = { ...options, ownEmployeeId, from, to, now }
  const people: PeriodDays[] = []
  for await (const page of pagesOfDays(db, query, { totals: false })) people.push(...page)
  return {
    from,
    to,
    days: people.flatMap((one) => one.days.map((day) => toDayRow(one, day, null))),
    weeks: people.flatMap(({ weeks, pendingOfWeeks }) =>
      [...weeks].map(([week_from, week]) => ({
        ...week,
        week_from,
        pending_seconds: pendingOfWeeks.get(week_from) ?? 0,
      })),
    ),
  }
}
