import { eq, sql } from 'drizzle-orm'
import { build, type D1, query, run, type Slots } from '../src/db/query.ts'
import { clients, config_entries, users } from '../src/db/schema.ts'

/** What only the operators' commands ask; the service itself never loads this. */

const updateActive = query(($: Slots<{ email_key: string; active: number }>) =>
  build
    .update(users)
    .set({
      active: $.active,
      // Whoever is deactivated stays out with old tokens, even once active again.
      token_version: sql`${users.token_version} + (${$.active} = 0)`,
    })
    .where(eq(users.email_key, $.email_key))
    .returning({ id: users.id }),
)

const selectClients = query(() => build.select().from(clients).orderBy(clients.code))

const updateClientStatus = query(($: Slots<{ code: string; status: string }>) =>
  build
    .update(clients)
    .set({ status: $.status })
    .where(eq(clients.code, $.code))
    .returning({ id: clients.id }),
)

const selectConfig = query(() => build.select().from(config_entries).orderBy(config_entries.key))

/** Whether the user was there. */
export const setActive = async (db: D1, emailKey: string, active: boolean): Promise<boolean> =>
  (await run(db, updateActive({ email_key: emailKey, active: active ? 1 : 0 }))).length > 0

export const listClients = (db: D1) => run(db, selectClients({}))

/** Whether the client was there. */
export const setClientStatus = async (db: D1, code: string, status: string): Promise<boolean> =>
  (await run(db, updateClientStatus({ code, status }))).length > 0

export const listConfig = (db: D1) => run(db, selectConfig({}))
