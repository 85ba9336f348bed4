import type { BatchDb } from '../../core/db/batch-db.ts'
import { DomainError } from '../../core/errors.ts'
import { MINUTE_MS } from '../../core/values/time-zone.ts'
import { ELSEWHERE_ARRIVED_MAX } from '../punches/fate.ts'
import { isOfLostTime, linesOfBody, momentOf, readPushed } from '../punches/lines.ts'
import { type Elsewhere, type JudgedPunch, storeLines } from '../punches/store.ts'
import { takeFound } from '../punches/waiting.ts'
import {
  type CallingClock,
  lastUnknownCall,
  saveCall,
  saveReceived,
  saveUnknownCall,
} from './calls.queries.ts'
import { type OnlyCounted, saveOnlyCounted, saveProblem, saveUnread } from './problems.queries.ts'

/**
 * What a clock's calls say about its connection, and what they bring. Where a call comes from decides
 * what becomes of its punches (`Fate`):
 *
 * | from | their logs | beyond the bounds of a day |
 * |---|---|---|
 * | the clock's own address, or the first one | are as all others | wait (`over`) |
 * | elsewhere: any other address | are as all others | are `held`: the clock sends them again |
 * | elsewhere, as another network (`otra_red`) | are marked | are `held`, or `only_counted` |
 */

/** Calls without punches are stored at most this often. */
const CALL_STORED_MS = 2 * MINUTE_MS

/** A clock that has not called for longer than this may have a new address, or more to send. */
const CONNECTED_MS = 10 * MINUTE_MS

/** After this time without punches, a connected clock has nothing to send. */
const QUIET_MS = MINUTE_MS

const ageOf = (moment: string | null, now: Date): number =>
  moment === null ? Infinity : now.getTime() - Date.parse(moment)

/** A clock that has not called since this moment may have a new address. */
export const connectedSince = (now: Date): string =>
  new Date(now.getTime() - CONNECTED_MS).toISOString()

const isConnected = (moment: string | null, now: Date): boolean =>
  ageOf(moment, now) <= CONNECTED_MS

/** Whether this is the clock's own address, or the first one from which it calls. */
export const isOwnAddress = ({ own_address }: CallingClock, address: string): boolean =>
  own_address === null || own_address === address

/**
 * How a call from elsewhere is taken. Null if it comes from the clock's own address, which is never
 * marked, so that a clock is not kept out by whoever has called in its name.
 */
const elsewhereOf = (clock: CallingClock, address: string, now: Date): Elsewhere | null => {
  if (isOwnAddress(clock, address)) return null
  // Somebody has said which address is the clock's.
  const isSaid = clock.own_address_by !== null
  // The address from which the clock still calls.
  const usual = isConnected(clock.called_at, now) ? clock.address : null
  return {
    isOtherNetwork: isSaid || (usual !== null && usual !== address),
    mayOnlyCount: isSaid && usual === clock.own_address,
  }
}

interface Call {
  address: string
  now: Date
}

/**
 * A clock sends punches at once. So with each call that brings nothing, it has sent everything from
 * before its last call. Returns that moment, or null if the clock may have kept something back. A
 * clock that is behind still sends punches that seem older, as much older as it is behind.
 */
