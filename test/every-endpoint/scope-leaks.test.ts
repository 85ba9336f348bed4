import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { timeZone } from '../../src/core/time-zone.ts'
import { saltedHash } from '../../src/evidence/leaf.ts'
import { ENDPOINTS, type Endpoint, seedEndpoints, send } from '../support/endpoints.ts'
import {
  aClosing,
  aLog,
  allRows,
  anAdmin,
  anEmployee,
  aProblem,
  aUser,
  inBranches,
} from '../support/factories.ts'

/**
 * No response shows a caller of one branch a value that only other branches have. The branch Sur has
 * a value of its own in every column, so that any endpoint, filter or column that leaks it is found.
 */

const AT = '2026-11-07T17:07:07.777Z'
const LOG_ID = 777_000_111

/** Rows of the branch Sur alone. Each text names it, and each number and moment is its own. */
const seedSur = async () => {
  await anEmployee({
    employee_id: 'E-SUR',
    full_name: 'Susana Sureste',
    rfc: 'SURX010101SUR',
    phone: '7770001111',
    cellphone: '7770002222',
    started_at: '2031-07-01',
    job_position: 'Puesto sureño',
    department: 'Depto. Sur',
    branch_office: 'Sur',
    profile_image: 'sur/foto.jpg',
    payroll_group: 'grupo-sur',
    ended_at: '2031-07-30',
  })
  const decider = await anAdmin({
    id: 777_000_222,
    email: 'sur@empresa.mx',
    first_name: 'Decide',
    last_name: 'En',
    mother_last_name: 'Sur',
    actor_hash: saltedHash('sal-sur', 'sur@empresa.mx'),
    actor_salt: 'sal-sur',
  })
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO log_comments (id, log_id, user_id, comment, salt, created_at, updated_at)
       VALUES (777000333, ?1, ?2, 'comentario sureño', ?3, ?4, ?4)`,
    ).bind(LOG_ID, decider.id, '7'.repeat(32), AT),
    env.DB.prepare(
      `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, source, source_id,
         recorded_by, comment_id, created_at, updated_at)
       VALUES (?1, 'E-SUR', 'salida', ?2, 'reloj-sur', 'punch-sur-7', ?3, 777000333, ?2, ?2)`,
    ).bind(LOG_ID, AT, decider.id),
  ])
  await aProblem({
    id: 777_000_444,
    source: 'reloj-sur',
    source_id: 'problema-sur',
    employee_id: 'E-SUR',
    branch_office: 'Sur',
    reason: 'too_old',
    first_at: AT,
    last_at: AT,
    count: 777_000_555,
  })
  await aProblem({
    source: 'reloj-sur',
    source_id: 'descartado-sur',
    employee_id: 'E-SUR',
    branch_office: 'Sur',
    dismissed_at: AT,
    dismissed_reason: 'motivo sureño',
  })
  // Somebody of the branch Centro worked the second half of a day in Sur.
  const move = (branch: string) =>
    env.DB.prepare(`UPDATE employees SET branch_office = ? WHERE employee_id = 'E-base'`).bind(
      branch,
    )
  await move('Sur').run()
  await aLog({
    id: LOG_ID + 1,
    employee_id: 'E-base',
    recorded_at: '2026-11-03T18:08:08.888Z',
    source: 'reloj-sur',
    source_id: 'punch-sur-8',
    created_at: '2026-11-03T18:08:09.999Z',
    updated_at: '2026-11-03T18:08:09.999Z',
  })
  await move('Centro').run()
  const closing = await aClosing({
    id: 777_000_666,
    user_id: decider.id,
    payroll_group: 'grupo-sur',
    comment: 'corte sureño',
    taken: ['E-SUR'],
    created_at: AT,
  })
  await env.DB.batch(
    [
      `INSERT INTO openings (id, employee_id, first_day, user_id, comment, closings_before, created_at)
       VALUES (777000777, 'E-SUR', '2026-11-07', 777000222, 'apertura sureña', 777000666, ?1)`,
      `INSERT INTO unlocks (id, payroll_group, from_day, to_day, comment, user_id, closings_before,
         created_at)
       VALUES (777000888, 'grupo-sur', '2026-11-07', '2026-11-07', 'desbloqueo sureño', 777000222,
         777000666, ?1)`,
      `INSERT INTO unlock_people (unlock_id, employee_id, from_at, until_at)
       VALUES (777000888, 'E-SUR', ?1, ?1)`,
      `INSERT INTO day_reviews (id, employee_id, day, comment, user_id, last_event_id, created_at)
       VALUES (777000999, 'E-SUR', '2026-11-07', 'revisión sureña', 777000222, 777000000, ?1)`,
    ].map((text) => env.DB.prepare(text).bind(AT)),
  )
  expect(closing.id).toBe(777_000_666)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO employee_sources (employee_id, source, last_recorded_at)
       VALUES ('E-SUR', 'reloj-sur', ?)`,
    ).bind(AT),
    env.DB.prepare(
      `UPDATE intake_sources SET last_seen_at = ?1, complete_until = ?1, label = 'entrada sureña'
       WHERE source = 'reloj-sur'`,
    ).bind(AT),
  ])
}

