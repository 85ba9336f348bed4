import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { call } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { resetUsedDatabase } from '../support/database.ts'
import {
  ENDPOINTS,
  type Endpoint,
  type RequestCase,
  seedEndpoints,
  send,
} from '../support/endpoints.ts'
import {
  aClosing,
  aLog,
  allRows,
  anAdmin,
  anEmployee,
  aPaper,
  aProblem,
  aUser,
  inBranches,
} from '../support/factories.ts'
import { repeatWrites } from '../support/repeat-writes.ts'
import { tablesWith } from '../support/table-facts.ts'

/**
 * Tests that a caller of the branch Centro gets the same response with and without the rows of the
 * branch Sur: the same values, counts, sums, lengths and cursors.
 */

const NOW = new Date()
const DAY_MS = 86_400_000

const moment = (days: number): string => new Date(NOW.getTime() + days * DAY_MS).toISOString()
const day = (days: number): string => moment(days).slice(0, 10)

/** A time after the three logs that `seedCentro` adds. */
const AT = moment(-2)
const LOG_ID = 777_000_111

/** A shift of Centro's employee that ends in Sur. The hours show the whole shift. */
const [MIXED_START, MIXED_END] = [moment(-5), moment(-5 + 1 / 3)]

const seedCentro = async () => {
  await seedEndpoints()
  const ofBase = { employee_id: 'E-001', status: 'approved' as const }
  await aLog({ ...ofBase, kind: 'entrada', recorded_at: moment(-6), created_at: moment(-6) })
  await aLog({ ...ofBase, kind: 'salida', recorded_at: moment(-5.7), created_at: moment(-5.7) })
  await aLog({ ...ofBase, kind: 'entrada', recorded_at: MIXED_START, created_at: MIXED_START })
}

/** Adds the salida of the mixed shift, at the branch Sur. */
const seedMixedShift = async () => {
  const move = (branch: string) =>
    env.DB.prepare(`UPDATE employees SET branch_office = ? WHERE employee_id = 'E-001'`)
      .bind(branch)
      .run()
  await move('Sur')
  await aLog({
    id: LOG_ID + 9,
    employee_id: 'E-001',
    kind: 'salida',
    status: 'approved',
    recorded_at: MIXED_END,
    source: 'reloj-sur',
    source_id: 'punch-sur-9',
    created_at: MIXED_END,
    updated_at: MIXED_END,
  })
  await move('Centro')
}

