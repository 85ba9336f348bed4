import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { stopClock } from '../support/clock/clock.ts'
import { readColumns } from '../support/dump.ts'
import { fillService } from '../support/filled-service.ts'
import { tablesWith } from '../support/table-facts.ts'

const CHANGEABLE_TABLES = tablesWith('changes')

/** Columns that no rule depends on. */
const CHANGEABLE_COLUMNS = ['attendance_logs.updated_at', 'log_comments.updated_at']

/** Columns that a cancellation sets once. They must not change in cancelled closings. */
const CANCELLED = ['closings.cancelled_at', 'closings.cancelled_by']

/** Returns the statement's error. The batch always fails afterwards, so nothing is changed. */
const errorOf = (text: string): Promise<string> =>
  env.DB.batch([env.DB.prepare(text), env.DB.prepare(`SELECT json_extract('{}', 'rolled back')`)])
    .then(() => 'nothing failed')
    .catch((error: Error) => error.message)

it('rejects every change, replacement and deletion in every other table', async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  await fillService()
  const columnsByTable = Map.groupBy(await readColumns(), ({ table }) => table)
  expect([...columnsByTable.keys()]).toEqual(expect.arrayContaining(CHANGEABLE_TABLES))

  const accepted: [attack: string, error: string][] = []
  for (const [table, columns] of columnsByTable) {
    if (CHANGEABLE_TABLES.includes(table)) continue
    const attacks = [
      `DELETE FROM ${table}`,
      `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`,
      `INSERT INTO ${table} SELECT * FROM ${table} WHERE true
       ON CONFLICT DO UPDATE SET ${columns[0]?.column} = 0`,
      ...columns
        .map(({ column }) => ({ column, name: `${table}.${column}` }))
        .filter(({ name }) => !CHANGEABLE_COLUMNS.includes(name))
        .map(({ column, name }) => {
          const rows = CANCELLED.includes(name) ? `${column} IS NOT NULL` : 'true'
          return `UPDATE ${table} SET ${column} = coalesce(${column}, '') || '1' WHERE ${rows}`
        }),
    ]
    for (const attack of attacks) {
      const error = await errorOf(attack)
      // Only a trigger rejects every change. Another constraint rejects only some values.
      if (!error.includes('SQLITE_CONSTRAINT_TRIGGER')) accepted.push([attack, error])
    }
  }
  expect(accepted).toEqual([])
})
