import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { type CallOptions, call } from './api.ts'
import { callAsClock, line, pushPunches } from './clocks.ts'
import { anAdmin, aUser } from './factories.ts'
import { parseLines } from './lines.ts'
import { seal } from './seals.ts'
import { readCard } from './time-card.ts'

/** Fills a database with rows in every table, through the API and the operators' commands. */

const contact = { phone: '5555010101', cellphone: '5512340001', profile_image: 'fotos/1.jpg' }
const job = { job_position: 'Cajera', department: 'Ventas', started_at: '2024-01-15' }

const COMPANY = {
  clients: [{ code: 'NORTE-01', name: 'Norte', status: 'activo', url_base: 'https://n.example' }],
  modules: [
    {
      ...{ slug: 'checador', name: 'Checador', description: 'Checadas', icon: 'fa-clock' },
      ...{ enabled: true, enabled_app: true },
    },
  ],
  config: [{ key: 'logo', tipo: 'archivo', nombre: 'Logotipo', valor: 'config/logo.png' }],
  branches: [{ branch_office: 'Tijuana', time_zone: 'America/Tijuana' }],
  payroll_groups: [{ payroll_group: 'semanal', calendar: 'week monday', pays_from: '2026-11-01' }],
  employees: [
    { employee_id: 'E-1', full_name: 'Luisa Peña', rfc: 'PELL900101AB1', branch_office: 'Norte' },
    { employee_id: 'E-2', full_name: 'Raúl Soto', rfc: 'SORR900101AB1', branch_office: 'Tijuana' },
    { employee_id: 'E-3', full_name: 'Eva Luna', rfc: 'LUEV900101AB1', branch_office: 'Norte' },
  ].map((employee) => ({
    ...contact,
    ...job,
    payroll_group: 'semanal',
    paid_from: '2026-11-01',
    ...employee,
  })),
  logs: [
    { log_id: 1, employee_id: 'E-1', kind: 'entrada', recorded_at: '2026-11-02T08:00:00-06:00' },
    { log_id: 2, employee_id: 'E-1', kind: 'salida', recorded_at: '2026-11-02T17:00:00-06:00' },
    { log_id: 3, employee_id: 'E-3', kind: 'entrada', recorded_at: '2026-11-02T09:00:00-06:00' },
  ],
}

/** The users. `fillService` creates them in this order, so that their ids never change. */
const USERS = {
  admin: { email: 'ana@empresa.mx', role: 'admin' },
  employee: { email: 'luisa@empresa.mx', employee_id: 'E-1' },
  supervisor: { email: 'sara@empresa.mx', role: 'admin', scope_branches: '["Tijuana"]' },
} as const

const INCIDENTS_PATH = '/v2/incidents'
const CLOCK_SENT = readCard('03 E08:00 S17:00 04 E08:00 S17:00 05 E22:00 06 S06:00').map(
  ({ kind, recorded_at }, i) => ({ source_id: `${i}`, employee_id: 'E-2', kind, recorded_at }),
)

/**
 * Adds a clock that connects by itself. Of its punches, some are logs, one of them from a second
 * address, some wait, and some are dismissed. A number gets another owner.
 */
const fillClocks = async (token: string) => {
  const [serial, own, other] = ['NORTE-1', '203.0.113.7', '198.51.100.9']
  const clocks = `${INCIDENTS_PATH}/clocks`
  const send = async (method: string, path: string, body: object) =>
    expect((await call(method, `${clocks}/${path}`, { token, body })).status).toBe(200)
  await callAsClock('/iclock/getrequest?SN=OTRO0001')
  await send('PUT', serial, {
    ...{ label: null, branch_office: 'Norte', uses_keys: true, from_day: '2026-11-01' },
    ...{ retired: false, expected_version: 0, has_not_called: true },
  })
  const punches = ['E-1', '97', '98', '99'].map((number) => line(number, '2026-11-20 08:00:00'))
  await pushPunches(serial, punches, { address: own, stamp: '4' })
  await pushPunches(serial, [line('E-1', '2026-11-20 17:00:00', '1')], { address: other })
  await send('POST', 'waiting', { serial, number: '97', employee_id: 'E-1' })
  await send('POST', 'waiting', { serial, number: '97', employee_id: 'E-2' })
  await send('POST', 'waiting', { serial, number: '98', dismiss: 'Una prueba del reloj.' })
}

