// Downloads files with openapi-fetch and the types that openapi-typescript makes of /openapi.json.
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi.ts'

const api = createClient<paths>({ baseUrl: `${process.argv[2]}/api` })

const login = await api.POST('/auth/login', {
  body: { email: 'ana.torres@demo.mx', password: 'checada-demo' },
})
if (login.error) throw new Error(login.error.message)
const { token } = login.data.data
api.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token}`) })

// The call rejects if the transfer breaks, so a received file is complete.
const csv = await api.GET('/v2/incidents/export', {
  params: { query: { format: 'csv', from: '2020-01-01', order: 'newest' } },
  parseAs: 'blob',
})
if (csv.error) throw new Error(csv.error.message)
const table = await csv.data.text()
if (!table.startsWith('log_id,employee_id')) throw new Error(`csv: ${table.slice(0, 80)}`)

const hours = await api.GET('/v2/incidents/hours', {
  params: { query: { format: 'ndjson', preview: true } },
  parseAs: 'text',
})
if (hours.error) throw new Error(hours.error.message)
// The text of an empty file is '' or undefined.
const rows = (hours.data ?? '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): components['schemas']['HoursDay'] => JSON.parse(line))
const exceptions = new Set(rows.flatMap((row) => row.exceptions))
if (rows.length === 0 || exceptions.size === 0) throw new Error('hours')

const evidence = await api.GET('/v2/audit/evidence', {
  params: { query: { log_id: 1, comments: false } },
  parseAs: 'stream',
})
if (evidence.error) throw new Error(evidence.error.message)

// An error is no file: openapi-fetch parses it as JSON, regardless of `parseAs`.
const refused = await api.GET('/v2/incidents/closings/preview/lines', {
  params: { query: { format: 'csv', before: 'mañana' } },
  parseAs: 'text',
})
const { before } = refused.error && 'errors' in refused.error ? refused.error.errors : {}
if (refused.response.status !== 422 || before?.length !== 1) throw new Error('a 422')
console.log('openapi-fetch takes files.')