/** Adds rows of the branch Sur to every table except OTHER_TABLES. */
const seedSur = async () => {
  const person = {
    rfc: 'SURX010101SUR',
    phone: '7770001111',
    cellphone: '7770002222',
    started_at: day(-400),
    job_position: 'Puesto sureño',
    department: 'Depto. Sur',
    branch_office: 'Sur',
    profile_image: 'sur/foto.jpg',
  }
  await anEmployee({
    ...person,
    employee_id: 'E-SUR',
    full_name: 'Susana Sureste',
    payroll_group: 'grupo-sur',
    ended_at: day(30),
  })
  // This person has the same department and payroll group as people of Centro.
  const full_name = 'Empleada Sureste'
  await anEmployee({ ...person, employee_id: 'E-SUR-2', full_name, department: 'Ventas' })
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
  // Some logs are earlier than the logs of Centro, and some are later. Some are decided, and some
  // are pending. There are logs of each kind.
  const punches = [
    ['E-SUR', 'entrada', -8, 'approved'],
    ['E-SUR', 'salida', -7.7, 'approved'],
    ['E-SUR-2', 'entrada', -6, 'approved'],
    ['E-SUR-2', 'salida', -5.5, 'rejected'],
    ['E-SUR-2', 'checada', -1, 'pending'],
  ] as const
  for (const [i, [employee_id, kind, days, status]] of punches.entries()) {
    const at = moment(days)
    const facts = { employee_id, kind, status, recorded_at: at, created_at: at, updated_at: at }
    await aLog({ ...facts, id: LOG_ID + 1 + i, source: 'reloj-sur', source_id: `punch-sur-${i}` })
  }
  const problem = { source: 'reloj-sur', employee_id: 'E-SUR', branch_office: 'Sur' }
  await aProblem({
    ...problem,
    id: 777_000_444,
    source_id: 'problema-sur',
    reason: 'too_old',
    first_at: AT,
    last_at: AT,
    count: 777_000_555,
  })
  const { id: paper } = await aPaper(decider.id, 'E-SUR')
  await env.DB.prepare('INSERT INTO statements VALUES (?, ?, ?)')
    .bind(paper, 'palabras sureñas', '7'.repeat(32))
    .run()
  const dismissed = { dismissed_at: AT, dismissed_reason: 'motivo sureño' }
  await aProblem({ ...problem, source_id: 'descartado-sur', ...dismissed })
  await aClosing({
    id: 777_000_666,
    user_id: decider.id,
    payroll_group: 'grupo-sur',
    comment: 'corte sureño',
    taken: ['E-SUR'],
    created_at: AT,
  })
  await env.DB.batch(
    [
      `INSERT INTO day_reviews (id, employee_id, day, comment, user_id, last_event_id, created_at)
       VALUES (777000999, 'E-SUR', ?2, 'revisión sureña', 777000222, 777000000, ?1)`,
      `INSERT INTO employee_sources (employee_id, source, last_recorded_at)
       SELECT 'E-SUR', 'reloj-sur', ?1 WHERE ?2 IS NOT NULL`,
      `INSERT INTO people_changes (id, at, subject, subject_id, changes, branches)
       SELECT 777000111, ?1, 'employee', 'E-SUR', '[{"field":"rfc","after":"SURX010101SUR"}]',
         '["Sur"]' WHERE ?2 IS NOT NULL`,
      `INSERT INTO people_changes (id, at, subject, subject_id, changes, branches)
       SELECT 777000112, ?1, 'employee', 'E-001', '[{"field":"branch_office","before":"Sur"}]',
         '["Sur","Centro"]' WHERE ?2 IS NOT NULL`,
      `INSERT INTO clocks (serial, branch_office, uses_keys, from_day, address, called_at)
       VALUES ('RELOJ-SUR', 'Sur', 0, ?2, 'sur-7', ?1)`,
      `INSERT INTO intake_sources (source, last_seen_at)
       SELECT 'clock reloj-sur', ?1 WHERE ?2 IS NOT NULL`,
      `INSERT INTO clock_numbers (serial, number, employee_id, created_at)
       SELECT 'RELOJ-SUR', 'sur-7', 'E-SUR', ?1 WHERE ?2 IS NOT NULL`,
      `INSERT INTO waiting_punches (serial, number, local_at, kind, recorded_at, reason, arrived_at)
       SELECT 'RELOJ-SUR', 'sur-8', ?2, 'checada', ?1, 'number', ?1`,
      `INSERT INTO unknown_clocks (serial, first_at, last_at, address)
       SELECT 'OTRO-SUR-1', ?1, ?1, 'sur-9' WHERE ?2 IS NOT NULL`,
      `INSERT INTO elsewhere_punches SELECT 'RELOJ-SUR', ?2, 'sur-8', ?2, ?2 WHERE ?1 IS NOT NULL`,
      `INSERT INTO other_network_logs SELECT ${LOG_ID} WHERE ?1 IS NOT NULL AND ?2 IS NOT NULL`,
      `UPDATE intake_sources SET last_seen_at = ?1, complete_until = ?1, label = 'entrada sureña'
       WHERE source = 'reloj-sur' AND ?2 IS NOT NULL`,
    ].map((text) => env.DB.prepare(text).bind(AT, day(-2))),
  )
}

const OTHER_TABLES = tablesWith('noBranch')

const TEXT_OF_SUR = /e-sur|sureñ|sureste|[-_. ]sur\b|surx0|7770001111|7770002222/i
const ID_OF_SUR = /\b777000\d\d\d\b/

const hasTextOfSur = (text: string): boolean => TEXT_OF_SUR.test(text) || ID_OF_SUR.test(text)

const rowsOfSur = async () =>
  Object.entries(await allRows()).map(([table, rows]) => [
    table,
    rows.filter((row) => TEXT_OF_SUR.test(JSON.stringify(row))),
  ])

beforeEach(() => stopClock(NOW))

