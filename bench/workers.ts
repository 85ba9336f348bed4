import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { readConfig } from '../cli/core/installation-file.ts'
import { bundle } from '../cli/core/wrangler.ts'
import { buildWorker } from '../scripts/build-worker.ts'
import type { D1 } from '../src/core/db/query.ts'
import { readSettings } from '../src/core/http/settings.ts'
import { issueToken } from '../src/core/http/token.ts'
import { POPULATED_USERS } from '../test/support/populate.ts'
import { cpuTime } from './cpu-time.ts'
import { CLOCK_SERIAL } from './endpoints.ts'

const SECRET = 'only-the-bench-signs-with-this-secret'

const NOW = new Date().toISOString()

const tokenOf = (id: number) =>
  issueToken({ id, tokenVersion: 0 }, readSettings({ TOKEN_SECRET: SECRET }), new Date())

/**
 * Bundles the service and the baseline. Returns them and the driver's files as modules. Module names
 * have no folder, so imports from `../test/support/` become imports from `./`.
 */
const modulesOf = async () => {
  const { files } = await buildWorker()
  const [main, ...others] = files.map(({ name, code }) => [name, code] as const)
  const folder = mkdtempSync(join(tmpdir(), 'checada-bench-'))
  const source = (path: string) =>
    stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll('../test/support/', './')
  const baseline = bundle(join(folder, 'baseline'), { entry: 'bench/baseline.ts' })
  const modules = {
    'driver.ts': source('bench/driver.ts'),
    'endpoints.ts': source('bench/endpoints.ts'),
    'populate.ts': source('test/support/populate.ts'),
    'record-queries.ts': source('test/support/record-queries.ts'),
    'ours.bundle.js': main?.[1] ?? '',
    ...Object.fromEntries(others),
    'baseline.bundle.js': baseline,
    'baseline-again.bundle.js': baseline,
  }
  rmSync(folder, { recursive: true })
  const code = {
    ours: Object.fromEntries(files.map((file) => [file.name, file.code])),
    baseline: { 'index.js': baseline },
    replay: { 'record-queries.ts.js': modules['record-queries.ts'] },
  }
  const list = Object.entries(modules).map(
    ([path, contents]) => ({ type: 'ESModule', path, contents }) as const,
  )
  return { modules: list, code }
}

/** Starts one workerd with the driver and all candidates, which are minified as in a deployment. */
export const startAllCandidates = async (databases: string[]): Promise<Miniflare> => {
  const { compatibility_date, ratelimits } = readConfig()
  const { admin, employee } = POPULATED_USERS
  const TOKENS = { admin: await tokenOf(admin), employee: await tokenOf(employee) }
  const clock = () => new Response(String(performance.now()))
  const cpu = () => new Response(String(cpuTime()))
  const { modules, code } = await modulesOf()
  return new Miniflare(
    convertV4MiniflareOptions({
      modules,
      compatibilityDate: compatibility_date,
      // Only with this flag may a Worker load others.
      compatibilityFlags: ['experimental'],
      workerLoaders: { LOADER: {} },
      bindings: { TOKEN_SECRET: SECRET, INTAKE_ROLES: 'admin', TOKENS, CODE: code },
      // The service requires these bindings, but does not limit requests from a loopback address.
      ratelimits: Object.fromEntries(ratelimits.map(({ name, ...limit }) => [name, limit])),
      d1Databases: databases,
      serviceBindings: { CLOCK: clock as never, CPU: cpu as never },
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      // The request log is dropped.
      handleStructuredLogs: () => {},
    }),
  )
}

const migrations = await readD1Migrations('drizzle')

export const openMigratedDatabase = async (service: Miniflare, binding: string): Promise<D1> => {
  const db = (await service.getD1Database(binding)) as unknown as D1
  for (const { queries } of migrations) await db.batch(queries.map((text) => db.prepare(text)))
  return db
}

/** Adds the clock whose call is measured. */
export const addClock = async (db: D1): Promise<void> => {
  const source = `clock ${CLOCK_SERIAL.toLowerCase()}`
  await db.batch([
    db.prepare('INSERT INTO intake_sources (source, last_seen_at) VALUES (?, ?)').bind(source, NOW),
    db
      .prepare(
        'INSERT INTO clocks (serial, branch_office, uses_keys, from_day) VALUES (?, ?, 0, ?)',
      )
      .bind(CLOCK_SERIAL, 'Norte', '2026-01-01'),
  ])
}
