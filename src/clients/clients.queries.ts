import { eq } from 'drizzle-orm'
import { type D1, type Params, prepare, qb } from '../core/db/query.ts'
import { execute } from '../core/db/run.ts'
import { clients, config_entries, modules } from '../core/tables/clients.ts'

const selectAppModules = prepare(() =>
  qb
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

const selectClient = prepare((p: Params<{ code: string }>) =>
  qb
    .select({
      id: clients.id,
      code: clients.code,
      name: clients.name,
      status: clients.status,
      url_base: clients.url_base,
    })
    .from(clients)
    .where(eq(clients.code, p.code)),
)

const selectConfigEntry = prepare((p: Params<{ key: string }>) =>
  qb
    .select({
      key: config_entries.key,
      tipo: config_entries.tipo,
      nombre: config_entries.nombre,
      valor: config_entries.valor,
    })
    .from(config_entries)
    .where(eq(config_entries.key, p.key)),
)

export const listAppModules = (db: D1) => execute(db, selectAppModules({}))

/** The client with exactly this entry code, or undefined. Case and accents matter. */
export const findClient = async (db: D1, code: string) =>
  (await execute(db, selectClient({ code })))[0]

export const findConfigEntry = async (db: D1, key: string) =>
  (await execute(db, selectConfigEntry({ key })))[0]
