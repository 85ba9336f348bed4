/**
 * `npm run soak -- --seconds 60`: a mixed load on a service of its own, on loopback, with its state
 * in a temporary folder. Bounded in time and concurrency; exits with 1 on any unexpected status or
 * a broken audit chain.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { withDatabase } from '../cli/core/program.ts'
import { CliError, runCli } from '../cli/core/run-cli.ts'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../cli/demo/demo-data.ts'
import { startServer } from './test-server.ts'

const STATUSES = ['pending', 'approved', 'rejected']

const within = (max: number) => (text: string) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new InvalidArgumentError(`1 to ${max}.`)
  }
  return value
}

/** Items of one intake call, and the employees of the demo data. */
const ITEMS = 100
const EMPLOYEES = 12

interface RequestKind {
  name: string
  /** How often it is sent, relative to the others. */
  weight: number
  expected: number
  send: (i: number) => Promise<{ status: number }>
}

/** The requests of an ordinary day, in a realistic proportion, and some that must fail. */
const requestKinds = (api: string, token: string): RequestKind[] => {
  // A second of its own for each item, in the 45 days that the intake accepts.
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
    log_id: (i % 20) + 1,
    status: STATUSES[i % 3],
    ...(i % 2 === 0 && { comment: `revisión ${i}` }),
  })
  const intake = (i: number) => ({
    source: 'soak',
    logs: Array.from({ length: ITEMS }, (_, n) => ({
      source_id: `${i}-${n}`,
      employee_id: `E-${String((n % EMPLOYEES) + 1).padStart(3, '0')}`,
      kind: 'checada',
      recorded_at: new Date(start + (i * ITEMS + n) * 1000).toISOString(),
    })),
  })
  const login = { email: DEMO_ADMIN, password: DEMO_PASSWORD }
  const path = '/v2/incidents/change_log_status'
  return [
    { name: 'modules', weight: 20, expected: 200, send: () => send('/v2/clients/modules_enabled') },
    {
      name: 'code',
      weight: 20,
      expected: 200,
      send: () => post('/v2/clients/validate-code', { code: 'DEMO-2026' }),
    },
    {
      name: 'unknown code',
      weight: 5,
      expected: 404,
      send: (i) => post('/v2/clients/validate-code', { code: `X${i}` }),
    },
    { name: 'config', weight: 10, expected: 200, send: () => send('/v2/clients/config/logo') },
    { name: 'me', weight: 20, expected: 200, send: () => send('/auth/me') },
    { name: 'anonymous', weight: 3, expected: 401, send: () => send('/auth/me', { headers: {} }) },
    { name: 'change', weight: 20, expected: 200, send: (i) => post(path, change(i)) },
    {
      name: 'intake',
      weight: 5,
      expected: 200,
      send: (i) => post('/v2/incidents/logs', intake(i)),
    },
    { name: 'bad change', weight: 3, expected: 422, send: () => post(path, { log_id: 0 }) },
    { name: 'login', weight: 1, expected: 200, send: () => post('/auth/login', login) },
  ]
}

const percentile = (sorted: number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)

/** Audit rows whose from_status is not the to_status of the row before. */
const BROKEN_LINKS = `
  SELECT count(*) AS broken FROM (
    SELECT from_status, lag(to_status) OVER (PARTITION BY log_id ORDER BY id) AS before FROM log_events)
  WHERE before IS NOT NULL AND before <> from_status`

/** Logs whose status is not the to_status of their last audit row. */
const MISMATCHED_LOGS = `
  SELECT count(*) AS mismatched FROM attendance_logs AS log
  JOIN log_events AS last ON last.id = (SELECT max(id) FROM log_events WHERE log_id = log.id)
  WHERE log.status <> last.to_status`

/** Logs without exactly one event of their arrival. */
const UNRECORDED = `
  SELECT count(*) AS unrecorded FROM attendance_logs AS log
  WHERE (SELECT count(*) FROM log_events WHERE log_id = log.id AND event = 'recorded') <> 1`

const soak = async (api: string, seconds: number, atOnce: number) => {
  const res = await fetch(`${api}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email: DEMO_ADMIN, password: DEMO_PASSWORD }),
  })
  const { data } = (await res.json()) as { data: { token: string } }
  const kinds = requestKinds(api, data.token)
  const schedule = kinds.flatMap((kind) => Array<RequestKind>(kind.weight).fill(kind))
  const times = new Map(kinds.map((kind) => [kind, [] as number[]]))
  const unexpected = new Map<string, number>()
  const deadline = Date.now() + seconds * 1000
  let count = 0

  const work = async () => {
    while (Date.now() < deadline) {
      const i = count++
      // A stride that shares no factor with the total visits every kind.
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

const program = new Command('soak')
  .description('run a bounded mixed load on a temporary service, on loopback')
  .option('--seconds <count>', 'how long, at most 3600', within(3600), 30)
  .option('--at-once <count>', 'concurrent requests, at most 64', within(64), 8)
  .action(async ({ seconds, atOnce }: { seconds: number; atOnce: number }) => {
    const state = mkdtempSync(join(tmpdir(), 'checada-soak-'))
    const server = startServer(state, ['--var', 'INTAKE_ROLES:admin'])
    try {
      const api = await server.ready
      const { count, times, unexpected } = await soak(api, seconds, atOnce)
      console.log(`${count} requests in ${seconds} s, ${atOnce} at once; milliseconds:`)
      for (const [{ name }, taken] of times) {
        const sorted = taken.sort((a, b) => a - b)
        const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(sorted, share))
        console.log(
          `  ${name.padEnd(13)} ${String(sorted.length).padStart(6)}  p50 ${p50}  p95 ${p95}  p99 ${p99}`,
        )
      }
      await server.stop()
      await withDatabase({ persistTo: state }, async (db) => {
        const broken = await db.prepare(BROKEN_LINKS).first<number>('broken')
        const mismatched = await db.prepare(MISMATCHED_LOGS).first<number>('mismatched')
        const unrecorded = await db.prepare(UNRECORDED).first<number>('unrecorded')
        const logs = await db
          .prepare('SELECT count(*) AS n FROM attendance_logs')
          .first<number>('n')
        const rows = await db.prepare('SELECT count(*) AS n FROM log_events').first<number>('n')
        console.log(
          `${logs} logs, ${rows} events: ${broken} broken links, ${mismatched} logs with another status, ${unrecorded} without their arrival.`,
        )
        if (broken || mismatched || unrecorded) throw new CliError('The audit chain is broken.')
      })
      for (const [outcome, times] of unexpected)
        console.error(`unexpected ${outcome} (${times} times)`)
      if (unexpected.size > 0) throw new CliError('Some responses were unexpected.')
    } finally {
      await server.stop()
      rmSync(state, { recursive: true, force: true })
    }
  })

await runCli(program)
