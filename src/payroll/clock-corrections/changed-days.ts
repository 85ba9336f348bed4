import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { branchesOf } from '../../core/db/scope.ts'
import { addDays } from '../../core/values/time-zone.ts'
import { type Amendments, readComparedDays } from '../hours/compared-days.ts'
import type { ClockLog } from './corrections.queries.ts'

type Replaced = ClockLog & { right_at: string }

/** The person with the right times of the replaced logs, as they are once they are added. */
const withReplaced = (
  replaced: ReadonlyMap<number, Replaced>,
): NonNullable<Amendments['amend']> => {
  return (person) => ({
    ...person,
    logs: person.logs.map((log) => {
      const right = replaced.get(log.log_id)
      return right
        ? { ...log, recorded_at: right.right_at, status: 'pending' as const, is_manual: true }
        : log
    }),
  })
}

/**
 * What becomes of the days of the people: their hours before and after, with all that is pending.
 * Only days that change, of branches in the caller's scope.
 */
export const readChangedDays = async (db: AuthorizedDb, replaced: readonly Replaced[]) => {
  const times = replaced.flatMap((log) => [log.recorded_at, log.right_at]).toSorted()
  const firstDay = addDays((times[0] ?? '').slice(0, 10), -2)
  const before = addDays((times.at(-1) ?? '').slice(0, 10), 2)
  const ids = [...new Set(replaced.map(({ employee_id }) => employee_id))].toSorted()
  const compared = await readComparedDays(
    db,
    ids.map((employee_id) => ({ employee_id, firstDay })),
    { before, countPending: true },
    { amend: withReplaced(new Map(replaced.map((log) => [log.log_id, log]))) },
    ({ days }) => days,
  )
  const branches = branchesOf(db.scope())
  return compared
    .map(({ person, day, before: was, after: becomes }) => ({
      branch_office: (was ?? becomes)?.branch_office ?? '',
      shown: {
        employee_id: person.employee_id,
        full_name: person.full_name,
        day,
        before_seconds: was?.worked_seconds ?? null,
        after_seconds: becomes?.worked_seconds ?? null,
        before_detail: was?.detail ?? '',
        after_detail: becomes?.detail ?? '',
        paid_seconds: person.paid.find((paid) => paid.day === day)?.seconds ?? null,
      },
    }))
    .filter(({ shown }) => shown.before_detail !== shown.after_detail)
    .filter(({ branch_office }) => branches?.includes(branch_office) ?? true)
    .map(({ shown }) => shown)
}
