import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { get } from '../support/api.ts'
import { anAdmin } from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

const LIMIT = 50

const cursor = (...position: [recorded_at: string, id: number]) =>
  `cursor=${btoa(JSON.stringify(position)).replace(/=+$/, '')}`

/** The options for each part of a query. '' leaves the part out. */
const PARTS: string[][] = [
  [`limit=${LIMIT}`],
  ['', 'status=approved', 'status=rejected'],
  ['', 'kind=entrada', 'kind=salida'],
  [
    '',
    'employee_id=X-5',
    'branch_office=Norte',
    'branch_office=%C3%9Anica',
    'department=Ventas',
    'department=Rara',
    'branch_office=Norte&department=Ventas',
    'branch_office=%C3%9Anica&department=Rara',
    'employee_id=X-5&department=Rara',
  ],
  ['', 'from=2026-01-02&to=2026-01-04'],
  [
    'order=oldest',
    `order=oldest&${cursor('2026-01-06T00:00:00.000Z', 1)}`,
    'order=newest',
    `order=newest&${cursor('2026-01-02T12:00:00.000Z', 9e9)}`,
  ],
]

/** `populate` divides the logs evenly among the employees. */
const LOGS_PER_PERSON = 100_000 / 200

const QUERIES = PARTS.reduce<string[]>(
  (queries, values) =>
    queries.flatMap((query) => values.map((value) => [query, value].filter(Boolean).join('&'))),
  [''],
)

describe('at a hundred thousand logs', () => {
  const populate = async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
       INSERT INTO employees (employee_id, full_name, rfc, phone, cellphone, started_at,
         job_position, department, branch_office, profile_image) SELECT printf('X-%d', i), 'Ñ', '', '', '', '2020-01-01', '',
         CASE WHEN i = 7 THEN 'Rara' WHEN i % 2 THEN 'Ventas' ELSE 'Almacén' END,
         CASE WHEN i = 9 THEN 'Única' WHEN i % 3 THEN 'Norte' ELSE 'Sur' END, '' FROM n`,
    ).run()
    for (let from = 0; from < 100_000; from += 20_000) {
      await env.DB.prepare(
        `WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + 19999)
         INSERT INTO attendance_logs (employee_id, kind, recorded_at, status, branch_office, department)
         SELECT e.employee_id, CASE WHEN i % 1000 = 3 THEN 'salida' ELSE 'entrada' END,
           strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 10 * 60, 'unixepoch'),
           CASE WHEN i % 5000 = 1 THEN 'rejected' WHEN i % 50 = 0 THEN 'pending' ELSE 'approved' END,
           e.branch_office, e.department
         FROM n JOIN employees e ON e.employee_id = printf('X-%d', i % 200)`,
      )
        .bind(from)
        .run()
    }
  }

  it('reads rows in proportion to the page: any filters, first pages and deep ones', async () => {
    await populate()
    const { token } = await anAdmin()
    let worst = 0
    for (const query of QUERIES) {
      const { recording, DB } = recordQueries(env.DB)
      const res = await get(`/v2/incidents/logs?${query}`, { token, env: { DB } })
      expect(res.status, query).toBe(200)
      // A query makes nine scans. Each reads at most a page plus one row. Then the page is read.
      // With an employee and a branch or department, a scan reads all logs of that employee.
      const isMixed = /employee_id/.test(query) && /department|branch_office/.test(query)
      const bound = isMixed ? LOGS_PER_PERSON + 2 * LIMIT : 11 * (LIMIT + 1)
      expect(recording.rowsRead, query).toBeLessThanOrEqual(bound)
      worst = Math.max(worst, recording.rowsRead)
    }
    expect(worst).toBeGreaterThan(LIMIT)
  })
})
