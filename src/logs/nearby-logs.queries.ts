import { sql } from 'drizzle-orm'
import { type Params, UNION_ALL } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { LOG_KINDS, LOG_STATUSES, type LogKind, type LogStatus } from '../core/values/log-values.ts'

/** The maximum number of nearby logs. No scan reads more. */
const NEARBY_MAX = sql.raw('20')

export interface NearbyLog {
  log_id: number
  status: LogStatus
  kind: LogKind
  recorded_at: string
  branch_office: string
}

const hoursLater = (hours: string) =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${logs.recorded_at}, ${sql.raw(`'${hours} hours'`)})`

/** Reads one status and kind as an index range. Both columns come before the time in the index. */
const rangeScan = (
  status: LogStatus,
  kind: LogKind,
  p: Params<{ scope: Scope }>,
) => sql`SELECT * FROM (
  SELECT other.id, other.status, other.kind, other.recorded_at, other.branch_office
  FROM ${logs} AS other INDEXED BY attendance_logs_employee
  WHERE other.employee_id = ${logs.employee_id}
    AND other.status = ${sql.raw(`'${status}'`)} AND other.kind = ${sql.raw(`'${kind}'`)}
    AND other.recorded_at BETWEEN ${hoursLater('-25')} AND ${hoursLater('+25')}
    AND other.id <> ${logs.id}
    AND ${isInScope('other.branch_office', p.scope)}
  ORDER BY other.recorded_at LIMIT ${NEARBY_MAX})`

// The scans are nested, because D1 allows only five terms in a compound SELECT.
const scansByKind = (p: Params<{ scope: Scope }>) =>
  LOG_KINDS.map((kind) => {
    const byStatus = LOG_STATUSES.map((status) => rangeScan(status, kind, p))
    return sql`SELECT * FROM (${sql.join(byStatus, UNION_ALL)})`
  })

/**
 * The other logs of the same person, from 25 hours before a log to 25 hours after it, oldest first.
 * This period includes the whole local day of the log in any zone, and both halves of a night
 * shift. Only logs within the caller's scope are included.
 */
export const nearbyLogs = (p: Params<{ scope: Scope }>) =>
  sql<NearbyLog[]>`(
  SELECT json_group_array(json_object(
    'log_id', id, 'status', status, 'kind', kind, 'recorded_at', recorded_at,
    'branch_office', branch_office))
  FROM (SELECT * FROM (${sql.join(scansByKind(p), UNION_ALL)})
    ORDER BY recorded_at, id LIMIT ${NEARBY_MAX})
)`
    .mapWith(JSON.parse)
    .as('nearby')
