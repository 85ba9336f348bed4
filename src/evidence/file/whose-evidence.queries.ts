import { not, type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb, valuesOf } from '../../core/db/query.ts'
import { raise, raiseIf } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind, ownEmployeeId } from '../../core/db/shared-expressions.ts'
import { columns, flag, text } from '../../core/db/text-query.ts'
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
    IN ${valuesOf(p.roles)}`

/**
 * Raises unless the caller is the requested person, or an administrator who may see that person: with
 * a log, whoever sees the log; without one, the person's current branch, because a file of the person
 * has all signatures and agreements, with their words. The `person` is null if the log does not exist
 * or is not the requested person's. `is_other` is also true if the person or the caller's employee is
 * null, so that only administrators can find out which logs exist.
 */
const selectPerson = prepare((p: Params<Caller & EvidenceSubject>) =>
  qb
    .select({
      rule: raise(
        ['is_other AND NOT is_administrator', 'FORBIDDEN'],
        ['person IS NULL', 'LOG_NOT_FOUND'],
        ['is_other AND NOT is_employee', 'UNKNOWN_EMPLOYEE'],
        [
          'is_other AND NOT is_in_scope',
          sql`iif(${p.log_id} IS NULL, 'error:UNKNOWN_EMPLOYEE', 'error:LOG_NOT_FOUND')`,
        ],
      ),
      ...columns({ employee_id: text, is_own: flag, branch_office: text }),
    })
    .from(sql`(WITH asked AS (
        SELECT ${ownEmployeeId(p)} AS own, CASE WHEN ${p.log_id} IS NULL THEN ${p.employee_id}
          ELSE (SELECT employee_id FROM ${logs} WHERE id = ${p.log_id}
            AND (${p.employee_id} IS NULL OR employee_id = ${p.employee_id})) END AS person)
      SELECT person, person AS employee_id, coalesce(person <> own, 1) AS is_other,
        coalesce(person = own, 0) AS is_own, coalesce(${isAdministrator(p)}, 0) AS is_administrator,
        e.employee_id IS NOT NULL AS is_employee, coalesce(e.branch_office, '') AS branch_office,
        CASE WHEN ${p.log_id} IS NULL THEN ${isInScope('e.branch_office', p.scope)}
          ELSE EXISTS (SELECT 1 FROM ${logs} WHERE ${logs.id} = ${p.log_id}
            AND ${isInScope(logs.branch_office, p.scope)}) END AS is_in_scope
      FROM asked LEFT JOIN ${employees} AS e ON e.employee_id = person)`),
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
    [not(isAdministrator(p)), 'FORBIDDEN'],
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
