import type { BatchDb } from '../core/db/batch-db.ts'
import type { Statements } from '../core/db/query.ts'
import { CLOCK_SKEW_MS } from '../intake/intake.ts'
import type { CallingClock } from './adms/calls.queries.ts'
import { findOwners, type Owner } from './numbers.queries.ts'
import {
  type Arrival,
  listWaiting,
  listWaitingNumbers,
  type Punch,
  savePunches,
  saveReason,
} from './punches.queries.ts'
import { dayOf } from './punches.ts'

/** Turns waiting punches into logs, once it is known whose they are. */

/** One transaction has at most this many punches. */
const CHUNK = 500

/** Whether punches of this number, which the clock sends, are logs of this person. */
export const mayTake = (
  owner: Owner | undefined,
  { branch_office }: { branch_office: string },
): boolean => owner !== undefined && (owner.is_named || owner.branch_office === branch_office)

/** Stores punches in chunks, and returns how many became logs and how many wait. */
export const saveInChunks = async (
  db: BatchDb,
  punches: readonly Punch[],
  arrival: Arrival,
  before?: Statements,
) => {
  let [created, waiting] = [0, 0]
  for (let i = 0; i < punches.length; i += CHUNK) {
    const saved = await savePunches(db, punches.slice(i, i + CHUNK), arrival, before)
    created += saved.created
    waiting += saved.waiting
  }
  return { created, waiting }
}

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

/** Whether a punch waits for its owner. */
const waitsForOwner = ({ reason }: WaitingPunch): boolean =>
  reason === 'number' || reason === 'branch'

/** Whether a waiting punch has become a log of this person. Who uploads a file takes none of their own. */
const isTakeable = (punch: WaitingPunch, owner: Owner, clock: CallingClock): boolean =>
  waitsForOwner(punch) && mayTake(owner, clock) && punch.uploader_employee_id !== owner.employee_id

/**
 * Turns waiting punches into logs whose people have been added since, or have come to the branch. Of
 * the others, it saves why they wait now.
 */
export const takeFound = async (db: BatchDb, clock: CallingClock, now: Date): Promise<void> => {
  const { serial } = clock
  const numbers = await listWaitingNumbers(db, serial)
  if (numbers.length === 0) return
  const ownerOf = await findOwners(db, serial, numbers)
  const values = { serial, numbers: JSON.stringify(numbers), latest: latestAt(now) }
  const found = (await listWaiting(db, values)).map((punch) => ({
    punch,
    owner: ownerOf(punch.number, dayOf(punch.local_at)),
  }))
  const taken = found.flatMap(({ punch, owner }) =>
    owner && isTakeable(punch, owner, clock) ? [{ punch, owner }] : [],
  )
  await takePunches(db, taken, now.toISOString())
  const others = found.filter(({ punch, owner }) => waitsForOwner(punch) && !mayTake(owner, clock))
  for (const reason of ['number', 'branch'] as const) {
    const punches = others
      .filter(
        ({ punch, owner }) => (owner ? 'branch' : 'number') === reason && punch.reason !== reason,
      )
      .map(({ punch }) => punch)
    await saveReason(db, serial, { reason, punches })
  }
}
