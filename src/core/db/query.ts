// A query prepared by Drizzle's own session of D1 cannot be part of a D1 batch. So this module and
// mapping.ts use three of Drizzle's internals: `prepareQuery`, `fields` and `joinsNotNullableMap`. The
// version of drizzle-orm is pinned, and test/core/query.test.ts fails if these internals change.
//
// Plain reads and writes are built by `qb` with Drizzle's operators. Any other statement is one text
// (text-query.ts).
import {
  and,
  type Column,
  getTableColumns,
  type Placeholder,
  type Query,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import {
  type SelectedFields,
  SQLiteAsyncDialect,
  type SQLiteColumn,
  SQLiteDeleteBase,
  SQLiteInsertBuilder,
  SQLiteSelectBuilder,
  type SQLiteTable,
  SQLiteUpdateBuilder,
} from 'drizzle-orm/sqlite-core'
import { numberParameters, type PreparedFields, type Row, rowMapper } from './mapping.ts'

/** The part of D1's interface that statements need. The binding and its sessions have this part. */
export interface D1 extends Pick<D1Database, 'prepare' | 'batch'> {
  /** Called before each round trip. */
  onRoundTrip?(): void
  /** Called by `batch` with the size of the database in bytes, if a result reports it. */
  onSize?(bytes: number): void
}

/** Typed placeholders. `p.name` can be used in place of any value or expression of Drizzle. */
export type Params<In> = { [K in keyof In]: Placeholder<string, In[K]> & SQL<In[K]> }

/** A prepared query with its values, to be run on its own or in a batch. */
export interface Statement<Out> {
  bind(d1: D1): D1PreparedStatement
  /** Turns rows, given as arrays in column order, into the objects that Drizzle would return. */
  mapRows(rows: unknown[][]): Out
}

export interface PreparedQuery<Out> extends PreparedFields {
  getQuery(): Query
  execute(): Promise<Out>
}

/** Drizzle's builders prepare their queries by this: it keeps SQL and fields, and has no database. */
export const compiler = {
  prepareQuery: (query: Query, fields: PreparedFields['fields']) => ({
    getQuery: () => query,
    fields,
  }),
}

export const dialect = new SQLiteAsyncDialect()

const session = compiler as never

type Select<Fields extends SelectedFields | undefined> = SQLiteSelectBuilder<
  Fields,
  'async',
  D1Result
>

function select(): Select<undefined>
function select<Fields extends SelectedFields>(fields: Fields): Select<Fields>
function select(fields?: SelectedFields) {
  return new SQLiteSelectBuilder({ fields, session, dialect })
}

/** Drizzle's query builders, without its parts that talk to a database. */
export const qb = {
  select,
  selectDistinct: <Fields extends SelectedFields>(fields: Fields): Select<Fields> =>
    new SQLiteSelectBuilder({ fields, session, dialect, distinct: true }),
  insert: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteInsertBuilder<Table, 'async', D1Result>(table, session, dialect),
  update: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteUpdateBuilder<Table, 'async', D1Result>(table, session, dialect),
  delete: <Table extends SQLiteTable>(table: Table) =>
    new SQLiteDeleteBase<Table, 'async', D1Result>(table, session, dialect),
}

/** An expression, or one of names alone in a whole text: `e.branch_office`, `is_new AND version > 0`. */
export type Expression = SQLWrapper | string

/** It has no quotes and no comment: a value of a request is a parameter. */
const OF_NAMES = /^(?!.*--)[\w.() <>=,*-]+$/

export const expression = (value: Expression): SQLWrapper => {
  if (typeof value !== 'string') return value
  if (!OF_NAMES.test(value)) throw new Error(`This is no expression of names alone: ${value}`)
  return sql.raw(value)
}

/** A column or an expression, or a constant of the code: a word, a number or null. */
export type Value = SQL | Column | Placeholder | string | number | null

/** A value for each column. A missing column is a type error. */
export type ColumnValues<Table extends SQLiteTable> = Record<
  keyof Table['$inferInsert'] & string,
  Value
>

export const literal = (value: Value): SQL => {
  if (value === null) return sql.raw('NULL')
  if (typeof value === 'number') return sql.raw(`${value}`)
  if (typeof value !== 'string') return sql`${value}`
  return sql.raw(`'${value.replaceAll("'", "''")}'`)
}

/** An `INSERT … SELECT` whose values are given by column name. */
export const insertSelect = <Table extends SQLiteTable>(
  table: Table,
  values: ColumnValues<Table>,
  from: SQL = sql.raw(''),
) => {
  const names = Object.keys(getTableColumns(table)) as (keyof typeof values)[]
  const columns = names.map((name) => literal(values[name]))
  return qb.insert(table).select(sql`SELECT ${sql.join(columns, sql`, `)} ${from}`)
}

/** For each column, an expression that reads the field of its name from the JSON object `value`. */
export const jsonFields = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, sql.raw(`value ->> '$.${name}'`)]),
  ) as Record<keyof Columns, SQL>

