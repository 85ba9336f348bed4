import { and, eq, getTableColumns, gt, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { columns, number, orNull, text } from '../../core/db/text-query.ts'
import { log_events } from '../../core/tables/logs.ts'
import { closing_lines, closing_people } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import type { LineTotalName, LineWithSpans } from './closing-lines.ts'

/** The SQL of the line totals in `closing-lines.ts`. */
export const LINE_TOTALS_SQL: Record<LineTotalName, string> = {
  days: 'count(*) FILTER (WHERE worked_seconds IS NOT NULL AND (of_period OR paid_before_seconds = 0))',
  period_seconds: 'sum(difference_seconds) FILTER (WHERE of_period AND difference_seconds > 0)',
  added_seconds: 'sum(difference_seconds) FILTER (WHERE NOT of_period AND difference_seconds > 0)',
  deducted_seconds: '-sum(difference_seconds) FILTER (WHERE difference_seconds < 0)',
  held_seconds: 'sum(held_seconds)',
  exceptions_left: 'sum(needs_look)',
}

/** The lines of `person`, a row of `closing_people`, in its closing. */
const linesOfPerson = sql`${closing_lines}
  WHERE closing_id = person.closing_id AND employee_id = person.employee_id`

/** Only people who have lines sign. */
export const hasLines = sql`EXISTS (SELECT 1 FROM ${linesOfPerson})`

/** The id of the newest signature of `person` in the closing. Null if there is none. */
export const newestSignatureId = sql`(SELECT max(id) FROM ${log_events} INDEXED BY log_events_closing_id
  WHERE closing_id = person.closing_id AND employee_id = person.employee_id AND event = 'signed')`

/** JSON counts of the signatures of a closing, over the people in the scope who have lines. */
export const signatureCounts = (scope: SQL) => sql`(
  SELECT json_object('agreed', count(*) FILTER (WHERE agrees = 1),
    'objected', count(*) FILTER (WHERE agrees = 0),
    'missing', count(*) FILTER (WHERE agrees IS NULL),
    'without_user', count(*) FILTER (WHERE agrees IS NULL AND NOT has_user))
  FROM (SELECT (SELECT details ->> 'agrees' FROM ${log_events} WHERE id = ${newestSignatureId}) AS agrees,
      EXISTS (SELECT 1 FROM ${users} WHERE ${users.employee_id} = person.employee_id
        AND ${users.active} = 1) AS has_user
    FROM ${closing_people} AS person WHERE person.closing_id = closing.id
      AND ${isInScope('person.branch_office', scope)} AND ${hasLines}))`

export interface SignatureCounts {
  agreed: number
  objected: number
  missing: number
  /**
   * How many of those who have not signed have no active user, so that they cannot sign in an app.
   */
  without_user: number
}

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
        pending: number,
      }),
    )
    .from(
      sql`(SELECT closed.employee_id, rfc, full_name, department, closed.branch_office,
          closed.payroll_group, ended_at, from_day, pending
        FROM ${closing_people} AS closed JOIN ${employees} AS e ON e.employee_id = closed.employee_id
        WHERE closed.closing_id = ${p.id} AND closed.employee_id > ${p.after}
          AND (${isInScope('closed.branch_office', p.scope)} OR EXISTS (
            SELECT 1 FROM ${closing_lines} AS line WHERE line.closing_id = closed.closing_id
              AND line.employee_id = closed.employee_id AND ${isInScope('line.branch_office', p.scope)})))`,
    )
    .orderBy(({ employee_id }) => employee_id)
    .limit(p.limit),
)

const { closing_id, spans, extra_log_ids, ...sealedColumns } = getTableColumns(closing_lines)

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
