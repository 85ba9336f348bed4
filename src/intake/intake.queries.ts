import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { requireOwnEmployee } from '../core/db/own-employee.ts'
import { fieldsOf, type Params, prepare, qb } from '../core/db/query.ts'
import { intake_sources } from '../core/tables/intake.ts'
import { localDay } from '../core/values/time-zone.ts'
import { requireSource } from '../logs/own-sources.queries.ts'
import { byBranch, itemStatements, toJson, upsertEmployeeSources } from './items.queries.ts'
import type { CheckedLog } from './outcome.ts'
import {
  deleteSolved,
  offsetsOf,
  otherZoneStatements,
  pruneProblems,
  upsertProblems,
} from './problems.queries.ts'

/** The transactions that store what sources and phones send. */

const upsertSource = prepare(
  (p: Params<{ source: string; complete_until: string | null; at: string }>) =>
    qb
      .insert(intake_sources)
      .values({ source: p.source, complete_until: p.complete_until, last_seen_at: p.at })
      .onConflictDoUpdate({
        target: intake_sources.source,
        set: {
          // The later of the stored and the sent moment. Both have the same format, so they can be
          // compared as texts.
          complete_until: sql`nullif(max(coalesce(${intake_sources.complete_until}, ''),
            coalesce(excluded.complete_until, '')), '')`,
          ...fieldsOf('excluded', 'last_seen_at'),
          retired_at: null,
        },
      }),
)

interface Intake {
  source: string
  items: readonly CheckedLog[]
  completeUntil: string | null
  now: Date
}

/**
 * Stores the new logs of a source in one transaction. Returns their ids and the facts of each item,
 * or no facts if all items are new.
 * @throws DomainError FOREIGN_SOURCE
 */
export const saveIntake = async (
  db: AuthorizedDb,
  { source, items, completeUntil, now }: Intake,
) => {
  const at = now.toISOString()
  const user_id = db.claims.userId
  const sent = { items: toJson(items), source, user_id, employee_of: null, at, days: null }
  const sourceAllowed = requireSource({ user_id, source })
  const sourceSeen = upsertSource({ source, complete_until: completeUntil, at })
  if (items.length === 0) {
    await db.batchOfAllBranches({ sourceAllowed, sourceSeen })
    return { created: [], facts: [] }
  }
  const { created, facts } = await db.batch((scope, zones) => {
    const values = { ...sent, scope }
    return {
      sourceAllowed,
      ...itemStatements(values),
      // Right after `itemStatements`, because it also asks whether all items were inserted.
      problems: upsertProblems(values),
      solved: deleteSolved(values),
      ...otherZoneStatements({ source, user_id, at, offsets: offsetsOf(items, zones) }),
      pruned: pruneProblems(source, now),
      sourceSeen,
      employeeSources: upsertEmployeeSources(values),
    }
  })
  return { created: created.map(({ log_id }) => log_id), facts }
}

/**
 * Stores a log of the caller's own employee in one transaction. A log after the employee's last day
 * is refused.
 * @throws DomainError NO_EMPLOYEE
 */
export const saveOwnLog = async (
  db: AuthorizedDb,
  item: CheckedLog & { recorded_at: string },
  now: Date,
) => {
  const user_id = db.claims.userId
  const source = `app:${user_id}`
  const at = now.toISOString()
  const sent = { items: toJson([item]), source, user_id, employee_of: user_id, at, scope: null }
  // The caller's scope does not matter for the caller's own employee.
  const { created, facts } = await db.batch((_, zones) => {
    const days = byBranch((branch) => localDay(item.recorded_at, branch, zones), zones)
    const values = { ...sent, days }
    return {
      check: requireOwnEmployee({ user_id }),
      ...itemStatements(values),
      employeeSources: upsertEmployeeSources(values),
    }
  })
  return { created: created.map(({ log_id }) => log_id), facts }
}
