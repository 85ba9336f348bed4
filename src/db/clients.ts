import { eq } from 'drizzle-orm'
import { build, type D1, query, run, type Slots } from './query.ts'
import { clients, config_entries, modules } from './schema.ts'

const selectAppModules = query(() =>
  build
    .select({
      id: modules.id,
      name: modules.name,
      description: modules.description,
      icon: modules.icon,
      enabled: modules.enabled,
      enabled_app: modules.enabled_app,
    })
    .from(modules)
    .where(eq(modules.enabled_app, true))
    .orderBy(modules.id),
)

const selectClient = query(($: Slots<{ code: string }>) =>
  build.select().from(clients).where(eq(clients.code, $.code)),
)

const selectConfigEntry = query(($: Slots<{ key: string }>) =>
  build.select().from(config_entries).where(eq(config_entries.key, $.key)),
)

/** The modules that the app shows, in a stable order. */
export const listAppModules = (db: D1) => run(db, selectAppModules({}))

/** The client with exactly this entry code, byte for byte. */
export const findClient = async (db: D1, code: string) => (await run(db, selectClient({ code })))[0]

export const findConfigEntry = async (db: D1, key: string) =>
  (await run(db, selectConfigEntry({ key })))[0]
