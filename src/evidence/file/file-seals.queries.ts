import { between, sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { type Params, prepare, qb } from '../../core/db/query.ts'
import { log_seals } from '../../core/tables/evidence.ts'
import { sealFields } from './evidence.queries.ts'

const selectBoundaries = prepare((p: Params<{ id: number; until: number }>) =>
  qb
    .select({
      id: log_seals.id,
      size: log_seals.size,
      last_event_id: log_seals.last_event_id,
      created_at: log_seals.created_at,
      verifier_key: log_seals.verifier_key,
    })
    .from(log_seals)
    .where(between(log_seals.last_event_id, p.id, p.until))
    .orderBy(log_seals.last_event_id),
)

/** Lists the seals from the seal that has event `id` to the seal that ends with event `until`. */
export const listSealEnds = async (db: BatchDb, id: number, until: number) =>
  (await db.batchOfAllBranches({ ends: selectBoundaries({ id, until }) })).ends

export type SealEnd = Awaited<ReturnType<typeof listSealEnds>>[number]

// The earlier seal ends where the leaves of this seal begin. The prefix `log_seals.` is written
// out, because Drizzle omits it in a query of one table, and SQLite would then take the columns of
// the subquery.
const edgeBefore = sql<string>`coalesce((SELECT hex(earlier.edge) FROM ${log_seals} AS earlier
  WHERE earlier.size = ${log_seals}.size - length(${log_seals}.leaves) / 32), '')`

const selectSealRange = prepare((p: Params<{ from: number; until: number }>) =>
  qb
    .select({
      ...sealFields,
      edge: sql<string>`hex(${log_seals.edge})`.as('edge_hex'),
      edge_before: edgeBefore.as('edge_before_hex'),
    })
    .from(log_seals)
    .where(between(log_seals.size, p.from, p.until))
    .orderBy(log_seals.size),
)

/** Reads the seals that end between these sizes, both included, with the edges for proofs. */
export const readSealRange = async (db: BatchDb, from: number, until: number) =>
  (await db.batchOfAllBranches({ seals: selectSealRange({ from, until }) })).seals

export type SealWithEdges = Awaited<ReturnType<typeof readSealRange>>[number]
