import type { DatabaseSync } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { inChunks } from '../core/chunks.ts'
import { UNFINISHED_RESTORE_TABLE } from '../core/opening-check.ts'
import { readSchema } from './compare.ts'
import {
  columnsOf,
  countRows,
  MIGRATIONS_TABLE,
  quoteName,
  rowsOf,
  type SchemaEntry,
  schemaOf,
  tablesOf,
} from './schema.ts'

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
  return `INSERT INTO ${quoteName(table)} (${columns.map(({ name }) => quoteName(name)).join()})
    SELECT ${values.join()} FROM json_each(?1)`
}

/**
 * Drops the tables that a migration or an interrupted restore has left. Drops `d1_migrations`
 * first, so that the database does not look ready. The other tables follow in reverse order of
 * creation, so that children are dropped before their parents.
 */
const dropAll = async (db: D1): Promise<void> => {
  const tables = (await readSchema(db)).filter(({ type }) => type === 'table').reverse()
  const order = ({ name }: SchemaEntry) => Number(name !== MIGRATIONS_TABLE)
  for (const { name } of tables.sort((a, b) => order(a) - order(b))) {
    if (name !== UNFINISHED_RESTORE_TABLE) await db.prepare(`DROP TABLE ${quoteName(name)}`).run()
  }
}

/**
 * Copies the schema and the rows to a database, except `d1_migrations`. Until `finishRestore`, the
 * database is marked as unfinished.
 */
export const restoreInto = async (
  db: D1,
  copy: DatabaseSync,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  const tables = tablesOf(copy).filter(({ name }) => name !== MIGRATIONS_TABLE)
  const create = (entries: readonly SchemaEntry[]) =>
    db.batch(entries.map(({ sql }) => db.prepare(sql)))
  const total = tables.reduce((sum, { name }) => sum + countRows(copy, name), 0)
  let done = 0
  const writeRows = async (table: string) => {
    const insert = db.prepare(insertInto(copy, table))
    for (const { json, rows } of inChunks(jsonRowsOf(copy, table))) {
      await insert.bind(json).run()
      done += rows.length
      onProgress(done, total)
    }
  }
  await db.prepare(`CREATE TABLE IF NOT EXISTS ${UNFINISHED_RESTORE_TABLE} (id INTEGER)`).run()
  await dropAll(db)
  await create(tables)
  for (const { name } of tables) await writeRows(name)
  await db.prepare('DELETE FROM sqlite_sequence').run()
  await writeRows('sqlite_sequence')
  // Triggers are created after the rows, since triggers would reject some rows or add others.
  await create(schemaOf(copy, ['index', 'trigger']))
}

/**
 * Writes the migrations and removes the mark of an unfinished restore, in one transaction. After
 * that, commands accept the database.
 */
export const finishRestore = async (db: D1, copy: DatabaseSync): Promise<void> => {
  const [migrations] = schemaOf(copy, ['table']).filter(({ name }) => name === MIGRATIONS_TABLE)
  const [rows] = inChunks(jsonRowsOf(copy, MIGRATIONS_TABLE))
  if (!migrations || !rows) throw new Error('The backup has no migrations.')
  await db.batch([
    // `wrangler d1 migrations list` creates this table.
    db.prepare(`DROP TABLE IF EXISTS ${MIGRATIONS_TABLE}`),
    db.prepare(migrations.sql),
    db.prepare(insertInto(copy, MIGRATIONS_TABLE)).bind(rows.json),
    db.prepare(`DROP TABLE ${UNFINISHED_RESTORE_TABLE}`),
  ])
}
