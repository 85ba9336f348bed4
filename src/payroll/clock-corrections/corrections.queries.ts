import { desc, sql } from 'drizzle-orm'
import { requireClock, selectBranch } from '../../clocks/clock-in-scope.queries.ts'
import { sourceOf } from '../../clocks/serial.ts'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { fullName, ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { columns, flag, number, orNull, text, word } from '../../core/db/text-query.ts'
import { isOneOf } from '../../core/tables/columns.ts'
import { log_comments, log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import { LOG_KINDS, type LogKind, type LogStatus } from '../../core/values/log-values.ts'
import { isOwnLog } from '../../logs/deciding.queries.ts'

/**
 * Corrections of clocks that were wrong. A correction has no row of its own: it is the logs that were
 * added, whose ids at their source name the clock, the correction and the log that each replaces.
 */

/** The common begin of the ids that the logs of a correction have at their source. */
export const keyOf = (serial: string, client_id: string): string =>
  `${sourceOf(serial)}:${client_id}:`

const UUID_LENGTH = 36

/** The length of `keyOf` for any client id. */
const keyLengthOf = (serial: string): number => sourceOf(serial).length + UUID_LENGTH + 2

interface ClockParams {
  serial: string
  scope: Scope
}

const selectKnown = prepare((p: Params<{ source: string; key: string }>) =>
  qb.select(columns({ id: orNull(number), count: number, undone: flag })).from(
    sql`(SELECT min(id) AS id, count(*) AS count, min(status = 'rejected') AS undone FROM ${logs}
        WHERE source = ${p.source} AND source_id BETWEEN ${p.key} AND ${p.key} || ':')`,
  ),
)

interface PeriodParams {
  source: string
  from: string
  before: string
  scope: Scope
  user_id: number
  forbid_self_approval: number
}

const selectLogs = prepare((p: Params<PeriodParams>) =>
  qb
    .select(
      columns({
        log_id: number,
        employee_id: text,
        kind: word<LogKind>(),
        recorded_at: text,
        status: word<LogStatus>(),
        is_correctable: flag,
      }),
    )
    .from(
      // Nobody adds a log of a person whom they do not see.
      sql`(WITH found AS (SELECT ${logs.id} AS id FROM ${logs} INDEXED BY attendance_logs_all
          WHERE ${isOneOf(logs.status, ['pending', 'approved'])} AND ${isOneOf(logs.kind, LOG_KINDS)}
            AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
            AND ${logs.source} = ${p.source} AND ${isInScope(logs.branch_office, p.scope)})
        SELECT ${logs.id} AS log_id, ${logs.employee_id}, ${logs.kind}, ${logs.recorded_at},
          ${logs.status}, NOT (${p.forbid_self_approval} AND ${isOwnLog(p)})
            AND ${isInScope(employees.branch_office, p.scope)} AS is_correctable
        FROM found JOIN ${logs} ON ${logs.id} = found.id
          JOIN ${employees} ON ${employees.employee_id} = ${logs.employee_id})`,
    )
    .orderBy(({ recorded_at, log_id }) => [recorded_at, log_id]),
)

interface ClockPeriod {
  serial: string
  client_id: string
  /** UTC with milliseconds. */
  from: string
  before: string
  forbidSelfApproval: boolean
}

/**
 * The clock's branch, its logs of a period that are in the caller's scope and not rejected, and the
 * correction of the caller with this client id, if there is one.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const readClockLogs = async (
  db: AuthorizedDb,
  { serial, client_id, from, before, forbidSelfApproval }: ClockPeriod,
) => {
  const user_id = db.claims.userId
  const source = sourceOf(serial)
  const period = { source, from, before, user_id, forbid_self_approval: Number(forbidSelfApproval) }
  const { clock, known, found } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    clock: firstOrFail(selectBranch({ serial })),
    known: firstOrFail(selectKnown({ source: `manual:${user_id}`, key: keyOf(serial, client_id) })),
    found: selectLogs({ ...period, scope }),
  }))
  return { branch_office: clock.branch_office, known, logs: found }
}

export type ClockLog = Awaited<ReturnType<typeof readClockLogs>>['logs'][number]

interface CorrectionParams extends ClockParams {
  id: number
  /** `clock a1:`, and how long the key of a correction of that clock is. */
  begin: string
  key_length: number
}

/** The ids at the source are compared as ranges, so that SQLite uses the index of sources. */
const beginsWith = (begin: Params<CorrectionParams>['begin']) =>
  sql`source_id >= ${begin} AND source_id < substr(${begin}, 1, length(${begin}) - 1) || ';'`

const replacedId = (p: Pick<Params<CorrectionParams>, 'key_length'>) =>
  sql`CAST(substr(added.source_id, ${p.key_length} + 1) AS INTEGER)`

const selectReplacements = prepare((p: Params<CorrectionParams & { user_id: number }>) =>
  qb
    .select(
      columns({
        log_id: number,
        status: word<LogStatus>(),
        is_of_caller: flag,
        wrong_id: number,
        /** Null if somebody has decided the wrong log since. */
        wrong_before: orNull(word<LogStatus>()),
        is_in_scope: flag,
      }),
    )
    .from(
      sql`(WITH correction AS (
        SELECT source, substr(source_id, 1, ${p.key_length}) AS correction_key FROM ${logs}
        WHERE id = ${p.id} AND source GLOB 'manual:*' AND ${beginsWith(p.begin)} LIMIT 1)
      SELECT added.id AS log_id, added.status,
        coalesce(added.employee_id = ${ownEmployeeId(p)}, 0) AS is_of_caller, wrong.id AS wrong_id,
        iif(decision.created_at = added.created_at AND decision.user_id = added.recorded_by
          AND decision.to_status = 'rejected', decision.from_status, NULL) AS wrong_before,
        ${isInScope('added.branch_office', p.scope)}
          AND ${isInScope('wrong.branch_office', p.scope)} AS is_in_scope
      FROM correction
        CROSS JOIN ${logs} AS added ON added.source = correction.source
          AND added.source_id BETWEEN correction_key AND correction_key || ':'
        CROSS JOIN ${logs} AS wrong ON wrong.id = ${replacedId(p)}
        LEFT JOIN ${log_events} AS decision ON decision.id = (SELECT max(id) FROM ${log_events}
          WHERE log_id = wrong.id AND event = 'decided'))`,
    )
    .orderBy(({ log_id }) => log_id),
)

const paramsOf = (serial: string) => ({
  serial,
  begin: `${sourceOf(serial)}:`,
  key_length: keyLengthOf(serial),
})

/**
 * The logs that a correction added, each with the log that it replaces. None if there is no such
 * correction of the clock.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const readReplacements = async (db: AuthorizedDb, serial: string, id: number) => {
  const values = { ...paramsOf(serial), id, user_id: db.claims.userId }
  const { found } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    found: selectReplacements({ ...values, scope }),
  }))
  return found
}

/** How many corrections of a clock are listed. */
const CORRECTIONS_SHOWN = sql.raw('50')

const selectCorrections = prepare((p: Params<Omit<CorrectionParams, 'id'>>) =>
  qb
    .select(
      columns({
        id: number,
        at: text,
        user_id: number,
        full_name: text,
        comment: orNull(text),
        shift_seconds: number,
        logs: number,
        first_at: text,
        last_at: text,
        undone: flag,
      }),
    )
    .from(
      sql`(WITH added AS (SELECT * FROM ${logs} WHERE source >= 'manual:' AND source < 'manual;'
          AND ${beginsWith(p.begin)} AND ${isInScope('branch_office', p.scope)} LIMIT -1),
      correction AS (
        SELECT min(added.id) AS id, added.created_at AS at, added.recorded_by, added.comment_id,
          unixepoch(added.recorded_at) - unixepoch(wrong.recorded_at) AS shift_seconds,
          count(*) AS logs, min(wrong.recorded_at) AS first_at, max(wrong.recorded_at) AS last_at,
          min(added.status = 'rejected') AS undone
        FROM added CROSS JOIN ${logs} AS wrong ON wrong.id = ${replacedId(p)}
        GROUP BY added.source, substr(added.source_id, 1, ${p.key_length})
        ORDER BY min(added.id) DESC LIMIT ${CORRECTIONS_SHOWN})
      SELECT correction.*, ${users.id} AS user_id, ${fullName} AS full_name,
        nullif(${log_comments.comment}, '') AS comment
      FROM correction JOIN ${users} ON ${users.id} = correction.recorded_by
        LEFT JOIN ${log_comments} ON ${log_comments.id} = correction.comment_id)`,
    )
    .orderBy(({ id }) => desc(id)),
)

/**
 * The corrections of a clock with logs in the caller's scope, the newest first.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const readCorrections = async (db: AuthorizedDb, serial: string) => {
  const { clock, found } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    clock: firstOrFail(selectBranch({ serial })),
    found: selectCorrections({ ...paramsOf(serial), scope }),
  }))
  const corrections = found.map(({ id, at, user_id, full_name, ...correction }) => ({
    id,
    at,
    user: { id: user_id, full_name },
    ...correction,
  }))
  return { branch_office: clock.branch_office, corrections }
}
