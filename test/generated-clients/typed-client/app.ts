// A fresh app with the packed client. Several versions of TypeScript check its types, then it runs.
import { ApiError, createClient, type DataOf, dataOf, type LogRow, pagesOf } from 'checada/client'

const origin = process.argv[2] ?? ''
type LogsInput = Parameters<typeof api.v2.incidents.logs.$get>[0]
let token: string | undefined
const api = createClient(origin, { token: () => token })

const assert = (holds: boolean, what: string) => {
  if (!holds) throw new Error(what)
}

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>) => {}

const login = await api.auth.login.$post({
  json: { email: 'ana.torres@demo.mx', password: 'checada-demo' },
})
same<
  typeof login.status,
  200 | 400 | 401 | 403 | 405 | 408 | 413 | 422 | 429 | 500 | 502 | 503 | 507
>(true)
switch (login.status) {
  case 200: {
    const { data } = await login.json()
    const { id, email, first_name, last_name, mother_last_name, role, active } = data.user
    same<typeof id, number>(true)
    same<typeof active, number>(true)
    for (const text of [email, first_name, last_name, mother_last_name, role]) text.trim()
    same<typeof data.token_type, 'Bearer'>(true)
    token = data.token
    break
  }
  case 422: {
    const { errors } = await login.json()
    same<typeof errors, Record<string, string[]>>(true)
    break
  }
  default: {
    const body = await login.json()
    same<typeof body.success, false>(true)
    same<typeof body.data, null>(true)
    body.message.trim()
  }
}

const me = await api.auth.me.$get()
if (me.status === 401) {
  const bare = await me.json()
  same<typeof bare, { message: string }>(true)
  // @ts-expect-error the contract's 401 of this endpoint has no envelope
  bare.success
} else if (me.status === 200) {
  const { user, employee } = (await me.json()).data
  same<typeof user.external, number>(true)
  assert(user.status_user === 'activo', 'status_user')
  assert(employee?.full_name.trim() !== '', 'full_name')
}

const modules = await dataOf(api.v2.clients.modules_enabled.$get())
assert(
  modules.every(({ enabled_app }) => enabled_app === true),
  'modules',
)
const client = await api.v2.clients['validate-code'].$post({ json: { code: 'DEMO-2026' } })
if (client.status === 422) {
  const bare = await client.json()
  same<keyof typeof bare, 'message' | 'errors'>(true)
}
assert(client.status === 200 && (await client.json()).data.url_base !== '', 'validate-code')
const entry = await dataOf(api.v2.clients.config[':config'].$get({ param: { config: 'logo' } }))
same<typeof entry, { key: string; tipo: string; nombre: string; valor: string }>(true)

const ids: number[] = []
let first: LogRow | undefined
for await (const page of pagesOf((cursor) =>
  api.v2.incidents.logs.$get({ query: { limit: 50, order: 'newest', cursor } }),
)) {
  first ??= page.logs[0]
  ids.push(...page.logs.map(({ log_id }) => log_id))
}
const summary = await dataOf(api.v2.incidents.logs.summary.$get({ query: {} }))
const { pending, approved, rejected } = summary.total
assert(new Set(ids).size === pending + approved + rejected, 'every log once')
if (!first) throw new Error('There are no logs.')
const { log_id, status } = first

const changed = await api.v2.incidents.change_log_status.$post({
  json: { log_id, status: 'rejected', comment: 'Prueba del cliente.', expected_status: status },
})
assert(changed.status === 200, `changed: ${changed.status}`)
const moved = await api.v2.incidents.change_log_status.$post({
  json: { log_id, status: 'approved', expected_status: 'pending' },
})
same<typeof moved.status extends infer S ? (409 extends S ? true : false) : never, true>(true)
assert(moved.status === 409 && (await moved.json()).message !== '', 'moved')
const many = await dataOf(
  api.v2.incidents.change_logs_status.$post({ json: { log_ids: [log_id], status } }),
)
assert(many[0]?.log_id === log_id, 'many')

const detail = await api.v2.incidents.logs[':log_id'].$get({ param: { log_id }, query: {} })
if (detail.status === 404) assert((await detail.json()).data === null, 'detail')
if (detail.status !== 200) throw new Error('detail')
const { data } = await detail.json()
assert(data.history[0]?.user?.full_name !== undefined && data.history.length >= 2, 'history')
same<typeof data.next_cursor, string | null>(true)

const file = await api.v2.incidents.export.$get({ query: { format: 'csv' } })
if (file.status === 200) {
  const text = await file.text()
  same<typeof text, string>(true)
  assert(text.includes('log_id,employee_id'), 'csv')
}

