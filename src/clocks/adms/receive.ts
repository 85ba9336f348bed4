import type { BatchDb } from '../../core/db/batch-db.ts'
import { DomainError } from '../../core/errors.ts'
import type { Zones } from '../../core/values/time-zone.ts'
import { refusalOfSourceTime } from '../../intake/intake.ts'
import { type Owner, ownerStatements, toOwnerOf } from '../numbers.queries.ts'
import { type Punch, saveFromItsOwn, type WaitReason } from '../punches.queries.ts'
import { dayOf, isOfLostTime, kindOf, momentOf } from '../punches.ts'
import { mayTake, saveInChunks } from '../waiting.ts'
import { type CallingClock, saveReceived } from './calls.queries.ts'
import {
  ageOf,
  type Call,
  callsFromItsOwn,
  isConnected,
  isFromElsewhere,
  isOwnAddress,
  QUIET_MS,
} from './connection.ts'
import { CALL_MAX, ELSEWHERE_ARRIVED_MAX, ELSEWHERE_CALL_MAX, type Fate, fatesOf } from './fate.ts'
import { type ReadLine, readFile, readPushed } from './lines.ts'
import { type CountedPunches, saveCounted, saveProblem, saveUnread } from './problems.queries.ts'
import { storedStatements, toStored } from './stored.queries.ts'

/** Reads and stores the punches that a clock sends, or that a file has. */

interface Place {
  serial: string
  branch_office: string
  uses_keys: boolean
  from_day: string
  zones: Zones
}

type ReadPunch = Pick<Punch, 'number' | 'local_at' | 'kind' | 'recorded_at'> & { is_lost: boolean }

interface Reading {
  read: ReadLine
  now: Date
  start: number
  /** How many punches are read at most. */
  most: number
  /** Gets the lines that are no punches. */
  unread: string[]
  /** Has the punches of earlier lines, each of which is read once. */
  seen?: Set<string> | undefined
}

/** Reads lines from `start` on. `next` is the first one that is not read. */
const readPunches = (
  lines: readonly string[],
  { branch_office, uses_keys, from_day, zones }: Place,
  { read, now, start, most, unread, seen }: Reading,
) => {
  const punches: ReadPunch[] = []
  let before_from_day = 0
  let next = start
  while (next < lines.length && punches.length < most) {
    const line = lines[next++] ?? ''
    const written = read(line)
    if (written === 'other') continue
    if (!written) {
      unread.push(line)
      continue
    }
    const { number, local_at, status } = written
    const key = `${number} ${local_at}`
    if (seen?.has(key)) continue
    seen?.add(key)
    const is_lost = isOfLostTime(local_at, from_day)
    const day = dayOf(local_at)
    if (day !== '' && !is_lost && day < from_day) {
      before_from_day++
      continue
    }
    const recorded_at = is_lost ? null : momentOf(local_at, branch_office, zones, now)
    punches.push({ number, local_at, kind: kindOf(status, uses_keys), recorded_at, is_lost })
  }
  return { punches, before_from_day, next }
}

/** Why the time of a punch cannot be that of a log. Null if it can. */
const refusalOfPunch = ({ recorded_at }: ReadPunch, now: Date): WaitReason | null =>
  recorded_at === null ? 'time' : refusalOfSourceTime(recorded_at, now)

/** Why a punch is not a log of the owner. Null if it is. */
const reasonOfOwner = (
  owner: Owner | undefined,
  place: Place,
  ownEmployeeId: string | null,
): WaitReason | null => {
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
  /** Whether the lines come from another address than the clock's own. */
  isElsewhere: boolean
  /** Whether their logs are marked so. */
  isMarked: boolean
  /** Whether what lies beyond the bounds of other addresses is only counted. */
  mayCount: boolean
  now: Date
}

interface JudgedPunch extends ReadPunch {
  owner: Owner | undefined
  reason: WaitReason | null
  day: string
  person: string
}

/** Reads what is stored of the punches, and decides what becomes of each. */
const judge = async (
  db: BatchDb,
  place: Place,
  sent: readonly ReadPunch[],
  { uploader, isElsewhere, mayCount, now, room }: Arriving & { room: number },
) => {
  const { serial } = place
  const dated = sent.map((punch) => {
    const refusal = refusalOfPunch(punch, now)
    return { ...punch, refusal, day: refusal === null ? dayOf(punch.local_at) : '' }
  })
  const numbers = dated.map(({ number }) => number)
  const { rows, likeIds, ...stored } = await db.batchOfAllBranches({
    ...ownerStatements(serial, numbers),
    ...storedStatements(serial, dated, isElsewhere ? now.toISOString().slice(0, 10) : undefined),
  })
  const ownerOf = toOwnerOf(serial, { rows, likeIds })
  const punches = dated.map(({ refusal, ...punch }): JudgedPunch => {
    const owner = ownerOf(punch.number, dayOf(punch.local_at))
    const reason = refusal ?? reasonOfOwner(owner, place, uploader?.employee_id ?? null)
    return { ...punch, owner, reason, person: owner?.employee_id ?? punch.number }
  })
  const fates = fatesOf(punches, toStored(stored), { isElsewhere, mayCount, room })
  return Map.groupBy(
    punches.map((punch, i) => ({ ...punch, fate: fates[i] ?? 'held' })),
    ({ fate }) => fate,
  )
}

type Judged = Awaited<ReturnType<typeof judge>>

const countOf = (judged: Judged, fate: Fate): number => judged.get(fate)?.length ?? 0

/** The punches that are stored. One that waits beyond its day's bound has a time that is not believed. */
const toStore = (judged: Judged): Punch[] =>
  [...judged.values()].flat().flatMap((punch): Punch[] => {
    if (punch.fate === 'over') return [{ ...punch, reason: 'time', over_bound: 1 }]
    return punch.fate === 'log' || punch.fate === 'wait' ? [{ ...punch, over_bound: 0 }] : []
  })

