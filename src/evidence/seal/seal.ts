import type { BatchDb } from '../../core/db/batch-db.ts'
import { concat, fromHex, toHex } from '../../core/values/bytes.ts'
import { saltedHash } from '../../core/values/salted-hash.ts'
import { type Signer, signCheckpoint } from './checkpoint.ts'
import { LEAF_VERSION, type Leaf, leafText } from './leaf.ts'
import { GrowingTree, leafHash, splitHashes } from './merkle.ts'
import type { StoredEvent } from './sealed-events.queries.ts'
import { readUnsealed, saveSeal, type Unsealed } from './seals.queries.ts'

/**
 * The maximum number of seals of a run. So a run needs fewer statements than the Worker's limit of
 * 1,000 per invocation.
 */
export const SEALS_PER_RUN = 200

/** The maximum number of seals that a request makes before the response. */
export const SEALS_PER_REQUEST = 2

/** The text that is hashed for an event. For an erased comment, its stored hash is used. */
export const leafTextOf = (event: StoredEvent): string => {
  const { comment_id, comment, comment_salt, erased_hash, details, ...facts } = event
  const hash = erased_hash ?? saltedHash(comment_salt ?? '', comment ?? '')
  // The row of each kind of event has all fields of its leaf.
  const ofEvent = details === null ? {} : JSON.parse(details)
  const leaf = { ...facts, comment: comment_id === null ? null : hash, ...ofEvent }
  return leafText({ ...leaf, v: LEAF_VERSION } as Leaf)
}

const makeSeal = async ({ newest, events }: Unsealed, signer: Signer, now: Date) => {
  const tree = new GrowingTree(newest?.size, splitHashes(fromHex(newest?.edge ?? '')))
  const leaves = events.map((event) => leafHash(leafTextOf(event)))
  for (const leaf of leaves) tree.add(leaf)
  return {
    before: newest?.size ?? 0,
    size: tree.size,
    last_event_id: events.at(-1)?.id ?? 0,
    at: now.toISOString(),
    verifier_key: signer.verifierKey,
    checkpoint: await signCheckpoint(signer, tree.size, tree.root),
    edge: toHex(concat(...tree.edge)),
    leaves: toHex(concat(...leaves)),
  }
}

interface SealOptions {
  /** The maximum number of seals to make. */
  seals: number
  /** Returns the current time. It is called for each seal, because a run can take minutes. */
  clock: () => Date
}

/**
 * Seals the events that are not sealed yet, at most 1,024 per seal. If two runs make the same seal
 * at once, the second insert does nothing because the size of the tree has changed.
 */
export const sealEvents = async (db: BatchDb, signer: Signer, { seals, clock }: SealOptions) => {
  let unsealed: Unsealed = await readUnsealed(db)
  let sealed = 0
  for (let count = 0; count < seals && unsealed.events.length > 0; count++) {
    const { stored, ...next } = await saveSeal(db, await makeSeal(unsealed, signer, clock()))
    if (stored) sealed += unsealed.events.length
    unsealed = next
  }
  return { checkpoint: unsealed.newest?.checkpoint, sealed, complete: unsealed.events.length === 0 }
}
