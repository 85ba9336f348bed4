import { fillPlaceholders, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'

/** What a statement needs of D1: the database or one of its sessions. */
export interface D1 extends Pick<D1Database, 'prepare' | 'batch'> {
  /** Told of each round trip, where somebody counts them. */
  onRoundTrip?(): void
}

/** The values of a query, by name, wherever drizzle takes a value or an expression. */
export type Slots<In> = { [K in keyof In]: Placeholder<string, In[K]> & SQL<In[K]> }

/** A compiled query with its values: ready to run alone or in a batch. */
export interface Statement<Out> {
  bind(d1: D1): D1PreparedStatement
  /** Maps rows, given as arrays in column order, to what drizzle would return. */
  read(rows: unknown[][]): Out
}

interface Compiled<Out> {
  getQuery(): Query
  mapResult(rows: unknown[][]): unknown
  execute(): Promise<Out>
  fields?: readonly unknown[]
}

/** Drizzle as a compiler only: it writes SQL and maps rows, and never reaches a database. */
export const build = drizzle({ prepare: () => null } as unknown as D1Database)

const slots = new Proxy({}, { get: (_, name: string) => sql.placeholder(name) })

/** Compiles a query once, at module load; each call binds its values. */
export const query = <In extends object, Out>(
  define: (slot: Slots<In>) => { prepare(): Compiled<Out> },
): ((values: In) => Statement<Out>) => {
  const compiled = define(slots as Slots<In>).prepare()
  const { sql: text, params } = compiled.getQuery()
  return (values) => ({
    bind: (d1) =>
      d1.prepare(text).bind(...fillPlaceholders(params, values as Record<string, unknown>)),
    read: (rows) => {
      // D1 keys the rows of a batch by column name: equal names collapse, and values would shift.
      if (rows[0] && compiled.fields && rows[0].length !== compiled.fields.length) {
        throw new Error(`Two columns of one query share a name: ${text}`)
      }
      return compiled.mapResult(rows) as Out
    },
  })
}

/** Runs one statement: one round trip. */
export const run = async <Out>(d1: D1, statement: Statement<Out>): Promise<Out> => {
  d1.onRoundTrip?.()
  return statement.read(await statement.bind(d1).raw())
}

export type Statements = readonly Statement<unknown>[]

export type Outs<S extends Statements> = {
  -readonly [K in keyof S]: S[K] extends Statement<infer Out> ? Out : never
}

/** Sends statements together, and returns what each one read. */
export type Ask = <const S extends Statements>(...statements: S) => Promise<[...Outs<S>]>

/** One round trip, one transaction: all of the statements or none. */
export const batch = async <const S extends Statements>(
  d1: D1,
  ...statements: S
): Promise<Outs<S>> => {
  d1.onRoundTrip?.()
  const results = await d1.batch<Record<string, unknown>>(statements.map((s) => s.bind(d1)))
  return statements.map((s, i) => s.read(results[i]?.results.map(Object.values) ?? [])) as Outs<S>
}
