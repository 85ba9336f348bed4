import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach } from 'vitest'
import { forgetDatabase } from '../../src/db/core/memory.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[]
    }
  }
}

const RESETS_MAX = 20

const isEmpty = async () =>
  (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").first()) === null

/** Empties the database and applies the migrations. */
export const resetDatabase = async () => {
  // Another database: the users and zones of the last one must not be remembered.
  forgetDatabase(env.DB)
  // Between two files a reset sometimes runs too early and leaves the last test's rows.
  for (let resets = 0; resets === 0 || !(await isEmpty()); resets++) {
    if (resets === RESETS_MAX) throw new Error('The database could not be emptied.')
    await reset()
  }
  await applyD1Migrations(env.DB, env.MIGRATIONS)
}

beforeEach(resetDatabase)
