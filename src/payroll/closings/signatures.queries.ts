import { type SQL, sql } from 'drizzle-orm'
import { isInScope } from '../../core/db/scope.ts'
import { log_events } from '../../core/tables/logs.ts'
import { closing_people } from '../../core/tables/payroll.ts'
import { users } from '../../core/tables/users.ts'
import { hasLines } from './lines.queries.ts'

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
