import { type SQL, sql } from 'drizzle-orm'
import { DomainError, ERRORS, type ErrorCode } from '../errors.ts'

/**
 * A column that throws in SQL with the code of the first condition that holds, which aborts the
 * whole batch: no other statement of it reads or writes anything. The one way in which a statement
 * says "not allowed". SQLite has no RAISE outside triggers, so an invalid JSON path throws: the
 * error message contains the path, `error:CODE`. Select it first in a statement that returns
 * exactly one row.
 */
export const raise = (...rules: readonly (readonly [condition: SQL, code: ErrorCode | SQL])[]) =>
  sql`json_extract('{}', CASE ${sql.join(
    rules.map(
      ([condition, code]) =>
        sql`WHEN ${condition} THEN ${typeof code === 'string' ? sql.raw(`'error:${code}'`) : code}`,
    ),
    sql` `,
  )} ELSE '$' END)`.as('rule')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** The text after a raised prefix, such as the scope after `scope:`. */
export const raisedText = (error: unknown, prefix: string): string | undefined =>
  new RegExp(`\\b${prefix}(\\w*)`).exec(messageOf(error))?.[1]

/** What triggers of released migrations raise. */
const CODE_OF_TRIGGERS: Record<string, ErrorCode> = { 'log:CLOSED': 'LOG_CLOSED' }

/** The domain error that a statement or a trigger has raised; any other error as it is. */
export const toDomainError = (error: unknown): unknown => {
  const [raised = '', code = ''] = /\b(?:error|log):([A-Z_]+)/.exec(messageOf(error)) ?? []
  const known = CODE_OF_TRIGGERS[raised] ?? (code in ERRORS ? (code as ErrorCode) : undefined)
  return known ? new DomainError(known as 'FORBIDDEN', undefined, { cause: error }) : error
}

/**
 * Whether the error of a failed transaction names a table: every constraint is named after its own.
 */
export const namesTable = (error: unknown, table: string): boolean =>
  new RegExp(`\\b${table}(?![a-z])`).test(messageOf(error))
