import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { columns, flag, text } from '../core/db/text-query.ts'
import { employee_sources } from '../core/tables/intake.ts'
import { employees } from '../core/tables/people.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import { requireClock } from './clock-in-scope.queries.ts'
import { sourceOf } from './serial.ts'

const person = columns({
  employee_id: text,
  full_name: text,
  branch_office: text,
  id_key: text,
  number_key: text,
  uses_clock: flag,
})

const selectPeople = prepare(
  (p: Params<{ number: string; source: string; today: string; scope: Scope }>) =>
    qb
      .select(person)
      .from(
        sql`(SELECT employee_id, full_name, branch_office,
            ${employeeIdKey('employee_id')} AS id_key, ${employeeIdKey(p.number)} AS number_key,
            EXISTS (SELECT 1 FROM ${employee_sources} AS es
              WHERE es.employee_id = ${employees.employee_id} AND es.source = ${p.source}) AS uses_clock
          FROM ${employees} WHERE coalesce(ended_at, ${p.today}) >= ${p.today}
            AND ${isInScope(employees.branch_office, p.scope)})`,
      )
      .orderBy(({ full_name, employee_id }) => [full_name, employee_id]),
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
