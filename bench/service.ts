import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { D1 } from '../src/db/query.ts'
import { issueToken } from '../src/http/door/token.ts'
import { readSettings } from '../src/http/settings.ts'
import { PEOPLE } from './world.ts'

/** Bundles and runs the contestants as they deploy: minified, in workerd, without a proxy before them. */

const SECRET = 'only-the-bench-signs-with-this-secret'

const bundle = (outdir: string, ...entry: string[]): string => {
  const args = ['deploy', ...entry, '--dry-run', '--outdir', outdir, '--env=']
  execFileSync('wrangler', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const script = readdirSync(outdir).find((name) => name.endsWith('.js'))
  return readFileSync(join(outdir, script ?? ''), 'utf8')
}

export const bundleAll = (folder: string) => ({
  ours: bundle(join(folder, 'ours')),
  floor: bundle(join(folder, 'floor'), 'bench/floor.ts'),
})

export type Bundles = ReturnType<typeof bundleAll>

const tokenOf = (id: number) =>
  issueToken({ id, tokenVersion: 0 }, readSettings({ TOKEN_SECRET: SECRET }), new Date())

export const TOKENS = {
  admin: await tokenOf(PEOPLE.admin),
  employee: await tokenOf(PEOPLE.employee),
}

const compatibilityDate = /^compatibility_date = "(.+)"$/m.exec(
  readFileSync('wrangler.toml', 'utf8'),
)?.[1]

/** No contestant meets them, since all come from a loopback address; the service insists on them. */
const limit = { namespace_id: '1', simple: { limit: 1, period: 60 } }
const ratelimits = {
  LOGIN_BY_ACCOUNT: limit,
  LOGIN_BY_ADDRESS: limit,
  CODE_BY_ADDRESS: limit,
  PASSWORD_BY_USER: limit,
}

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
      ...(compatibilityDate && { compatibilityDate }),
      bindings: { TOKEN_SECRET: SECRET, ...bindings } as never,
      ratelimits: ratelimits as never,
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

const source = (name: string) => stripTypeScriptTypes(readFileSync(`bench/${name}`, 'utf8'))

/** All contestants in one workerd, called by the driver. */
export const startTogether = ({ ours, floor }: Bundles, databases: string[]) =>
  start({
    modules: {
      'driver.ts': source('driver.ts'),
      'endpoints.ts': source('endpoints.ts'),
      'watch.ts': source('watch.ts'),
      'ours.bundle.js': ours,
      'floor.bundle.js': floor,
      'floor-again.bundle.js': floor,
    },
    databases,
    bindings: { TOKENS },
    clock: () => new Response(String(performance.now())),
  })

const migrate = async (db: D1): Promise<void> => {
  for (const file of readdirSync('drizzle')
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    for (const text of readFileSync(join('drizzle', file), 'utf8').split(
      '--> statement-breakpoint',
    )) {
      await db.prepare(text).run()
    }
  }
}

/** A database of a service, migrated. */
export const databaseOf = async (service: Miniflare, binding: string): Promise<D1> => {
  const db = (await service.getD1Database(binding)) as unknown as D1
  await migrate(db)
  return db
}
