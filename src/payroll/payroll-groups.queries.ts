import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { closing_people, closings, employees, isActiveClosing } from '../core/db/schema.ts'

/** Reads the closings of whole groups and of everybody. Closings of one person do not count. */

const selectWholeClosings = prepare(() =>
  qb
    .select({
      id: sql<number>`closing.id`.as('closing_id'),
      before: sql<string>`closing.before`.as('before'),
      payroll_group: sql<string | null>`closing.payroll_group`.as('payroll_group'),
    })
    .from(sql`${closings} AS closing`)
    .where(sql`closing.employee_id IS NULL AND ${isActiveClosing}`)
    .orderBy(sql`closing.before, closing.id`),
)

/** The active closings of whole groups and of everybody, sorted by `before`. */
export const readWholeClosings = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches({ closings: selectWholeClosings({}) })).closings

export type WholeClosing = Awaited<ReturnType<typeof readWholeClosings>>[number]

/**
 * The openings that closings of whole groups and of everybody set. Cancelled closings count too,
 * because their openings remain.
 */
const selectOpenings = prepare((p: Params<{ groups: string; until: number }>) =>
  qb
    .select({
      payroll_group: sql<string>`closed.payroll_group`.as('payroll_group'),
      branch_office: sql<string>`closed.branch_office`.as('branch_office'),
      opening: sql<string>`closed.opening`.as('opening'),
      first_log_at: sql<string | null>`closed.first_log_at`.as('first_log_at'),
      started_at: sql<string>`e.started_at`.as('started_at'),
    })
    .from(
      sql`${closings} AS closing CROSS JOIN ${closing_people} AS closed
          ON closed.closing_id = closing.id AND closed.opening IS NOT NULL
        JOIN ${employees} AS e ON e.employee_id = closed.employee_id`,
    )
    .where(
      sql`closing.id <= ${p.until} AND closing.completed_at IS NOT NULL AND closing.employee_id IS NULL
        AND closed.payroll_group IN (SELECT value FROM json_each(${p.groups}))
        AND (closing.payroll_group IS NULL OR closing.payroll_group = closed.payroll_group)`,
    ),
)

/**
 * The openings of the people of some groups. For each group and for everybody, `wholeClosings` has
 * the active closing with the earliest `before`. Closings that are newer than all of these are not
 * read.
 */
export const readOpenings = async (
  db: AuthorizedDb,
  groups: readonly string[],
  wholeClosings: readonly WholeClosing[],
) => {
  const until = [null, ...groups].map(
    (group) => wholeClosings.find(({ payroll_group }) => payroll_group === group)?.id ?? 0,
  )
  const values = { groups: JSON.stringify(groups), until: Math.max(...until) }
  return (await db.batchOfAllBranches({ openings: selectOpenings(values) })).openings
}

export type GivenOpening = Awaited<ReturnType<typeof readOpenings>>[number]

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
  const { groups, wholeClosings } = await db.batchOfAllBranches({
    groups: countPeople({ today }),
    wholeClosings: selectWholeClosings({}),
  })
  return { groups, wholeClosings }
}