type Rows = Awaited<ReturnType<typeof allRows>>

/** Tables with rows of people or logs; what the others contain has no branch. */
const TABLES = [
  'employees',
  'attendance_logs',
  'log_comments',
  'log_events',
  'intake_problems',
  'intake_sources',
  'employee_sources',
  'closings',
  'closing_people',
  'openings',
  'unlocks',
  'unlock_people',
  'day_reviews',
]

/** Columns whose values are the same in every branch, and the positions of the feed. */
const SHARED = new Set([
  ...['kind', 'status', 'event', 'from_status', 'to_status', 'result', 'reason'],
  ...['retired_at', 'log_events.id', 'log_events.salt', 'log_events.closing_id'],
  // Sums, days and settings of closings that are not secret by themselves, and what nobody is shown.
  ...['before', 'token', 'unsynced', 'hash', 'completed_at', 'cancelled_by', 'cancelled_after'],
  ...['cancelled_at', 'cancel_comment', 'closings_before', 'cancellations_before'],
  ...['unlocks_before', 'last_event_id', 'people', 'days', 'period_seconds', 'added_seconds'],
  ...['deducted_seconds', 'held_seconds', 'exceptions_left', 'pending', 'pending_of_period'],
  ...['from_day', 'opening', 'first_log_at', 'suggested', 'sin_checadas', 'closings.employee_id'],
  'unlocks.employee_id',
])

const isShared = (table: string, column: string) =>
  SHARED.has(column) || SHARED.has(`${table}.${column}`)

/** A moment also stands in files as a local time, a day, or in another form. */
const formsOf = (value: unknown): string[] => {
  if (value === null) return []
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return [text]
  const local = timeZone('America/Mexico_City').localTime(new Date(text))
  return [text.slice(0, 19), text.slice(0, 10), local, local.slice(0, 10)]
}

/** The values of a branch's rows, by table and column, in every form. */
const valuesOf = (rows: Rows): Map<string, string[]> => {
  const entries = TABLES.flatMap((table) =>
    (rows[table] ?? []).flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => !isShared(table, column))
        .map(([column, value]) => ({ name: `${table}.${column}`, forms: formsOf(value) })),
    ),
  )
  const byName = Map.groupBy(entries, ({ name }) => name)
  return new Map([...byName].map(([name, values]) => [name, values.flatMap(({ forms }) => forms)]))
}

/** The values that only the branch Sur has, by table and column. */
let secretsByColumn: Map<string, string[]>
let secrets: string[]
let rowsOfSur: () => Promise<unknown>
beforeEach(async () => {
  // The rows of the good requests, and those of the callers, are of the branch Centro.
  await seedEndpoints()
  await aLog({
    employee_id: 'E-base',
    kind: 'salida',
    recorded_at: '2026-11-03T14:00:00.000Z',
    created_at: '2026-11-03T14:00:00.000Z',
  })
  const ofCentro = new Set([...valuesOf(await allRows()).values()].flat())
  await seedSur()
  secretsByColumn = new Map(
    [...valuesOf(await allRows())].map(([name, values]) => [
      name,
      values.filter((value) => !ofCentro.has(value)),
    ]),
  )
  secrets = [...new Set([...secretsByColumn.values()].flat())]
  rowsOfSur = async () => {
    const rows = await allRows()
    // A refused item leaves a problem of its source, for the readers of that branch.
    return TABLES.filter((table) => table !== 'intake_problems').map((table) =>
      rows[table]?.filter((row) => hasSecret(JSON.stringify(row))),
    )
  }
})

const hasSecret = (text: string) => secrets.some((secret) => text.includes(secret))

/** Tables whose rows show nothing of people and logs, or that another test shows to each scope. */
const OTHER_TABLES = [
  ...['users', 'revoked_tokens', 'clients', 'config_entries', 'modules', 'branch_zones'],
  ...['notify_state', 'erased_comments', 'log_seals', 'log_seal_tokens', 'employee_shifts'],
  // test/payroll/closings.test.ts
  'closing_lines',
]

it('seeds every table with people or logs', async () => {
  expect([...TABLES, ...OTHER_TABLES].toSorted()).toEqual(Object.keys(await allRows()).toSorted())
})