it('seedSur adds rows to every table except OTHER_TABLES', async () => {
  await seedCentro()
  const before = await allRows()
  await seedSur()
  const grown = Object.entries(await allRows()).filter(
    ([table, rows]) => rows.length > (before[table]?.length ?? 0),
  )
  const tables = [...grown.map(([table]) => table), ...OTHER_TABLES]
  expect(tables.toSorted()).toEqual(Object.keys(before).toSorted())
})

/** Values to try for each filter. Filters that can find rows of Sur also have values of Sur. */
const FILTERS: Record<string, readonly string[]> = {
  status: ['pending', 'approved'],
  kind: ['entrada', 'salida'],
  employee_id: ['E-001', 'E-SUR'],
  branch_office: ['Centro', 'Sur'],
  department: ['Ventas', 'Depto. Sur'],
  payroll_group: ['', 'grupo-sur'],
  log_id: ['1', String(LOG_ID)],
  from: [day(-8), day(-2), AT],
  to: [day(1), day(-2), AT],
  order: ['oldest', 'newest'],
  nearby: ['true'],
  limit: ['1', '200'],
  cursor: [btoa(JSON.stringify([AT, 1])), btoa('[1]'), btoa('["e","E-SUR"]')],
  after: ['0', '1', '2'],
  event: ['recorded', 'decided'],
  agreed: ['true', 'false'],
  format: ['csv', 'ndjson'],
  by: ['employee', 'week'],
  preview: ['true'],
  before: [day(-4), day(0)],
  day: [day(-4)],
  exceptions: ['true'],
  headers: ['es'],
  ids: ['plain', 'spreadsheet'],
  working: ['true'],
  preview_rejected: ['1', String(LOG_ID)],
  comments: ['true', 'false'],
  q: ['E-SUR', 'sur', 'e'],
  active: ['true', 'false'],
  subject: ['employee', 'user'],
  subject_id: ['E-001', 'E-SUR', '1'],
  role: ['admin', 'employee'],
  not_role: ['admin', 'employee'],
  retired: ['true', 'false'],
  number: ['E-SUR', '003'],
}

const FILTERED = ENDPOINTS.filter(({ query }) => query.length > 0)
it.each(FILTERED)('there are values to try for each filter of $method $route', ({ query }) => {
  expect(query.filter((name) => !FILTERS[name]?.length)).toEqual([])
})

/** The same body with ids of Sur. New values of client_id and source_id make it a new request. */
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

/** The good request, and its variants with ids of Sur and with each value of each filter. */
const requestsOf = ({ good, query, route }: Endpoint, role: keyof typeof ROLES): RequestCase[] => {
  const { path, body } = good
  const withFilter = (name: string, value: string) => {
    const [base, search = ''] = path.split('?')
    const params = new URLSearchParams(search)
    params.set(name, value)
    return { ...good, path: `${base}?${params}` }
  }
  return [
    good,
    // A role of PEOPLE_ROLES is told that an id of another branch exists. employee-records.test.ts
    // tests that it learns nothing more.
    ...(body === undefined || role === 'people' ? [] : [{ ...good, body: bodyOfSur(body) }]),
    ...(route.includes(':log_id')
      ? [{ ...good, path: route.replace(':log_id', `${LOG_ID}`) }]
      : []),
    ...query.flatMap((name) => (FILTERS[name] ?? []).map((value) => withFilter(name, value))),
  ]
}

const ROLES = { payroll: 'nomina', machine: 'reloj', admin: 'admin', people: 'rh' } as const
const SETTINGS = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }

const rolesOf = ({ access, route, roles }: Endpoint): readonly (keyof typeof ROLES)[] => {
  if (access === 'user') return ['admin']
  return /^\/v2\/people\/(employees|changes)/.test(route) ? [...roles, 'people'] : roles
}

const OF_LOGS = ENDPOINTS.filter(
  ({ access, route }) => access !== 'public' && route.startsWith('/v2/'),
).flatMap((endpoint) =>
  rolesOf(endpoint).map((role) => ({
    endpoint,
    role,
    name: `${endpoint.method} ${endpoint.route} by ${role}`,
  })),
)

/**
 * Removes what may depend on other branches. Positions in the feed count all events. Proofs and
 * checkpoints cover all events. A machine is told why a log was refused.
 */
