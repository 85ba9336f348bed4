import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { columns, text } from '../core/db/text-query.ts'
import { employee_sources } from '../core/tables/intake.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { LOG_KINDS } from '../core/values/log-values.ts'
import { requireClock, selectBranch } from './clock-in-scope.queries.ts'
import { sourceOf } from './serial.ts'

/** Named, because they come before the time in the index. */
const KINDS = sql.raw(LOG_KINDS.map((kind) => `'${kind}'`).join(', '))

const selectPunches = prepare((p: Params<{ source: string; since: string; scope: Scope }>) =>
  qb.select(columns({ employee_id: text, recorded_at: text })).from(
    sql`(SELECT punch.employee_id, punch.recorded_at
      FROM (SELECT es.employee_id FROM ${employee_sources} AS es WHERE es.source = ${p.source}) AS person
        CROSS JOIN ${logs} AS punch INDEXED BY attendance_logs_employee
          ON punch.employee_id = person.employee_id
      WHERE punch.status IN ('pending', 'approved') AND punch.kind IN (${KINDS})
        AND punch.recorded_at >= ${p.since} AND punch.source = ${p.source}
        AND ${isInScope('punch.branch_office', p.scope)})`,
  ),
)

/**
 * The punches of a clock that are not rejected, since a moment, and the clock's branch.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const listPunches = async (db: AuthorizedDb, serial: string, since: string) => {
  const source = sourceOf(serial)
  const { clock, found } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    clock: firstOrFail(selectBranch({ serial })),
    found: selectPunches({ source, since, scope }),
  }))
  return { branch_office: clock.branch_office, logs: found }
}
