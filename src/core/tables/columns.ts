import { type SQL, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, integer, text } from 'drizzle-orm/sqlite-core'

/**
 * What the tables share. Each noun has a file of its tables beside this one: the data dictionary.
 * Columns have the field names of the published contract, and constraints enforce the rules of the
 * contract. The name of every constraint begins with its table's name, because only SQLite's error
 * text shows which table of a batch failed.
 */

export const id = () => integer().primaryKey({ autoIncrement: true })

/** A moment, always stored as UTC with milliseconds: `2026-11-02T14:00:00.000Z`. */
export const moment = () => text().notNull()
export const now = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`

export const isMoment = (column: AnySQLiteColumn): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${column}) IS ${column}`

/** A day, `2026-11-02`, or no day. */
export const isDay = (column: AnySQLiteColumn): SQL => sql`date(${column}) IS ${column}`

/** A first day, or '' for always. */
export const isDayOrAlways = (column: AnySQLiteColumn): SQL =>
  sql`${column} = '' OR ${isDay(column)}`

export const isOneOf = (column: AnySQLiteColumn, values: readonly (string | number)[]): SQL =>
  sql`${column} IN (${sql.raw(values.map((v) => (typeof v === 'number' ? v : `'${v}'`)).join(', '))})`

/** 16 random bytes as 32 hexadecimal digits. */
export const randomSalt = sql`(lower(hex(randomblob(16))))`

export const reference = (column: () => AnySQLiteColumn) => integer().notNull().references(column)

export const isFlag = (column: AnySQLiteColumn): SQL => isOneOf(column, [0, 1])
