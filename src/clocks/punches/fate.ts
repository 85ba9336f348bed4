import type { WAIT_REASONS } from '../../core/values/log-values.ts'

/** Decides what becomes of each punch that arrives. The database says only what is stored. */

/** Chooses the punches that wait because their person had too many on that day. */
export const OVER_BOUND = 'over_bound'

/** More punches of a person on one day are not believed. */
export const PERSON_DAY_MAX = 50

/** From all addresses but the clock's own, a clock has at most this many punches of one day. */
export const ELSEWHERE_DAY_MAX = 500

/** All other addresses together bring at most this many on one day, of whatever days they are. */
export const ELSEWHERE_ARRIVED_MAX = 2_000

/** The maximum number of punches that wait for one clock, without those from elsewhere. */
const WAITING_MAX = 10_000

/** Of these, at most so many have a date that the clock had lost. An old clock may have years. */
const LOST_MAX = 500

/** One call stores at most this many. The clock sends the rest again. */
export const CALL_MAX = 5_000

/** From elsewhere, so that whoever knows a serial number keeps nobody waiting. */
export const ELSEWHERE_CALL_MAX = 200

/** What the database has of a punch: a log, or one that waits, also beyond the bound of a day. */
type StoredState = 'log' | 'dismissed' | 'waiting' | 'over'

export interface FatePunch {
  number: string
  local_at: string
  /** The local day. '' if its time cannot be that of a log. */
  day: string
  /** The employee, or else the number. */
  person: string
  /** Why it cannot be a log now. Null if it can. */
  reason: (typeof WAIT_REASONS)[number] | null
  /** Whether the clock had lost its date. */
  is_lost: boolean
}

export interface StoredPunches {
  stateOf: (punch: Pick<FatePunch, 'number' | 'local_at'>) => StoredState | undefined
  /** How many of the number and day are stored: from the clock's own address, or from elsewhere. */
  countOf: (punch: Pick<FatePunch, 'number' | 'day'>, isElsewhere: boolean) => number
  /** How many of the day are stored from elsewhere. */
  elsewhereOn: (day: string) => number
  /** How many have arrived today from elsewhere. */
  arrived: number
  /** How many wait that came from the clock's own address, and how many of these have no time. */
  waiting: number
  lost: number
}

/**
 * - `known`: stored before, or twice in this call.
 * - `log`, `wait`: stored. `over` waits because its person has too many on that day.
 * - `lost`: a lost date beyond what may wait of these, and not kept. It counts as a punch from before
 *   the clock's first day. Those do not come so far.
 * - `only_counted`: beyond the bounds of other addresses. Nothing else is kept of it.
 * - `full`, `held`: not stored, so that the clock must keep it: too many wait, or this call has had
 *   enough, or other addresses have, one of which may be a second line of the clock.
 */
export type Fate = 'known' | 'log' | 'wait' | 'over' | 'lost' | 'only_counted' | 'full' | 'held'

interface CallBounds {
  isElsewhere: boolean
  /**
   * Whether what lies beyond the bounds of other addresses is only counted: somebody has said which
   * address is the clock's, and it calls from there now, so that it keeps nothing back.
   */
  mayOnlyCount: boolean
  /** How many punches the call may still store. */
  room: number
}

export const fatesOf = (
  punches: readonly FatePunch[],
  stored: StoredPunches,
  { isElsewhere, mayOnlyCount, room }: CallBounds,
): Fate[] => {
  const seen = new Set<string>()
  const ofPerson = new Map<string, number>()
  const ofDay = new Map<string, number>()
  let { waiting, lost } = stored
  let free = room
  let { arrived } = stored
  const add = (counts: Map<string, number>, key: string) =>
    counts.set(key, (counts.get(key) ?? 0) + 1)

  const isStored = (punch: FatePunch): boolean => {
    const key = `${punch.number} ${punch.local_at}`
    const state = stored.stateOf(punch)
    if (seen.has(key)) return true
    seen.add(key)
    return state !== undefined && (state !== 'waiting' || punch.reason !== null)
  }

  /** Whether the person, or all people together, have too many on that day already. */
  const isOver = (punch: FatePunch, key: string): boolean =>
    stored.countOf(punch, isElsewhere) + (ofPerson.get(key) ?? 0) >= PERSON_DAY_MAX ||
    (isElsewhere &&
      stored.elsewhereOn(punch.day) + (ofDay.get(punch.day) ?? 0) >= ELSEWHERE_DAY_MAX)

  const fateOfNew = (punch: FatePunch): Fate => {
    const key = JSON.stringify([punch.person, punch.day])
    if (punch.is_lost && lost >= LOST_MAX) return 'lost'
    const canBeLog = punch.reason === null
    const over = (isElsewhere || canBeLog) && isOver(punch, key)
    if (over && isElsewhere) return mayOnlyCount ? 'only_counted' : 'held'
    const waits = over || !canBeLog
    if (waits && !isElsewhere && waiting >= WAITING_MAX) return 'full'
    if (free === 0 || (isElsewhere && arrived >= ELSEWHERE_ARRIVED_MAX)) return 'held'
    free--
    add(ofPerson, key)
    add(ofDay, punch.day)
    if (isElsewhere) arrived++
    else if (waits) waiting++
    if (punch.is_lost) lost++
    if (over) return 'over'
    return waits ? 'wait' : 'log'
  }

  return punches.map((punch) => {
    if (isStored(punch)) return 'known'
    // One that waits, and whose person is known now, is stored already.
    if (stored.stateOf(punch) === 'waiting') return 'log'
    return fateOfNew(punch)
  })
}
