import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call, get, post } from '../support/api.ts'
import { app } from '../support/app.ts'
import { stopClock } from '../support/clock/clock.ts'
import { resetUsedDatabase } from '../support/database.ts'
import {
  ADMIN_EMAIL,
  ENDPOINTS,
  ENTRY_CODE,
  type Endpoint,
  RECORDED_AT,
  RECORDED_DAY,
  seedEndpoints,
  send,
  TODAY,
} from '../support/endpoints.ts'
import { aLog, PASSWORD } from '../support/factories.ts'

const NOW = '2026-11-25T16:40:00.000Z'

/** Values that differ in each run, as they stand in an example. */
const RANDOM: [RegExp, string][] = [
  [/(?<="token":")[^"]+/, '<ACCESS_TOKEN>'],
  [/(?<=#\/invitacion\/)[\w-]+/, 'token'],
  [/(?<=\n)[\w+/]{43}=(?=\n)/, '<HASH>'],
  [/(?<=— \S+ )[\w+/=]+/, '<SIGNATURE>'],
]

/** The same values in the demo data, so that the examples of the reference page work there. */
const IN_DEMO: [string, string][] = [
  [ADMIN_EMAIL, 'ana.torres@demo.mx'],
  [PASSWORD, 'checada-demo'],
  [ENTRY_CODE, 'DEMO-2026'],
]

const withoutRandom = (text: string): string =>
  RANDOM.reduce(
    (result, [pattern, value]) => result.replaceAll(new RegExp(pattern, 'g'), value),
    text,
  )

/** The paths of a good request. A file has one for each format and kind, by the name of the kind. */
const pathsOf = ({ operation, good: { path } }: Endpoint): [name: string, path: string][] => {
  const choices = (name: string) =>
    (operation?.parameters?.find((one) => one.name === name)?.schema.enum ?? []) as string[]
  const formats = choices('format')
  if (formats.length === 0) return [['', path]]
  return formats.flatMap((format) => {
    const rows = path.replace('format=csv', `format=${format}`)
    const kinds = choices('by').map((by): [string, string] => [`by=${by}`, `${rows}&by=${by}`])
    return [['rows', rows], ...kinds] as [string, string][]
  })
}

const EXIT = { kind: 'salida' } as const

/** Replaces all rows. Two people have an approved day. */
const signIn = async (): Promise<string> => {
  await resetUsedDatabase()
  const { token } = await seedEndpoints()
  await aLog({ id: 3, employee_id: 'E-002', recorded_at: '2026-11-03T14:00:00.000Z' })
  await aLog({ id: 4, employee_id: 'E-002', recorded_at: '2026-11-03T22:00:00.000Z', ...EXIT })
  await aLog({ id: 5, employee_id: 'E-001', recorded_at: '2026-11-24T14:00:00.000Z' })
  await aLog({ id: 6, employee_id: 'E-001', recorded_at: '2026-11-24T23:00:00.000Z', ...EXIT })
  const body = { log_ids: [3, 4, 5, 6], status: 'approved', comment: 'Llegó puntual.' }
  await post('/v2/incidents/change_logs_status', body, { token })
  const path = '/v2/people/employees/E-003'
  const { employee_id, version, user, ...record } = (await get(path, { token })).body.data.employee
  const moved = { ...record, branch_office: 'Norte', expected_version: version }
  await call('PUT', path, { token, body: moved })
  return token
}

/** An example of an answer: a file is its head and its first row. */
const exampleOf = (type: string, text: string): unknown => {
  if (type === 'application/json') return JSON.parse(withoutRandom(text))
  if (type === 'text/plain') return withoutRandom(text)
  const lines = type === 'text/csv' ? 2 : 1
  return text
    .split(/(?<=\n)/)
    .slice(0, lines)
    .join('')
}

const recordExamples = async (endpoint: Endpoint, token: string) => {
  const good = JSON.stringify(endpoint.good)
    .replaceAll(RECORDED_AT, NOW)
    .replaceAll(RECORDED_DAY, NOW.slice(0, 10))
    .replaceAll(TODAY, NOW.slice(0, 10))
  const { body } = JSON.parse(good)
  const invalid = endpoint.bad && (await send(endpoint, endpoint.bad, { token })).body
  const answers: Record<string, Record<string, unknown>> = {}
  for (const [name, path] of pathsOf(endpoint)) {
    const { headers, text } = await send(endpoint, { ...endpoint.good, path, body }, { token })
    const [type = ''] = headers.get('Content-Type')?.split(';') ?? []
    if (type !== 'application/octet-stream') {
      answers[type] = { ...answers[type], [name]: exampleOf(type, text) }
    }
  }
  return { body, answers, invalid }
}

/**
 * The examples of the document are a good request of each operation, its answer, and the answer to
 * invalid input. `npm run openapi` writes them.
 */
it('answers as the document shows', async () => {
  stopClock(NOW)
  let token = await signIn()
  const health = await app.request('/health', {}, env)
  const { data, ...envelope } = await health.json<{ data: object }>()
  const steady = { version: '2.0.0', database_bytes: 282_624, days_left: 812 }
  const answer = { ...envelope, data: { ...data, ...steady } }
  const examples: Record<string, unknown> = {
    'GET /health': { answers: { 'application/json': { '': answer } } },
  }
  for (const endpoint of ENDPOINTS) {
    examples[endpoint.name] = await recordExamples(endpoint, token)
    if (endpoint.method !== 'GET') token = await signIn()
  }
  const text = IN_DEMO.reduce(
    (result, [value, inDemo]) => result.replaceAll(value, inDemo),
    JSON.stringify(examples, null, 2),
  )
  await expect(`${text}\n`).toMatchFileSnapshot('../../sdk/openapi/examples.json')
})
