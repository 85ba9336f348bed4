import { PASSWORD, SMALLEST_SIZE } from '../test/support/populate.ts'

/** What a block of requests sends. */
export interface Requests {
  name: string
  path: string
  /** The user whose token is sent. */
  as?: 'admin' | 'employee'
  /** Returns the body of the i-th request, a POST. Without this function, a GET is sent. */
  body?(i: number): unknown
  /** How heavy a request is, 1 by default. A block has fewer requests if they are heavier. */
  weight?: number
  /** How many requests are sent at once. Their 95th percentile is measured. */
  atOnce?: number
  /** A second request, which undoes the first one. `data` is that of the first response. */
  undo?(data: { id: number }): { path: string; body: unknown }
}

export interface Endpoint extends Requests {
  /**
   * The largest allowed ratios to the baseline, of the time and of the own work, if the baseline has
   * the endpoint.
   */
  compared?: { time: number; ownWork: number }
  /** The largest allowed ratio of the time with a million rows to the time with a hundred rows. */
  growth: number
}

export interface More extends Requests {
  /** The people are those of `populatePeople`. */
  basis: 'baseline' | '100 people'
  /** The largest allowed ratio to the time of the basis. */
  limit: number
}

const READ = { compared: { time: 1.15, ownWork: 2 }, growth: 1.25 }

/**
 * The number of logs that are changed again and again. The other logs keep a short history. The
 * number is not a multiple of the number of statuses, so each change by `change_log_status` gives a
 * log a different status.
 */
const CHANGED_LOGS = 91
/** The number of blocks of ten logs. Each block is changed again after all the others. */
const CHANGED_BLOCKS = 9

const DAY_MS = 86_400_000

/**
 * Returns a different second for each request, beginning 40 days ago. Each call reads the current
 * time, since the clock of workerd stands still while a module is loaded.
 */
const secondOf = (i: number): string =>
  new Date((Math.floor(Date.now() / DAY_MS) - 40) * DAY_MS + i * 1000).toISOString()

const STATUSES = ['approved', 'rejected', 'pending']
const decisionOf = (i: number) => ({ status: STATUSES[i % 3], comment: `Revisado ${i}` })

/** The endpoint that adds logs is last, so the growth of all others is measured before. */
export const ENDPOINTS: readonly Endpoint[] = [
  { name: 'modules_enabled', path: '/v2/clients/modules_enabled', ...READ },
  {
    name: 'validate-code',
    path: '/v2/clients/validate-code',
    body: (i) => ({ code: `C-${(i % SMALLEST_SIZE) + 1}` }),
    ...READ,
  },
  { name: 'config', path: '/v2/clients/config/clave-1', ...READ },
  { name: 'me', path: '/auth/me', as: 'employee', ...READ },
  {
    name: 'change_log_status',
    path: '/v2/incidents/change_log_status',
    as: 'admin',
    body: (i) => ({ log_id: (i % CHANGED_LOGS) + 1, ...decisionOf(i) }),
    compared: { time: 1.15, ownWork: 2.25 },
    growth: 1.25,
  },
  {
    name: 'change_logs_status (10)',
    path: '/v2/incidents/change_logs_status',
    as: 'admin',
    body: (i) => ({
      log_ids: Array.from({ length: 10 }, (_, n) => (i % CHANGED_BLOCKS) * 10 + n + 1),
      ...decisionOf(Math.floor(i / CHANGED_BLOCKS)),
    }),
    // In a table of 100 rows, ten logs share one page of each index. In larger tables, they do not.
    growth: 2,
  },
  { name: 'logs (10)', path: '/v2/incidents/logs?limit=10', as: 'admin', growth: 1.25 },
  { name: 'logs/{log_id}', path: `/v2/incidents/logs/${SMALLEST_SIZE}`, as: 'admin', growth: 1.25 },
  {
    name: 'intake (100)',
    path: '/v2/incidents/logs',
    as: 'admin',
    body: (i) => ({
      source: 'reloj',
      logs: Array.from({ length: 100 }, (_, n) => ({
        source_id: `AX1:${n}:${i}`,
        employee_id: `P-${(n % SMALLEST_SIZE) + 1}`,
        kind: 'checada',
        recorded_at: secondOf(i),
      })),
    }),
    compared: { time: 1.15, ownWork: 2 },
    growth: 2,
    weight: 20,
  },
]

const BEFORE = '2026-01-19'

/** What is measured beside ENDPOINTS, on databases of their own. */
export const MORE: readonly More[] = [
  {
    name: 'login',
    path: '/auth/login',
    body: () => ({ email: 'u1@empresa.mx', password: PASSWORD }),
    basis: 'baseline',
    limit: 1.05,
  },
  {
    name: '50 × change_log_status at once, p95',
    path: '/v2/incidents/change_log_status',
    as: 'admin',
    body: (i) => ({ log_id: (i % CHANGED_LOGS) + 1, ...decisionOf(i) }),
    basis: 'baseline',
    limit: 1.15,
    atOnce: 50,
  },
  {
    name: 'hours of 1,000 people',
    path: '/v2/incidents/hours?format=csv&from=2026-01-05&to=2026-01-18',
    as: 'admin',
    basis: '100 people',
    limit: 11,
  },
  {
    name: 'closing of 1,000 people, made and cancelled',
    path: '/v2/incidents/closings',
    as: 'admin',
    body: () => ({ before: BEFORE, comment: 'Cierre.' }),
    undo: ({ id }) => ({
      path: `/v2/incidents/closings/${id}/cancel`,
      body: { comment: 'Otra vez.' },
    }),
    basis: '100 people',
    limit: 11,
  },
]

/** The first request of a new isolate. */
export interface First extends Requests {
  /** Whether the baseline has the endpoint. If not, the basis is its first `modules_enabled`. */
  isCompared: boolean
  /** The largest allowed ratio to the time of the basis. */
  limit: number
}

const compared = (name: string, limit: number): First[] =>
  [...ENDPOINTS, ...MORE]
    .filter((endpoint) => endpoint.name === name)
    .map((endpoint) => ({ ...endpoint, isCompared: true, limit }))

const ofNoun = (name: string, path: string): First => {
  return { name, path, as: 'admin', isCompared: false, limit: 6.5 }
}

/** The serial number of the clock whose call is measured. */
export const CLOCK_SERIAL = 'HXBENCH1'

export const FIRST: readonly First[] = [
  ...['modules_enabled', 'validate-code', 'config'].flatMap((name) => compared(name, 4)),
  ...['me', 'change_log_status'].flatMap((name) => compared(name, 4.7)),
  ...compared('login', 1.5),
  // A clock's path is not under /api.
  { ...ofNoun('a clock’s call', `/../iclock/getrequest?SN=${CLOCK_SERIAL}`), limit: 4.5 },
  ofNoun('logs', '/v2/incidents/logs?limit=10'),
  ofNoun('sources', '/v2/incidents/sources'),
  ofNoun('clocks', '/v2/incidents/clocks'),
  ofNoun('people', '/v2/people/employees?limit=10'),
  ofNoun('users', '/v2/people/users?limit=10'),
  ofNoun('company', '/v2/company'),
  ofNoun('agreements', '/v2/agreements'),
  ofNoun('closings', '/v2/incidents/closings'),
  ofNoun('hours', '/v2/incidents/hours?from=2026-01-05&to=2026-01-06&format=csv'),
]

/** Makes the i-th request, with the headers of a phone or a browser. */
export const requestOf = (
  { path, as, body }: Pick<Requests, 'path' | 'as' | 'body'>,
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
