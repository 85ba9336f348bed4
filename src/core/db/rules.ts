import { type SQL, sql } from 'drizzle-orm'
import { DomainError, ERRORS, type ErrorCode } from '../errors.ts'
import { qb } from './query.ts'

export type Rule = readonly [condition: SQL, code: ErrorCode | SQL]

/**
 * A column that throws the code of the first condition that holds. The error aborts the whole
 * batch, so no other statement has an effect. A statement with this column must return exactly one
 * row.
 *
 * SQLite has no RAISE outside triggers. The expression uses an invalid JSON path instead,
 * `error:CODE`, which SQLite repeats in its error message.
 */
export const raise = (...rules: readonly Rule[]) =>
  sql`json_extract('{}', CASE ${sql.join(
    rules.map(
      ([condition, code]) =>
        sql`WHEN ${condition} THEN ${typeof code === 'string' ? sql.raw(`'error:${code}'`) : code}`,
    ),
    sql` `,
  )} ELSE '$' END)`.as('rule')

/** A statement that throws the code of the first condition that holds, and reads nothing else. */
export const raiseIf = (...rules: readonly Rule[]) =>
  qb.select({ rule: raise(...rules) }).from(sql`(SELECT 1)`)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/**
 * The rest of a raised text after its prefix, such as the scope in hexadecimal after `scope:x`.
 * Undefined for any other error.
 */
export const raisedText = (error: unknown, prefix: string): string | undefined =>
  new RegExp(`\\b${prefix}(\\w*)`).exec(messageOf(error))?.[1]

/** The texts that triggers of released migrations raise, with their error codes. */
const TRIGGER_CODES: Record<string, ErrorCode> = { 'log:CLOSED': 'LOG_CLOSED' }

/** Turns the error of a statement or trigger into its DomainError. Other errors stay the same. */
export const toDomainError = (error: unknown): unknown => {
  const [raised = '', code = ''] = /\b(?:error|log):([A-Z_]+)/.exec(messageOf(error)) ?? []
  const known = TRIGGER_CODES[raised] ?? (code in ERRORS ? (code as ErrorCode) : undefined)
  return known ? new DomainError({ code: known }, { cause: error }) : error
}

/**
 * Whether the error of a failed transaction names a table. Every constraint's name begins with its
 * table's name.
 */
export const namesTable = (error: unknown, table: string): boolean =>
  new RegExp(`\\b${table}(?![a-z])`).test(messageOf(error))
