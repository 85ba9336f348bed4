import { and, gt, lte, min, ne, type SQL, sql } from 'drizzle-orm'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { columns, number } from '../../core/db/text-query.ts'
import { agreements } from '../../core/tables/agreements.ts'
import { log_seal_tokens, log_seals } from '../../core/tables/evidence.ts'
import { log_events } from '../../core/tables/logs.ts'
import { users } from '../../core/tables/users.ts'
import { selectStoredEvents } from '../seal/sealed-events.queries.ts'

/**
 * The ids of the last event and of the last sealed event, and the size of the sealed tree. Each of
 * them is 0 if there is none.
 */
export const selectEnd = prepare(() =>
  qb
    .select(columns({ last_id: number, sealed_id: number, size: number }))
    .from(sql`(SELECT coalesce((SELECT max(id) FROM ${log_events}), 0) AS last_id,
      coalesce((SELECT max(last_event_id) FROM ${log_seals}), 0) AS sealed_id,
      coalesce((SELECT max(size) FROM ${log_seals}), 0) AS size)`),
)

/** The public keys of the seals, in the order of their first use. */
const selectKeys = prepare(() =>
  qb
    .select({ verifier_key: log_seals.verifier_key })
    .from(log_seals)
    .groupBy(log_seals.verifier_key)
    .orderBy(min(log_seals.size)),
)

const selectActors = prepare(() =>
  qb
    .select({ hash: users.actor_hash, salt: users.actor_salt, address: users.email_key })
    .from(users)
    .where(ne(users.actor_salt, ''))
    .orderBy(users.actor_hash),
)

const textFields = {
  sha256: agreements.sha256,
  title: agreements.title,
  valid_from: agreements.valid_from,
  text: agreements.text,
}

const selectAgreedTexts = prepare(() =>
  qb
    .select(textFields)
    .from(agreements)
    .where(
      sql`${agreements.sha256} IN (SELECT ${log_events.details} ->> 'agreement'
        FROM ${log_events} INDEXED BY log_events_person
        WHERE ${log_events.employee_id} IS NOT NULL AND ${log_events.log_id} IS NULL
          AND ${log_events.event} = 'agreed')`,
    )
    .orderBy(agreements.id),
)

const selectTexts = prepare((p: Params<{ ids: string }>) =>
  qb
    .select(textFields)
    .from(agreements)
    .where(
      sql`${agreements.sha256} IN (SELECT ${log_events.details} ->> 'agreement' FROM ${log_events}
        WHERE ${log_events.id} IN (SELECT value FROM json_each(${p.ids}))
          AND ${log_events.event} = 'agreed')`,
    )
    .orderBy(agreements.id),
)

/** Reads the texts to which the events with these ids agree. */
export const readAgreementTexts = async (db: BatchDb, ids: readonly number[]) =>
  (await db.batchOfAllBranches({ texts: selectTexts({ ids: JSON.stringify(ids) }) })).texts

/** Reads the data for the first lines of a whole file, and the row of `selectEnd`. */
export const readFileStart = async (db: BatchDb) => {
  const { end, keys, actors, texts } = await db.batchOfAllBranches({
    end: first(selectEnd({})),
    keys: selectKeys({}),
    actors: selectActors({}),
    texts: selectAgreedTexts({}),
  })
  return { end, keys: keys.map((row) => row.verifier_key), actors, texts }
}

/** The row of `selectEnd`. */
export const readEnd = async (db: BatchDb) =>
  (await db.batchOfAllBranches({ end: firstOrFail(selectEnd({})) })).end

/** The columns of a seal that whole files and the files of persons need. */
export const sealFields = {
  id: log_seals.id,
  size: log_seals.size,
  last_event_id: log_seals.last_event_id,
  created_at: log_seals.created_at,
  checkpoint: log_seals.checkpoint,
  leaves: sql<string>`hex(${log_seals.leaves})`.as('leaves_hex'),
  /** A JSON array of tokens in hexadecimal. */
  tokens: sql<string>`(SELECT json_group_array(hex(t.token)) FROM ${log_seal_tokens} AS t
    WHERE t.seal_id = ${log_seals}.id)`.as('tokens'),
}

interface Page {
  /** Seals with a tree larger than `after`, up to the size `until`, are read. */
  after: number
  until: number
}

const selectSeals = prepare((p: Params<Page>) =>
  qb
    .select(sealFields)
    .from(log_seals)
    .where(and(gt(log_seals.size, p.after), lte(log_seals.size, p.until)))
    .orderBy(log_seals.size),
)

const lastIdOf = (size: SQL) => sql`coalesce((SELECT ${log_seals.last_event_id} FROM ${log_seals}
  WHERE ${log_seals.size} <= ${size} ORDER BY ${log_seals.size} DESC LIMIT 1), 0)`

const selectEventsOfSeals = prepare((p: Params<Page>) =>
  selectStoredEvents(
    sql`${log_events.id} > ${lastIdOf(p.after)} AND ${log_events.id} <= ${lastIdOf(p.until)}`,
  ),
)

const selectEventsBetween = prepare((p: Params<{ after: number; until: number; limit: number }>) =>
  selectStoredEvents(sql`${log_events.id} > ${p.after} AND ${log_events.id} <= ${p.until}`).limit(
    p.limit,
  ),
)

export const readSeals = async (db: BatchDb, page: Page) => {
  const { seals, events } = await db.batchOfAllBranches({
    seals: selectSeals(page),
    events: selectEventsOfSeals(page),
  })
  return { seals, events }
}

export type StoredSeal = Awaited<ReturnType<typeof readSeals>>['seals'][number]

/** Reads the events with ids greater than `after`, up to and including `until`. */
export const readEvents = async (
  db: BatchDb,
  range: { after: number; until: number; limit: number },
) => (await db.batchOfAllBranches({ events: selectEventsBetween(range) })).events