const [source] = await dataOf(api.v2.incidents.sources.$get())
assert(source !== undefined && source.problems.length >= 0, 'sources')
const { changes, next_after } = await dataOf(
  api.v2.incidents.changes.$get({ query: { after: 0, limit: 500, event: 'decided' } }),
)
assert(
  changes.every(({ event, id }) => event === 'decided' && id <= next_after),
  'changes',
)
const { employees } = await dataOf(api.v2.incidents.employees.$get({ query: { q: 'mendoza' } }))
assert(employees[0]?.employee_id === 'E-002' && employees[0].ended_at === null, 'employees')
const settings = await dataOf(api.v2.incidents.settings.$get())
assert(settings.time_zone !== '' && settings.user.can.includes('decide'), 'settings')
const near = await dataOf(api.v2.incidents.logs.$get({ query: { limit: 1, nearby: true } }))
assert(Array.isArray(near.logs[0]?.nearby), 'nearby')
const mine = await dataOf(api.v2.incidents.my_logs.$get({ query: {} }))
assert(Array.isArray(mine.logs), 'my_logs')
const facts = {
  employee_id: 'E-002',
  kind: 'salida' as const,
  recorded_at: new Date().toISOString(),
}
const client_id = crypto.randomUUID()
const added = await dataOf(
  api.v2.incidents.manual_logs.$post({ json: { client_id, comment: 'Olvidó checar.', ...facts } }),
)
same<typeof added.result, 'created' | 'known' | 'differs' | 'refused'>(true)
assert(added.log_id !== null && added.reason === undefined, 'manual_logs')
const ownLog = await dataOf(
  api.v2.incidents.my_logs.$post({ json: { client_id, kind: 'entrada' } }),
)
assert(ownLog.log_id !== null, 'the demo lets employees check in')
const machine = await api.v2.incidents.logs.$post({
  json: { source: 'reloj', logs: [{ source_id: '1', ...facts }] },
})
assert(machine.status === 403, 'INTAKE_ROLES is empty by default')

const hours = await api.v2.incidents.hours.$get({ query: { format: 'ndjson', by: 'employee' } })
assert(hours.status === 200 && (await hours.text()).includes('"worked_seconds"'), 'hours')
const preview = await api.v2.incidents.hours.$get({ query: { format: 'csv', preview: true } })
assert(preview.status === 200 && (await preview.text()).includes('weekday'), 'preview')
const { closings } = await dataOf(api.v2.incidents.closings.$get({ query: {} }))
const [closing] = closings
if (!closing) throw new Error('closings')
same<typeof closing.payroll_group, string | null>(true)
const lines = await api.v2.incidents.closings[':id'].lines.$get({
  param: { id: closing.id },
  query: { format: 'csv' },
})
assert(lines.status === 200 && (await lines.text()).includes('employee_id'), 'closing lines')
const { before, payroll_group } = closing
const again = await api.v2.incidents.closings.$post({ json: { before, payroll_group } })
assert(again.status === 409, `closing again: ${again.status}`)

const checkpoint = await api.v2.audit.checkpoint.$get()
assert(checkpoint.status === 200 && (await checkpoint.text()).includes('\n— '), 'checkpoint')
const evidence = await api.v2.audit.evidence.$get({ query: { log_id } })
assert(evidence.status === 200 && (await evidence.text()).includes('"end"'), 'evidence')

try {
  await dataOf(api.v2.incidents.logs[':log_id'].$get({ param: { log_id: 999_999_999 } }))
  throw new Error('An unknown log was found.')
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  assert(error.status === 404 && error.requestId !== undefined, 'ApiError')
}
const wrong = await dataOf(
  // @ts-expect-error a status that does not exist
  api.v2.incidents.change_log_status.$post({ json: { log_id, status: 'aprobado' } }),
).catch((error: unknown) => error)
assert(wrong instanceof ApiError && wrong.errors.status?.length === 1, 'field errors')

const foreign = createClient(origin, {
  fetch: async () => new Response('<title>Wi-Fi</title>', { headers: { 'Retry-After': '7' } }),
})
const page = await dataOf(foreign.v2.clients.modules_enabled.$get()).catch((error) => error)
assert(page instanceof ApiError && page.status === 200 && page.retryAfter === 7, 'no data')

// @ts-expect-error an unknown parameter among optional ones
const satus = { query: { satus: 'pending' } } satisfies LogsInput
// @ts-expect-error a text for a number
const text = { query: { limit: '3' } } satisfies LogsInput
assert(satus !== undefined && text !== undefined, 'wrong queries')

type Me = DataOf<typeof me>
same<Me['user']['role'], string>(true)
assert((await api.auth.logout_all.$post()).status === 200, 'logout_all')
const ended = await dataOf(api.auth.me.$get()).catch((error: unknown) => error)
assert(ended instanceof ApiError && ended.status === 401, 'ended token')
console.log('The typed client works.')
