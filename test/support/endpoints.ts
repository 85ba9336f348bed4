import { document } from '../../sdk/openapi/document.ts'
import { type CallOptions, call, type TestResponse } from './api.ts'
import {
  AGREEMENT,
  aClient,
  aClock,
  aClosing,
  aConfigEntry,
  aLog,
  aModule,
  aNumber,
  anAdmin,
  anAgreement,
  anEmployee,
  anInvitation,
  anObjection,
  anUnknownClock,
  aPaper,
  aProblem,
  aUser,
  aWaitingPunch,
  OUTDATED_HASH,
  PASSWORD,
  PASSWORD_HASH,
  paysFrom,
} from './factories.ts'
import { EMPLOYEE, USER_ACCESS, USER_NAMES } from './people.ts'
import { repeatWrites } from './repeat-writes.ts'
import { seal } from './seals.ts'

/** A request with the status and D1 round trips that are expected for an authorized caller. */
export interface RequestCase {
  /** The path under `/api` with its query. The default is the endpoint's route. */
  path: string
  body?: unknown
  /** The default is 200 for a good request and 422 for a bad one. */
  status: number
  /** The default is 1. */
  roundTrips: number
}

interface Details {
  /** A request that succeeds with the rows of `seedEndpoints`. */
  good?: Partial<RequestCase>
  /** A request with invalid input. Endpoints without input have none. */
  bad?: Partial<RequestCase>
  /** The database that the endpoint queries. The default is the primary. */
  place?: 'primary' | 'replica'
  /** The roles that may call an endpoint with `admin` access. The default is only `admin`. */
  roles?: readonly Role[]
  /** Whether users who see only some branches may not call the endpoint. */
  needsAllBranches?: boolean
  /** Whether machines may not call an endpoint with `user` access. */
  isForPeople?: boolean
  /** Whether the endpoint may read many rows. The test with a million logs leaves it out. */
  readsAllMatches?: boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Access = 'public' | 'user' | 'admin'
type Role = 'admin' | 'payroll' | 'machine'

/** The path and the operation in the document. */
const documented = (method: Method, route: string) => {
  const path = route.replace(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[method.toLowerCase() as Lowercase<Method>]
  const parameters = operation?.parameters ?? []
  return {
    /** `PUT /v2/people/users/{id}` */
    name: `${method} ${path}`,
    operation,
    /** The query parameters. */
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  }
}

const endpoint = (
  method: Method,
  route: string,
  access: Access,
  { good, bad, place = 'primary', ...details }: Details = {},
) => ({
  ...documented(method, route),
  method,
  /** The route in the app's router, under `/api`. */
  route,
  /** The callers: `public` is everybody, `user` is signed-in users, `admin` is the given roles. */
  access,
  roles: details.roles ?? (['admin'] as const),
  needsAllBranches: details.needsAllBranches ?? false,
  isForPeople: details.isForPeople ?? false,
  good: { path: route, status: 200, roundTrips: 1, ...good } as RequestCase,
  bad: bad && ({ path: route, status: 422, roundTrips: 1, ...bad } as RequestCase),
  place,
  readsAllMatches: details.readsAllMatches ?? false,
})

export type Endpoint = ReturnType<typeof endpoint>

export const ADMIN_EMAIL = 'ana@empresa.mx'
export const ENTRY_CODE = 'NORTE-01'
const NEW_PASSWORD = 'secreta-9-nueva'

const READERS = ['admin', 'payroll'] as const

/** The options of endpoints for admin and payroll. The endpoints may read every matching row. */
const READS_ALL = { roles: READERS, readsAllMatches: true }
/** The options of endpoints for payroll only. Their users must see all branches. */
const PAYROLL_ONLY = { roles: ['payroll'], needsAllBranches: true, readsAllMatches: true } as const

const CHANGE = { status: 'approved', comment: 'visto' }

const UUID = '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a11'
/** When the file was loaded. */
export const RECORDED_AT = new Date().toISOString()
/** A day that is over everywhere, and not old. */
export const RECORDED_DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
export const TODAY = RECORDED_AT.slice(0, 10)
const FACTS = { employee_id: 'E-001', kind: 'salida', recorded_at: RECORDED_AT }
const ITEM = { source_id: '7', ...FACTS }
const { employee_id: _, ...OWN_FACTS } = FACTS

/** What a browser returns for a subscription, with the keys of RFC 8291, section 5. */
const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/1',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

const CLOSING = { before: '2026-11-09', comment: 'Cierre de prueba.', leave_pending: true }

/**
 * The options of endpoints about employees and users. While PEOPLE_ROLES is not set, only
 * administrators who see all branches may call them.
 */
const PEOPLE = { needsAllBranches: true, readsAllMatches: true } as const

/** Rules of a day that is in the future whenever the tests run, so that no days are compared. */
const NEW_ZONE = { branch_office: null, time_zone: 'America/Cancun', valid_from: '2099-01-01' }
const NEW_SHIFT = { employee_id: 'E-001', max_shift_hours: 26, valid_from: '2099-01-01' }
const NEW_GROUP = {
  payroll_group: 'mensual',
  calendar: 'month',
  pays_from: '2026-11-01',
  expected_version: 0,
}

const NEW_EMPLOYEE = { ...EMPLOYEE, branch_office: 'Centro', expected_version: 0 }

const SERIAL = 'HXPUSH21'
const CHANGED_CLOCK = {
  label: 'Puerta',
  branch_office: 'Centro',
  uses_keys: true,
  from_day: '2026-11-01',
  retired: false,
  expected_version: 1,
}

const CORRECTIONS = `/v2/incidents/clocks/${SERIAL}/corrections`
const CORRECTION = {
  client_id: UUID,
  from: RECORDED_DAY,
  to: TODAY,
  shift_seconds: -3600,
  comment: 'El reloj iba una hora adelantado.',
}
/** A log that a correction has added in place of the log 1. */
const CORRECTED_ID = 22

const { sha256: __, ...TEXT } = AGREEMENT

const PAPER = {
  employee_id: 'E-003',
  signed_on: AGREEMENT.valid_from,
  file_sha256: 'b'.repeat(64),
  comment: 'Lo firmó en la oficina.',
}

const OTHER_USER_ID = 7_000_001
const MACHINE_ID = 7_000_002
const PROBLEM_ID = 7_000_003
/** A closing with a line of the administrator's employee. Another person objects to the closing. */
const OWN_CLOSING_ID = 1
const LINK_TOKEN = 'un-enlace'

const NEW_USER = { email: 'nuevo@empresa.mx', ...USER_NAMES, role: 'employee' }
const CHANGED_USER = {
  ...USER_NAMES,
  ...USER_ACCESS,
  role: 'employee',
  active: 1,
  expected_version: 1,
}

/** Every endpoint under `/api`. Tests that apply to all endpoints iterate over this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/auth/login', 'public', {
    good: { body: { email: ADMIN_EMAIL, password: PASSWORD } },
    bad: { body: { email: 'ana' }, roundTrips: 0 },
  }),
  endpoint('GET', '/auth/me', 'user'),
  endpoint('POST', '/auth/logout', 'user'),
  endpoint('POST', '/auth/logout_all', 'user'),
  endpoint('POST', '/auth/password', 'user', {
    good: { body: { current_password: PASSWORD, password: NEW_PASSWORD }, roundTrips: 2 },
    bad: { body: {} },
  }),
  endpoint('GET', '/v2/clients/modules_enabled', 'public', { place: 'replica' }),
  endpoint('POST', '/v2/clients/validate-code', 'public', {
    good: { body: { code: ENTRY_CODE } },
    bad: { body: {}, roundTrips: 0 },
    place: 'replica',
  }),
  endpoint('GET', '/v2/clients/config/:config', 'public', {
    good: { path: '/v2/clients/config/logo' },
    bad: { path: '/v2/clients/config/%00', roundTrips: 0 },
  }),
  endpoint('POST', '/v2/incidents/change_log_status', 'admin', {
    good: { body: { log_id: 1, ...CHANGE } },
    bad: { body: { log_id: 1, status: 'x' } },
  }),
  endpoint('POST', '/v2/incidents/change_logs_status', 'admin', {
    good: { body: { log_ids: [1, 2], ...CHANGE } },
    bad: { body: { log_ids: 'x' } },
  }),
  endpoint('GET', '/v2/incidents/logs', 'admin', {
    good: { path: '/v2/incidents/logs?limit=10' },
    bad: { path: '/v2/incidents/logs?limit=x' },
    roles: READERS,
  }),
  endpoint('GET', '/v2/incidents/logs/summary', 'admin', {
    bad: { path: '/v2/incidents/logs/summary?from=x' },
    ...READS_ALL,
  }),
  endpoint('GET', '/v2/incidents/logs/:log_id', 'admin', {
    good: { path: '/v2/incidents/logs/1' },
    bad: { path: '/v2/incidents/logs/x' },
    roles: READERS,
  }),
  endpoint('POST', '/v2/incidents/logs', 'admin', {
    good: { body: { source: 'reloj', logs: [ITEM] } },
    bad: { body: { source: 'app:1', logs: [ITEM] } },
    roles: ['machine'],
  }),
  endpoint('GET', '/v2/incidents/sources', 'admin', {
    roles: [...READERS, 'machine'],
    bad: { path: '/v2/incidents/sources?retired=x' },
  }),
  endpoint('GET', '/v2/incidents/changes', 'admin', {
    // The caller is authorized before the rate limit, and again with the events.
    good: { path: '/v2/incidents/changes?limit=10', roundTrips: 2 },
    bad: { path: '/v2/incidents/changes?after=-1' },
    roles: ['admin', 'machine'],
  }),
  endpoint('POST', '/v2/incidents/my_logs', 'user', {
    good: { body: { client_id: UUID, kind: 'entrada' } },
    bad: { body: { client_id: UUID, kind: 'checada' } },
  }),
  endpoint('GET', '/v2/incidents/my_logs', 'user', {
    bad: { path: '/v2/incidents/my_logs?from=2026-01-01&to=2026-03-01' },
  }),
  endpoint('POST', '/v2/incidents/my_requests', 'user', {
    good: { body: { client_id: UUID, comment: 'Olvidé checar.', ...OWN_FACTS } },
    bad: { body: { client_id: UUID, ...OWN_FACTS } },
    isForPeople: true,
  }),
  endpoint('PUT', '/v2/incidents/my_push', 'user', {
    good: { body: SUBSCRIPTION, roundTrips: 2 },
    bad: { body: { ...SUBSCRIPTION, endpoint: 'https://example.com/' } },
    isForPeople: true,
  }),
  endpoint('DELETE', '/v2/incidents/my_push', 'user', {
    good: { body: { endpoint: SUBSCRIPTION.endpoint }, roundTrips: 2 },
    bad: { body: {} },
  }),
  endpoint('POST', '/v2/incidents/manual_logs', 'admin', {
    good: { body: { client_id: UUID, comment: 'Olvidó checar.', ...FACTS } },
    bad: { body: { client_id: UUID, ...FACTS } },
    roles: READERS,
  }),
  endpoint('GET', '/v2/audit/checkpoint', 'user', {
    good: { roundTrips: 2 },
    // The endpoint reads up to 2,048 events that are not sealed.
    readsAllMatches: true,
  }),
  endpoint('GET', '/v2/audit/evidence', 'admin', {
    // The round trips: authorization, the check for unsealed events, the head, and one page.
    good: { roundTrips: 4 },
    bad: { path: '/v2/audit/evidence?from=2026-11-01' },
    needsAllBranches: true,
    readsAllMatches: true,
  }),
  endpoint('GET', '/v2/incidents/employees', 'admin', {
    good: { path: '/v2/incidents/employees?q=ana' },
    bad: { path: '/v2/incidents/employees?q=' },
    ...READS_ALL,
  }),
  endpoint('GET', '/v2/people/employees', 'admin', {
    bad: { path: '/v2/people/employees?limit=x' },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/people/employees/:employee_id', 'admin', {
    good: { path: '/v2/people/employees/E-001' },
    bad: { path: '/v2/people/employees/%00' },
    ...PEOPLE,
  }),
  endpoint('PUT', '/v2/people/employees/:employee_id', 'admin', {
    good: { path: '/v2/people/employees/E-005', body: NEW_EMPLOYEE, roundTrips: 3 },
    bad: { path: '/v2/people/employees/E-005', body: {} },
    ...PEOPLE,
  }),
  endpoint('DELETE', '/v2/people/employees/:employee_id', 'admin', {
    good: { path: '/v2/people/employees/E-003', roundTrips: 3 },
    bad: { path: '/v2/people/employees/%00' },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/people/employees/bulk', 'admin', {
    good: {
      body: { employees: [{ employee_id: 'E-005', ...NEW_EMPLOYEE }] },
      // The caller is authorized before the rate limit.
      roundTrips: 3,
    },
    bad: { body: { employees: 'x' } },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/people/changes', 'admin', {
    good: { path: '/v2/people/changes?subject=employee' },
    bad: { path: '/v2/people/changes?subject=x' },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/people/users', 'admin', {
    bad: { path: '/v2/people/users?limit=x' },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/people/users', 'admin', {
    // The caller is authorized before the rate limit, and again with the new user.
    good: { body: NEW_USER, roundTrips: 2 },
    bad: { body: {} },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/people/users/:id', 'admin', {
    good: { path: `/v2/people/users/${OTHER_USER_ID}` },
    bad: { path: '/v2/people/users/x' },
    ...PEOPLE,
  }),
  endpoint('PUT', '/v2/people/users/:id', 'admin', {
    good: { path: `/v2/people/users/${OTHER_USER_ID}`, body: CHANGED_USER, roundTrips: 3 },
    bad: { path: `/v2/people/users/${OTHER_USER_ID}`, body: {} },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/people/users/:id/revoke', 'admin', {
    good: { path: `/v2/people/users/${OTHER_USER_ID}/revoke`, roundTrips: 3 },
    bad: { path: '/v2/people/users/x/revoke' },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/people/users/:id/invitation', 'admin', {
    good: { path: `/v2/people/users/${OTHER_USER_ID}/invitation`, roundTrips: 3 },
    bad: { path: '/v2/people/users/x/invitation' },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/people/users/:id/token', 'admin', {
    good: { path: `/v2/people/users/${MACHINE_ID}/token`, roundTrips: 2 },
    bad: { path: '/v2/people/users/x/token' },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/incidents/my_days', 'user', {
    good: { roundTrips: 2 },
    bad: { path: '/v2/incidents/my_days?from=x' },
  }),
  endpoint('GET', '/v2/incidents/my_closings', 'user', {
    bad: { path: '/v2/incidents/my_closings?limit=0' },
  }),
  endpoint('GET', '/v2/incidents/my_closings/:id', 'user', {
    good: { path: `/v2/incidents/my_closings/${OWN_CLOSING_ID}`, roundTrips: 2 },
    bad: { path: '/v2/incidents/my_closings/x' },
  }),
  endpoint('POST', '/v2/incidents/my_closings/:id/sign', 'user', {
    good: {
      path: `/v2/incidents/my_closings/${OWN_CLOSING_ID}/sign`,
      body: { hash: '0'.repeat(64), agrees: true, password: PASSWORD },
      roundTrips: 3,
    },
    bad: { path: `/v2/incidents/my_closings/${OWN_CLOSING_ID}/sign`, body: { agrees: false } },
    isForPeople: true,
  }),
  endpoint('GET', '/v2/incidents/objections', 'admin', { roles: READERS, readsAllMatches: true }),
  endpoint('GET', '/v2/incidents/closings/:id/signatures', 'admin', {
    good: { path: `/v2/incidents/closings/${OWN_CLOSING_ID}/signatures` },
    bad: { path: '/v2/incidents/closings/x/signatures' },
    roles: READERS,
    readsAllMatches: true,
  }),
  endpoint('POST', '/v2/incidents/closings/:id/objections/:employee_id/answer', 'admin', {
    good: {
      path: `/v2/incidents/closings/${OWN_CLOSING_ID}/objections/E-004/answer`,
      body: { comment: 'Se agregó la salida.' },
      roundTrips: 2,
    },
    bad: {
      path: `/v2/incidents/closings/${OWN_CLOSING_ID}/objections/E-004/answer`,
      body: {},
    },
    roles: ['payroll'],
  }),
  endpoint('GET', '/v2/agreements', 'admin', { roles: READERS, readsAllMatches: true }),
  endpoint('POST', '/v2/agreements', 'admin', {
    good: { body: { ...TEXT, title: 'Otro texto' }, roundTrips: 2 },
    bad: { body: {} },
    needsAllBranches: true,
  }),
  endpoint('GET', '/v2/agreements/current', 'user'),
  endpoint('POST', '/v2/agreements/:id/accept', 'user', {
    good: {
      path: '/v2/agreements/1/accept',
      body: { sha256: AGREEMENT.sha256, password: PASSWORD },
      roundTrips: 3,
    },
    bad: { path: '/v2/agreements/1/accept', body: { password: PASSWORD } },
    isForPeople: true,
  }),
  endpoint('POST', '/v2/agreements/:id/paper', 'admin', {
    good: { path: '/v2/agreements/1/paper', body: PAPER, roundTrips: 3 },
    bad: { path: '/v2/agreements/1/paper', body: {} },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/agreements/:id/paper/void', 'admin', {
    good: {
      path: '/v2/agreements/1/paper/void',
      body: { employee_id: 'E-004', comment: 'De otra persona.' },
      roundTrips: 3,
    },
    bad: { path: '/v2/agreements/1/paper/void', body: {} },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/agreements/:id/people', 'admin', {
    good: { path: '/v2/agreements/1/people' },
    bad: { path: '/v2/agreements/1/people?limit=x' },
    roles: READERS,
    readsAllMatches: true,
  }),
  endpoint('POST', '/v2/people/invitations', 'admin', {
    good: { body: { employee_ids: ['E-003'] }, roundTrips: 3 },
    bad: { body: { employee_ids: [] } },
    ...PEOPLE,
  }),
  endpoint('POST', '/auth/invitation/check', 'public', {
    good: { body: { token: LINK_TOKEN } },
    bad: { body: {}, roundTrips: 0 },
  }),
  endpoint('POST', '/auth/invitation', 'public', {
    good: { body: { token: LINK_TOKEN, password: NEW_PASSWORD }, roundTrips: 2 },
    bad: { body: {}, roundTrips: 0 },
  }),
  endpoint('PUT', '/v2/incidents/sources/:source', 'admin', {
    good: { path: '/v2/incidents/sources/reloj', body: { label: 'Norte', retired: false } },
    bad: { path: '/v2/incidents/sources/reloj', body: {} },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/incidents/sources/:source/problems/:id/dismiss', 'admin', {
    good: {
      path: `/v2/incidents/sources/reloj/problems/${PROBLEM_ID}/dismiss`,
      body: { reason: 'Ya no trabaja aquí.' },
    },
    bad: { path: '/v2/incidents/sources/reloj/problems/x/dismiss', body: {} },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/incidents/clocks', 'admin', READS_ALL),
  endpoint('PUT', '/v2/incidents/clocks/:serial', 'admin', {
    // The caller is authorized before the rate limit.
    good: { path: `/v2/incidents/clocks/${SERIAL}`, body: CHANGED_CLOCK, roundTrips: 2 },
    bad: { path: `/v2/incidents/clocks/${SERIAL}`, body: {} },
    isForPeople: true,
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/confirm', 'admin', {
    // The caller is authorized before the rate limit.
    good: { path: `/v2/incidents/clocks/${SERIAL}/confirm`, roundTrips: 2 },
    bad: { path: '/v2/incidents/clocks/%00/confirm' },
    isForPeople: true,
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/incidents/clocks/waiting', 'admin', {
    good: {
      body: { serial: SERIAL, number: '317', employee_id: 'E-003' },
      // Authorization before the rate limit, the scope, the waiting punches, and the transaction.
      roundTrips: 3,
    },
    bad: { body: { serial: SERIAL, number: '317' } },
    isForPeople: true,
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/incidents/clocks/:serial/numbers', 'admin', {
    good: { path: `/v2/incidents/clocks/${SERIAL}/numbers` },
    bad: { path: '/v2/incidents/clocks/%00/numbers' },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/incidents/clocks/:serial/candidates', 'admin', {
    good: { path: `/v2/incidents/clocks/${SERIAL}/candidates?number=003` },
    bad: { path: `/v2/incidents/clocks/${SERIAL}/candidates` },
    ...PEOPLE,
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/file', 'admin', {
    good: {
      path: `/v2/incidents/clocks/${SERIAL}/file`,
      body: { text: `E-003\t${RECORDED_DAY} 00:00:00\t1\t0\t1\t0\n` },
      roundTrips: 4,
    },
    bad: { path: `/v2/incidents/clocks/${SERIAL}/file`, body: {} },
    ...PEOPLE,
  }),
  endpoint('GET', '/v2/incidents/clocks/:serial/days_off', 'admin', {
    good: { path: `/v2/incidents/clocks/${SERIAL}/days_off` },
    bad: { path: '/v2/incidents/clocks/%00/days_off' },
    readsAllMatches: true,
  }),
  endpoint('GET', '/v2/incidents/clocks/:serial/corrections', 'admin', {
    good: { path: CORRECTIONS },
    bad: { path: '/v2/incidents/clocks/%00/corrections' },
    readsAllMatches: true,
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/corrections', 'admin', {
    // Authorization before the rate limit, the logs, and the transaction.
    good: { path: CORRECTIONS, body: CORRECTION, roundTrips: 3 },
    bad: { path: CORRECTIONS, body: { ...CORRECTION, shift_seconds: 0 } },
    readsAllMatches: true,
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/corrections/:id/undo', 'admin', {
    good: {
      path: `${CORRECTIONS}/${CORRECTED_ID}/undo`,
      body: { comment: 'El reloj estaba bien.' },
      roundTrips: 3,
    },
    bad: { path: `${CORRECTIONS}/${CORRECTED_ID}/undo`, body: {} },
    readsAllMatches: true,
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/address', 'admin', {
    good: {
      path: `/v2/incidents/clocks/${SERIAL}/address`,
      body: { address: '203.0.113.7' },
      roundTrips: 2,
    },
    bad: { path: `/v2/incidents/clocks/${SERIAL}/address`, body: { address: 'casa' } },
  }),
  endpoint('POST', '/v2/incidents/clocks/:serial/reject', 'admin', {
    good: {
      path: `/v2/incidents/clocks/${SERIAL}/reject`,
      body: { from: '2026-11-01', to: '2026-11-30', comment: 'No las envió el reloj.' },
      // Authorization before the rate limit, and the clock's logs, of which there are none.
      roundTrips: 2,
    },
    bad: { path: `/v2/incidents/clocks/${SERIAL}/reject`, body: { from: '2026-11-01' } },
    readsAllMatches: true,
  }),
  endpoint('GET', '/v2/incidents/settings', 'admin', READS_ALL),
  endpoint('GET', '/v2/incidents/export', 'admin', {
    // The caller is authorized before the rate limit, and again with the first page.
    good: { path: '/v2/incidents/export?format=csv', roundTrips: 2 },
    bad: {},
    ...READS_ALL,
  }),
  endpoint('GET', '/v2/incidents/hours', 'admin', {
    // The caller is authorized before the rate limit; then the people and their logs are read.
    good: { path: '/v2/incidents/hours?format=csv&from=2026-11-01&to=2026-11-30', roundTrips: 3 },
    bad: { path: '/v2/incidents/hours?format=csv&from=x' },
    ...READS_ALL,
  }),
  endpoint('POST', '/v2/incidents/hours/reviews', 'admin', {
    good: { body: { employee_id: 'E-001', day: '2026-11-02' }, roundTrips: 4 },
    bad: { body: { employee_id: 'E-001' } },
    roles: READERS,
  }),
  endpoint('GET', '/v2/incidents/payroll_groups', 'admin', {
    bad: { path: '/v2/incidents/payroll_groups?day=x' },
    ...PAYROLL_ONLY,
  }),
  endpoint('PUT', '/v2/incidents/payroll_groups', 'admin', {
    good: { body: NEW_GROUP, roundTrips: 3 },
    bad: { body: { ...NEW_GROUP, calendar: 'x' } },
    ...PAYROLL_ONLY,
  }),
  endpoint('GET', '/v2/incidents/closings', 'admin', {
    good: { roundTrips: 1 },
    bad: { path: '/v2/incidents/closings?limit=0' },
    ...READS_ALL,
  }),
  endpoint('POST', '/v2/incidents/closings', 'admin', {
    good: { body: CLOSING, roundTrips: 10 },
    bad: { body: { before: 'x' } },
    ...PAYROLL_ONLY,
  }),
  endpoint('GET', '/v2/incidents/closings/preview', 'admin', {
    good: { path: '/v2/incidents/closings/preview?before=2026-11-09', roundTrips: 4 },
    bad: { path: '/v2/incidents/closings/preview?before=x' },
    ...PAYROLL_ONLY,
  }),
  endpoint('GET', '/v2/incidents/closings/preview/lines', 'admin', {
    good: {
      path: '/v2/incidents/closings/preview/lines?before=2026-11-09&format=csv',
      roundTrips: 4,
    },
    bad: { path: '/v2/incidents/closings/preview/lines?before=2026-01-01' },
    ...PAYROLL_ONLY,
  }),
  endpoint('GET', '/v2/incidents/closings/:id', 'admin', {
    good: { path: '/v2/incidents/closings/1' },
    bad: { path: '/v2/incidents/closings/x' },
    roles: READERS,
  }),
  endpoint('GET', '/v2/incidents/closings/:id/lines', 'admin', {
    good: { path: '/v2/incidents/closings/1/lines?format=csv', roundTrips: 4 },
    bad: { path: '/v2/incidents/closings/1/lines' },
    ...READS_ALL,
  }),
  endpoint('POST', '/v2/incidents/closings/:id/cancel', 'admin', {
    good: {
      path: '/v2/incidents/closings/1/cancel',
      body: { comment: 'Se cerró el grupo equivocado.' },
      roundTrips: 1,
    },
    bad: { path: '/v2/incidents/closings/1/cancel', body: {} },
    ...PAYROLL_ONLY,
  }),
  endpoint('GET', '/v2/company', 'admin', {
    good: { path: '/v2/company' },
    ...READS_ALL,
  }),
  endpoint('PUT', '/v2/company', 'admin', {
    good: { body: { name: 'Comercial del Centro', expected_version: 1 }, roundTrips: 2 },
    bad: { body: { name: '' } },
    ...PAYROLL_ONLY,
  }),
  endpoint('POST', '/v2/company/zones', 'admin', {
    good: { body: NEW_ZONE, roundTrips: 3 },
    bad: { body: { ...NEW_ZONE, time_zone: 'Luna/Base' } },
    ...PAYROLL_ONLY,
  }),
  endpoint('POST', '/v2/company/shifts', 'admin', {
    good: { body: NEW_SHIFT, roundTrips: 4 },
    bad: { body: { ...NEW_SHIFT, max_shift_hours: 37 } },
    ...PAYROLL_ONLY,
  }),
]

/** The good and bad requests of all endpoints, with names for `describe.each` and `it.each`. */
export const REQUESTS = ENDPOINTS.flatMap((endpoint) =>
  (['good', 'bad'] as const).flatMap((kind) => {
    const request = endpoint[kind]
    const name = `${endpoint.method} ${request?.path} (${kind})`
    return request ? [{ name, endpoint, request }] : []
  }),
)

export const send = (
  { method }: Endpoint,
  { path, body }: RequestCase,
  options: CallOptions = {},
): Promise<TestResponse> => call(method, path, { body, ...options })

/** Inserts the rows that the good requests need, and returns the administrator. */
export const seedEndpoints = repeatWrites(async ({ outdatedHash = false, logs = true } = {}) => {
  await paysFrom('2026-11-02')
  const { employee_id } = await anEmployee({
    employee_id: FACTS.employee_id,
    full_name: 'Ana Torres Rivas',
  })
  await anEmployee({ employee_id: 'E-003', full_name: 'Marta Solís Luna' })
  const password_hash = outdatedHash ? OUTDATED_HASH : PASSWORD_HASH
  const admin = await anAdmin({ email: ADMIN_EMAIL, employee_id, password_hash })
  const user = await aUser({ id: OTHER_USER_ID, email: 'otro@empresa.mx' })
  await aUser({ id: MACHINE_ID, email: 'reloj@empresa.mx', role: 'machine', machine: true })
  await anInvitation(user.id, LINK_TOKEN, admin.id)
  await anAgreement(admin.id)
  // Closings do not take people who left before the first closing.
  const former = {
    full_name: 'Jorge Ríos Paz',
    started_at: '2024-01-01',
    ended_at: '2024-12-01',
  }
  const { employee_id: other } = await anEmployee({ employee_id: 'E-004', ...former })
  await aPaper(admin.id, other)
  await aProblem({ id: PROBLEM_ID, employee_id: 'E-099', source_id: '99' })
  await aClock({ serial: SERIAL })
  await aWaitingPunch({ serial: SERIAL })
  await aNumber({ serial: SERIAL, employee_id: other, user_id: admin.id })
  await anUnknownClock({ serial: 'OTRO0001' })
  await aModule({ name: 'Checador' })
  await aClient({ code: ENTRY_CODE })
  await aConfigEntry({ key: 'logo' })
  const own = { id: OWN_CLOSING_ID, taken: [employee_id, other], hasLines: true }
  await aClosing({ user_id: admin.id, ...own })
  await anObjection(OWN_CLOSING_ID, { employee_id: other, user_id: user.id })
  if (logs) {
    const person = await anEmployee({ employee_id: 'E-002', full_name: 'Luis Mendoza Peña' })
    await aLog({ id: 1, employee_id: person.employee_id })
    const recorded_at = '2026-11-02T23:00:00.000Z'
    await aLog({ id: 2, employee_id: person.employee_id, kind: 'salida', recorded_at })
    await aLog({
      ...{ id: 21, employee_id: person.employee_id, kind: 'checada' },
      recorded_at: new Date(Date.now() - 7_200_000).toISOString(),
      ...{ source: `clock ${SERIAL.toLowerCase()}`, source_id: '2 a' },
    })
    await aLog({
      ...{ id: CORRECTED_ID, employee_id: person.employee_id, recorded_by: admin.id },
      recorded_at: '2026-11-02T14:10:00.000Z',
      source: `manual:${admin.id}`,
      source_id: `clock ${SERIAL.toLowerCase()}:0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a22:1`,
    })
  }
  await seal()
  return admin
})
