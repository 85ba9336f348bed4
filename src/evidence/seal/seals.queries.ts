import { sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { first, insertSelect, type Params, prepare, qb } from '../../core/db/query.ts'
import { log_seal_tokens, log_seals } from '../../core/tables/evidence.ts'
import { log_events } from '../../core/tables/logs.ts'
import { selectStoredEvents } from './sealed-events.queries.ts'

/** The maximum number of events of one seal, so that its leaves take at most 32 KB in a row. */
const EVENTS_PER_SEAL = 1_024

const selectNewest = prepare(() =>
  qb
    .select({
      id: log_seals.id,
      size: log_seals.size,
      edge: sql<string>`hex(${log_seals.edge})`.as('edge_hex'),
      checkpoint: log_seals.checkpoint,
    })
    .from(log_seals)
    .orderBy(sql`${log_seals.size} DESC`)
    .limit(1),
)

const selectUnsealed = prepare(() =>
  selectStoredEvents(
    sql`${log_events.id} > coalesce((SELECT max(${log_seals.last_event_id}) FROM ${log_seals}), 0)`,
  ).limit(EVENTS_PER_SEAL),
)

interface NewSeal {
  /** The size of the tree before this seal. */
  before: number
  size: number
  last_event_id: number
  at: string
  verifier_key: string
  checkpoint: string
  /** Concatenated hashes in hexadecimal. `leaves` has the same form. */
  edge: string
  leaves: string
}

/** Inserts nothing if another seal was stored meanwhile. */
const insertSeal = prepare((p: Params<NewSeal>) =>
  insertSelect(
    log_seals,
    {
      id: null,
      size: p.size,
      last_event_id: p.last_event_id,
      created_at: p.at,
      verifier_key: p.verifier_key,
      checkpoint: p.checkpoint,
      edge: sql`unhex(${p.edge})`,
      leaves: sql`unhex(${p.leaves})`,
    },
    sql`WHERE coalesce((SELECT max(${log_seals.size}) FROM ${log_seals}), 0) = ${p.before}`,
  ).returning({ id: log_seals.id }),
)

/** Reads the newest seal and the first events after it, in one transaction. */
export const readUnsealed = async (db: BatchDb) => {
  const { newest, events } = await db.batchOfAllBranches({
    newest: first(selectNewest({})),
    events: selectUnsealed({}),
  })
  return { newest, events }
}

export type Unsealed = Awaited<ReturnType<typeof readUnsealed>>

/**
 * Stores a seal unless another seal was stored meanwhile. Then reads the same as `readUnsealed`.
 */
export const saveSeal = async (db: BatchDb, seal: NewSeal) => {
  const { stored, newest, events } = await db.batchOfAllBranches({
    stored: first(insertSeal(seal)),
    newest: first(selectNewest({})),
    events: selectUnsealed({}),
  })
  return { stored: stored !== undefined, newest, events }
}

const selectUnstamped = prepare(() =>
  qb
    .select({ id: log_seals.id, checkpoint: log_seals.checkpoint })
    .from(log_seals)
    .where(
      sql`${log_seals.size} = (SELECT max(${log_seals.size}) FROM ${log_seals}) AND NOT EXISTS (
        SELECT 1 FROM ${log_seal_tokens} AS t WHERE t.seal_id = ${log_seals}.id)`,
    ),
)

const insertToken = prepare((p: Params<{ seal_id: number; token: string; at: string }>) =>
  insertSelect(log_seal_tokens, {
    id: null,
    seal_id: p.seal_id,
    token: sql`unhex(${p.token})`,
    created_at: p.at,
  }),
)

/**
 * Returns the newest seal if it has no time stamp, or else undefined. The time stamp of a seal also
 * covers earlier seals.
 */
export const findUnstamped = async (db: BatchDb) =>
  (await db.batchOfAllBranches({ unstamped: first(selectUnstamped({})) })).unstamped

/** Stores a time stamp of a seal. `token` is in hexadecimal. */
export const saveToken = (db: BatchDb, values: { seal_id: number; token: string; at: string }) =>
  db.batchOfAllBranches({ token: insertToken(values) })
