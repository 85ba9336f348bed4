import { SMALLEST } from '../test/support/populate.ts'

/** An endpoint that the benchmark measures. */
export interface Endpoint {
  name: string
  method: 'GET' | 'POST'
  path: string
  /** The user whose token is sent. */
  as?: 'admin' | 'employee'
  /** The body of the i-th request. */
  body?(i: number): unknown
  /** Whether the baseline implements it. */
  baseline: boolean
  /** The goal and the gate, as ratios to the baseline on the simulated D1. */
  goal: number
  gate: number
  /** The goal of our own work, with D1 stubbed. */
  ownGoal: number
  /** About how many times the work of another endpoint one request is; its blocks are shorter. */
  weight?: number
  /** How much slower it may be among a million logs, clients and users than among a hundred. */
  growth: number
}

const READ = { baseline: true, goal: 1.05, gate: 1.25, ownGoal: 1.3, growth: 1.25 }

/** The baseline authorizes and then writes: two round trips, where the service has one. */
const CHANGE = { baseline: true, goal: 0.7, gate: 0.85, ownGoal: 1.45, growth: 1.25 }

/** Without a baseline: only its growth is measured. */
const GROWTH_ONLY = {
  baseline: false,
  goal: Number.NaN,
  gate: Number.NaN,
  ownGoal: Number.NaN,
  growth: 1.25,
}

/** Ten logs share a page of each of the five indexes in a table of 100, but not in larger ones. */
const BULK = { ...GROWTH_ONLY, growth: 2 }

/**
 * The number of logs that are changed repeatedly; the others keep a short history. Not a multiple
 * of the number of statuses, so that each change of a log is to another status.
 */
const CHANGED = 91

/** Items of one intake call, each of another employee. */
const ITEMS = 100

const DAY_MS = 86_400_000

/** A second of its own for each request, 40 days ago. In workerd no time passes at module load. */
const secondOf = (i: number): string =>
  new Date((Math.floor(Date.now() / DAY_MS) - 40) * DAY_MS + i * 1000).toISOString()

const STATUSES = ['approved', 'rejected', 'pending']
const statusOf = (i: number) => STATUSES[i % STATUSES.length]

export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'modules_enabled', method: 'GET', path: '/v2/clients/modules_enabled', ...READ },
  {
    name: 'validate-code',
    method: 'POST',
    path: '/v2/clients/validate-code',
    body: (i) => ({ code: `C-${(i % SMALLEST) + 1}` }),
    ...READ,
  },
  { name: 'config', method: 'GET', path: '/v2/clients/config/logo', ...READ },
  { name: 'me', method: 'GET', path: '/auth/me', as: 'employee', ...READ },
  {
    name: 'change_log_status',
    method: 'POST',
    path: '/v2/incidents/change_log_status',
    as: 'admin',
    body: (i) => ({ log_id: (i % CHANGED) + 1, status: statusOf(i), comment: `Revisado ${i}` }),
    ...CHANGE,
  },
  {
    name: 'intake (100)',
    method: 'POST',
    path: '/v2/incidents/logs',
    as: 'admin',
    body: (i) => ({
      source: 'reloj',
      logs: Array.from({ length: ITEMS }, (_, n) => ({
        source_id: `AX1:${n}:${i}`,
        employee_id: `P-${(n % SMALLEST) + 1}`,
        kind: 'checada',
        recorded_at: secondOf(i),
      })),
    }),
    ...READ,
    goal: 0.95,
    ownGoal: 1.6,
    growth: 2,
    weight: 20,
  },
  {
    name: 'change_logs_status (10)',
    method: 'POST',
    path: '/v2/incidents/change_logs_status',
    as: 'admin',
    body: (i) => ({
      log_ids: Array.from({ length: 10 }, (_, n) => ((i * 10 + n) % CHANGED) + 1),
      status: statusOf(i),
      comment: `Revisado ${i}`,
    }),
    ...BULK,
  },
  {
    name: 'logs (10)',
    method: 'GET',
    path: '/v2/incidents/logs?limit=10',
    as: 'admin',
    ...GROWTH_ONLY,
  },
  {
    name: 'logs/{log_id}',
    method: 'GET',
    path: `/v2/incidents/logs/${SMALLEST}`,
    as: 'admin',
    ...GROWTH_ONLY,
  },
]

const MONTH = 'format=ndjson&from=2026-01-01&to=2026-01-31'

/** Two files of the same logs, compared with each other: hours take at most twice the export. */
export const FILES: readonly Endpoint[] = [
  {
    name: 'export (a month)',
    method: 'GET',
    path: `/v2/incidents/export?${MONTH}`,
    as: 'admin',
    ...GROWTH_ONLY,
  },
  {
    name: 'hours (a month)',
    method: 'GET',
    path: `/v2/incidents/hours?${MONTH}`,
    as: 'admin',
    ...GROWTH_ONLY,
  },
]

/** The i-th request, as a phone or a browser sends it. */
export const requestOf = (
  { method, path, as, body }: Endpoint,
  tokens: Record<'admin' | 'employee', string>,
  i: number,
) => {
  const text = body && JSON.stringify(body(i))
  return {
    method,
    path: `/api${path}`,
    headers: {
      'Content-Type': 'application/json',
      ...(as && { Authorization: `Bearer ${tokens[as]}` }),
      ...(text && { 'Content-Length': String(new TextEncoder().encode(text).length) }),
    },
    ...(text && { body: text }),
  }
}