const LOCAL_TIME_LENGTH = 19

const countedOf = (punches: readonly JudgedPunch[]): CountedPunches[] => {
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
 * Stores the punches of some lines in chunks, each in one transaction. Punches that are stored already
 * stay as they are, and dismissed ones stay dismissed, so that a text can be sent again.
 * @throws DomainError CLOCK_BUSY if other calls from elsewhere have taken the room meanwhile
 */
const storePart = async (
  db: BatchDb,
  place: Place,
  sent: readonly ReadPunch[],
  arriving: Arriving & { room: number },
) => {
  const { uploader, isElsewhere, isMarked, now } = arriving
  const arrival = {
    serial: place.serial,
    user_id: uploader?.user_id ?? null,
    other_network: Number(isMarked),
    isElsewhere,
    at: now.toISOString(),
  }
  const judged = await judge(db, place, sent, arriving)
  const saved = await saveInChunks(db, toStore(judged), arrival)
  if (uploader === null && !isElsewhere) {
    const stored = [...(judged.get('known') ?? []), ...(judged.get('log') ?? [])]
    await saveFromItsOwn(db, place.serial, stored)
  }
  return { judged, ...saved }
}

/** The facts of so many punches are read at once. */
const PART_MAX = 5_000

/** From elsewhere, most calls end with their first part. Each later one is twice as large. */
const ELSEWHERE_FIRST_PART = 100

/** Stores lines, and returns how many have had each fate. */
const storeLines = async (
  db: BatchDb,
  place: Place,
  lines: readonly string[],
  arriving: Arriving,
) => {
  const { isElsewhere } = arriving
  const most = isElsewhere ? ELSEWHERE_CALL_MAX : CALL_MAX
  let part = isElsewhere ? ELSEWHERE_FIRST_PART : PART_MAX
  const counts = { created: 0, known: 0, waiting: 0, before_from_day: 0, full: 0, held: 0 }
  const unread: string[] = []
  const seen = isElsewhere ? new Set<string>() : undefined
  const counted: JudgedPunch[] = []
  let hasPunches = false
  for (let start = 0; start < lines.length; ) {
    const reading = { ...arriving, start, most: part, unread, seen }
    const { punches, ...read } = readPunches(lines, place, reading)
    start = read.next
    part = Math.min(2 * part, PART_MAX)
    counts.before_from_day += read.before_from_day
    // Lines without punches ask the database nothing, however many they are.
    if (punches.length === 0) continue
    const room = most - counts.created - counts.waiting
    const { judged, created, waiting } = await storePart(db, place, punches, { ...arriving, room })
    const ofPart = {
      ...{ created, waiting, full: countOf(judged, 'full'), held: countOf(judged, 'held') },
      before: countOf(judged, 'before'),
      counted: countOf(judged, 'counted'),
    }
    const others = Object.values(ofPart).reduce((sum, count) => sum + count)
    counts.created += created
    counts.waiting += waiting
    counts.known += punches.length - others
    counts.before_from_day += ofPart.before
    counts.full += ofPart.full
    counts.held += ofPart.held
    counted.push(...(judged.get('counted') ?? []))
    hasPunches = true
    // The call is not acknowledged. From elsewhere, the rest of it costs nobody anything.
    if (isElsewhere && ofPart.held > 0 && created + waiting === 0) break
  }
  return {
    counts: { ...counts, invalid: unread.length },
    unread,
    counted: countedOf(counted),
    hasPunches,
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
  lines: readonly string[]
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
  { lines, stamp, began, address, now }: PunchCall,
): Promise<number> => {
  const at = now.toISOString()
  const isElsewhere = !isOwnAddress(clock, address)
  const isMarked = isFromElsewhere(clock, address, now)
  const mayCount = clock.own_address_by !== null && callsFromItsOwn(clock, now)
  const arriving = { read: readPushed, uploader: null, isElsewhere, isMarked, mayCount, now }
  const { counts, unread, counted, hasPunches } = await storeLines(db, clock, lines, arriving)
  const { created, known, waiting, full, held } = counts
  if (isMarked || (isElsewhere && held > 0)) {
    await saveProblem(db, clock, 'otra_red', { at, detail: address })
  }
  if (full > 0) {
    await saveProblem(db, clock, 'too_many_waiting', { at })
    const details = { created, known, waiting, left_out: full + held }
    throw new DomainError('TOO_MANY_WAITING', details)
  }
  if (held > 0) throw new DomainError('CLOCK_BUSY')
  // A call that is not acknowledged comes again, and is counted then.
  await saveUnread(db, clock, unread, { now, isElsewhere })
  await saveCounted(db, clock, counted, now)
  if (isMarked) return lines.length
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
 * @throws DomainError NOT_OF_A_CLOCK; TOO_MANY_WAITING, whose details say what was stored
 */
export const receiveFile = async (
  db: BatchDb,
  clock: Place,
  text: string,
  { uploader, now }: { uploader: Uploader; now: Date },
) => {
  const file = readFile(text)
  if (!file) throw new DomainError('NOT_OF_A_CLOCK')
  const arriving = { uploader, isElsewhere: false, isMarked: false, mayCount: false, now }
  const stored = await storeLines(db, clock, file.lines, { ...arriving, read: file.read })
  const { created, known, waiting, before_from_day, invalid, full, held } = stored.counts
  const left_out = full + held
  if (left_out > 0) {
    throw new DomainError('TOO_MANY_WAITING', { created, known, waiting, left_out })
  }
  return { created, known, waiting, before_from_day, invalid }
}
