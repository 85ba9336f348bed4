import { sql } from 'drizzle-orm'
import { LOG_KINDS, LOG_STATUSES } from '../../shared/log-values.ts'
import type { AuthorizedDb } from '../core/authorization.ts'
import type { BatchDb } from '../core/batch-db.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import {
  employees,
  isOneOf,
  log_audit,
  log_seals,
  attendance_logs as logs,
  users,
} from '../schema.ts'
import { sealFields, selectEnd, selectKeys } from './evidence.ts'
import { selectSealedEvents } from './sealed-events.ts'

/** Whose evidence is asked for, or that of which log: at least one of the two. */
export interface Subject {
  employee_id: string | null
  log_id: number | null
}

interface Caller {
  user_id: number
  /** The administrative roles, as a JSON array. */
  roles: string
}

const ownEmployee = (p: Params<Caller>) =>
  sql`(SELECT ${users.employee_id} FROM ${users} WHERE ${users.id} = ${p.user_id})`

const isAdministrator = (p: Params<Caller>) =>
  sql`(SELECT ${users.role} FROM ${users} WHERE ${users.id} = ${p.user_id})
    IN (SELECT value FROM json_each(${p.roles}))`

const logOf = (p: Params<Subject>) => sql`(SELECT ${logs.employee_id} FROM ${logs}
  WHERE ${logs.id} = ${p.log_id}
    AND (${p.employee_id} IS NULL OR ${logs.employee_id} = ${p.employee_id}))`

/** The person concerned; null where there is no such log. */
const personOf = (p: Params<Subject>) =>
  sql`CASE WHEN ${p.log_id} IS NULL THEN ${p.employee_id} ELSE ${logOf(p)} END`

const callersScope = (p: Params<Caller>) =>
  sql`(SELECT ${users.scope_branch} FROM ${users} WHERE ${users.id} = ${p.user_id})`

/** Whether the log, or the person, is of the caller's branch: by today's branch or by any log. */
const isOfBranch = (p: Params<Caller & Subject>) => sql`CASE
  WHEN ${p.log_id} IS NOT NULL THEN EXISTS (SELECT 1 FROM ${logs}
    WHERE ${logs.id} = ${p.log_id} AND ${logs.branch_office} = ${callersScope(p)})
  ELSE EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person
      AND ${employees.branch_office} = ${callersScope(p)})
    OR EXISTS (SELECT 1 FROM ${logs} INDEXED BY attendance_logs_employee
      WHERE ${logs.employee_id} = person AND ${logs.branch_office} = ${callersScope(p)}) END`

/**
 * Raises unless the caller is that person or an administrator, who alone learns what exists, within
 * the branch.
 */
const selectPerson = prepare((p: Params<Caller & Subject>) =>
  qb
    .select({
      allowed: sql`json_extract('{}', CASE
        WHEN person = own THEN '$'
        WHEN NOT coalesce(${isAdministrator(p)}, 0) THEN 'auth:FORBIDDEN'
        WHEN person IS NULL THEN 'evidence:LOG'
        WHEN NOT EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person)
          THEN 'evidence:EMPLOYEE'
        WHEN ${callersScope(p)} IS NOT NULL AND NOT (${isOfBranch(p)})
          THEN iif(${p.log_id} IS NULL, 'evidence:EMPLOYEE', 'evidence:LOG')
        ELSE '$' END)`.as('allowed'),
      employee_id: sql<string>`person`.as('employee_id'),
      own: sql`coalesce(person = own, 0)`.mapWith(Boolean).as('is_own'),
    })
    .from(sql`(SELECT ${personOf(p)} AS person, ${ownEmployee(p)} AS own)`),
)

const NOT_FOUND = /\bevidence:(LOG|EMPLOYEE)\b/

/**
 * The person concerned, where the caller may have the evidence; how far the record goes; the keys.
 * Returns what was not found otherwise.
 */
