import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { closing_people, closings, employees, openings } from '../core/db/schema.ts'
import { isActive } from '../logs/locks.queries.ts'

/** What closings have paid of whole groups. Closings of one person do not count. */

const selectWholeClosings = prepare(() =>
  qb
    .select({
      id: sql<number>`closing.id`.as('closing_id'),
      before: sql<string>`closing.before`.as('before'),
      payroll_group: sql<string | null>`closing.payroll_group`.as('payroll_group'),
    })
    .from(sql`${closings} AS closing`)
    .where(sql`closing.employee_id IS NULL AND ${isActive}`)
    .orderBy(sql`closing.before, closing.id`),
)

/** The active closings of a group, or of everyone if `payroll_group` is null, oldest first. */
export const readWholeClosings = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches(selectWholeClosings({})))[0]

export type WholeClosing = Awaited<ReturnType<typeof readWholeClosings>>[number]

/** The first days that people got in some closings, the most frequent first. */
const selectFirstDays = prepare((p: Params<{ ids: string }>) =>
  qb
    .select({
      payroll_group: sql<string>`closed.payroll_group`.as('payroll_group'),
      first_day: sql<string>`closed.from_day`.as('first_day'),
    })
    .from(
      sql`json_each(${p.ids}) AS chosen
        CROSS JOIN ${closing_people} AS closed ON closed.closing_id = chosen.value`,
    )
    .where(
      sql`EXISTS (SELECT 1 FROM ${openings} WHERE ${openings.employee_id} = closed.employee_id
        AND ${openings.first_day} = closed.from_day)`,
    )
    .groupBy(sql`chosen.key, closed.payroll_group, closed.from_day`)
    .orderBy(sql`chosen.key, count(*) DESC, closed.from_day`),
)

/**
 * The first day that the service paid each group: the day on which most of its people began in its
 * oldest closing. Exceptions of single people, hires and transfers do not move it.
 */
export const readFirstPaidDays = async (
  db: AuthorizedDb,
  groups: readonly string[],
  wholeClosings: readonly WholeClosing[],
): Promise<Map<string, string>> => {
  const oldest = [null, ...groups].flatMap((group) => {
    const closing = wholeClosings.find(({ payroll_group }) => payroll_group === group)
    return closing ? [closing] : []
  })
  const ids = wholeClosings.filter((closing) => oldest.includes(closing)).map(({ id }) => id)
  const [rows] = await db.batchOfAllBranches(selectFirstDays({ ids: JSON.stringify(ids) }))
  const firstDays = new Map<string, string>()
  for (const { payroll_group, first_day } of rows) {
    if (!firstDays.has(payroll_group)) firstDays.set(payroll_group, first_day)
  }
  return firstDays
}

const countPeople = prepare((p: Params<{ today: string }>) =>
  qb
    .select({
      payroll_group: employees.payroll_group,
      people: sql<number>`count(*) FILTER (WHERE ${employees.ended_at} IS NULL
        OR ${employees.ended_at} >= ${p.today})`.as('people'),
    })
    .from(employees)
    .groupBy(employees.payroll_group)
    .orderBy(employees.payroll_group),
)

/** The groups with the number of people who have not left, and the closings of whole groups. */
export const readGroups = async (db: AuthorizedDb, today: string) => {
  const [groups, wholeClosings] = await db.batchOfAllBranches(
    countPeople({ today }),
    selectWholeClosings({}),
  )
  return { groups, wholeClosings }
}
