// Drizzle's own prepared queries cannot join a D1 batch, so this module uses two of its internals:
// `fields` and `joinsNotNullableMap`. drizzle-orm is pinned; test/core/query.test.ts fails if they change.
import { getTableColumns, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { retryWhileLocked } from './busy.ts'
import { type Mapping, numberValues, type Row, rowMapper } from './mapping.ts'

/** The part of D1 that statements need: the binding, or one of its sessions. */
export interface D1 extends Pick<D1Database, 'prepare' | 'batch'> {
  /** Called before each round trip. */
  onRoundTrip?(): void
  /** Called with the size of the database in bytes, where a result shows it. */
  onSize?(bytes: number): void
}

/** Typed placeholders: `p.name` works wherever Drizzle takes a value or an expression. */
export type Params<In> = { [K in keyof In]: Placeholder<string, In[K]> & SQL<In[K]> }

/** A prepared query with its values: ready to run alone or in a batch. */
export interface Statement<Out> {
  bind(d1: D1): D1PreparedStatement
  /** Maps rows, given as arrays in column order, to what Drizzle would return. */
  mapRows(rows: unknown[][]): Out
}

interface PreparedQuery<Out> extends Mapping {
  getQuery(): Query
  execute(): Promise<Out>
}

/** Drizzle as a query builder only: it compiles SQL and maps rows, and never reaches a database. */
export const qb = drizzle({ prepare: () => null } as unknown as D1Database)

/** A value of each column; a missing one is a type error. */
type ColumnValues<Table extends SQLiteTable> = Record<
  keyof Table['$inferInsert'] & string,
  SQL | Placeholder | null
>

/**
 * `INSERT … SELECT`, with the values by name: they are put into the order of the table's columns.
 */
export const insertSelect = <Table extends SQLiteTable>(
  table: Table,
  values: ColumnValues<Table>,
  from: SQL = sql``,
) => {
  const names = Object.keys(getTableColumns(table)) as (keyof typeof values)[]
  const columns = names.map((name) => sql`${values[name] ?? sql`NULL`}`)
  return qb.insert(table).select(sql`SELECT ${sql.join(columns, sql`, `)} ${from}`)
}

/** The fields of the JSON object `value` that are named as these columns. */
export const jsonFields = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, sql.raw(`value ->> '$.${name}'`)]),
  ) as Record<keyof Columns, SQL>

const placeholders = new Proxy({}, { get: (_, name: string) => sql.placeholder(name) })

/** Compiles a query once, at module load. Each call of the result binds its values. */
export const prepare = <In extends object, Out>(
  define: (p: Params<In>) => { prepare(): PreparedQuery<Out> },
): ((values: In) => Statement<Out>) => {
  const prepared = define(placeholders as Params<In>).prepare()
  const columns = prepared.fields?.length
  // Made for the first request that needs them: an isolate that starts has a hundred queries.
  let query: ReturnType<typeof numberValues> | undefined
  let toObject: ReturnType<typeof rowMapper> | undefined
  return (values) => ({
    bind: (d1) => {
      query ??= numberValues(prepared.getQuery())
      return d1.prepare(query.text).bind(...query.readers.map((read) => read(values as Row)))
    },
    mapRows: (rows) => {
      if (columns === undefined) return rows as Out
      // D1 keys the rows of a batch by column name: equal names collapse, and values would shift.
      if (rows[0] && rows[0].length !== columns) {
        throw new Error(`Two columns of one query share a name: ${query?.text}`)
      }
      toObject ??= rowMapper(prepared)
      return rows.map(toObject) as Out
    },
  })
}

/** Runs one statement: one round trip. */
export const execute = async <Out>(d1: D1, statement: Statement<Out>): Promise<Out> => {
  d1.onRoundTrip?.()
  return statement.mapRows(await retryWhileLocked(() => statement.bind(d1).raw()))
}

export type Statements = readonly Statement<unknown>[]

export type Results<S extends Statements> = {
  -readonly [K in keyof S]: S[K] extends Statement<infer Out> ? Out : never
}

/** One round trip, one transaction: all of the statements or none. */
export const batch = async <const S extends Statements>(
  d1: D1,
  ...statements: S
): Promise<Results<S>> => {
  d1.onRoundTrip?.()
  const results = await retryWhileLocked(() =>
    d1.batch<Record<string, unknown>>(statements.map((s) => s.bind(d1))),
  )
  const bytes = results[0]?.meta.size_after
  if (bytes !== undefined) d1.onSize?.(bytes)
  return statements.map((s, i) =>
    s.mapRows(results[i]?.results.map(Object.values) ?? []),
  ) as Results<S>
}
