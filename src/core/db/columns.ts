import { type SQL, sql } from 'drizzle-orm'

/** How a value of a question is read. A null stays null. */
type Kind<Value> = (value: unknown) => Value

export const text: Kind<string> = (value) => value as string
export const number: Kind<number> = (value) => value as number
export const flag: Kind<boolean> = Boolean
export const orNull = <Value>(kind: Kind<Value>) => kind as Kind<Value | null>
/** One of some texts. */
export const word = <Word extends string>() => text as Kind<Word>

/**
 * The columns of a question in SQL's own words, each named once:
 * `qb.select(columns({ day: text, is_open: flag })).from(sql`(WITH … SELECT …)`)`.
 */
export const columns = <Row extends object>(kinds: { [Name in keyof Row]: Kind<Row[Name]> }) =>
  Object.fromEntries(
    Object.entries<Kind<unknown>>(kinds).map(([name, kind]) => [
      name,
      sql`${sql.identifier(name)}`.mapWith(kind),
    ]),
  ) as { [Name in keyof Row]: SQL<Row[Name]> }

/** The columns of a subquery, by its alias: `{ number: sql`punch.number` }`. */
export const fieldsOf = <Name extends string>(alias: string, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`${alias}.${name}`)])) as Record<Name, SQL>
