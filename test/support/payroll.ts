import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { call, type TestResponse } from './api.ts'
import { parseLines } from './lines.ts'

/** The requests of a payroll user, and their responses. */

const V2 = '/v2/incidents'

export interface PaidLine {
  employee_id: string
  day: string
  of_period: number
  worked_seconds: number | null
  paid_before_seconds: number
  difference_seconds: number
  held_seconds: number
  held_by: number | null
  [column: string]: unknown
}

const rowsOf = <Line>({ status, text }: TestResponse): Line[] => {
  expect(status, text).toBe(200)
  return parseLines(text)
}

type Row = Record<string, unknown>

export const payrollOf = (token: string, env: Partial<Env> = {}) => {
  const send = (method: string, path: string, body?: unknown) =>
    call(method, `${V2}${path}`, { token, env, body })
  const linesOf = async <Line>(id: number, by = ''): Promise<Line[]> =>
    rowsOf(await send('GET', `/closings/${id}/lines?format=ndjson${by}`))
  return {
    send,
    close: (body: object) => send('POST', '/closings', body),
    closed: async (body: object) => {
      const res = await send('POST', '/closings', body)
      expect(res.status, res.text).toBe(200)
      return res.body.data
    },
    preview: (query: string) => send('GET', `/closings/preview?${query}`),
    cancel: (id: number, comment = 'Por error.') =>
      send('POST', `/closings/${id}/cancel`, { comment }),
    review: (body: object) => send('POST', '/hours/reviews', body),
    lines: (id: number) => linesOf<PaidLine>(id),
    persons: (id: number) => linesOf<Row>(id, '&by=employee'),
    weeks: (id: number) => linesOf<Row>(id, '&by=week'),
    hours: async (query: string) => rowsOf<Row>(await send('GET', `/hours?format=ndjson&${query}`)),
  }
}

export type Payroll = ReturnType<typeof payrollOf>

/** The seconds that active closings have paid, by person and day. */
export const paidDays = async (): Promise<Map<string, number>> => {
  const { results } = await env.DB.prepare(
    `SELECT line.employee_id, line.day, sum(line.difference_seconds) AS seconds
     FROM closing_lines AS line JOIN closings AS c ON c.id = line.closing_id
     WHERE c.completed_at IS NOT NULL AND c.cancelled_at IS NULL
     GROUP BY line.employee_id, line.day`,
  ).all<{ employee_id: string; day: string; seconds: number }>()
  return new Map(results.map((row) => [`${row.employee_id} ${row.day}`, row.seconds]))
}
