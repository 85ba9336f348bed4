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

// Every test starts in an empty, migrated database.
beforeEach(async () => {
  await reset()
  await applyD1Migrations(env.DB, env.MIGRATIONS)
})
