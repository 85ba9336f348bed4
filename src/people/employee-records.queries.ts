import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, matches, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { companyDay } from '../core/values/time-zone.ts'
import {
  comparable,
  hasAllWords,
  nameAndId,
  type SearchWords,
  wordsOf,
} from './employees.queries.ts'

export const { version, ...recordFields } = getTableColumns(employees)

/** The stored fields of an employee, except the version. */
export type EmployeeRecord = Omit<typeof employees.$inferSelect, 'version'>

export const RECORD_FIELDS = Object.keys(recordFields) as (keyof EmployeeRecord)[]

export const shownFields = {
  ...recordFields,
  version,
  user: { id: users.id, email: users.email, role: users.role, active: users.active },
}

/** The key by which people are sorted: the name without accents and letter case. */
const nameKey = comparable(sql`${employees.full_name}`)

interface EmployeeFilter {
  q?: string | undefined
  branch_office?: string | undefined
  department?: string | undefined
  payroll_group?: string | undefined
  /**
   * Whether the last day is not set, is today in the installation's zone, or is later. Undefined for
   * all employees.
   */
  active?: boolean | undefined
}

/** The name key and the id of the last employee of a page. */
type EmployeePosition = readonly [name: string, employeeId: string]

interface ListValues extends SearchWords {
  branch_office: string | null
  department: string | null
  payroll_group: string | null
  active: number | null
  today: string
  after_name: string
  after_id: string
  limit: number
  scope: Scope
}

const selectPage = prepare((p: Params<ListValues>) =>
  qb
    .select({ ...shownFields, name_key: nameKey.as('name_key') })
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      and(
        hasAllWords(nameAndId, p),
        isInScope(employees.branch_office, p.scope),
        matches(employees.branch_office, p.branch_office),
        matches(employees.department, p.department),
        matches(employees.payroll_group, p.payroll_group),
        sql`(${p.active} IS NULL OR (coalesce(${employees.ended_at}, ${p.today}) >= ${p.today}) = ${p.active})
        AND (${nameKey}, ${employees.employee_id}) > (${p.after_name}, ${p.after_id})`,
      ),
    )
    .orderBy(nameKey, employees.employee_id)
    .limit(p.limit),
)

/** A page of the employees of the caller's scope, in the order of their names. */
export const listEmployeeRecords = async (
  db: AuthorizedDb,
  { q = '', branch_office, department, payroll_group, active }: EmployeeFilter,
  { after = ['', ''], limit, now }: { after?: EmployeePosition; limit: number; now: Date },
) => {
  const filter = {
    ...wordsOf(q),
    branch_office: branch_office ?? null,
    department: department ?? null,
    payroll_group: payroll_group ?? null,
    active: active === undefined ? null : Number(active),
  }
  const [after_name, after_id] = after
  const values = { ...filter, after_name, after_id, limit }
  const { rows } = await db.batch((scope, zones) => {
    const today = companyDay(now, zones)
    return { rows: selectPage({ ...values, today, scope }) }
  })
  return rows
}

export const selectRecord = prepare((p: Params<{ employee_id: string; scope: Scope }>) =>
  qb
    .select(shownFields)
    .from(employees)
    .leftJoin(users, eq(users.employee_id, employees.employee_id))
    .where(
      and(eq(employees.employee_id, p.employee_id), isInScope(employees.branch_office, p.scope)),
    ),
)

/** An employee of the caller's scope. Undefined if the scope has no employee with this id. */
export const findEmployeeRecord = async (db: AuthorizedDb, employee_id: string) => {
  const { row } = await db.batch((scope) => ({ row: first(selectRecord({ employee_id, scope })) }))
  return row
}
