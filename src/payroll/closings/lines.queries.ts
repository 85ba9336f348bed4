import { and, eq, getTableColumns, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { columns, orNull, type Params, prepare, qb, text } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { closing_lines, closing_people } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import type { LineTotalName, LineWithSpans } from './closing-lines.ts'

/** The SQL of the line totals in `closing-lines.ts`. */
export const LINE_TOTALS: Record<LineTotalName, string> = {
  days: 'count(*) FILTER (WHERE worked_seconds IS NOT NULL AND (of_period OR paid_before_seconds = 0))',
  period_seconds: 'sum(difference_seconds) FILTER (WHERE of_period AND difference_seconds > 0)',
  added_seconds: 'sum(difference_seconds) FILTER (WHERE NOT of_period AND difference_seconds > 0)',
  deducted_seconds: '-sum(difference_seconds) FILTER (WHERE difference_seconds < 0)',
  held_seconds: 'sum(held_seconds)',
  exceptions_left: 'sum(needs_look)',
}

/** The lines of `person`, a row of `closing_people`, in its closing. */
export const linesOfPerson = sql`${closing_lines}
  WHERE closing_id = person.closing_id AND employee_id = person.employee_id`

/** Only people who have lines sign. */
export const hasLines = sql`EXISTS (SELECT 1 FROM ${linesOfPerson})`

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
    .select(
      columns({
        employee_id: text,
        rfc: text,
        full_name: text,
        department: text,
        branch_office: text,
        payroll_group: text,
        ended_at: orNull(text),
        from_day: orNull(text),
      }),
    )
    .from(
      sql`(SELECT closed.employee_id, rfc, full_name, department, closed.branch_office,
          closed.payroll_group, ended_at, from_day
        FROM ${closing_people} AS closed JOIN ${employees} AS e ON e.employee_id = closed.employee_id
        WHERE closed.closing_id = ${p.id} AND closed.employee_id > ${p.after}
          AND (${isInScope('closed.branch_office', p.scope)} OR EXISTS (
            SELECT 1 FROM ${closing_lines} AS line WHERE line.closing_id = closed.closing_id
              AND line.employee_id = closed.employee_id AND ${isInScope('line.branch_office', p.scope)})))`,
    )
    .orderBy(({ employee_id }) => employee_id)
    .limit(p.limit),
)

/** The columns that a closing writes. */
export const { closing_id: _, ...newLineColumns } = getTableColumns(closing_lines)

const { spans, extra_log_ids, ...sealedColumns } = newLineColumns

/** The columns that every closing has, also one that version 2.0.0 made. */
export const lineColumns = sealedColumns

const selectLines = prepare((p: Params<LinesPage & { until: string | null }>) =>
  qb
    .select({ ...lineColumns, spans, extra_log_ids })
    .from(closing_lines)
    .where(
      and(
        eq(closing_lines.closing_id, p.id),
        gt(closing_lines.employee_id, p.after),
        or(isNull(p.until), lte(closing_lines.employee_id, p.until)),
        isInScope(closing_lines.branch_office, p.scope),
      ),
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
