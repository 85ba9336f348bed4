import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach } from 'vitest'

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[]
    }
  }
}

const isEmpty = async () =>
  (await env.DB.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").first()) === null

// Every test starts in an empty, migrated database. Between two files a reset has been seen to
// come too early and leave the last test's rows: only an empty database counts.
beforeEach(async () => {
  do await reset()
  while (!(await isEmpty()))
  await applyD1Migrations(env.DB, env.MIGRATIONS)
})
