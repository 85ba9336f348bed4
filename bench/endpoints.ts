import { SMALLEST } from '../test/support/populate.ts'

/** An endpoint that the benchmark measures. */
export interface Endpoint {
  name: string
  path: string
  /** The user whose token is sent. */
  as?: 'admin' | 'employee'
  /** The body of the i-th request, a POST; without it, a GET is sent. */
  body?(i: number): unknown
  /**
   * Ratios to the baseline, where it has the endpoint: the goal and the gate on the simulated D1,
   * and the goal of our own work, with D1 stubbed.
   */
  compared?: { goal: number; gate: number; ownGoal: number }
  /** About how many times the work of another endpoint one request is; its blocks are shorter. */
  weight?: number
  /** How much slower it may be among a million logs, clients and users than among a hundred. */
  growth: number
}

const READ = { compared: { goal: 1.05, gate: 1.25, ownGoal: 1.3 }, growth: 1.25 }

/**
 * The number of logs that are changed repeatedly; the others keep a short history. Not a multiple
 * of the number of statuses, so that each change of a log is to another status.
 */
const CHANGED = 91

const DAY_MS = 86_400_000

/** A second of its own for each request, 40 days ago. In workerd no time passes at module load. */
const secondOf = (i: number): string =>
  new Date((Math.floor(Date.now() / DAY_MS) - 40) * DAY_MS + i * 1000).toISOString()

const STATUSES = ['approved', 'rejected', 'pending']
const decisionOf = (i: number) => ({ status: STATUSES[i % 3], comment: `Revisado ${i}` })

/** The last one adds logs, so that the others are measured among as many as each size says. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'modules_enabled', path: '/v2/clients/modules_enabled', ...READ },
  {
    name: 'validate-code',
    path: '/v2/clients/validate-code',
    body: (i) => ({ code: `C-${(i % SMALLEST) + 1}` }),
    ...READ,
  },
  { name: 'config', path: '/v2/clients/config/logo', ...READ },
  { name: 'me', path: '/auth/me', as: 'employee', ...READ },
  {
    name: 'change_log_status',
    path: '/v2/incidents/change_log_status',
    as: 'admin',
    body: (i) => ({ log_id: (i % CHANGED) + 1, ...decisionOf(i) }),
    // The baseline authorizes and then writes: two round trips, where the service has one.
    compared: { goal: 0.7, gate: 0.85, ownGoal: 1.45 },
    growth: 1.25,
  },
  {
    name: 'change_logs_status (10)',
    path: '/v2/incidents/change_logs_status',
    as: 'admin',
    body: (i) => ({
      log_ids: Array.from({ length: 10 }, (_, n) => ((i * 10 + n) % CHANGED) + 1),
      ...decisionOf(i),
    }),
    // Ten logs share a page of each of the five indexes in a table of 100, but not in larger ones.
    growth: 2,
  },
  { name: 'logs (10)', path: '/v2/incidents/logs?limit=10', as: 'admin', growth: 1.25 },
  { name: 'logs/{log_id}', path: `/v2/incidents/logs/${SMALLEST}`, as: 'admin', growth: 1.25 },
  {
    name: 'intake (100)',
    path: '/v2/incidents/logs',
    as: 'admin',
    body: (i) => ({
      source: 'reloj',
      logs: Array.from({ length: 100 }, (_, n) => ({
        source_id: `AX1:${n}:${i}`,
        employee_id: `P-${(n % SMALLEST) + 1}`,
        kind: 'checada',
        recorded_at: secondOf(i),
      })),
    }),
    compared: { goal: 0.95, gate: 1.25, ownGoal: 1.6 },
    growth: 2,
    weight: 20,
  },
]

const file = (name: string): Endpoint => ({
  name: `${name} (a month)`,
  path: `/v2/incidents/${name}?format=ndjson&from=2026-01-01&to=2026-01-31`,
  as: 'admin',
  growth: Number.NaN,
})

/** Two files of the same logs, compared with each other. */
export const FILES: readonly Endpoint[] = [file('export'), file('hours')]

/** The i-th request, as a phone or a browser sends it. */
export const requestOf = (
  { path, as, body }: Endpoint,
  tokens: Record<'admin' | 'employee', string>,
  i: number,
): Request => {
  const text = body && JSON.stringify(body(i))
  return new Request(`http://localhost/api${path}`, {
    method: text ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      ...(as && { Authorization: `Bearer ${tokens[as]}` }),
      ...(text && { 'Content-Length': String(new TextEncoder().encode(text).length) }),
    },
    ...(text && { body: text }),
  })
}
