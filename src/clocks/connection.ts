import type { BatchDb } from '../core/db/batch-db.ts'
import { type CallingClock, lastUnknownCall, saveCall, saveUnknownCall } from './calls.queries.ts'
import { saveProblem } from './punches.queries.ts'
import { takeFound } from './waiting.ts'

/** What a clock's calls say about its connection. */

const MINUTE_MS = 60_000

/** Calls without punches are stored at most this often. */
const CALL_STORED_MS = 2 * MINUTE_MS

/** A clock that has not called for longer than this may have a new address, or more to send. */
export const CONNECTED_MS = 10 * MINUTE_MS

export const ageOf = (moment: string | null, now: Date): number =>
  moment === null ? Infinity : now.getTime() - Date.parse(moment)

/** Whether a call comes from another address while the clock still calls from its own. */
export const isFromElsewhere = (clock: CallingClock, address: string, now: Date): boolean =>
  clock.address !== null && clock.address !== address && ageOf(clock.called_at, now) <= CONNECTED_MS

export interface Call {
  address: string
  now: Date
}

/**
 * Remembers who calls. If the clock has called twice within ten minutes and has sent no punches
 * since the first call, it has sent everything up to then, because it sends punches at once. If
 * people have been added meanwhile, their waiting punches become logs.
 */
export const noteCall = async (
  db: BatchDb,
  clock: CallingClock,
  { address, now }: Call,
): Promise<void> => {
  const { serial, called_at, punched_at } = clock
  const at = now.toISOString()
  if (isFromElsewhere(clock, address, now)) {
    await saveProblem(db, clock, 'otra_red', { at })
    return
  }
  const age = ageOf(called_at, now)
  if (age < CALL_STORED_MS && clock.address === address) return
  const isQuiet = age <= CONNECTED_MS && (punched_at === null || punched_at < (called_at ?? ''))
  await saveCall(db, { serial, address, at }, isQuiet ? called_at : null)
  await takeFound(db, clock, now)
}

const UNKNOWN_KEPT_MS = 30 * 24 * 60 * MINUTE_MS

/** Remembers a clock that nobody has added, with one write in ten minutes. */
export const noteUnknown = async (
  db: BatchDb,
  serial: string,
  { address, now }: Call,
): Promise<void> => {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const seldom = before(CONNECTED_MS)
  if (((await lastUnknownCall(db, serial)) ?? '') >= seldom) return
  const at = now.toISOString()
  await saveUnknownCall(db, {
    serial,
    address,
    at,
    seldom,
    today: at.slice(0, 10),
    oldest: before(UNKNOWN_KEPT_MS),
  })
}
