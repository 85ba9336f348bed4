import { sql } from 'drizzle-orm'
import { blob, check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, isMoment, moment, reference } from './columns.ts'

/** The seals of events. Together they form a Merkle tree that only grows. Append-only. */
export const log_seals = sqliteTable(
  'log_seals',
  {
    id: id(),
    /** The number of events sealed so far. */
    size: integer().notNull().unique('log_seals_size_unique'),
    /** The id of the last sealed event. */
    last_event_id: integer().notNull().unique('log_seals_last_event_id_unique'),
    created_at: moment(),
    /** The public key that verifies the checkpoint. */
    verifier_key: text().notNull(),
    /** The signed head of the tree. */
    checkpoint: text().notNull(),
    /** The tree's edge: the roots of its perfect subtrees, 32 bytes each. */
    edge: blob({ mode: 'buffer' }).notNull(),
    /** The hashes of the events of this seal, 32 bytes each. */
    leaves: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [
    check(
      'log_seals_leaves',
      sql`length(${t.leaves}) BETWEEN 32 AND ${t.size} * 32 AND length(${t.leaves}) % 32 = 0`,
    ),
    check('log_seals_created_at', isMoment(t.created_at)),
  ],
)

/** Time stamps of checkpoints (RFC 3161), issued by an external authority. Append-only. */
export const log_seal_tokens = sqliteTable(
  'log_seal_tokens',
  {
    id: id(),
    seal_id: reference(() => log_seals.id),
    token: blob({ mode: 'buffer' }).notNull(),
    created_at: moment(),
  },
  (t) => [
    index('log_seal_tokens_seal_id').on(t.seal_id),
    check('log_seal_tokens_created_at', isMoment(t.created_at)),
  ],
)
