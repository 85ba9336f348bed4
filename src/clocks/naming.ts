import type { AuthorizedDb } from '../core/db/authorization.ts'
import { localDay } from '../core/values/time-zone.ts'
import { type Naming, nameNumberStatements, readNumber } from './naming.queries.ts'
import { OVER_BOUND } from './punches/fate.ts'
import { dayOf } from './punches/lines.ts'
import { type NumberRow, rowOn, validFrom } from './punches/numbers.ts'
import { latestAt, takePunches, type WaitingPunch } from './punches/waiting.ts'

/** Says whose the numbers of clocks are. */

/** The waiting punches that a naming makes the employee's. */
const takenBy = (
  { only_these, wait_reason, employee_id }: Naming,
  waiting: readonly WaitingPunch[],
  rows: readonly NumberRow[],
): WaitingPunch[] =>
  waiting.filter(({ serial, local_at, over_bound, reason }) => {
    if (only_these) {
      return wait_reason === null || (over_bound ? OVER_BOUND : reason) === wait_reason
    }
    const row = rowOn(rows, serial, dayOf(local_at))
    return row?.is_named && row.employee_id === employee_id
  })

/**
 * Says whose a number is, and turns those of its waiting punches that are the employee's into logs.
 * With `only_these`, it says so of the waiting punches alone.
 * Returns how many became logs. If the answer is lost, the same request takes the rest.
 * @throws DomainError FORBIDDEN, CLOCK_NOT_FOUND, UNKNOWN_EMPLOYEE, OWN_NUMBER or NUMBER_OUT_OF_SCOPE
 */
export const nameNumber = async (db: AuthorizedDb, naming: Naming, now: Date): Promise<number> => {
  const at = now.toISOString()
  const { rows, waiting } = await readNumber(db, naming, latestAt(now))
  const { employee_id, all_clocks, only_these } = naming
  const serial = all_clocks ? '' : naming.serial
  const today = localDay(at, '', db.zones())
  const valid_from = validFrom(rows, waiting, { serial, today })
  const owner = { employee_id, branch_office: '', is_named: true, is_found: false }
  const taken = takenBy(naming, waiting, [{ ...owner, serial, valid_from }, ...rows])
  const punches = taken.map((punch) => ({
    // If the number stays nobody's, the logs say who said whose they are.
    punch: only_these ? { ...punch, user_id: db.claims.userId } : punch,
    owner,
  }))
  const named = nameNumberStatements(db, naming, { valid_from, at })
  if (punches.length === 0) await db.batchOfAllBranches(named)
  return takePunches(db, punches, at, named)
}
