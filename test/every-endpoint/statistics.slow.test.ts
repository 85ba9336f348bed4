import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { get } from '../support/api.ts'
import { resetDatabase } from '../support/database.ts'
import { aLog, anAdmin, anEmployee } from '../support/factories.ts'
import { populate } from '../support/populate.ts'
import { recordQueries } from '../support/record-queries.ts'

const rowsRead = async (path: string, token: string): Promise<number> => {
  const { recording, DB } = recordQueries(env.DB)
  const res = await get(path, { token, env: { DB } })
  expect(res.status, path).toBe(200)
  return recording.rowsRead
}

const PATHS = [
  '/v2/incidents/logs?limit=20',
  '/v2/incidents/logs?limit=20&employee_id=P-7&branch_office=Norte',
  '/v2/incidents/logs/5',
  '/v2/incidents/logs/summary',
  '/v2/incidents/logs/summary?status=pending',
  '/v2/incidents/logs/summary?department=Ventas&from=2026-01-01&to=2026-01-02',
  '/v2/incidents/export?format=ndjson&from=2026-01-01&to=2026-01-01',
]

const auditLogs = (from: number, to: number) =>
  env.DB.prepare(
    `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, created_at,
       employee_id, kind, recorded_at, source, actor)
     SELECT 'decided', id, 1, 'pending', 'approved', recorded_at, employee_id, kind, recorded_at,
       source, 'x' FROM attendance_logs WHERE id BETWEEN ? AND ?`,
  )
    .bind(from, to)
    .run()

const analyze = () => env.DB.prepare('ANALYZE').run()

/** ANALYZE runs before or after the logs are decided. */
const STATISTICS: [string, { before?: boolean; after?: boolean }][] = [
  ['current ones', { after: true }],
  ['outdated ones, taken before the logs were decided', { before: true }],
]

describe('the rows that a query reads', () => {
  const rowsReadAt = async ({ before, after }: { before?: boolean; after?: boolean }) => {
    await resetDatabase()
    await populate(env.DB, 0, 5_000)
    const { token } = await anAdmin()
    await auditLogs(1, 1)
    if (before) await analyze()
    await auditLogs(2, 5_000)
    if (after) await analyze()
    const rows: [string, number][] = []
    for (const path of PATHS) rows.push([path, await rowsRead(path, token)])
    return rows
  }

  it.each(STATISTICS)('do not grow with statistics: %s', async (_, when) => {
    const without = new Map(await rowsReadAt({}))
    for (const [path, rows] of await rowsReadAt(when)) {
      // With statistics, SQLite may use a skip-scan of an index, which reads a few more rows.
      expect(rows, path).toBeLessThan(1.1 * (without.get(path) ?? 0) + 20)
    }
  })
})

it('the summary without filters reads only an index', async () => {
  const { token } = await anAdmin()
  const { employee_id } = await anEmployee()
  for (let i = 0; i < 10; i++) await aLog({ employee_id })
  // Ten entries of the index, and a few rows to authorize the caller.
  expect(await rowsRead('/v2/incidents/logs/summary', token)).toBeLessThanOrEqual(16)
})
