import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { addDays, earlier, later, localDay, type Zones } from '../core/time-zone.ts'
import type { PayrollContext } from './hour-rules.ts'
import { readPersonDays } from './person-days.ts'
import { type DayOfPerson, readNewestEventId, saveReviews } from './reviews.queries.ts'

interface ReviewRequest {
  days: readonly DayOfPerson[]
  comment: string | null
  /** The seconds that an inverted day pays as it is. Only a request for one day has them. */
  confirmSeconds: number | null
}

/** The last day that has begun in any branch. */
const latestToday = (zones: Zones, now: Date): string =>
  ['', ...zones.branches]
    .map((branch) => localDay(now.toISOString(), branch, zones))
    .reduce(later, '')

/** @throws DomainError INVERTED_DAY for the first inverted day whose hours are not confirmed */
const requireConfirmed = async (
  db: AuthorizedDb,
  { days, confirmSeconds }: ReviewRequest,
  { maxShiftHours }: PayrollContext,
): Promise<void> => {
  const daysOf = Map.groupBy(days, ({ employee_id }) => employee_id)
  const people = [...daysOf].map(([employee_id, ofPerson]) => ({
    employee_id,
    from: ofPerson.map(({ day }) => day).reduce(earlier),
  }))
  const before = addDays(days.map(({ day }) => day).reduce(later), 1)
  const options = { before, countPending: false, maxShiftHours }
  for await (const page of readPersonDays(db, people, options)) {
    for (const { person, days: workDays } of page) {
      const { employee_id: employeeId } = person
      const requested = new Set(daysOf.get(employeeId)?.map(({ day }) => day))
      const inverted = workDays.find(
        ({ day, exceptions, worked_seconds }) =>
          requested.has(day) &&
          exceptions.includes('posible_desfase') &&
          confirmSeconds !== (worked_seconds ?? 0),
      )
      if (!inverted) continue
      const { day, worked_seconds } = inverted
      throw new DomainError('INVERTED_DAY', { employeeId, day, seconds: worked_seconds ?? 0 })
    }
  }
}

/**
 * Stores that somebody has looked at days: they leave the list of exceptions until one of their
 * logs changes.
 * @throws DomainError UNKNOWN_EMPLOYEE, REVIEW_AHEAD, INVERTED_DAY, OWN_DAYS; nothing is stored then
 */
export const reviewDays = async (
  db: AuthorizedDb,
  request: ReviewRequest,
  context: PayrollContext,
): Promise<void> => {
  // Before the days are read: a log that changes meanwhile makes the review invalid.
  const last_event_id = await readNewestEventId(db)
  const today = latestToday(db.zones(), context.now)
  if (request.days.some(({ day }) => day > today)) throw new DomainError('REVIEW_AHEAD')
  await requireConfirmed(db, request, context)
  const { days, comment } = request
  const { forbidOwn, now } = context
  await saveReviews(db, { days, comment, forbidOwn, last_event_id, at: now.toISOString() })
}