/** Fills an empty database, and returns the administrator's token. */
export const fillService = async (): Promise<string> => {
  expect(await importInto(env.DB, COMPANY)).toHaveProperty('imported')
  const { token } = await anAdmin(USERS.admin)
  const { token: own } = await aUser(USERS.employee)
  await aUser(USERS.supervisor)
  const asAdmin = async (path: string, body: object, options: CallOptions = {}) => {
    const { status, body: response, text } = await call('POST', path, { token, body, ...options })
    expect(status, `${path}: ${text}`).toBe(200)
    return response?.data
  }
  const shift = { employee_id: 'E-2', valid_from: '2026-11-01', max_shift_hours: 26 }
  await asAdmin('/v2/company/shifts', shift)
  const unknown = { source_id: 'x', employee_id: 'nadie', kind: 'entrada' }
  await asAdmin(`${INCIDENTS_PATH}/logs`, {
    source: 'reloj-sur',
    complete_until: '2026-11-06T13:00:00Z',
    logs: [...CLOCK_SENT, { ...unknown, recorded_at: '2026-11-06T08:00:00-08:00' }],
  })
  const { log_id: manual } = await asAdmin(`${INCIDENTS_PATH}/manual_logs`, {
    client_id: '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a11',
    ...{ employee_id: 'E-3', kind: 'salida', comment: 'Olvidó checar.' },
    recorded_at: '2026-11-02T18:00:00-06:00',
  })
  const body = {
    ...{ ...contact, ...job, full_name: 'Raúl Soto Paz', rfc: 'SORR900101AB1', ended_at: null },
    ...{ branch_office: 'Tijuana', payroll_group: 'semanal', expected_version: 1 },
  }
  const changed = await call('PUT', '/v2/people/employees/E-2', { token, body })
  expect(changed.status, changed.text).toBe(200)
  const text = { title: 'Registro', text: 'Lo que se acuerda.', valid_from: '2026-11-01' }
  const { id: agreement } = await asAdmin('/v2/agreements', text)
  const paper = { signed_on: '2026-11-02', file_sha256: 'b'.repeat(64), comment: 'Eva lo firmó.' }
  await asAdmin(`/v2/agreements/${agreement}/paper`, { employee_id: 'E-3', ...paper })
  await asAdmin(`/v2/agreements/${agreement}/paper`, { employee_id: 'E-2', ...paper })
  const phone = { client_id: '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a12', kind: 'entrada' }
  await asAdmin(`${INCIDENTS_PATH}/my_logs`, phone, { token: own })
  const approved = { status: 'approved', comment: 'Puntual.' }
  await asAdmin(`${INCIDENTS_PATH}/change_log_status`, { log_id: 1, ...approved })
  const sent = Array.from(CLOCK_SENT, (_, i) => manual - CLOCK_SENT.length + i)
  const log_ids = [2, 3, manual, ...sent]
  const seen = { status: 'approved', comment: 'Visto.' }
  await asAdmin(`${INCIDENTS_PATH}/change_logs_status`, { log_ids, ...seen })
  await seal()
  const period = { before: '2026-11-16', leave_pending: true }
  await asAdmin(`${INCIDENTS_PATH}/closings`, { ...period, comment: 'Primera quincena.' })
  await asAdmin(`${INCIDENTS_PATH}/change_log_status`, {
    ...{ log_id: 2, status: 'rejected' },
    comment: 'La salida fue de otra persona.',
  })
  await asAdmin(`${INCIDENTS_PATH}/closings`, { before: '2026-11-22', leave_pending: true })
  await asAdmin(`${INCIDENTS_PATH}/closings/2/cancel`, { comment: 'Faltaba un día.' })
  await asAdmin(`${INCIDENTS_PATH}/closings`, { before: '2026-11-22', leave_pending: true })
  await fillClocks(token)
  await asAdmin(`${INCIDENTS_PATH}/hours/reviews`, { employee_id: 'E-1', day: '2026-11-02' })
  await seal()
  await env.DB.batch([
    // No time stamping authority is available. A verification reports this invalid token.
    env.DB.prepare(`INSERT INTO log_seal_tokens (seal_id, token, created_at)
      VALUES (1, x'00', '2026-11-22T18:00:00.000Z')`),
    env.DB.prepare(`INSERT INTO invitations (user_id, token_hash, expires_at, invited_by)
      VALUES (1, '${'a'.repeat(64)}', '2026-11-25T18:00:00.000Z', 1)`),
    env.DB.prepare('INSERT INTO notify_state (id, last_event_id) VALUES (1, 5)'),
    env.DB.prepare('INSERT INTO push_state (id, last_event_id) VALUES (1, 5)'),
    env.DB.prepare(`INSERT INTO push_subscriptions
      VALUES ('https://fcm.googleapis.com/fcm/send/1', 'llave', 'clave', 2, 'sesión', 1, NULL,
        'https://checada.example.com', '2026-11-22T18:00:00.000Z', NULL)`),
    env.DB.prepare("UPDATE employees SET ended_at = '2026-11-10' WHERE employee_id = 'E-3'"),
  ])
  await forgetEmployee(env.DB, 'E-3', { now: new Date(), adminRoles: ['admin'] })
  await asAdmin('/auth/logout', {}, { token: own })
  return token
}

const PERIOD = 'from=2026-11-01&to=2026-11-30'

/** The paths that the administrator reads. */
const READ_PATHS = [
  ...['/auth/me', '/v2/clients/modules_enabled', '/v2/clients/config/logo'],
  ...['/settings', '/employees?q=a', '/sources', '/changes?limit=100', '/closings'].map(
    (path) => `${INCIDENTS_PATH}${path}`,
  ),
  ...['/logs?limit=100', '/logs/summary', '/logs/1', '/export?format=ndjson'].map(
    (path) => `${INCIDENTS_PATH}${path}`,
  ),
  ...['', '&by=employee'].map((by) => `${INCIDENTS_PATH}/hours?format=ndjson&${PERIOD}${by}`),
  ...['', '&by=employee', '&by=week'].map(
    (by) => `${INCIDENTS_PATH}/closings/1/lines?format=ndjson${by}`,
  ),
  '/v2/audit/checkpoint',
]

/** Reads every path. Returns the responses by path, parsed if they are JSON. */
export const readService = async (token: string): Promise<Record<string, unknown>> => {
  const responses: Record<string, unknown> = {}
  for (const path of READ_PATHS) {
    const { status, text, headers } = await call('GET', path, { token })
    expect(status, `${path}: ${text}`).toBe(200)
    const type = headers.get('Content-Type') ?? ''
    if (type.includes('ndjson')) responses[path] = parseLines(text)
    else responses[path] = type.includes('json') ? JSON.parse(text) : text
  }
  return responses
}
