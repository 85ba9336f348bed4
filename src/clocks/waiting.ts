import type { BatchDb } from '../core/db/batch-db.ts'
import type { Statements } from '../core/db/query.ts'
import { localDay } from '../core/time-zone.ts'
import { CLOCK_SKEW_MS } from '../intake/intake.ts'
import type { CallingClock } from './calls.queries.ts'
import { findOwners, type Owner } from './numbers.queries.ts'
import { listWaiting, listWaitingNumbers, type Punch, savePunches } from './punches.queries.ts'
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
  arrival: Parameters<typeof savePunches>[2],
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

/** Waiting punches that become logs were sent by the clock itself, some time ago. */
const takenAt = (serial: string, at: string) => ({
  serial,
  user_id: null,
  isOtherNetwork: false,
  at,
})

const latestAt = (now: Date): string => new Date(now.getTime() + CLOCK_SKEW_MS).toISOString()

/**
 * Turns the waiting punches of a number into logs of a person, because a user says that it is the
 * person's number. Punches that were too old or in the future when they arrived are taken too,
 * unless they are in the future still. Returns how many became logs.
 * @param before the statements that save whose number it is
 */
export const takeNamed = async (
  db: BatchDb,
  { serial, number, owner }: { serial: string; number: string; owner: Owner },
  before: Statements,
  now: Date,
): Promise<number> => {
  const waiting = await listWaiting(db, { serial, number, latest: latestAt(now) })
  if (waiting.length === 0) await db.batchOfAllBranches(before)
  let created = 0
  for (const [ofSerial, punches] of Map.groupBy(waiting, (punch) => punch.serial)) {
    const taken = punches.map((punch): Punch => ({ ...punch, owner, reason: null }))
    const arrival = takenAt(ofSerial, now.toISOString())
    created += (await saveInChunks(db, taken, arrival, before)).created
  }
  return created
}

/** Turns waiting punches into logs whose people have been added since, or have come to the branch. */
export const takeFound = async (db: BatchDb, clock: CallingClock, now: Date): Promise<void> => {
  const { serial } = clock
  const numbers = await listWaitingNumbers(db, serial)
  if (numbers.length === 0) return
  const ownerOf = await findOwners(db, serial, numbers)
  const today = localDay(now.toISOString(), clock.branch_office, clock.zones)
  for (const number of numbers.filter((one) => mayTake(ownerOf(one, today), clock))) {
    const waiting = await listWaiting(db, { serial, number, latest: latestAt(now) })
    const taken = waiting.flatMap(({ reason, ...punch }): Punch[] => {
      const owner = ownerOf(number, dayOf(punch.local_at))
      const isOfOwner = reason === 'number' || reason === 'branch'
      return isOfOwner && mayTake(owner, clock) ? [{ ...punch, owner, reason: null }] : []
    })
    await saveInChunks(db, taken, takenAt(serial, now.toISOString()))
  }
}
