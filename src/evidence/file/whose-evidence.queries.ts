import { type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  columns,
  firstOrFail,
  flag,
  orNull,
  type Params,
  prepare,
  qb,
  text,
} from '../../core/db/query.ts'
import { raise, raiseIf } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind, ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { attendance_logs as logs } from '../../core/tables/logs.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'

/** The requested person, the requested log, or both. At least one is not null. */
export interface EvidenceSubject {
  employee_id: string | null
  log_id: number | null
}

interface Caller {
  user_id: number
  /** The roles of ADMIN_ROLES, as a JSON array. */
  roles: string
  scope: Scope
}

const isAdministrator = (p: Params<Caller>) =>
  sql`(SELECT ${users.role} FROM ${users} WHERE ${users.id} = ${p.user_id})
    IN (SELECT value FROM json_each(${p.roles}))`

const logOf = (p: Params<EvidenceSubject>) => sql`(SELECT ${logs.employee_id} FROM ${logs}
  WHERE ${logs.id} = ${p.log_id}
    AND (${p.employee_id} IS NULL OR ${logs.employee_id} = ${p.employee_id}))`

/**
 * The id of the requested person, or of the log's employee. Null if the log does not exist, or is
 * not the requested person's.
 */
const personOf = (p: Params<EvidenceSubject>) =>
  sql`CASE WHEN ${p.log_id} IS NULL THEN ${p.employee_id} ELSE ${logOf(p)} END`

/**
 * Whether the requested log is in the scope. If no log is requested, whether the person's current
 * branch is: a file of the person has all signatures and agreements, with their words.
 */
const isWithinScope = (p: Params<Caller & EvidenceSubject>) => sql`CASE
  WHEN ${p.log_id} IS NOT NULL THEN EXISTS (SELECT 1 FROM ${logs}
    WHERE ${logs.id} = ${p.log_id} AND ${isInScope(logs.branch_office, p.scope)})
  ELSE EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person
      AND ${isInScope(employees.branch_office, p.scope)}) END`

/**
 * Whether the person is not the caller's own employee. Also true if the person or the caller's
 * employee is null, so that only administrators can find out which logs exist.
 */
const isSomebodyElse = sql`coalesce(person <> own, 1)`

/**
 * Raises unless the caller is the requested person, or an administrator who may see that person.
 */
const requirePerson = (p: Params<Caller & EvidenceSubject>) =>
  raise(
    [sql`${isSomebodyElse} AND NOT coalesce(${isAdministrator(p)}, 0)`, 'FORBIDDEN'],
    [sql`person IS NULL`, 'LOG_NOT_FOUND'],
    [
      sql`${isSomebodyElse} AND NOT EXISTS (
        SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person)`,
      'UNKNOWN_EMPLOYEE',
    ],
    [
      sql`${isSomebodyElse} AND NOT (${isWithinScope(p)})`,
      sql`iif(${p.log_id} IS NULL, 'error:UNKNOWN_EMPLOYEE', 'error:LOG_NOT_FOUND')`,
    ],
  )

const selectPerson = prepare((p: Params<Caller & EvidenceSubject>) =>
  qb
    .select(columns({ rule: orNull(text), employee_id: text, is_own: flag, branch_office: text }))
    .from(sql`(WITH asked AS (SELECT ${personOf(p)} AS person, ${ownEmployeeId(p)} AS own)
      SELECT ${requirePerson(p).sql} AS rule, person AS employee_id, NOT ${isSomebodyElse} AS is_own,
        coalesce((SELECT branch_office FROM ${employees} WHERE employee_id = person), '')
          AS branch_office
      FROM asked)`),
)

/**
 * Reads the requested person.
 * @throws DomainError FORBIDDEN if the caller is neither that person nor an administrator
 * @throws DomainError LOG_NOT_FOUND or UNKNOWN_EMPLOYEE
 */
export const readPerson = async (
  db: AuthorizedDb,
  subject: EvidenceSubject,
  adminRoles: readonly string[],
) => {
  const caller = { user_id: db.claims.userId, roles: JSON.stringify(adminRoles) }
  const { person } = await db.batch((scope) => ({
    person: firstOrFail(selectPerson({ ...caller, ...subject, scope })),
  }))
  return person
}

interface BranchPeople {
  branch_office: string
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  /** Employees with ids greater than `after` are read. */
  after: string
  limit: number
}

const branchPeople = (p: Params<BranchPeople>, limit: SQLWrapper = p.limit) =>
  sql`(SELECT DISTINCT ${logs.employee_id} AS employee_id
    FROM ${logs} INDEXED BY attendance_logs_branch
    WHERE ${logs.branch_office} = ${p.branch_office} AND ${hasAnyStatusAndKind}
      AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
      AND ${logs.employee_id} > ${p.after}
    ORDER BY ${logs.employee_id} LIMIT ${limit}) AS person`

const requireBranch = prepare((p: Params<Caller & BranchPeople>) =>
  raiseIf(
    [sql`NOT ${isAdministrator(p)}`, 'FORBIDDEN'],
    [
      sql`${p.scope} IS NOT NULL AND (NOT ${isInScope(p.branch_office, p.scope)}
        OR EXISTS (SELECT 1 FROM ${branchPeople(p)} LEFT JOIN ${employees}
          ON ${employees.employee_id} = person.employee_id
          WHERE NOT ${isInScope(employees.branch_office, p.scope)}))`,
      'EVIDENCE_OUT_OF_SCOPE',
    ],
    [sql`NOT EXISTS (SELECT 1 FROM ${branchPeople(p)})`, 'NOBODY_IN_PERIOD'],
  ),
)

const selectBranchPeople = prepare((p: Params<BranchPeople>) =>
  qb
    .select(columns({ employee_id: text }))
    .from(sql`(SELECT employee_id FROM ${branchPeople(p, sql`${p.limit} + 1`)})`),
)

/**
 * Reads the ids of people who have logs of a branch in a period, in ascending order, and one more
 * than the limit if there are more.
 * @throws DomainError FORBIDDEN unless the caller is an administrator
 * @throws DomainError EVIDENCE_OUT_OF_SCOPE if the branch or one of the people is not in the
 * caller's scope; NOBODY_IN_PERIOD
 */
export const readBranchPeople = async (
  db: AuthorizedDb,
  branch: BranchPeople,
  adminRoles: readonly string[],
) => {
  const caller = { user_id: db.claims.userId, roles: JSON.stringify(adminRoles) }
  const { people } = await db.batch((scope) => ({
    check: requireBranch({ ...caller, ...branch, scope }),
    people: selectBranchPeople(branch),
  }))
  return people.map(({ employee_id }) => employee_id)
}
