import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { columns, number } from '../../core/db/text-query.ts'
import { closing_lines, closing_people, closings } from '../../core/tables/payroll.ts'

interface Swept {
  /** The only closing that is swept. Null for all that are unfinished. */
  only: number | null
}

const unfinished = (p: Params<Swept>) => sql`(SELECT id FROM ${closings}
  WHERE completed_at IS NULL AND id = coalesce(${p.only}, id)) AS unfinished`

const countUnfinished = prepare((p: Params<Swept>) =>
  qb.select(columns({ lines: number, people: number })).from(
    // CROSS JOIN makes SQLite start from the few unfinished closings, not from all lines.
    sql`(SELECT
      (SELECT count(*) FROM ${unfinished(p)} CROSS JOIN ${closing_lines} ON closing_id = id) AS lines,
      (SELECT count(*) FROM ${unfinished(p)} CROSS JOIN ${closing_people} ON closing_id = id) AS people)`,
  ),
)

const SWEEP_ROWS = sql.raw('2000')

const sweepLines = prepare((p: Params<Swept>) =>
  qb.delete(closing_lines).where(
    sql`rowid IN (SELECT line.rowid
      FROM ${unfinished(p)} CROSS JOIN ${closing_lines} AS line ON line.closing_id = unfinished.id
      LIMIT ${SWEEP_ROWS})`,
  ),
)

// Another request may still add lines. A person who has lines again stays until the next sweep.
const sweepPeople = prepare((p: Params<Swept>) =>
  qb.delete(closing_people).where(
    sql`rowid IN (SELECT person.rowid
      FROM ${unfinished(p)} CROSS JOIN ${closing_people} AS person ON person.closing_id = unfinished.id
      WHERE NOT EXISTS (SELECT 1 FROM ${closing_lines} AS line
        WHERE line.closing_id = person.closing_id AND line.employee_id = person.employee_id)
      LIMIT ${SWEEP_ROWS})`,
  ),
)

const sweepClosings = prepare((p: Params<Swept>) =>
  qb.delete(closings).where(
    sql`id IN (SELECT id FROM ${unfinished(p)}) AND NOT EXISTS (SELECT 1 FROM ${closing_people} AS person
      WHERE person.closing_id = ${closings}.id)`,
  ),
)

/**
 * Deletes the rows of unfinished closings, in batches, or of only one. Another closing whose rows are
 * deleted while it is being written fails.
 */
export const sweepUnfinished = async (
  db: AuthorizedDb,
  only: number | null = null,
): Promise<void> => {
  for (;;) {
    const { left } = await db.batchOfAllBranches({ left: firstOrFail(countUnfinished({ only })) })
    if (left.lines > 0) await db.batchOfAllBranches({ lines: sweepLines({ only }) })
    else if (left.people > 0) await db.batchOfAllBranches({ people: sweepPeople({ only }) })
    else break
  }
  await db.batchOfAllBranches({ closings: sweepClosings({ only }) })
}
