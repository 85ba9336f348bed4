import { desc, eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { closings, employees, openings } from '../../src/core/db/schema.ts'
import { zoneRules } from '../../src/core/db/zones.ts'

const selectBranches = prepare(() =>
  qb
    .select({
      branch_office: sql<string>`branch.branch_office`.as('branch_office'),
      employees: sql<number>`branch.employees`.as('employees'),
      time_zone: sql<string | null>`zone.time_zone`.as('time_zone'),
      valid_from: sql<string | null>`zone.valid_from`.as('valid_from'),
    })
    .from(
      sql`(SELECT branch_office, count(*) AS employees FROM ${employees} GROUP BY branch_office) AS branch
        LEFT JOIN (${zoneRules}) AS zone USING (branch_office)`,
    )
    .orderBy(sql`branch.branch_office, zone.valid_from`),
)

/** Lists the employees' branches with their zones. A null zone stands for `TIME_ZONE`. */
export const listBranches = (db: D1) => execute(db, selectBranches({}))

interface Opening {
  employee_id: string
  first_day: string
  comment: string
  at: string
}

const insertOpeningRow = prepare((p: Params<Opening & { user_id: number }>) =>
  qb.insert(openings).values({
    employee_id: p.employee_id,
    first_day: p.first_day,
    user_id: p.user_id,
    comment: p.comment,
    // Includes an unfinished closing, since such a closing has read the older opening.
    closings_before: sql`coalesce((SELECT max(id) FROM ${closings}), 0)`,
    created_at: p.at,
  }),
)

/** Stores a person's first paid day. A trigger rejects a day that is not before the stored one. */
export const insertOpening = async (db: AuthorizedDb, opening: Opening): Promise<void> => {
  await db.batchOfAllBranches({
    opening: insertOpeningRow({ ...opening, user_id: db.claims.userId }),
  })
}

const selectOpening = prepare((p: Params<{ employee_id: string }>) =>
  qb
    .select({ first_day: openings.first_day })
    .from(openings)
    .where(eq(openings.employee_id, p.employee_id))
    .orderBy(desc(openings.id))
    .limit(1),
)

/** Returns a person's first paid day, or undefined if none is stored. */
export const findOpening = async (db: D1, employeeId: string): Promise<string | undefined> =>
  (await execute(db, selectOpening({ employee_id: employeeId })))[0]?.first_day
