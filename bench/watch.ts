/** What a contestant asked of D1, and what D1 answered, by the statement's text. */
export interface Seen {
  calls: number
  /** The longest chain of calls of which each waited for the one before. */
  depth: number
  rowsRead: number
  rowsWritten: number
  results: Map<string, { raw?: unknown[][]; all?: D1Result; first?: unknown }>
}

/** A database that notes what it is asked. */
export const watch = (db: D1Database): { DB: D1Database; seen: Seen } => {
  const seen: Seen = { calls: 0, depth: 0, rowsRead: 0, rowsWritten: 0, results: new Map() }
  const bare = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; text: string }>()

  const keep = (text: string, result: object) =>
    seen.results.set(text, { ...seen.results.get(text), ...result })

  const note = ({ meta }: D1Result) => {
    seen.rowsRead += meta.rows_read
    seen.rowsWritten += meta.rows_written
  }

  const calling = async <T>(call: () => Promise<T>): Promise<T> => {
    seen.calls++
    const depth = seen.depth + 1
    const result = await call()
    seen.depth = Math.max(seen.depth, depth)
    return result
  }

  const at = (source: Pick<D1Database, 'prepare' | 'batch'>) => {
    const wrap = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
      // raw() and first() tell rows alone, all() what they cost as well: reads are asked twice.
      const asking = (kind: 'raw' | 'first') => () =>
        calling(async () => {
          note(await statement.all())
          const result = kind === 'raw' ? await statement.raw() : await statement.first()
          keep(text, { [kind]: result })
          return result
        })
      const all = () =>
        calling(async () => {
          const result = await statement.all()
          note(result)
          keep(text, { all: result })
          return result
        })
      const wrapped = {
        bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
        raw: asking('raw'),
        first: asking('first'),
        all,
        run: all,
      } as unknown as D1PreparedStatement
      bare.set(wrapped, { statement, text })
      return wrapped
    }
    return {
      prepare: (text: string) => wrap(source.prepare(text), text),
      batch: (statements: D1PreparedStatement[]) =>
        calling(async () => {
          const asked = statements.flatMap((statement) => bare.get(statement) ?? [])
          const results = await source.batch(asked.map(({ statement }) => statement))
          for (const [i, { text }] of asked.entries()) {
            const result = results[i] as D1Result
            note(result)
            keep(text, { all: result })
          }
          return results
        }),
    }
  }
  const withSession = (constraint: string) => at(db.withSession(constraint))
  return { seen, DB: { ...at(db), withSession } as unknown as D1Database }
}

/** A database that answers at once, what it answered before: what is left is our own work. */
export const replay = ({ results }: Seen): D1Database => {
  const prepare = (text: string) => {
    const known = results.get(text)
    const statement = {
      text,
      bind: () => statement,
      raw: async () => known?.raw,
      first: async () => known?.first,
      all: async () => known?.all,
      run: async () => known?.all,
    }
    return statement
  }
  const batch = async (statements: { text: string }[]) =>
    statements.map(({ text }) => results.get(text)?.all)
  const db = { prepare, batch, withSession: () => db }
  return db as unknown as D1Database
}
