import { getTableColumns, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { closing_lines, closing_people } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import type { LineWithSpans } from './closing-lines.ts'

/**
 * The lines of a closing, a page at a time. Names are read from `employees`, so that names of
 * forgotten people are not returned.
 */

interface LinesPage {
  id: number
  scope: Scope
  /** The page begins after this employee id. */
  after: string
  limit: number
}

const selectPeopleOfClosing = prepare((p: Params<LinesPage>) =>
  qb
    .select({
      employee_id: sql<string>`closed.employee_id`.as('employee_id'),
      rfc: sql<string>`e.rfc`.as('rfc'),
      full_name: sql<string>`e.full_name`.as('full_name'),
      department: sql<string>`e.department`.as('department'),
      branch_office: sql<string>`closed.branch_office`.as('branch_office'),
      payroll_group: sql<string>`closed.payroll_group`.as('payroll_group'),
      ended_at: sql<string | null>`e.ended_at`.as('ended_at'),
      from_day: sql<string | null>`closed.from_day`.as('from_day'),
    })
    .from(
      sql`${closing_people} AS closed JOIN ${employees} AS e ON e.employee_id = closed.employee_id`,
    )
    .where(
      sql`closed.closing_id = ${p.id} AND closed.employee_id > ${p.after}
        AND (${isInScope(sql`closed.branch_office`, p.scope)} OR EXISTS (
          SELECT 1 FROM ${closing_lines} AS line WHERE line.closing_id = closed.closing_id
            AND line.employee_id = closed.employee_id AND ${isInScope(sql`line.branch_office`, p.scope)}))`,
    )
    .orderBy(sql`closed.employee_id`)
    .limit(p.limit),
)

/** The columns that a closing writes. */
export const { closing_id: _, ...newLineColumns } = getTableColumns(closing_lines)

const { spans, extra_log_ids, ...columns } = newLineColumns

/** The columns that every closing has, also one that version 2.0.0 made. */
export const lineColumns = columns

const selectLines = prepare((p: Params<LinesPage & { until: string | null }>) =>
  qb
    .select({ ...lineColumns, spans, extra_log_ids })
    .from(closing_lines)
    .where(
      sql`${closing_lines.closing_id} = ${p.id} AND ${closing_lines.employee_id} > ${p.after}
        AND (${p.until} IS NULL OR ${closing_lines.employee_id} <= ${p.until})
        AND ${isInScope(closing_lines.branch_office, p.scope)}`,
    )
    .orderBy(closing_lines.employee_id, closing_lines.day),
)

const PEOPLE_A_PAGE = 100

/**
 * A page of the people of a closing, in the order of their ids, with their lines. The next page
 * begins after the id `next`, which is undefined on the last page.
 */
export const readLinesPage = async (db: AuthorizedDb, id: number, after: string) => {
  const page = { id, after, limit: PEOPLE_A_PAGE }
  const { people } = await db.batch((scope) => ({
    people: selectPeopleOfClosing({ ...page, scope }),
  }))
  const isLast = people.length < PEOPLE_A_PAGE
  const until = isLast ? null : (people.at(-1)?.employee_id ?? null)
  const { lines } = await db.batch((scope) => ({ lines: selectLines({ ...page, scope, until }) }))
  return { people, lines: lines as LineWithSpans[], next: until ?? undefined }
}
