import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { bundle } from '../cli/wrangler.ts'
import type { D1 } from '../src/db/query.ts'
import { readSettings } from '../src/http/settings.ts'
import { issueToken } from '../src/http/token.ts'
import { PEOPLE } from '../test/support/populate.ts'

/** Bundles and runs the contestants as they deploy: minified, in workerd, without a proxy before them. */

const SECRET = 'only-the-bench-signs-with-this-secret'

export const bundleAll = (folder: string) => ({
  ours: bundle(join(folder, 'ours')),
  floor: bundle(join(folder, 'baseline'), 'bench/baseline.ts'),
})

export type Bundles = ReturnType<typeof bundleAll>

const tokenOf = (id: number) =>
  issueToken({ id, tokenVersion: 0 }, readSettings({ TOKEN_SECRET: SECRET }), new Date())

export const TOKENS = {
  admin: await tokenOf(PEOPLE.admin),
  employee: await tokenOf(PEOPLE.employee),
}

const { compatibility_date, ratelimits } = unstable_readConfig({ config: 'wrangler.toml' })

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
      bindings: { TOKEN_SECRET: SECRET, ...bindings } as never,
      // No contestant meets one, since all come from a loopback address; the service insists on them.
      ratelimits: Object.fromEntries(
        ratelimits.map(({ name, ...limit }: { name: string }) => [name, limit]),
      ),
      d1Databases: databases,
      ...(clock && { serviceBindings: { CLOCK: clock as never } }),
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.ERROR),
      // A line a request: written, and thrown away.
      handleStructuredLogs: () => {},
    }),
  )

/** One contestant as it deploys. */
export const startAlone = (script: string) =>
  start({ modules: { 'index.js': script }, databases: ['DB'] })

const source = (path: string) => stripTypeScriptTypes(readFileSync(path, 'utf8'))

/** All contestants in one workerd, called by the driver. */
export const startTogether = ({ ours, floor }: Bundles, databases: string[]) =>
  start({
    modules: {
      'driver.ts': source('bench/driver.ts').replace('../test/support/', './'),
      'endpoints.ts': source('bench/endpoints.ts'),
      'record-queries.ts': source('test/support/record-queries.ts'),
      'ours.bundle.js': ours,
      'floor.bundle.js': floor,
      'floor-again.bundle.js': floor,
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
