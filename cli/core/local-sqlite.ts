import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import type { Target } from './database.ts'
import { checkLocal, LOCK_MS, localFile } from './opening-check.ts'
import { withDatabase } from './program.ts'

/** D1's interface to an open file, as far as reading commands need it. */
export const d1Of = (file: DatabaseSync): D1 => {
  const statement = (text: string, values: unknown[]) => {
    // SQLite takes ?1 for the name of a parameter.
    const named = Object.fromEntries(values.map((value, i) => [`?${i + 1}`, value]))
    const rows = () => file.prepare(text).all(named as Record<string, SQLInputValue>)
    return {
      rows,
      bind: (...more: unknown[]) => statement(text, more),
      all: async () => ({ results: rows(), meta: {} }),
      raw: async () => rows().map((row) => Object.values(row)),
    }
  }
  const batch = async (statements: ReturnType<typeof statement>[]) => {
    file.exec('BEGIN')
    try {
      // Without a pause, in which another batch could begin.
      const results = statements.map((one) => ({ results: one.rows(), meta: {} }))
      file.exec('COMMIT')
      return results
    } finally {
      if (file.isTransaction) file.exec('ROLLBACK')
    }
  }
  return { prepare: (text: string) => statement(text, []), batch } as unknown as D1
}

/**
 * Opens a reading command's database like `withDatabase`, but the local one without wrangler, which
 * takes 400 MB of memory and passes each row through two processes.
 */
export const withReader = async (target: Target, work: (db: D1) => Promise<void>) => {
  if (target.installation !== undefined) return withDatabase(target, work)
  checkLocal(target, {})
  const file = new DatabaseSync(localFile(target.persistTo), { timeout: LOCK_MS })
  try {
    await work(d1Of(file))
  } finally {
    file.close()
  }
}
