import type { DatabaseSync } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { inChunks } from '../import/queries.ts'
import { columnsOf, countRows, ident, rowsOf, schemaOf, tablesOf } from './schema.ts'

/** Returns the rows as values that JSON can hold: a BLOB becomes hexadecimal digits. */
function* jsonRowsOf(copy: DatabaseSync, table: string) {
  for (const row of rowsOf(copy, table)) {
    yield row.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell))
  }
}

const insertInto = (copy: DatabaseSync, table: string): string => {
  const columns = columnsOf(copy, table)
  const values = columns.map(({ type }, i) =>
    type.toUpperCase() === 'BLOB' ? `unhex(value ->> '$[${i}]')` : `value ->> '$[${i}]'`,
  )
  return `INSERT INTO ${ident(table)} (${columns.map(({ name }) => ident(name)).join()})
    SELECT ${values.join()} FROM json_each(?1)`
}

/** Copies schema and rows to an empty database. */
export const restoreInto = async (
  db: D1,
  copy: DatabaseSync,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  const tables = tablesOf(copy)
  const create = (types: string[]) =>
    db.batch(schemaOf(copy, types).map(({ sql }) => db.prepare(sql)))
  const total = tables.reduce((sum, { name }) => sum + countRows(copy, name), 0)
  let done = 0
  const writeRows = async (table: string) => {
    const insert = db.prepare(insertInto(copy, table))
    for (const { json, count } of inChunks(jsonRowsOf(copy, table))) {
      await insert.bind(json).run()
      done += count
      onProgress(done, total)
    }
  }
  await create(['table'])
  for (const { name } of tables) await writeRows(name)
  await db.prepare('DELETE FROM sqlite_sequence').run()
  await writeRows('sqlite_sequence')
  // Triggers are created after the rows, since they would reject some rows or write more.
  await create(['index', 'trigger'])
}
