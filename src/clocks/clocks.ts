import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { localAt, type Zones } from '../core/values/time-zone.ts'
import { saveAddress } from './clock-acts.queries.ts'
import { getClock, listClocks } from './clocks.queries.ts'
import { confirmClock } from './confirm.queries.ts'
import { type ClockWrite, saveClock } from './save-clock.queries.ts'
import { hideEnd } from './serial.ts'

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
