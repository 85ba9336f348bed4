/** The figures and results of the queries that were sent to D1. */
export interface Recording {
  /** The number of round trips. A batch is one round trip. */
  calls: number
  /** The number of calls in the longest chain in which each call follows the end of another. */
  depth: number
  rowsRead: number
  rowsWritten: number
  /** The database of each call: `primary`, or the constraint of the session. */
  places: string[]
  /** The results by statement text. */
  results: Map<string, D1Result>
}

export type QueryFigures = Omit<Recording, 'results'>

const rowsOf = (result: D1Result | undefined): unknown[][] =>
  (result?.results ?? []).map((row) => Object.values(row as object))

/** A database that records its queries. No two columns of a statement may have the same name. */
export const recordQueries = (db: D1Database): { DB: D1Database; recording: Recording } => {
  const recording: Recording = {
    calls: 0,
    depth: 0,
    rowsRead: 0,
    rowsWritten: 0,
    places: [],
    results: new Map(),
  }
  const originals = new WeakMap<
    D1PreparedStatement,
    { statement: D1PreparedStatement; text: string }
  >()

  const at = (place: string, source: Pick<D1Database, 'prepare' | 'batch'>) => {
    const record = async (texts: string[], call: () => Promise<D1Result[]>) => {
      recording.calls++
      recording.places.push(place)
      const depth = recording.depth + 1
      const results = await call()
      recording.depth = Math.max(recording.depth, depth)
      for (const [i, result] of results.entries()) {
        recording.rowsRead += result.meta.rows_read
        recording.rowsWritten += result.meta.rows_written
        recording.results.set(texts[i] ?? '', result)
      }
      return results
    }
    const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
      // all() is the only method that returns both the figures and the rows.
      const all = async () => (await record([text], async () => [await statement.all()]))[0]
      const wrapped = {
        bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
        all,
        run: all,
        raw: async () => rowsOf(await all()),
        first: async () => (await all())?.results[0] ?? null,
      } as unknown as D1PreparedStatement
      originals.set(wrapped, { statement, text })
      return wrapped
    }
    return {
      prepare: (text: string) => wrap(source.prepare(text), text),
      batch: (statements: D1PreparedStatement[]) => {
        const wrapped = statements.flatMap((statement) => originals.get(statement) ?? [])
        return record(
          wrapped.map(({ text }) => text),
          () => source.batch(wrapped.map(({ statement }) => statement)),
        )
      },
    }
  }
  const withSession = (constraint: string) => at(constraint, db.withSession(constraint))
  return { recording, DB: { ...at('primary', db), withSession } as unknown as D1Database }
}

/** A database that returns recorded results immediately, to measure the Worker without D1. */
export const replay = ({ results }: Recording): D1Database => {
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
