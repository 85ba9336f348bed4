import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf } from '../../core/db/scope.ts'
import { DomainError } from '../../core/errors.ts'
import { addDays, earlier, later, localDaysOf, type Zones } from '../../core/values/time-zone.ts'
import { explainFailure } from '../../logs/log-status.ts'
import type { PersonWithLogs } from './people-with-logs.queries.ts'
import { readPersonDays } from './person-days.ts'
import { type Approval, checkReviewable, type DayOfPerson, saveReviews } from './reviews.queries.ts'

interface ReviewRequest {
  days: readonly DayOfPerson[]
  comment: string | null
  /**
   * The seconds that the caller confirms for a day that may be inverted. The review holds only while
   * the day pays them. Null for a list of days.
   */
  confirmSeconds: number | null
  /** Pending logs of the only day, which are approved in the same transaction. */
  approval: Approval | undefined
}

/** The person as if these logs were approved. */
const withApproved =
  (ids: readonly number[]) =>
  (person: PersonWithLogs): PersonWithLogs => ({
    ...person,
    logs: person.logs.map((log) =>
      ids.includes(log.log_id) ? { ...log, status: 'approved' as const } : log,
    ),
  })

/** The last day that has begun in any branch. */
const latestToday = (zones: Zones, now: Date): string =>
  localDaysOf(now.toISOString(), zones).reduce(later)

/**
 * @param days days of one month. Reading by month keeps the range short if the days of a request
 * are far apart.
 * @throws DomainError UNKNOWN_EMPLOYEE if neither the person nor the day is in the caller's scope;
 * INVERTED_DAY for the first inverted day whose hours are not confirmed; LOG_OF_OTHER_DAY if a log to
 * approve is not of the only day
 */
const requireInScopeAndConfirmed = async (
  db: AuthorizedDb,
  days: readonly DayOfPerson[],
  { confirmSeconds, approval }: Pick<ReviewRequest, 'confirmSeconds' | 'approval'>,
): Promise<void> => {
  const approved = approval?.logIds ?? []
  const daysOf = Map.groupBy(days, ({ employee_id }) => employee_id)
  const people = [...daysOf].map(([employee_id, ofPerson]) => ({
    employee_id,
    firstDay: ofPerson.map(({ day }) => day).reduce(earlier),
  }))
  const before = addDays(days.map(({ day }) => day).reduce(later), 1)
  const options = { before, countPending: false, amend: withApproved(approved) }
  const branches = branchesOf(db.scope())
  const isInScope = ({ branch_office }: { branch_office: string }) =>
    branches?.includes(branch_office) ?? true
  for await (const page of readPersonDays(db, people, options)) {
    for (const { person, days: workDays } of page) {
      const { employee_id } = person
      const requested = new Set(daysOf.get(employee_id)?.map(({ day }) => day))
      const requestedDays = workDays.filter(({ day }) => requested.has(day))
      if (!isInScope(person) && requestedDays.filter(isInScope).length < requested.size) {
        throw new DomainError('UNKNOWN_EMPLOYEE')
      }
      const ids = new Set(requestedDays.flatMap(({ log_ids }) => log_ids))
      if (approved.some((id) => !ids.has(id))) throw new DomainError('LOG_OF_OTHER_DAY')
      for (const { day, exceptions, worked_seconds } of requestedDays) {
        const seconds = worked_seconds ?? 0
        if (exceptions.includes('posible_desfase') && confirmSeconds !== seconds) {
          throw new DomainError('INVERTED_DAY', { employee_id, day, seconds })
        }
      }
    }
  }
}

/**
 * Stores reviews of days. A reviewed day is no longer listed with the days that have exceptions,
 * until one of its logs changes.
 * @throws DomainError UNKNOWN_EMPLOYEE, REVIEW_AHEAD, INVERTED_DAY, OWN_DAYS, and with an approval
 * FORBIDDEN, LOG_OF_OTHER_DAY and the errors of `changeLogStatuses`; nothing is stored then
 */
export const reviewDays = async (
  db: AuthorizedDb,
  { days, comment, confirmSeconds, approval }: ReviewRequest,
  { forbidSelfApproval, now }: { forbidSelfApproval: boolean; now: Date },
): Promise<void> => {
  // The newest event is read before the days, so that a log that changes meanwhile makes the review
  // invalid.
  const last_event_id = await checkReviewable(db, { days, forbidSelfApproval, approval })
  const today = latestToday(db.zones(), now)
  if (days.some(({ day }) => day > today)) throw new DomainError('REVIEW_AHEAD')
  for (const ofMonth of Map.groupBy(days, ({ day }) => day.slice(0, 7)).values()) {
    await requireInScopeAndConfirmed(db, ofMonth, { confirmSeconds, approval })
  }
  const at = now.toISOString()
  const review = { comment, confirmed_seconds: confirmSeconds, last_event_id, at }
  const saving = saveReviews(db, { days, forbidSelfApproval, approval }, review)
  await (approval ? saving.catch(explainFailure) : saving)
}
