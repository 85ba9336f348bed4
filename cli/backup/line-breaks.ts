import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'
import { columnsOf, quoteName, schemaOf, tablesOf } from './schema.ts'

const KEYS_AT_ONCE = 100

type Key = SQLInputValue[]

/** Drops the triggers during the work, since some of them reject changes. */
const withoutTriggers = async (db: DatabaseSync, work: () => Promise<void>): Promise<void> => {
  const triggers = schemaOf(db, ['trigger'])
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoteName(name)}`)
  await work()
  for (const { sql } of triggers) db.exec(sql)
}

const repairColumn = async (
  source: D1,
  copy: DatabaseSync,
  table: string,
  column: string,
  key: readonly string[],
): Promise<void> => {
  const keyJson = `json_array(${key.join()})`
  const suspectsText = `SELECT ${keyJson} AS key FROM ${table}
    WHERE instr(${column}, char(10)) OR instr(${column}, char(13))`
  const rows = copy.prepare(suspectsText).all()
  const suspects = rows.map((row) => JSON.parse(String(row.key)) as Key)
  const select = `SELECT ${keyJson} AS key, ${column} AS text FROM ${table}
    WHERE (${key.join()}) IN (SELECT ${key.map((_, i) => `value ->> '$[${i}]'`).join()} FROM json_each(?1))`
  const where = key.map((name) => `${name} = ?`).join(' AND ')
  const update = copy.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`)
  for (let i = 0; i < suspects.length; i += KEYS_AT_ONCE) {
    const keys = JSON.stringify(suspects.slice(i, i + KEYS_AT_ONCE))
    for (const row of await readRows<{ key: string; text: string }>(source, select, keys)) {
      update.run(row.text, ...(JSON.parse(row.key) as Key))
    }
  }
}

/**
 * Copies each text that has a line break from the database again. Wrangler's export writes a line
 * break as the two characters `\n`. Loading the export turns each `\n` into a line break, even if
 * the text had these two characters before.
 */
export const repairLineBreaks = (source: D1, copy: DatabaseSync): Promise<void> =>
  withoutTriggers(copy, async () => {
    for (const { name } of tablesOf(copy)) {
      const columns = columnsOf(copy, name)
      const key = columns.filter(({ pk }) => pk > 0).map((column) => quoteName(column.name))
      for (const column of columns.filter(({ type }) => type.toUpperCase() === 'TEXT')) {
        await repairColumn(source, copy, quoteName(name), quoteName(column.name), key)
      }
    }
  })
