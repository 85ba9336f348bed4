import { sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { log_events, log_seal_tokens, log_seals } from '../core/db/schema.ts'
import { selectSealedEvents } from './sealed-events.queries.ts'

/** How many events one seal has at most: its leaves stay a row of 32 KB. */
export const SEAL_MAX = 1_024

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
  selectSealedEvents(
    sql`${log_events.id} > coalesce((SELECT max(${log_seals.last_event_id}) FROM ${log_seals}), 0)`,
  ).limit(SEAL_MAX),
)

interface NewSeal {
  /** The size of the tree that it continues. */
  before: number
  size: number
  last_event_id: number
  at: string
  verifier_key: string
  checkpoint: string
  /** In hexadecimal. */
  edge: string
  leaves: string
}

/** Inserts nothing if another seal came first. */
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

/** The newest seal, and the events after it, as one transaction sees them. */
export const readUnsealed = async (db: BatchDb) => {
  const [[newest], events] = await db.batchOfAllBranches(selectNewest({}), selectUnsealed({}))
  return { newest, events }
}

export type Unsealed = Awaited<ReturnType<typeof readUnsealed>>

/** Stores a seal unless another one came first, and reads what there is to seal then. */
export const saveSeal = async (db: BatchDb, seal: NewSeal) => {
  const [[stored], [newest], events] = await db.batchOfAllBranches(
    insertSeal(seal),
    selectNewest({}),
    selectUnsealed({}),
  )
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

/** The newest seal, unless it has a time stamp: one covers all seals before it. */
export const findUnstamped = async (db: BatchDb) =>
  (await db.batchOfAllBranches(selectUnstamped({})))[0][0]

/** Stores a seal's time stamp, in hexadecimal. */
export const saveToken = (db: BatchDb, values: { seal_id: number; token: string; at: string }) =>
  db.batchOfAllBranches(insertToken(values))
