import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getPlatformProxy } from 'wrangler'
import { configuredDatabase, Fault } from './wrangler.ts'

/** Which database a command speaks to: the local one, or the deployed one of an environment. */
export interface Target {
  remote?: boolean
  env?: string
  /** Another folder of local state, as `wrangler dev --persist-to` takes it. */
  persistTo?: string
}

/** Another process holds the local database, such as the running service. */
const BUSY = /locked|SQLITE_BUSY/i
const PATIENCE_MS = 30_000

const retryWhileBusy = async <T>(work: () => Promise<T>): Promise<T> => {
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!BUSY.test(String(error)) || Date.now() > deadline) throw error
      await sleep(50 + Math.random() * 100)
    }
  }
}

const ASKING = new Set(['run', 'all', 'raw', 'first'])
const bare = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

const patientStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
  const patient = new Proxy(statement, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...args: unknown[]) => unknown
      if (name === 'bind') {
        return (...values: unknown[]) => patientStatement(target.bind(...values))
      }
      return ASKING.has(String(name))
        ? (...args: unknown[]) => retryWhileBusy(async () => member.apply(target, args))
        : member.bind(target)
    },
  })
  bare.set(patient, statement)
  return patient
}

/** A database that waits its turn: two processes on one local D1 get SQLITE_BUSY at once. */
export const patient = (db: D1Database): Pick<D1Database, 'prepare' | 'batch'> => ({
  prepare: (text) => patientStatement(db.prepare(text)),
  batch: (statements) =>
    retryWhileBusy(() => db.batch(statements.map((statement) => bare.get(statement) ?? statement))),
})

/** A configuration with the deployed database alone: wrangler.toml stays as it is. */
const remoteConfig = (env?: string): string => {
  const { name, id } = configuredDatabase(env ? { env } : {})
  if (!id) throw new Fault('There is no deployed database yet: run npm run deploy:setup first.')
  const d1 = { binding: 'DB', database_name: name, database_id: id, remote: true }
  const path = join('.wrangler', `remote-${env ?? 'production'}.json`)
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, JSON.stringify({ name: 'checada', d1_databases: [d1] }))
  return path
}

/** Opens the database of a target, for commands that run beside the service. */
export const openDatabase = async ({ remote, env, persistTo }: Target) => {
  // Wrangler speaks of secrets, which no command needs: noise among a command's own output.
  process.env.WRANGLER_LOG ??= 'error'
  const { env: bindings, dispose } = await getPlatformProxy<Env>({
    ...(remote && { configPath: remoteConfig(env) }),
    ...(persistTo && { persist: { path: join(persistTo, 'v3') } }),
  })
  return { db: patient(bindings.DB), close: dispose }
}
