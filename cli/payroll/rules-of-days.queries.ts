import { sql } from 'drizzle-orm'
import { type D1, execute, prepare, qb } from '../../src/core/db/query.ts'
import { employees } from '../../src/core/db/schema.ts'
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
