import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { stopClock } from '../support/clock.ts'
import { readColumns } from '../support/dump.ts'
import { fillService } from '../support/filled-service.ts'

/** Tables whose rows may change: an operator manages them, or a newer state replaces the older. */
const CHANGEABLE_TABLES = [
  ...['clients', 'config_entries', 'modules', 'employees', 'users', 'revoked_tokens'],
  ...['employee_sources', 'intake_problems', 'intake_sources', 'notify_state', 'invitations'],
]

const ROLLED_BACK = 'rolled_back'

/** Returns the statement's error. The batch always fails afterwards, so nothing is changed. */
const errorOf = (text: string): Promise<string> =>
  env.DB.batch([
    env.DB.prepare(text),
    env.DB.prepare(`SELECT json_extract('{}', '${ROLLED_BACK}')`),
  ])
    .then(() => 'nothing failed')
    .catch((error: Error) => error.message)

it('rejects every change, replacement and deletion in every other table', async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  await fillService()
  const columnsByTable = Map.groupBy(await readColumns(), ({ table }) => table)
  expect([...columnsByTable.keys()]).toEqual(expect.arrayContaining(CHANGEABLE_TABLES))

  const accepted: string[] = []
  for (const [table, columns] of columnsByTable) {
    if (CHANGEABLE_TABLES.includes(table)) continue
    const attacks = [
      `DELETE FROM ${table}`,
      `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table}`,
      ...columns.map(
        ({ column }) => `UPDATE ${table} SET ${column} = coalesce(${column}, '') || '1'`,
      ),
    ]
    for (const attack of attacks) {
      if ((await errorOf(attack)).includes(ROLLED_BACK)) accepted.push(attack)
    }
  }
  expect(accepted).toEqual([])
})