/** Whether the table has a row that meets all conditions. */
export const hasRow = (table: SQLiteTable, ...conditions: SQL[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${and(...conditions)})`

/** What stands between the questions that a text puts together. */
export const UNION_ALL = sql.raw(' UNION ALL ')

/** Whether a column has the value that a filter asks for. Null asks for any. */
export const matches = (column: SQLiteColumn, value: SQL): SQL =>
  sql`(${value} IS NULL OR ${column} = ${value})`

/** The values of a JSON list, for `inArray`. */
export const valuesOf = (list: SQLWrapper) => sql`(SELECT value FROM json_each(${list}))`

/** The columns of a subquery, by its alias. */
export const fieldsOf = <Name extends string>(alias: string, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`${alias}.${name}`)])) as Record<Name, SQL>

const placeholders = new Proxy({}, { get: (_, name: string) => sql.placeholder(name) })

const compile = <In, Out>(define: (p: Params<In>) => { prepare(): PreparedQuery<Out> }) => {
  const prepared = define(placeholders as Params<In>).prepare()
  const query = numberParameters(prepared.getQuery())
  return { query, columns: prepared.fields?.length, toObject: rowMapper(prepared) }
}

/**
 * Defines a query, which is compiled once, at its first use: a new isolate compiles only what its
 * requests send. Each call of the returned function makes a statement from values.
 */
export const prepare = <In extends object, Out>(
  define: (p: Params<In>) => { prepare(): PreparedQuery<Out> },
): ((values: In) => Statement<Out>) => {
  let compiled: ReturnType<typeof compile<In, Out>> | undefined
  return (values) => ({
    bind: (d1) => {
      compiled ??= compile(define)
      const { text, readers } = compiled.query
      return d1.prepare(text).bind(...readers.map((read) => read(values as Row)))
    },
    mapRows: (rows) => {
      compiled ??= compile(define)
      const { columns, query, toObject } = compiled
      if (columns === undefined) return rows as Out
      // D1 returns the rows of a batch as objects by column name. Two columns with the same name
      // would become one column, and the values after this column would be shifted.
      if (rows[0] && rows[0].length !== columns) {
        throw new Error(`Two columns of one query share a name: ${query.text}`)
      }
      return rows.map(toObject) as Out
    },
  })
}

/** Makes a statement return its first row, or undefined if it has none. */
export const first = <Row>({ bind, mapRows }: Statement<Row[]>): Statement<Row | undefined> => ({
  bind,
  mapRows: (rows) => mapRows(rows)[0],
})

/** Makes a statement return its first row. If it has none, that is a fault of the service. */
export const firstOrFail = <Row>({ bind, mapRows }: Statement<Row[]>): Statement<Row> => ({
  bind,
  mapRows: (rows) => {
    const [row] = mapRows(rows)
    if (row === undefined) throw new Error('A statement returned no row.')
    return row
  },
})

/** The statements of a batch by name, in the order in which they run. One that is falsy is left out. */
export type Statements = Readonly<Record<string, Statement<unknown> | undefined | false>>

export type Results<S extends Statements> = {
  -readonly [K in keyof S]: S[K] extends Statement<infer Out>
    ? Out
    : Exclude<S[K], undefined | false> extends Statement<infer Out>
      ? Out | undefined
      : never
}
