import type { BatchDb } from '../core/db/batch-db.ts'
import { DomainError } from '../core/errors.ts'
import type { Zones } from '../core/time-zone.ts'
import { refusalOfSourceTime } from '../intake/intake.ts'
import type { CallingClock } from './calls.queries.ts'
import { ageOf, type Call, CONNECTED_MS, isFromElsewhere } from './connection.ts'
import { findOwners, type Owner } from './numbers.queries.ts'
import { type Punch, saveProblem, saveReceived, type WaitReason } from './punches.queries.ts'
import {
  dayOf,
  isOfLostTime,
  kindOf,
  type LineFormat,
  linesOf,
  momentOf,
  readLine,
} from './punches.ts'
import { mayTake, saveInChunks } from './waiting.ts'

/** Reads and stores the punches that a clock sends, or that a file has. */

interface Place {
  serial: string
  branch_office: string
  uses_keys: boolean
  from_day: string
  zones: Zones
}

type ReadPunch = Omit<Punch, 'owner' | 'reason'>

const readPunches = (
  lines: readonly string[],
  { branch_office, uses_keys, from_day, zones }: Place,
  { format, now }: { format: LineFormat; now: Date },
) => {
  const punches: ReadPunch[] = []
  let [invalid, before_from_day] = [0, 0]
  for (const line of lines) {
    const written = readLine(line, format)
    if (!written) {
      invalid++
      continue
    }
    const { number, local_at, status } = written
    const isLost = isOfLostTime(local_at)
    const day = dayOf(local_at)
    if (day !== '' && !isLost && day < from_day) {
      before_from_day++
      continue
    }
    const recorded_at = isLost ? null : momentOf(local_at, branch_office, zones, now)
    punches.push({ number, local_at, kind: kindOf(status, uses_keys), recorded_at })
  }
  return { punches, invalid, before_from_day }
}

const reasonOf = (
  { recorded_at }: ReadPunch,
  owner: Owner | undefined,
  place: Pick<Place, 'branch_office'>,
  now: Date,
): WaitReason | null => {
  if (recorded_at === null) return 'time'
  const refusal = refusalOfSourceTime(recorded_at, now)
  if (refusal) return refusal
  if (!owner) return 'number'
  return mayTake(owner, place) ? null : 'branch'
}

interface Arrival {
  format: LineFormat
  user_id: number | null
  isOtherNetwork: boolean
  now: Date
}

/**
 * Stores the punches of a text in chunks, each in one transaction. Punches that are stored already
 * stay as they are, so that a text can be sent again.
 * @throws DomainError TOO_MANY_WAITING
 */
const storeLines = async (
  db: BatchDb,
  place: Place,
  lines: readonly string[],
  { format, user_id, isOtherNetwork, now }: Arrival,
) => {
  const { serial } = place
  const { punches: read, invalid, before_from_day } = readPunches(lines, place, { format, now })
  const ownerOf =
    read.length === 0
      ? () => undefined
      : await findOwners(
          db,
          serial,
          read.map(({ number }) => number),
        )
  const punches = read.map((punch): Punch => {
    const owner = ownerOf(punch.number, dayOf(punch.local_at))
    return { ...punch, owner, reason: reasonOf(punch, owner, place, now) }
  })
  const at = now.toISOString()
  const { created, waiting } = await saveInChunks(db, punches, {
    serial,
    user_id,
    isOtherNetwork,
    at,
  })
  const known = punches.length - created - waiting
  return { created, known, waiting, before_from_day, invalid }
}

/**
 * How many seconds a clock is ahead. Null if its only punch need not have been made just now, because
 * the clock has not been known to be connected and without anything to send.
 */
const secondsOff = (
  lines: readonly string[],
  { complete_until, branch_office, zones }: CallingClock,
  now: Date,
  format: LineFormat,
): number | null => {
  const [line, ...others] = lines
  const punch = others.length === 0 && line ? readLine(line, format) : undefined
  if (!punch || ageOf(complete_until, now) > CONNECTED_MS) return null
  const moment = momentOf(punch.local_at, branch_office, zones, now)
  return moment === null ? null : Math.round((Date.parse(moment) - now.getTime()) / 1000)
}

/** Saves that a clock sent more at once than is read. */
export const saveTooLarge = (db: BatchDb, clock: CallingClock, now: Date): Promise<void> =>
  saveProblem(db, clock, 'too_large', { at: now.toISOString() })

interface PunchCall extends Call {
  text: string
  format: LineFormat
  /** What the clock wants to get back when it connects again. Null if it sent none. */
  stamp: string | null
}

/**
 * Stores the punches of a call, and returns how many lines it had. Lines that cannot be read become
 * a problem of the clock.
 * @throws DomainError TOO_MANY_WAITING; the clock sends the punches again
 */
export const receivePunches = async (
  db: BatchDb,
  clock: CallingClock,
  { text, format, stamp, address, now }: PunchCall,
): Promise<number> => {
  const at = now.toISOString()
  const lines = linesOf(text)
  const isOtherNetwork = isFromElsewhere(clock, address, now)
  if (isOtherNetwork) await saveProblem(db, clock, 'otra_red', { at })
  const arrival = { format, user_id: null, isOtherNetwork, now }
  const { invalid } = await storeLines(db, clock, lines, arrival).catch(async (error) => {
    if (error instanceof DomainError && error.code === 'TOO_MANY_WAITING') {
      await saveProblem(db, clock, 'too_many_waiting', { at })
    }
    throw error
  })
  if (invalid > 0) await saveProblem(db, clock, 'invalid', { at, count: invalid })
  if (!isOtherNetwork) {
    const seconds_off = secondsOff(lines, clock, now, format)
    await saveReceived(db, { serial: clock.serial, stamp, address, at, seconds_off })
  }
  return lines.length
}

/** Stores a part of a file from a USB stick. */
export const receiveFile = async (
  db: BatchDb,
  clock: Place,
  text: string,
  { format, user_id, now }: { format: LineFormat; user_id: number; now: Date },
) => {
  const arrival = { format, user_id, isOtherNetwork: false, now }
  return storeLines(db, clock, linesOf(text), arrival)
}