it('has a value of its own in every column of the other branch', () => {
  for (const [name, values] of secretsByColumn) expect(values, name).not.toEqual([])
  expect(secretsByColumn.size).toBeGreaterThan(50)
})

/** Values of each filter: of the caller's branch, of the other one, and neither. */
const FILTERS: Record<string, readonly string[]> = {
  status: ['pending', 'approved'],
  kind: ['entrada', 'salida'],
  employee_id: ['E-base', 'E-SUR'],
  branch_office: ['Centro', 'Sur'],
  department: ['Ventas', 'Depto. Sur'],
  payroll_group: ['', 'grupo-sur'],
  log_id: ['1', String(LOG_ID)],
  from: ['2026-11-01', '2026-11-07', AT],
  to: ['2026-11-30', '2026-11-07', AT],
  order: ['oldest', 'newest'],
  nearby: ['true'],
  limit: ['1', '200'],
  cursor: [btoa(JSON.stringify([AT, 1])), btoa('[1]')],
  after: ['0', '1', '2'],
  event: ['recorded', 'decided'],
  format: ['csv', 'ndjson'],
  by: ['employee', 'week'],
  preview: ['true'],
  before: ['2026-11-05', '2026-11-20'],
  openings: ['{"E-SUR":"2026-11-01"}'],
  exceptions: ['true'],
  preview_rejected: ['1', String(LOG_ID)],
  comments: ['true', 'false'],
  q: ['E-SUR', 'sur', 'e'],
}

it.each(ENDPOINTS.filter(({ query }) => query.length > 0))(
  'knows values for each filter of $method $route',
  ({ query }) => {
    expect(query.filter((name) => !FILTERS[name]?.length)).toEqual([])
  },
)

/** The body with the other branch's ids in place of the caller's, as a new submission. */
const bodyOfSur = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(bodyOfSur)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'log_id') return [name, LOG_ID]
      if (name === 'log_ids') return [name, [LOG_ID]]
      if (name === 'employee_id') return [name, 'E-SUR']
      if (name === 'payroll_group') return [name, 'grupo-sur']
      if (name === 'client_id') return [name, crypto.randomUUID()]
      if (name === 'source_id') return [name, 'otro envío']
      return [name, bodyOfSur(value)]
    }),
  )
}

/** The good request, alone and with each value of each filter, and with the other branch's ids. */
const requestsOf = ({ good, query, route }: Endpoint) => {
  const { path, body } = good
  const withFilter = (name: string, value: string) => {
    const [base, search = ''] = path.split('?')
    const params = new URLSearchParams(search)
    params.set(name, value)
    return { ...good, path: `${base}?${params}` }
  }
  return [
    good,
    ...(body === undefined ? [] : [{ ...good, body: bodyOfSur(body) }]),
    ...(route.includes(':log_id')
      ? [{ ...good, path: route.replace(':log_id', `${LOG_ID}`) }]
      : []),
    ...query.flatMap((name) => (FILTERS[name] ?? []).map((value) => withFilter(name, value))),
  ]
}

const ROLES = { payroll: 'nomina', machine: 'reloj', admin: 'admin' } as const
const SETTINGS = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }

const OF_LOGS = ENDPOINTS.filter(
  ({ access, route }) => access !== 'public' && route.startsWith('/v2/'),
).flatMap((endpoint) =>
  (endpoint.access === 'user' ? (['admin'] as const) : endpoint.roles).map((role) => ({
    endpoint,
    role,
    name: `${endpoint.method} ${endpoint.route} by ${role}`,
  })),
)

describe('a caller of the branch Centro learns and changes nothing of Sur', () => {
  it.each(OF_LOGS)('$name', async ({ endpoint, role }) => {
    const { employee_id } = await anEmployee({ branch_office: 'Centro' })
    const scope_branches = inBranches('Centro')
    const { token } = await aUser({ role: ROLES[role], employee_id, scope_branches })
    const before = await rowsOfSur()
    for (const request of requestsOf(endpoint)) {
      const res = await send(endpoint, request, { token, env: SETTINGS })
      const sent = JSON.stringify(request)
      // What the caller has sent may come back in a message. A row of hours is whole: a pair that
      // begins in a branch shows when it ended, wherever that was.
      const isAllowed = (secret: string) =>
        sent.includes(secret) ||
        (endpoint.route === '/v2/incidents/hours' && secret.startsWith('2026-11-03'))
      const leaked = secrets.filter((secret) => res.text.includes(secret) && !isAllowed(secret))
      expect(leaked, `${endpoint.method} ${sent}: ${res.text}`).toEqual([])
      expect(res.status, sent).toBeLessThan(500)
    }
    expect(await rowsOfSur()).toEqual(before)
  })
})
