import type { AuthorizedDb } from '../core/db/authorization.ts'
import { branchesOf } from '../core/db/scope.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, earlier, later, localDaysOf, type Zones } from '../core/time-zone.ts'
import { readPersonDays } from './person-days.ts'
import { checkReviewable, type DayOfPerson, saveReviews } from './reviews.queries.ts'

interface ReviewRequest {
  days: readonly DayOfPerson[]
  comment: string | null
  /**
   * The seconds that the caller confirms for a day that may be inverted. The review holds only while
   * the day pays them. Null for a list of days.
   */
  confirmSeconds: number | null
}

/** The last day that has begun in any branch. */
const latestToday = (zones: Zones, now: Date): string =>
  localDaysOf(now.toISOString(), zones).reduce(later)

/**
 * @param days days of one month. Reading by month keeps the range short if the days of a request
 * are far apart.
 * @throws DomainError UNKNOWN_EMPLOYEE if neither the person nor the day is in the caller's scope;
 * INVERTED_DAY for the first inverted day whose hours are not confirmed
 */
const requireInScopeAndConfirmed = async (
  db: AuthorizedDb,
  days: readonly DayOfPerson[],
  { confirmSeconds }: Pick<ReviewRequest, 'confirmSeconds'>,
): Promise<void> => {
  const daysOf = Map.groupBy(days, ({ employee_id }) => employee_id)
  const people = [...daysOf].map(([employee_id, ofPerson]) => ({
    employee_id,
    firstDay: ofPerson.map(({ day }) => day).reduce(earlier),
  }))
  const before = addDays(days.map(({ day }) => day).reduce(later), 1)
  const options = { before, countPending: false }
  const branches = branchesOf(db.scope())
  const isInScope = ({ branch_office }: { branch_office: string }) =>
    branches?.includes(branch_office) ?? true
  for await (const page of readPersonDays(db, people, options)) {
    for (const { person, days: workDays } of page) {
      const { employee_id: employeeId } = person
      const requested = new Set(daysOf.get(employeeId)?.map(({ day }) => day))
      const requestedDays = workDays.filter(({ day }) => requested.has(day))
      if (!isInScope(person) && requestedDays.filter(isInScope).length < requested.size) {
        throw new DomainError('UNKNOWN_EMPLOYEE')
      }
      for (const { day, exceptions, worked_seconds } of requestedDays) {
        const seconds = worked_seconds ?? 0
        if (exceptions.includes('posible_desfase') && confirmSeconds !== seconds) {
          throw new DomainError('INVERTED_DAY', { employeeId, day, seconds })
        }
      }
    }
  }
}

/**
 * Stores reviews of days. A reviewed day is no longer listed with the days that have exceptions,
 * until one of its logs changes.
 * @throws DomainError UNKNOWN_EMPLOYEE, REVIEW_AHEAD, INVERTED_DAY, OWN_DAYS; nothing is stored then
 */
export const reviewDays = async (
  db: AuthorizedDb,
  { days, comment, confirmSeconds }: ReviewRequest,
  { forbidSelfApproval, now }: { forbidSelfApproval: boolean; now: Date },
): Promise<void> => {
  // The newest event is read before the days, so that a log that changes meanwhile makes the review
  // invalid.
  const last_event_id = await checkReviewable(db, { days, forbidSelfApproval })
  const today = latestToday(db.zones(), now)
  if (days.some(({ day }) => day > today)) throw new DomainError('REVIEW_AHEAD')
  for (const ofMonth of Map.groupBy(days, ({ day }) => day.slice(0, 7)).values()) {
    await requireInScopeAndConfirmed(db, ofMonth, { confirmSeconds })
  }
  const at = now.toISOString()
  const review = { comment, confirmed_seconds: confirmSeconds, last_event_id, at }
  await saveReviews(db, { days, forbidSelfApproval }, review)
}