const completeUntil = (clock: CallingClock, { address, now }: Call): string | null => {
  const { called_at, receiving_since, sent_from, seconds_off, resend } = clock
  // It is to send earlier days again, or has begun to send punches that are not all stored.
  if (resend || receiving_since !== null) return null
  // Somebody else may have called or sent in its name.
  if (clock.address !== address || sent_from !== address) return null
  // It was not connected, and begins to send what it has kept.
  if (called_at === null || !isConnected(called_at, now)) return null
  if (seconds_off === null) return null
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
  if (elsewhereOf(clock, address, now)?.isOtherNetwork) {
    await saveProblem(db, clock, 'otra_red', { at, detail: address })
    return
  }
  const isStored = ageOf(called_at, now) < CALL_STORED_MS && clock.address === address
  if (isStored && kind === 'poll') return
  if (compared_change !== newest_change) await takeFound(db, clock, now)
  await saveCall(db, {
    ...{ serial, address, at, compared_change, newest_change },
    complete_until: kind === 'poll' ? completeUntil(clock, call) : null,
    told_to_resend: Number(kind === 'options'),
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
  const [at, oldest] = [before(0), before(UNKNOWN_KEPT_MS)]
  await saveUnknownCall(db, { serial, address, at, seldom, oldest })
}

const LOCAL_TIME_LENGTH = 19

const onlyCountedOf = (punches: readonly JudgedPunch[]): OnlyCounted[] => {
  const groups = Map.groupBy(punches, ({ owner, day }) =>
    JSON.stringify([owner?.employee_id ?? '', day]),
  )
  return [...groups].map(([key, group]) => {
    const [employee_id, day] = JSON.parse(key) as [string, string]
    const times = group.map(({ local_at }) => local_at).toSorted()
    const [first = '', last = ''] = [times[0], times.at(-1)]
    const hasTimes = day !== '' && first.length === LOCAL_TIME_LENGTH
    const period = hasTimes ? { first, last } : { first: null, last: null }
    return { employee_id, day, count: group.length, ...period }
  })
}

/**
 * How many seconds a clock is ahead, by the last punch of a call. Null if it need not have been made
 * just now, because the clock has not been connected for a minute without anything to send.
 */
const secondsOff = (
  lines: readonly string[],
  { called_at, receiving_since, address, branch_office, from_day, zones }: CallingClock,
  { from, now }: { from: string; now: Date },
): number | null => {
  const line = lines.at(-1)
  const punch = line ? readPushed(line) : undefined
  if (!punch || punch === 'other' || isOfLostTime(punch.local_at, from_day)) return null
  const wasQuiet = receiving_since === null && ageOf(called_at, now) >= QUIET_MS
  if (!wasQuiet || !isConnected(called_at, now) || address !== from) return null
  const moment = momentOf(punch.local_at, branch_office, zones, now)
  return moment === null ? null : Math.round((Date.parse(moment) - now.getTime()) / 1000)
}

/**
 * Refuses punches from elsewhere, before they are read, if too many have arrived today.
 * @throws DomainError CLOCK_BUSY
 */
export const requireRoom = async (
  db: BatchDb,
  clock: CallingClock,
  { address, now }: Call,
): Promise<void> => {
  if (isOwnAddress(clock, address) || clock.arrived < ELSEWHERE_ARRIVED_MAX) return
  await saveProblem(db, clock, 'otra_red', { at: now.toISOString(), detail: address })
  throw new DomainError('CLOCK_BUSY')
}

interface PunchCall extends Call {
  text: string
  /** What the clock wants to get back when it connects again. Null if it sent none. */
  stamp: string | null
  /** When the call began. */
  began: string
}

/**
 * Stores the punches of a call, and returns how many lines it had. Lines that cannot be read become
 * a problem of the clock, and so do those beyond the bounds of other addresses.
 * @throws DomainError TOO_MANY_WAITING or CLOCK_BUSY if some lines are not stored, waiting or counted;
 * the clock sends them again
 */
export const receivePunches = async (
  db: BatchDb,
  clock: CallingClock,
  { text, stamp, began, address, now }: PunchCall,
): Promise<number> => {
  const at = now.toISOString()
  const elsewhere = elsewhereOf(clock, address, now)
  const lines = linesOfBody(text)
  const arriving = { read: readPushed, uploader: null, elsewhere, now }
  const { counts, unread, onlyCounted, hasPunches } = await storeLines(db, clock, lines, arriving)
  const { created, known, waiting, full, held } = counts
  if (elsewhere?.isOtherNetwork || (elsewhere && held > 0)) {
    await saveProblem(db, clock, 'otra_red', { at, detail: address })
  }
  if (full > 0) {
    await saveProblem(db, clock, 'too_many_waiting', { at })
    const details = { created, known, waiting, left_out: full + held }
    throw new DomainError('TOO_MANY_WAITING', details)
  }
  if (held > 0) throw new DomainError('CLOCK_BUSY')
  // A call that is not acknowledged comes again, and is counted then.
  await saveUnread(db, clock, unread, { now, isElsewhere: elsewhere !== null })
  await saveOnlyCounted(db, clock, onlyCountedOf(onlyCounted), now)
  if (elsewhere?.isOtherNetwork) return lines.length
  await saveReceived(db, {
    serial: clock.serial,
    stamp: hasPunches || clock.sent_from === address ? stamp : null,
    has_punches: Number(hasPunches),
    address,
    began,
    at,
    seconds_off: secondsOff(lines, clock, { from: address, now }),
  })
  return lines.length
}
