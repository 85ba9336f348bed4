import type { BatchDb } from '../../core/db/batch-db.ts'
import type { WaitReason } from '../../core/values/log-values.ts'
import type { Zones } from '../../core/values/time-zone.ts'
import { refusalOfSourceTime } from '../../intake/times.ts'
import { saveFromItsOwn } from './elsewhere.queries.ts'
import { readFacts } from './facts.queries.ts'
import { CALL_MAX, ELSEWHERE_CALL_MAX, type Fate, fatesOf } from './fate.ts'
import { dayOf, isOfLostTime, kindOf, momentOf, type ReadLine } from './lines.ts'
import { type Owner, reasonOfOwner, toOwnerOf } from './numbers.ts'
import { type Punch, saveInChunks } from './punches.queries.ts'

/** Reads lines of a clock or of its file, decides what becomes of each punch, and stores it. */

interface Clock {
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
  { branch_office, uses_keys, from_day, zones }: Clock,
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

interface Uploader {
  user_id: number
  employee_id: string | null
}

/** How the lines of another address than the clock's own are taken. */
export interface Elsewhere {
  /** Whether their logs are marked as those of another network (`otra_red`). */
  isOtherNetwork: boolean
  /** Whether punches beyond the bounds are `only_counted`. Otherwise they are `held`. */
  mayOnlyCount: boolean
}

interface Arriving {
  read: ReadLine
  /** Who uploads the lines. Null if the clock sends them. */
  uploader: Uploader | null
  /** Null if the lines come from the clock's own address, or from its file. */
  elsewhere: Elsewhere | null
  now: Date
}

export interface JudgedPunch extends ReadPunch {
  owner: Owner | undefined
  reason: WaitReason | null
  day: string
  person: string
}

/** Reads what is stored of the punches, and decides what becomes of each. */
const judge = async (
  db: BatchDb,
  clock: Clock,
  sent: readonly ReadPunch[],
  { uploader, elsewhere, now, room }: Arriving & { room: number },
) => {
  const { serial } = clock
  const dated = sent.map((punch) => {
    const refusal = refusalOfPunch(punch, now)
    return { ...punch, refusal, day: refusal === null ? dayOf(punch.local_at) : '' }
  })
  const today = elsewhere ? now.toISOString().slice(0, 10) : undefined
  const { owners, stored } = await readFacts(db, serial, dated, today)
  const ownerOf = toOwnerOf(serial, owners)
  const punches = dated.map(({ refusal, ...punch }): JudgedPunch => {
    const owner = ownerOf(punch.number, dayOf(punch.local_at))
    const reason = refusal ?? reasonOfOwner(owner, clock, uploader?.employee_id ?? null)
    return { ...punch, owner, reason, person: owner?.employee_id ?? punch.number }
  })
  const [isElsewhere, mayOnlyCount] = [elsewhere !== null, elsewhere?.mayOnlyCount ?? false]
  const fates = fatesOf(punches, stored, { isElsewhere, mayOnlyCount, room })
  return Map.groupBy(
    punches.map((punch, i) => ({ ...punch, fate: fates[i] ?? 'held' })),
    ({ fate }) => fate,
  )
}

type Judged = Awaited<ReturnType<typeof judge>>

/** The punches that are stored. One that waits beyond its day's bound has a time that is not believed. */
const toStore = (judged: Judged): Punch[] =>
  [...judged.values()].flat().flatMap((punch): Punch[] => {
    if (punch.fate === 'over') return [{ ...punch, reason: 'time', over_bound: 1 }]
    return punch.fate === 'log' || punch.fate === 'wait' ? [{ ...punch, over_bound: 0 }] : []
  })

/**
 * Stores the punches of some lines in chunks, each in one transaction. Punches that are stored already
 * stay as they are, and dismissed ones stay dismissed, so that a text can be sent again.
 * @throws DomainError CLOCK_BUSY if other calls from elsewhere have taken the room meanwhile
 */
const storePart = async (
  db: BatchDb,
  clock: Clock,
  sent: readonly ReadPunch[],
  arriving: Arriving & { room: number },
) => {
  const { uploader, elsewhere, now } = arriving
  const arrival = {
    serial: clock.serial,
    user_id: uploader?.user_id ?? null,
    other_network: Number(elsewhere?.isOtherNetwork ?? false),
    isElsewhere: elsewhere !== null,
    at: now.toISOString(),
  }
  const judged = await judge(db, clock, sent, arriving)
  const saved = await saveInChunks(db, toStore(judged), arrival)
  if (uploader === null && elsewhere === null) {
    const stored = [...(judged.get('known') ?? []), ...(judged.get('log') ?? [])]
    await saveFromItsOwn(db, clock.serial, stored)
  }
  return { judged, ...saved }
}

/** The facts of so many punches are read at once. */
const PART_MAX = 5_000

/** From elsewhere, most calls end with their first part. Each later one is twice as large. */
const ELSEWHERE_FIRST_PART = 100

/** Stores lines, and returns how many have had each fate, and those that were only counted. */
export const storeLines = async (
  db: BatchDb,
  clock: Clock,
  lines: readonly string[],
  arriving: Arriving,
) => {
  const isElsewhere = arriving.elsewhere !== null
  const most = isElsewhere ? ELSEWHERE_CALL_MAX : CALL_MAX
  let part = isElsewhere ? ELSEWHERE_FIRST_PART : PART_MAX
  const counts = { created: 0, known: 0, waiting: 0, before_from_day: 0, full: 0, held: 0 }
  const unread: string[] = []
  const seen = isElsewhere ? new Set<string>() : undefined
  const onlyCounted: JudgedPunch[] = []
  let hasPunches = false
  for (let start = 0; start < lines.length; ) {
    const reading = { ...arriving, start, most: part, unread, seen }
    const { punches, ...read } = readPunches(lines, clock, reading)
    start = read.next
    part = Math.min(2 * part, PART_MAX)
    counts.before_from_day += read.before_from_day
    // Lines without punches ask the database nothing, however many they are.
    if (punches.length === 0) continue
    const room = most - counts.created - counts.waiting
    const { judged, created, waiting } = await storePart(db, clock, punches, { ...arriving, room })
    const count = (fate: Fate) => judged.get(fate)?.length ?? 0
    const [full, held, lost] = [count('full'), count('held'), count('lost')]
    const others = created + waiting + full + held + lost + count('only_counted')
    counts.created += created
    counts.waiting += waiting
    counts.known += punches.length - others
    counts.before_from_day += lost
    counts.full += full
    counts.held += held
    onlyCounted.push(...(judged.get('only_counted') ?? []))
    hasPunches = true
    // The call is not acknowledged. From elsewhere, the rest of it costs nobody anything.
    if (isElsewhere && held > 0 && created + waiting === 0) break
  }
  return { counts: { ...counts, invalid: unread.length }, unread, onlyCounted, hasPunches }
}