export const readPerson = async (
  db: AuthorizedDb,
  subject: Subject,
  adminRoles: readonly string[],
) => {
  const caller = { user_id: db.claims.userId, roles: JSON.stringify(adminRoles) }
  try {
    const [[person], [end], keys] = await db.batch(
      selectPerson({ ...caller, ...subject }),
      selectEnd({}),
      selectKeys({}),
    )
    return { person, end, keys: keys.map((row) => row.verifier_key) }
  } catch (error) {
    const [, missing] = NOT_FOUND.exec(error instanceof Error ? error.message : '') ?? []
    if (!missing) throw error
    return { missing: missing as 'LOG' | 'EMPLOYEE' }
  }
}

export interface PersonEvents {
  employee_id: string
  log_id: number | null
  /** The period of `recorded_at`: the first moment, and the one after the last. */
  from: string
  before: string
  /** Whose evidence it is: an administrator's scope is for others. */
  user_id: number
  after: number
  until: number
  limit: number
}

/** The branch whose logs the caller sees, of anybody but themselves; null for all. */
const scopeOf = (p: Params<PersonEvents>) => sql`(SELECT ${users.scope_branch} FROM ${users}
  WHERE ${users.id} = ${p.user_id} AND ${users.employee_id} IS NOT ${p.employee_id})`

// Both indexes are named: SQLite would read the whole record in the order of its ids.
const selectEvents = prepare((p: Params<PersonEvents>) =>
  selectSealedEvents(
    sql`${log_audit.log_id} IN (SELECT ${logs.id} FROM ${logs} INDEXED BY attendance_logs_employee
        WHERE ${logs.employee_id} = ${p.employee_id}
          AND ${isOneOf(logs.status, LOG_STATUSES)} AND ${isOneOf(logs.kind, LOG_KINDS)}
          AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
          AND (${p.log_id} IS NULL OR ${logs.id} = ${p.log_id})
          AND ${logs.branch_office} = coalesce(${scopeOf(p)}, ${logs.branch_office}))
      AND ${log_audit.id} > ${p.after} AND ${log_audit.id} <= ${p.until}`,
    sql`${log_audit} INDEXED BY log_audit_log_id`,
  ).limit(p.limit),
)

/** A person's events, by id, within the caller's scope. */
export const readPersonEvents = async (db: BatchDb, query: PersonEvents) =>
  (await db.batch(selectEvents(query)))[0]

const selectBoundaries = prepare((p: Params<{ id: number }>) =>
  qb
    .select({ size: log_seals.size, last_audit_id: log_seals.last_audit_id })
    .from(log_seals)
    .where(sql`${log_seals.last_audit_id} >= ${p.id}`)
    .orderBy(log_seals.last_audit_id),
)

/** Where the seals end, from the one of an event on. */
export const listBoundaries = async (db: BatchDb, id: number) =>
  (await db.batch(selectBoundaries({ id })))[0]

// The leaves of a seal end where its tree does: before them ends another one. Drizzle leaves out the
// table's name in a query of one table, where the inner table's columns would then be meant.
const edgeBefore = sql<string>`coalesce((SELECT hex(earlier.edge) FROM ${log_seals} AS earlier
  WHERE earlier.size = ${log_seals}.size - length(${log_seals}.leaves) / 32), '')`

const selectSealRange = prepare((p: Params<{ from: number; until: number }>) =>
  qb
    .select({
      ...sealFields,
      edge: sql<string>`hex(${log_seals.edge})`.as('edge_hex'),
      edge_before: edgeBefore.as('edge_before_hex'),
    })
    .from(log_seals)
    .where(sql`${log_seals.size} BETWEEN ${p.from} AND ${p.until}`)
    .orderBy(log_seals.size),
)

/** The seals whose trees have these sizes, with the edges that proofs need. */
export const readSealRange = async (db: BatchDb, from: number, until: number) =>
  (await db.batch(selectSealRange({ from, until })))[0]

export type SealWithEdges = Awaited<ReturnType<typeof readSealRange>>[number]
