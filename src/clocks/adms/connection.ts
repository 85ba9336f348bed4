import type { BatchDb } from '../../core/db/batch-db.ts'
import { takeFound } from '../waiting.ts'
import { type CallingClock, lastUnknownCall, saveCall, saveUnknownCall } from './calls.queries.ts'
import { saveProblem } from './problems.queries.ts'

/** What a clock's calls say about its connection. */

const MINUTE_MS = 60_000

/** Calls without punches are stored at most this often. */
const CALL_STORED_MS = 2 * MINUTE_MS

/** A clock that has not called for longer than this may have a new address, or more to send. */
const CONNECTED_MS = 10 * MINUTE_MS

/** After this time without punches, a connected clock has nothing to send. */
export const QUIET_MS = MINUTE_MS

export const ageOf = (moment: string | null, now: Date): number =>
  moment === null ? Infinity : now.getTime() - Date.parse(moment)

/** A clock that has not called since this moment may have a new address. */
export const connectedSince = (now: Date): string =>
  new Date(now.getTime() - CONNECTED_MS).toISOString()

export const isConnected = (moment: string | null, now: Date): boolean =>
  ageOf(moment, now) <= CONNECTED_MS

/** Whether this is the clock's own address, or the first one from which it calls. */
export const isOwnAddress = ({ own_address }: CallingClock, address: string): boolean =>
  own_address === null || own_address === address

/** Whether the clock calls from its own address now. */
export const callsFromItsOwn = (clock: CallingClock, now: Date): boolean =>
  clock.own_address !== null &&
  clock.address === clock.own_address &&
  isConnected(clock.called_at, now)

/**
 * Whether a call is marked as one from another address: if somebody has said which one is the
 * clock's, or while it still calls from another one. Its own is never marked, so that a clock is not
 * kept out by whoever has called in its name.
 */
export const isFromElsewhere = (clock: CallingClock, address: string, now: Date): boolean => {
  if (isOwnAddress(clock, address)) return false
  if (clock.own_address_by !== null) return true
  return clock.address !== null && clock.address !== address && isConnected(clock.called_at, now)
}

export interface Call {
  address: string
  now: Date
}

/**
 * Until when the clock has sent everything. Null if that is not known. A clock sends punches at once.
 * So if it has called twice within ten minutes from the address of its last punches, and none have
 * begun to arrive since, it has sent all from before the first call. A clock that is behind still
 * sends punches that seem older, as much older as it is behind.
 */
const completeUntil = (clock: CallingClock, { address, now }: Call): string | null => {
  const { called_at, receiving_since, sent_from, seconds_off, resend } = clock
  const isQuiet = isConnected(called_at, now) && receiving_since === null && sent_from === address
  const isKnown = called_at !== null && seconds_off !== null && clock.address === address
  if (!isQuiet || !isKnown || resend) return null
  return new Date(Date.parse(called_at) - Math.max(0, -seconds_off) * 1000).toISOString()
}

/** With `options`, the clock has just connected, and may begin to send what it has kept. */
type CallKind = 'poll' | 'options'

/**
 * Remembers who calls, and until when the clock has sent everything. If people, their numbers or the
 * clock have changed since the last call, waiting punches that are known to be theirs become logs.
 */
export const noteCall = async (
  db: BatchDb,
  clock: CallingClock,
  call: Call,
  kind: CallKind,
): Promise<void> => {
  const { serial, called_at, compared_change, newest_change } = clock
  const { address, now } = call
  const at = now.toISOString()
  if (isFromElsewhere(clock, address, now)) {
    await saveProblem(db, clock, 'otra_red', { at, detail: address })
    return
  }
  const isStored = ageOf(called_at, now) < CALL_STORED_MS && clock.address === address
  if (isStored && kind === 'poll') return
  if (compared_change !== newest_change) await takeFound(db, clock, now)
  const complete_until = kind === 'poll' ? completeUntil(clock, call) : null
  const told_to_resend = Number(kind === 'options')
  await saveCall(db, {
    serial,
    address,
    at,
    complete_until,
    compared_change,
    newest_change,
    told_to_resend,
  })
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
    oldest: before(UNKNOWN_KEPT_MS),
  })
}
