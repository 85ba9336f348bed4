import { eq } from 'drizzle-orm'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { clients, config_entries } from '../../src/core/db/schema.ts'

const selectClients = prepare(() => qb.select().from(clients).orderBy(clients.code))

const updateClientStatus = prepare((p: Params<{ code: string; status: string }>) =>
  qb
    .update(clients)
    .set({ status: p.status })
    .where(eq(clients.code, p.code))
    .returning({ id: clients.id }),
)

const selectConfig = prepare(() => qb.select().from(config_entries).orderBy(config_entries.key))

export const listClients = (db: D1) => execute(db, selectClients({}))

/** Returns whether the client exists. */
export const setClientStatus = async (db: D1, code: string, status: string): Promise<boolean> =>
  (await execute(db, updateClientStatus({ code, status }))).length > 0

export const listConfig = (db: D1) => execute(db, selectConfig({}))
