import { type SQL, sql } from 'drizzle-orm'
import { compiler, dialect, type PreparedQuery } from './query.ts'

/**
 * Statements that are one text: `qb.select(columns(…)).from(sql`(WITH … SELECT …)`)`, or
 * `write(sql`UPDATE …`)`.
 */

/** How `columns` reads a value. Drizzle does not call it for a null. */
export const text = (value: string) => value
export const number = (value: number) => value
export const flag = (value: number) => Boolean(value)
/** The same value, which may be null. */
export const orNull =
  <Value, Out>(read: (value: Value) => Out) =>
  (value: Value): Out | null =>
    read(value)
/** One of some texts. */
export const word =
  <Word extends string>() =>
  (value: string) =>
    value as Word
export const json =
  <Value>() =>
  (value: string): Value =>
    JSON.parse(value)

type Readers = Record<string, (value: never) => unknown>
type RowOf<Fields extends Readers> = { [Name in keyof Fields]: ReturnType<Fields[Name]> }

/**
 * Columns of a question that is one text, `.from(sql`(WITH … SELECT …)`)`, by the names that its last
 * SELECT gives them, each with how its values are read.
 */
export const columns = <Fields extends Readers>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, read]) => [
      name,
      sql`${sql.identifier(name)}`.mapWith(read as (value: unknown) => unknown),
    ]),
  ) as { [Name in keyof Fields]: SQL<ReturnType<Fields[Name]>> }

/** A statement that writes and is one text. Its RETURNING has these columns, in this order. */
export const write = <Fields extends Readers>(text: SQL, fields?: Fields) => {
  const returned = fields && Object.entries(columns(fields))
  const list = returned?.map(([name, field]) => ({ path: [name], field }))
  const prepared = compiler.prepareQuery(dialect.sqlToQuery(text), list)
  return { prepare: () => prepared as PreparedQuery<RowOf<Fields>[]> }
}
