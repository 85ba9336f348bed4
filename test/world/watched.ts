import { env } from 'cloudflare:workers'

/** The service's own database, and what was seen of it from outside: by D1's own figures. */
export const watchedDatabase = () => {
  const seen = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, places: new Set<string>() }
  const bare = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

  const note = (place: string, results: D1Result[]) => {
    seen.roundTrips++
    seen.places.add(place)
    for (const { meta } of results) {
      seen.rowsRead += meta.rows_read
      seen.rowsWritten += meta.rows_written
    }
  }

  const at = (place: string, db: Pick<D1Database, 'prepare' | 'batch'>) => {
    const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
      const wrapped = Object.assign(Object.create(statement), {
        bind: (...values: unknown[]) => wrap(statement.bind(...values)),
        // raw() tells rows alone, run() what they cost as well.
        raw: async () => {
          const result = await statement.run<object>()
          note(place, [result])
          return result.results.map(Object.values)
        },
      })
      bare.set(wrapped, statement)
      return wrapped
    }
    return {
      prepare: (text: string) => wrap(db.prepare(text)),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await db.batch(statements.map((s) => bare.get(s) ?? s))
        note(place, results)
        return results
      },
    }
  }
  const withSession = (constraint: string) => at(constraint, env.DB.withSession(constraint))
  return { seen, DB: { ...at('primary', env.DB), withSession } as unknown as D1Database }
}
