import type { BatchDb } from '../core/db/batch-db.ts'
import { DomainError } from '../core/errors.ts'
import type { Zones } from '../core/time-zone.ts'
import { refusalOfSourceTime } from '../intake/intake.ts'
import { type CallingClock, saveReceived } from './calls.queries.ts'
import { ageOf, type Call, isConnected, isFromElsewhere, QUIET_MS } from './connection.ts'
import { type ReadLine, readFile, readPushed } from './lines.ts'
import { findOwners, type Owner } from './numbers.queries.ts'
import { type Punch, saveProblem, saveUnread, type WaitReason } from './punches.queries.ts'
import { dayOf, isOfLostTime, kindOf, momentOf } from './punches.ts'
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
  { read, now }: { read: ReadLine; now: Date },
) => {
  const punches: ReadPunch[] = []
  const unread: string[] = []
  let before_from_day = 0
  for (const line of lines) {
    const written = read(line)
    if (written === 'other') continue
    if (!written) {
      unread.push(line)
      continue
    }
    const { number, local_at, status } = written
    const isLost = isOfLostTime(local_at, from_day)
    const day = dayOf(local_at)
    if (day !== '' && !isLost && day < from_day) {
      before_from_day++
      continue
    }
    const recorded_at = isLost ? null : momentOf(local_at, branch_office, zones, now)
    punches.push({ number, local_at, kind: kindOf(status, uses_keys), recorded_at })
  }
  return { punches, unread, before_from_day }
}

const reasonOf = (
  { recorded_at }: ReadPunch,
  owner: Owner | undefined,
  { place, ownEmployeeId, now }: { place: Place; ownEmployeeId: string | null; now: Date },
): WaitReason | null => {
  if (recorded_at === null) return 'time'
  const refusal = refusalOfSourceTime(recorded_at, now)
  if (refusal) return refusal
  if (!owner) return 'number'
  if (owner.employee_id === ownEmployeeId) return 'own'
  return mayTake(owner, place) ? null : 'branch'
}

interface Uploader {
  user_id: number
  employee_id: string | null
}

interface Arriving {
  read: ReadLine
  /** Who uploads the lines. Null if the clock sends them. */
  uploader: Uploader | null
  /** Whether the lines come from another address while the clock also calls from its own. */
  isElsewhere: boolean
  now: Date
}

/**
 * Stores the punches of a text in chunks, each in one transaction. Punches that are stored already
 * stay as they are, and dismissed ones stay dismissed, so that a text can be sent again.
 * @throws DomainError TOO_MANY_WAITING; OTHER_NETWORK if punches from another address would wait
 */
const storeLines = async (
  db: BatchDb,
  place: Place,
  lines: readonly string[],
  { read, uploader, isElsewhere, now }: Arriving,
) => {
  const { serial } = place
  const { punches: sent, unread, before_from_day } = readPunches(lines, place, { read, now })
  const numbers = sent.map(({ number }) => number)
  const { ownerOf, isDismissed, isWaiting } = await findOwners(db, serial, numbers)
  const options = { place, ownEmployeeId: uploader?.employee_id ?? null, now }
  const punches = sent
    .filter((punch) => !isDismissed(punch))
    .map((punch): Punch => {
      const owner = ownerOf(punch.number, dayOf(punch.local_at))
      return { ...punch, owner, reason: reasonOf(punch, owner, options) }
    })
  if (isElsewhere && punches.some((punch) => punch.reason !== null && !isWaiting(punch))) {
    throw new DomainError('OTHER_NETWORK')
  }
  const { created, waiting } = await saveInChunks(db, punches, {
    serial,
    user_id: uploader?.user_id ?? null,
    other_network: Number(isElsewhere),
    at: now.toISOString(),
  })
  const known = sent.length - created - waiting
  return {
    counts: { created, known, waiting, before_from_day, invalid: unread.length },
    unread,
    hasPunches: sent.length > 0,
  }
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

/** Saves that a clock sent more at once than is read. */
export const saveTooLarge = (db: BatchDb, clock: CallingClock, now: Date): Promise<void> =>
  saveProblem(db, clock, 'too_large', { at: now.toISOString() })

/** The problems of a clock that an error of `storeLines` becomes. */
const PROBLEMS = { TOO_MANY_WAITING: 'too_many_waiting', OTHER_NETWORK: 'otra_red' } as const

interface PunchCall extends Call {
  lines: readonly string[]
  /** What the clock wants to get back when it connects again. Null if it sent none. */
  stamp: string | null
  /** When the call began. */
  began: string
}

/**
 * Stores the punches of a call, and returns how many lines it had. Lines that cannot be read become
 * a problem of the clock.
 * @throws DomainError TOO_MANY_WAITING or OTHER_NETWORK; the clock sends the punches again
 */
export const receivePunches = async (
  db: BatchDb,
  clock: CallingClock,
  { lines, stamp, began, address, now }: PunchCall,
): Promise<number> => {
  const at = now.toISOString()
  const isElsewhere = isFromElsewhere(clock, address, now)
  const arriving = { read: readPushed, uploader: null, isElsewhere, now }
  const { unread, hasPunches } = await storeLines(db, clock, lines, arriving).catch(
    async (error) => {
      const problem =
        error instanceof DomainError ? PROBLEMS[error.code as keyof typeof PROBLEMS] : undefined
      if (problem) await saveProblem(db, clock, problem, { at })
      throw error
    },
  )
  await saveUnread(db, clock, unread, { at, isElsewhere })
  if (isElsewhere) {
    await saveProblem(db, clock, 'otra_red', { at })
    return lines.length
  }
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

/**
 * Stores a part of a file from a USB stick. Punches of the uploader wait for somebody else.
 * @throws DomainError NOT_OF_A_CLOCK
 */
export const receiveFile = async (
  db: BatchDb,
  clock: Place,
  text: string,
  { uploader, now }: { uploader: Uploader; now: Date },
) => {
  const file = readFile(text)
  if (!file) throw new DomainError('NOT_OF_A_CLOCK')
  const { lines, read } = file
  return (await storeLines(db, clock, lines, { read, uploader, isElsewhere: false, now })).counts
}
