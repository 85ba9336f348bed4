import { type SQL, sql } from 'drizzle-orm'
import { DomainError, ERRORS, type ErrorCode } from '../errors.ts'
import { type Expression, expression, qb } from './query.ts'

/** A condition, its code, and the details of the error as a JSON object: SQL that says which rows. */
export type Rule = readonly [condition: Expression, code: ErrorCode | SQL, details?: SQL]

/** The condition of a rule: whether a condition holds for any row of the rule's statement. */
export const anyRow = (condition: string) => `max(${condition})`

/** A JSON list of the ids, or of another column, of the rows for which a condition holds. */
export const listWhere = (condition: string, column = 'id') =>
  sql`json_group_array(${expression(column)}) FILTER (WHERE ${expression(condition)})`

/** The details of a rule about some rows of its statement: their ids. */
export const idsWhere = (condition: string, id = 'id') =>
  sql`json_object('ids', ${listWhere(condition, id)})`

const raisedBy = ([, code, details]: Rule): SQL => {
  const text = typeof code === 'string' ? sql.raw(`'error:${code}'`) : code
  return details ? sql`${text} || ' ' || ${details}` : text
}

/**
 * A column that throws the code of the first condition that holds. The error aborts the whole
 * batch, so no other statement has an effect. A statement with this column must return exactly one
 * row. Details are ids and other values that a log may have, because a raised text can reach one.
 *
 * SQLite has no RAISE outside triggers. The expression uses an invalid JSON path instead,
 * `error:CODE` or `error:CODE {"ids":[1,2]}`, which SQLite repeats in its error message.
 */
export const raise = (...rules: readonly Rule[]) =>
  sql`json_extract('{}', CASE ${sql.join(
    rules.map((rule) => sql`WHEN ${expression(rule[0])} THEN ${raisedBy(rule)}`),
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

/** The details after a raised code. SQLite doubles the apostrophes of the path that it repeats. */
const raisedDetails = (json: string | undefined): unknown => {
  try {
    return json && JSON.parse(json.replaceAll("''", "'"))
  } catch {
    return undefined
  }
}

/** Turns the error of a statement or trigger into its DomainError. Other errors stay the same. */
export const toDomainError = (error: unknown): unknown => {
  const [, kind, code = '', json] =
    /\b(error|log):([A-Z_]+)(?: (\{.*\}))?/.exec(messageOf(error)) ?? []
  const known =
    TRIGGER_CODES[`${kind}:${code}`] ?? (code in ERRORS ? (code as ErrorCode) : undefined)
  return known
    ? new DomainError({ code: known, details: raisedDetails(json) }, { cause: error })
    : error
}

/**
 * Whether the error of a failed transaction names a table. Every constraint's name begins with its
 * table's name.
 */
export const namesTable = (error: unknown, table: string): boolean =>
  new RegExp(`\\b${table}(?![a-z])`).test(messageOf(error))
