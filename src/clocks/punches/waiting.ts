import type { BatchDb } from '../../core/db/batch-db.ts'
import type { Statements } from '../../core/db/query.ts'
import { CLOCK_SKEW_MS } from '../../intake/times.ts'
import { readOwners } from './facts.queries.ts'
import { dayOf } from './lines.ts'
import { becomes, type Owner, toOwnerOf } from './numbers.ts'
import { type Punch, saveInChunks } from './punches.queries.ts'
import { listWaiting, listWaitingNumbers, saveReason } from './waiting.queries.ts'

/** Turns waiting punches into logs, once it is known whose they are. */

/** The moment before which a punch is not in the future. */
export const latestAt = (now: Date): string => new Date(now.getTime() + CLOCK_SKEW_MS).toISOString()

export type WaitingPunch = Awaited<ReturnType<typeof listWaiting>>[number]

/**
 * Stores waiting punches as logs of their owners. They keep who uploaded them and from which address
 * they came. Returns how many became logs.
 */
export const takePunches = async (
  db: BatchDb,
  taken: readonly { punch: WaitingPunch; owner: Owner }[],
  at: string,
  before?: Statements,
): Promise<number> => {
  const groups = Map.groupBy(taken, ({ punch: { serial, user_id, other_network } }) =>
    JSON.stringify([serial, user_id, other_network]),
  )
  let created = 0
  for (const group of groups.values()) {
    const punches = group.map(
      ({ punch, owner }): Punch => ({ ...punch, owner, reason: null, day: '', over_bound: 0 }),
    )
    const [first] = group
    if (!first) continue
    const { serial, user_id, other_network } = first.punch
    const arrival = { serial, user_id, other_network, isElsewhere: false, at }
    created += (await saveInChunks(db, punches, arrival, before)).created
  }
  return created
}

/**
 * Turns waiting punches into logs whose people have been added since, or have come to the branch. Of
 * the others, it saves why they wait now.
 */
export const takeFound = async (
  db: BatchDb,
  clock: { serial: string; branch_office: string },
  now: Date,
): Promise<void> => {
  const { serial } = clock
  const numbers = await listWaitingNumbers(db, serial)
  if (numbers.length === 0) return
  const ownerOf = toOwnerOf(serial, await readOwners(db, serial, numbers))
  const values = { serial, numbers: JSON.stringify(numbers), latest: latestAt(now) }
  const found = Map.groupBy(
    (await listWaiting(db, values)).map((punch) => {
      const owner = ownerOf(punch.number, dayOf(punch.local_at))
      return { punch, owner, becomes: becomes(punch, owner, clock) }
    }),
    (each) => each.becomes,
  )
  const logs = found.get('log') ?? []
  const taken = logs.flatMap(({ punch, owner }) => (owner ? [{ punch, owner }] : []))
  await takePunches(db, taken, now.toISOString())
  for (const reason of ['number', 'branch'] as const) {
    const punches = (found.get(reason) ?? []).map(({ punch }) => punch)
    await saveReason(db, serial, { reason, punches })
  }
}
