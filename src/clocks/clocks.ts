import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { earlier, localAt, localDay, type Zones } from '../core/values/time-zone.ts'
import { OVER_BOUND } from './adms/fate.ts'
import { receiveFile } from './adms/receive.ts'
import { saveAddress } from './clock-acts.queries.ts'
import {
  type ClockWrite,
  getClock,
  listClocks,
  type Naming,
  nameNumberStatements,
  readForUpload,
  readNumber,
  saveClock,
} from './clocks.queries.ts'
import { confirmClock } from './confirm.queries.ts'
import { rowOn } from './numbers.queries.ts'
import { dayOf } from './punches.ts'
import { hideEnd } from './serial.ts'
import { latestAt, takePunches } from './waiting.ts'

/** What people do with clocks. */

type StoredClock = Awaited<ReturnType<typeof saveClock>>

/** The clock with its times in its branch. The zone is named if it is not the company's. */
const withLocalTimes = (clock: StoredClock, zones: Zones, now: Date) => {
  const { branch_office, last_seen_at, complete_until } = clock
  const local = (moment: string | null) => moment && localAt(moment, branch_office, zones)
  const zone = zones.nameAt(branch_office, now)
  return {
    ...clock,
    last_seen_local_at: local(last_seen_at),
    complete_until_local_at: local(complete_until),
    time_zone: zone === zones.nameAt('', now) ? null : zone,
  }
}

/** Lists the clocks, with the ends of unknown serial numbers hidden. */
export const getClocks = async (db: AuthorizedDb, keeperRoles: readonly string[], now: Date) => {
  const { clocks, unknown, waiting } = await listClocks(db, keeperRoles)
  const zones = db.zones()
  const branches = new Map(clocks.map(({ serial, branch_office }) => [serial, branch_office]))
  return {
    clocks: clocks.map((clock) => withLocalTimes(clock, zones, now)),
    unknown: unknown.map(({ serial, ...call }) => ({ serial: hideEnd(serial), ...call })),
    waiting: waiting.map((group) => ({
      ...group,
      first_local_at: localAt(group.first_at, branches.get(group.serial) ?? '', zones),
      last_local_at: localAt(group.last_at, branches.get(group.serial) ?? '', zones),
    })),
  }
}

/**
 * Adds or changes a clock. The error of a changed clock has the current one.
 * @throws DomainError CLOCK_NOT_FOUND, CLOCK_EXISTS, CLOCK_MOVED or CLOCK_NEVER_CALLED
 */
export const putClock = async (db: AuthorizedDb, write: ClockWrite, now: Date) => {
  try {
    const clock = await saveClock(db, write)
    return withLocalTimes(clock, db.zones(), now)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CLOCK_MOVED') {
      const current = await getClock(db, write.serial)
      if (current) error.current = withLocalTimes(current, db.zones(), now)
    }
    throw error
  }
}

/** @throws DomainError CLOCK_NOT_FOUND */
export const putAddress = async (db: AuthorizedDb, serial: string, address: string, now: Date) =>
  withLocalTimes(await saveAddress(db, serial, { address, at: now.toISOString() }), db.zones(), now)

/** @throws DomainError CLOCK_NOT_FOUND or OWN_CLOCK */
export const confirm = async (db: AuthorizedDb, serial: string, now: Date) =>
  withLocalTimes(await confirmClock(db, serial, now.toISOString()), db.zones(), now)

/**
 * From when the named employee has the number: always if nobody has been named before, or else from
 * the oldest punch on that waits for an owner, or from today on.
 */
const validFrom = (
  { rows, waiting }: Awaited<ReturnType<typeof readNumber>>,
  serial: string,
  today: string,
): string => {
  const isFirst = !rows.some((row) => row.is_named && (row.serial === serial || row.serial === ''))
  if (isFirst) return ''
  return waiting
    .filter(({ reason }) => reason === 'number' || reason === 'branch')
    .map(({ local_at }) => dayOf(local_at))
    .reduce(earlier, today)
}

/**
 * Says whose a number is, and turns those of its waiting punches that are the employee's into logs.
 * With `only_these`, it says so of the waiting punches alone.
 * Returns how many became logs. If the answer is lost, the same request takes the rest.
 * @throws DomainError FORBIDDEN, CLOCK_NOT_FOUND, UNKNOWN_EMPLOYEE, OWN_NUMBER or NUMBER_OUT_OF_SCOPE
 */
export const nameNumber = async (db: AuthorizedDb, naming: Naming, now: Date): Promise<number> => {
  const at = now.toISOString()
  const read = await readNumber(db, naming, latestAt(now))
  const { employee_id, all_clocks } = naming
  const serial = all_clocks ? '' : naming.serial
  const valid_from = validFrom(read, serial, localDay(at, '', db.zones()))
  const owner = { employee_id, branch_office: '', is_named: true, is_found: false }
  const rows = [{ ...owner, serial, valid_from }, ...read.rows]
  // The number stays nobody's, so that the logs say who said whose they are.
  const these = read.waiting
    .filter(({ over_bound, reason }) => {
      const { wait_reason } = naming
      return wait_reason === null || (over_bound ? OVER_BOUND : reason) === wait_reason
    })
    .map((punch) => ({ punch: { ...punch, user_id: db.claims.userId }, owner }))
  const ofNumber = read.waiting.flatMap((punch) => {
    const row = rowOn(rows, punch.serial, dayOf(punch.local_at))
    return row?.is_named && row.employee_id === employee_id ? [{ punch, owner }] : []
  })
  const taken = naming.only_these ? these : ofNumber
  const named = nameNumberStatements(db, naming, { valid_from, at })
  if (taken.length === 0) await db.batchOfAllBranches(named)
  return takePunches(db, taken, at, named)
}

/**
 * Stores a part of a file from a USB stick. Punches of the uploader wait for somebody else.
 * @throws DomainError CLOCK_NOT_FOUND, NOT_OF_A_CLOCK or TOO_MANY_WAITING
 */
export const uploadFile = async (db: AuthorizedDb, serial: string, text: string, now: Date) => {
  const { clock, employee_id } = await readForUpload(db, serial)
  if (!clock) throw new DomainError('CLOCK_NOT_FOUND')
  const place = { ...clock, zones: db.zones() }
  const uploader = { user_id: db.claims.userId, employee_id }
  return receiveFile(db, place, text, { uploader, now })
}
