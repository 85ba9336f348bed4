import { eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { columns, number } from '../core/db/text-query.ts'
import { log_events } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { comparable } from '../people/employees.queries.ts'
import { agreedEventOf, sha256Of, unknownAgreement } from './agreed-events.queries.ts'

interface PeopleFilter {
  id: number
  branch_office: string | null
  agreed: number | null
  after_name: string
  after_id: string
  limit: number
  today: string
  scope: Scope
}

const nameKey = comparable(sql`${employees.full_name}`)

/** Whether an employee is in the scope and the branch, and has not left. */
const isAsked = (p: Params<Pick<PeopleFilter, 'today' | 'scope' | 'branch_office'>>) =>
  sql`coalesce(${employees.ended_at}, ${p.today}) >= ${p.today}
    AND ${isInScope(employees.branch_office, p.scope)}
    AND (${p.branch_office} IS NULL OR ${employees.branch_office} = ${p.branch_office})`

const agreedEvent = (p: Params<{ id: number }>) =>
  agreedEventOf(sql`${employees.employee_id}`, sha256Of(p.id))

const hasUser = sql`EXISTS (SELECT 1 FROM ${users}
  WHERE ${users.employee_id} = ${employees.employee_id} AND ${users.active} = 1)`

const selectPeople = prepare((p: Params<PeopleFilter>) =>
  qb
    .select({
      name_key: nameKey.as('name_key'),
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      branch_office: employees.branch_office,
      agreed_at: log_events.created_at,
      how: sql<'app' | 'paper' | null>`${log_events.details} ->> 'how'`,
      has_user: hasUser.mapWith(Boolean),
    })
    .from(employees)
    .leftJoin(log_events, eq(log_events.id, agreedEvent(p)))
    .where(
      sql`${isAsked(p)} AND (${p.agreed} IS NULL OR (${log_events.id} IS NOT NULL) = ${p.agreed})
        AND (${nameKey}, ${employees.employee_id}) > (${p.after_name}, ${p.after_id})`,
    )
    .orderBy(nameKey, employees.employee_id)
    .limit(p.limit),
)

const selectCounts = prepare((p: Params<Omit<PeopleFilter, 'agreed' | 'limit'>>) =>
  qb
    .select(columns({ agreed: number, missing: number }))
    .from(sql`(SELECT count(event_id) AS agreed, count(*) - count(event_id) AS missing
      FROM (SELECT ${agreedEvent(p)} AS event_id FROM ${employees} WHERE ${isAsked(p)}))`),
)

const requireKnown = prepare((p: Params<{ id: number }>) => raiseIf(unknownAgreement(p.id)))

/**
 * A page of the employees in the scope who have not left, sorted by name, with the moment when each
 * agreed to a text. The counts `agreed` and `missing` ignore the page and the filter `agreed`.
 * @throws DomainError AGREEMENT_NOT_FOUND
 */
export const listAgreementPeople = async (
  db: AuthorizedDb,
  filter: Omit<PeopleFilter, 'today' | 'scope'>,
  now: Date,
) => {
  const { people, counts } = await db.batch((scope, zones) => {
    const values = { ...filter, scope, today: companyDay(now, zones) }
    return {
      check: requireKnown({ id: filter.id }),
      people: selectPeople(values),
      counts: firstOrFail(selectCounts(values)),
    }
  })
  return { people, ...counts }
}
