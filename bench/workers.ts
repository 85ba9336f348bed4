import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { readConfig } from '../cli/core/installation-file.ts'
import { bundle } from '../cli/core/wrangler.ts'
import type { D1 } from '../src/core/db/query.ts'
import { readSettings } from '../src/core/http/settings.ts'
import { issueToken } from '../src/core/http/token.ts'
import { POPULATED_USERS } from '../test/support/populate.ts'

/** Bundles and runs the candidates as they are deployed: minified, in workerd, without a proxy. */

const SECRET = 'only-the-bench-signs-with-this-secret'

export const bundleAll = (folder: string) => ({
  ours: bundle(join(folder, 'ours')),
  baseline: bundle(join(folder, 'baseline'), { entry: 'bench/baseline.ts' }),
})

export type Bundles = ReturnType<typeof bundleAll>

const tokenOf = (id: number) =>
  issueToken({ id, tokenVersion: 0 }, readSettings({ TOKEN_SECRET: SECRET }), new Date())

export const TOKENS = {
  admin: await tokenOf(POPULATED_USERS.admin),
  employee: await tokenOf(POPULATED_USERS.employee),
}

const { compatibility_date, ratelimits } = readConfig()

interface Worker {
  modules: Record<string, string>
  databases: string[]
  bindings?: Record<string, unknown>
  clock?: () => Response
}

const start = ({ modules, databases, bindings, clock }: Worker): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      modules: Object.entries(modules).map(([path, contents]) => ({
        type: 'ESModule',
        path,
        contents,
      })),
      ...(compatibility_date && { compatibilityDate: compatibility_date }),
      bindings: { TOKEN_SECRET: SECRET, INTAKE_ROLES: 'admin', ...bindings } as never,
      // The service requires the bindings; requests from a loopback address are not limited.
      ratelimits: Object.fromEntries(ratelimits.map(({ name, ...limit }) => [name, limit])),
      d1Databases: databases,
      ...(clock && { serviceBindings: { CLOCK: clock as never } }),
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      // The request log is dropped.
      handleStructuredLogs: () => {},
    }),
  )

/** A module of the driver; all of its modules are in one folder. */
const source = (path: string) =>
  stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll('../test/support/', './')

/** All candidates in one workerd, called by the driver. */
export const startTogether = ({ ours, baseline }: Bundles, databases: string[]) =>
  start({
    modules: {
      'driver.ts': source('bench/driver.ts'),
      'endpoints.ts': source('bench/endpoints.ts'),
      'populate.ts': source('test/support/populate.ts'),
      'record-queries.ts': source('test/support/record-queries.ts'),
      'ours.bundle.js': ours,
      'baseline.bundle.js': baseline,
      'baseline-again.bundle.js': baseline,
    },
    databases,
    bindings: { TOKENS },
    clock: () => new Response(String(performance.now())),
  })

const migrations = await readD1Migrations('drizzle')

/** A database of a service, migrated. */
export const databaseOf = async (service: Miniflare, binding: string): Promise<D1> => {
  const db = (await service.getD1Database(binding)) as unknown as D1
  for (const { queries } of migrations) await db.batch(queries.map((text) => db.prepare(text)))
  return db
}
