import { eq, not, type SQL, sql } from 'drizzle-orm'
import { type Expression, expression, hasRow, literal } from '../core/db/query.ts'
import type { Rule } from '../core/db/raise.ts'
import { agreements } from '../core/tables/agreements.ts'
import { log_events } from '../core/tables/logs.ts'

/** The events by which an employee agreed to a text in one of some ways, such as in the app. */
export const agreedEvents = (
  employee: Expression,
  sha256: SQL,
  ways: ('app' | 'paper' | 'void')[],
) =>
  sql`FROM ${log_events} INDEXED BY log_events_person
    WHERE ${log_events.employee_id} = ${expression(employee)} AND ${log_events.log_id} IS NULL
      AND ${log_events.event} = 'agreed' AND ${log_events.details} ->> 'agreement' = ${sha256}
      AND ${log_events.details} ->> 'how' IN (${sql.join(ways.map(literal), sql.raw(', '))})`

/**
 * The id of the event by which an employee agreed to a text. It is the first event in an app, or
 * else the event of the newest paper. Null if there is none, or if that paper is void.
 */
export const agreedEventOf = (employee: Expression, sha256: SQL) => sql<number | null>`coalesce(
  (SELECT min(${log_events.id}) ${agreedEvents(employee, sha256, ['app'])}),
  (SELECT iif(${log_events.details} ->> 'how' = 'paper', ${log_events.id}, NULL)
    ${agreedEvents(employee, sha256, ['paper', 'void'])} ORDER BY ${log_events.id} DESC LIMIT 1))`

export const unknownAgreement = (id: SQL): Rule => [
  not(hasRow(agreements, eq(agreements.id, id))),
  'AGREEMENT_NOT_FOUND',
]

export const sha256Of = (id: SQL) =>
  sql`(SELECT ${agreements.sha256} FROM ${agreements} WHERE ${agreements.id} = ${id})`

export const ofAgreement = (id: SQL, condition: SQL) =>
  hasRow(agreements, eq(agreements.id, id), condition)