const comparable = (route: string, text: string): string => {
  if (route.startsWith('/v2/audit/')) return ''
  return text.replace(/"next_after":\d+/, '').replace('other_branch', 'unknown_employee')
}

/** Fills the database, and returns the token of a caller of the branch Centro. */
const seedCaller = repeatWrites(
  async (role: keyof typeof ROLES, { showsMixedShift = false, hasSur = false }) => {
    await seedCentro()
    if (showsMixedShift) await seedMixedShift()
    const employee_id = 'E-caller'
    await anEmployee({ employee_id, full_name: 'Quien llama', branch_office: 'Centro' })
    const caller = { role: ROLES[role], employee_id, scope_branches: inBranches('Centro') }
    const { token } = await aUser({ ...caller, email: 'centro@empresa.mx' })
    if (hasSur && !showsMixedShift) await seedMixedShift()
    if (hasSur) await seedSur()
    return token
  },
)

describe('a caller of the branch Centro learns nothing of Sur and changes nothing there', () => {
  it.each(OF_LOGS)('$name', async ({ endpoint, role }) => {
    const { route } = endpoint
    const requests = requestsOf(endpoint, role)
    // Without PEOPLE_ROLES, administrators manage the employees.
    const env = { ...SETTINGS, ...(role === 'people' && { PEOPLE_ROLES: 'rh' }) }
    // These responses change with the mixed shift: hours show the whole shift, the evidence of its
    // days is refused, and the version of an employee counts the moves between branches.
    const ofMixedShift = ['/v2/incidents/hours', '/v2/audit/evidence']
    const showsMixedShift = ofMixedShift.includes(route) || role === 'people'
    const ask = async (token: string) => {
      const responses: [request: string, status: number, text: string][] = []
      for (const request of requests) {
        const { status, text } = await send(endpoint, request, { token, env })
        responses.push([JSON.stringify(request), status, text])
      }
      return responses
    }
    const without = await ask(await seedCaller(role, { showsMixedShift, hasSur: false }))
    await resetUsedDatabase()
    const token = await seedCaller(role, { showsMixedShift, hasSur: true })
    const before = await rowsOfSur()

    const withSur = await ask(token)

    for (const [i, [request, status, text]] of withSur.entries()) {
      const [, statusWithout, textWithout = ''] = without[i] ?? []
      expect(status, request).toBeLessThan(500)
      expect(status, request).toBe(statusWithout)
      expect(comparable(route, text), request).toBe(comparable(route, textWithout))
      if (!hasTextOfSur(request)) expect(hasTextOfSur(text) ? text : '', request).toBe('')
    }
    // A refused item may add a problem that approvers of Sur see.
    const isOther = ([table]: unknown[]) => table !== 'intake_problems'
    expect((await rowsOfSur()).filter(isOther)).toEqual(before.filter(isOther))
  })
})

it('a review responds the same for an inverted day of Sur as for an unknown employee', async () => {
  const { token } = await aUser({ role: 'admin', scope_branches: inBranches('Centro') })
  // The first punch of the second day is missing, so the night after that day is counted as work.
  const card = ['03T08', '03T17', '04T17', '05T08', '05T17', '06T08', '06T17']
  await anEmployee({ employee_id: 'E-inverted', branch_office: 'Sur' })
  for (const time of card) {
    const recorded_at = new Date(`2026-08-${time}:00:00-06:00`).toISOString()
    const facts = { kind: 'checada', status: 'approved', recorded_at } as const
    await aLog({ employee_id: 'E-inverted', ...facts, created_at: recorded_at })
  }
  const review = async (employee_id: string, day: string) => {
    const days = [{ employee_id, day }]
    const path = '/v2/incidents/hours/reviews'
    const [one, list] = [
      await call('POST', path, { token, body: { employee_id, day } }),
      await call('POST', path, { token, body: { days } }),
    ]
    return [one.status, one.body, list.status, list.body]
  }
  for (const day of ['2026-08-03', '2026-08-04']) {
    const nobodys = await review('E-404', day)
    expect(nobodys.slice(0, 1)).toEqual([422])
    expect(await review('E-inverted', day)).toEqual(nobodys)
  }
})
