import { type SQL, sql } from 'drizzle-orm'
import { AuthorizationError, RuleError } from './db-errors.ts'

/** The rules that statements and triggers enforce; `src/core/rule-errors.ts` says what each means. */
export const RULES = [
  'log:UNKNOWN',
  'log:OWN',
  'log:MOVED',
  'log:CLOSED',
  'employee:UNKNOWN',
  'employee:OWN',
  'user:NO_EMPLOYEE',
  'closing:UNKNOWN',
  'closing:CANCELLED',
  'closing:OUTDATED',
  'source:FOREIGN',
  'evidence:LOG',
  'evidence:EMPLOYEE',
] as const

export type Rule = (typeof RULES)[number]

/** A rule, or a rule of authorization, which `authorization.ts` alone raises. */
type RaisedCode = Rule | `auth:${string}`

const isRule = (code: string): code is Rule => (RULES as readonly string[]).includes(code)

/**
 * A column that throws in SQL with the code of the first condition that holds, which aborts the whole
 * batch: no other statement of it reads or writes anything. The one way in which a statement says "not
 * allowed". SQLite has no RAISE outside triggers, so an invalid JSON path throws: the error message
 * contains the path, which is the code. Select it first in a statement that returns exactly one row.
 */
export const raise = (...rules: readonly (readonly [condition: SQL, code: RaisedCode | SQL])[]) =>
  sql`json_extract('{}', CASE ${sql.join(
    rules.map(
      ([condition, code]) =>
        sql`WHEN ${condition} THEN ${typeof code === 'string' ? sql.raw(`'${code}'`) : code}`,
    ),
    sql` `,
  )} ELSE '$' END)`.as('rule')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** What follows a prefix that was raised, such as the scope after `auth:SCOPE:`. */
export const raisedText = (error: unknown, prefix: string): string | undefined =>
  new RegExp(`\\b${prefix}(\\w*)`).exec(messageOf(error))?.[1]

/** The error of the rule that was raised by a statement or a trigger; any other error as it is. */
export const toRuleError = (error: unknown): unknown => {
  const [, code] = /\b([a-z]+:[A-Z_]+)\b/.exec(messageOf(error)) ?? []
  if (code === 'auth:UNAUTHENTICATED' || code === 'auth:FORBIDDEN') {
    return new AuthorizationError(code === 'auth:FORBIDDEN' ? 'FORBIDDEN' : 'UNAUTHENTICATED')
  }
  return code && isRule(code) ? new RuleError(code, { cause: error }) : error
}

/** Whether the error of a failed transaction names a table: every constraint is named after its own. */
export const namesTable = (error: unknown, table: string): boolean =>
  new RegExp(`\\b${table}(?![a-z])`).test(messageOf(error))
