/** What was asked of D1, by D1's own figures, and what it answered. */
export interface Seen {
  /** Round trips: statements alone, and batches. */
  calls: number
  /** The longest chain of calls of which each waited for the one before. */
  depth: number
  rowsRead: number
  rowsWritten: number
  /** `primary`, or the constraint of the session that was asked. */
  places: string[]
  /** By the statement's text. */
  results: Map<string, D1Result>
}

/** The same in figures. */
export type Asked = Omit<Seen, 'results'>

const rowsOf = (result: D1Result | undefined): unknown[][] =>
  (result?.results ?? []).map((row) => Object.values(row as object))

/** A database that notes what it is asked. Two columns of one statement must not share a name. */
export const watch = (db: D1Database): { DB: D1Database; seen: Seen } => {
  const seen: Seen = {
    calls: 0,
    depth: 0,
    rowsRead: 0,
    rowsWritten: 0,
    places: [],
    results: new Map(),
  }
  const bare = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; text: string }>()

  const at = (place: string, source: Pick<D1Database, 'prepare' | 'batch'>) => {
    const calling = async (texts: string[], call: () => Promise<D1Result[]>) => {
      seen.calls++
      seen.places.push(place)
      const depth = seen.depth + 1
      const results = await call()
      seen.depth = Math.max(seen.depth, depth)
      for (const [i, result] of results.entries()) {
        seen.rowsRead += result.meta.rows_read
        seen.rowsWritten += result.meta.rows_written
        seen.results.set(texts[i] ?? '', result)
      }
      return results
    }
    const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
      // raw() and first() would tell rows alone, all() tells what they cost as well.
      const all = async () => (await calling([text], async () => [await statement.all()]))[0]
      const wrapped = {
        bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
        all,
        run: all,
        raw: async () => rowsOf(await all()),
        first: async () => (await all())?.results[0] ?? null,
      } as unknown as D1PreparedStatement
      bare.set(wrapped, { statement, text })
      return wrapped
    }
    return {
      prepare: (text: string) => wrap(source.prepare(text), text),
      batch: (statements: D1PreparedStatement[]) => {
        const asked = statements.flatMap((statement) => bare.get(statement) ?? [])
        return calling(
          asked.map(({ text }) => text),
          () => source.batch(asked.map(({ statement }) => statement)),
        )
      },
    }
  }
  const withSession = (constraint: string) => at(constraint, db.withSession(constraint))
  return { seen, DB: { ...at('primary', db), withSession } as unknown as D1Database }
}

/** A database that answers at once, what it answered before: what is left is our own work. */
export const replay = ({ results }: Seen): D1Database => {
  const known = new Map(
    [...results].map(([text, result]) => [text, { result, rows: rowsOf(result) }]),
  )
  const prepare = (text: string) => {
    const { result, rows } = known.get(text) ?? {}
    const statement = {
      text,
      bind: () => statement,
      all: async () => result,
      run: async () => result,
      raw: async () => rows,
      first: async () => result?.results[0] ?? null,
    }
    return statement
  }
  const batch = async (statements: { text: string }[]) =>
    statements.map(({ text }) => results.get(text))
  const db = { prepare, batch, withSession: () => db }
  return db as unknown as D1Database
}
