import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { employee_sources } from '../core/tables/intake.ts'
import { employees } from '../core/tables/people.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import { requireClock } from './clock-in-scope.queries.ts'
import { sourceOf } from './serial.ts'

const selectPeople = prepare(
  (p: Params<{ number: string; source: string; today: string; scope: Scope }>) =>
    qb
      .select({
        employee_id: sql<string>`${employees.employee_id}`.as('employee_id'),
        full_name: employees.full_name,
        branch_office: employees.branch_office,
        id_key: sql<string>`${employeeIdKey(sql`${employees.employee_id}`)}`.as('id_key'),
        number_key: sql<string>`${employeeIdKey(p.number)}`.as('number_key'),
        uses_clock: sql`EXISTS (SELECT 1 FROM ${employee_sources} AS es
            WHERE es.employee_id = ${employees}.employee_id AND es.source = ${p.source})`
          .mapWith(Boolean)
          .as('uses_clock'),
      })
      .from(employees)
      .where(
        sql`coalesce(${employees.ended_at}, ${p.today}) >= ${p.today}
          AND ${isInScope(employees.branch_office, p.scope)}`,
      )
      .orderBy(employees.full_name, employees.employee_id),
)

/**
 * The people of the caller's scope who work here, with what a number is compared with.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const listPeopleToCompare = async (
  db: AuthorizedDb,
  { serial, number, today }: { serial: string; number: string; today: string },
) => {
  const source = sourceOf(serial)
  const { people } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    people: selectPeople({ number, source, today, scope }),
  }))
  return people
}
