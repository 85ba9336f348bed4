/**
 * `npm run soak -- --seconds 60`: starts a service on loopback, with its state in a temporary
 * folder, and sends it mixed requests for a limited time. Exits with 1 if any status is unexpected
 * or the record contradicts itself.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Command } from 'commander'
import { findContradictions } from '../cli/backup/contradictions.ts'
import { countRows } from '../cli/backup/schema.ts'
import { localFile } from '../cli/core/opening-check.ts'
import { numberLike } from '../cli/core/option-parsers.ts'
import { CliError, runCli } from '../cli/core/run-cli.ts'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../cli/demo/demo-data.ts'
import { withServer } from './test-server.ts'

const LOGIN = { email: DEMO_ADMIN, password: DEMO_PASSWORD }
const STATUSES = ['pending', 'approved', 'rejected']

const ITEMS_PER_CALL = 100
/** How many of the demo's employees get logs. */
const EMPLOYEE_COUNT = 12

type Send = (i: number) => Promise<{ status: number }>

interface RequestKind {
  name: string
  /** How often the request is sent, relative to the other kinds. */
  weight: number
  /** The expected status of the response. */
  expected: number
  send: Send
}

/** The requests of a normal day in a realistic proportion, and some that must fail. */
const requestKinds = (api: string, token: string, logIds: number[]): RequestKind[] => {
  // Each item gets a different second within the 45 days that the intake accepts.
  const start = Date.now() - 44 * 86_400_000
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const send = async (path: string, init: RequestInit = {}) => {
    const res = await fetch(`${api}${path}`, { headers, ...init })
    await res.arrayBuffer()
    return res
  }
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', body: JSON.stringify(body) })
  const change = (i: number) => ({
    log_id: logIds[i % logIds.length],
    status: STATUSES[i % 3],
    ...(i % 2 === 0 && { comment: `revisión ${i}` }),
  })
  const intake = (i: number) => ({
    source: 'soak',
    logs: Array.from({ length: ITEMS_PER_CALL }, (_, n) => ({
      source_id: `${i}-${n}`,
      employee_id: `E-${String((n % EMPLOYEE_COUNT) + 1).padStart(3, '0')}`,
      kind: 'checada',
      recorded_at: new Date(start + (i * ITEMS_PER_CALL + n) * 1000).toISOString(),
    })),
  })
  const path = '/v2/incidents/change_log_status'
  const kind = (name: string, weight: number, expected: number, send: Send): RequestKind => {
    return { name, weight, expected, send }
  }
  const codePath = '/v2/clients/validate-code'
  return [
    kind('modules', 20, 200, () => send('/v2/clients/modules_enabled')),
    kind('code', 20, 200, () => post(codePath, { code: 'DEMO-2026' })),
    kind('unknown code', 5, 404, (i) => post(codePath, { code: `X${i}` })),
    kind('config', 10, 200, () => send('/v2/clients/config/logo')),
    kind('me', 20, 200, () => send('/auth/me')),
    kind('anonymous', 3, 401, () => send('/auth/me', { headers: {} })),
    kind('change', 20, 200, (i) => post(path, change(i))),
    kind('intake', 5, 200, (i) => post('/v2/incidents/logs', intake(i))),
    kind('bad change', 3, 422, () => post(path, { log_id: 0 })),
    kind('login', 1, 200, () => post('/auth/login', LOGIN)),
  ]
}

const percentile = (sorted: number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)

const soak = async (api: string, seconds: number, atOnce: number) => {
  const login = await fetch(`${api}/auth/login`, { method: 'POST', body: JSON.stringify(LOGIN) })
  const { token } = ((await login.json()) as { data: { token: string } }).data
  // The demo's closing locks the logs that were decided before it, but not the pending ones.
  const pending = await fetch(`${api}/v2/incidents/logs?status=pending&limit=20`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const { logs } = ((await pending.json()) as { data: { logs: { log_id: number }[] } }).data
  const logIds = logs.map(({ log_id }) => log_id)
  const kinds = requestKinds(api, token, logIds)
  const schedule = kinds.flatMap((kind) => Array<RequestKind>(kind.weight).fill(kind))
  const times = new Map(kinds.map((kind) => [kind, [] as number[]]))
  const unexpected = new Map<string, number>()
  const deadline = Date.now() + seconds * 1000
  let count = 0

  const work = async () => {
    while (Date.now() < deadline) {
      const i = count++
      // A step that has no common factor with the length of the schedule reaches every entry.
      const kind = schedule[(i * 37) % schedule.length] as RequestKind
      const started = performance.now()
      const outcome = await kind.send(i).then(
        ({ status }) => (status === kind.expected ? '' : `${kind.name}: ${status}`),
        (error: Error) => `${kind.name}: ${error.message}`,
      )
      times.get(kind)?.push(performance.now() - started)
      if (outcome) unexpected.set(outcome, (unexpected.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { count, times, unexpected }
}

/** Fails if the record of a stopped service contradicts itself. */
const audit = async (state: string) => {
  const db = new DatabaseSync(localFile(state))
  const found = await findContradictions(db)
  if (found.length > 0) throw new CliError(`The record contradicts itself: ${found.join('; ')}.`)
  const count = (table: string) => `${countRows(db, table)} ${table}`
  console.log(`${count('attendance_logs')}, ${count('log_events')}: nothing contradicts itself.`)
  db.close()
}

const count = numberLike(/^[1-9]\d{0,5}$/, 'Not a whole number, 1 or more.')

const program = new Command('soak')
  .description('run a mixed load on a temporary service, on loopback')
  .option('--seconds <count>', 'how long', count, 30)
  .option('--at-once <count>', 'concurrent requests', count, 8)
  .action(({ seconds, atOnce }: { seconds: number; atOnce: number }) =>
    withServer(
      async (server, folder) => {
        const { count, times, unexpected } = await soak(await server.ready, seconds, atOnce)
        console.log(`${count} requests in ${seconds} s, ${atOnce} at once; milliseconds:`)
        for (const [{ name }, taken] of times) {
          const sorted = taken.sort((a, b) => a - b)
          const [p50, p95] = [0.5, 0.95].map((share) => percentile(sorted, share))
          console.log(`  ${name.padEnd(13)} ${taken.length} requests, p50 ${p50}, p95 ${p95}`)
        }
        await server.stop()
        await audit(join(folder, 'state'))
        for (const [outcome, times] of unexpected)
          console.error(`unexpected ${outcome} (${times} times)`)
        if (unexpected.size > 0) throw new CliError('Some responses were unexpected.')
      },
      ['--var', 'INTAKE_ROLES:admin'],
    ),
  )

await runCli(program)
