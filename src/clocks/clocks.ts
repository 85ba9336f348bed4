import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { localDay } from '../core/time-zone.ts'
import {
  type ClockWrite,
  getClock,
  listClocks,
  type Naming,
  nameNumberStatements,
  saveClock,
} from './clocks.queries.ts'
import { ON_STICK } from './punches.ts'
import { receiveFile } from './receive.ts'
import { hideEnd } from './serial.ts'
import { takeNamed } from './waiting.ts'

/** What people do with clocks. */

/** Lists the clocks, with the ends of unknown serial numbers hidden. */
export const getClocks = async (db: AuthorizedDb) => {
  const { clocks, unknown, waiting } = await listClocks(db)
  const hidden = unknown.map(({ serial, ...call }) => ({ serial: hideEnd(serial), ...call }))
  return { clocks, unknown: hidden, waiting }
}

/**
 * Adds or changes a clock. The error of a changed clock has the current one.
 * @throws DomainError CLOCK_NOT_FOUND, CLOCK_MOVED or CLOCK_NEVER_CALLED
 */
export const putClock = (db: AuthorizedDb, write: ClockWrite) =>
  saveClock(db, write).catch(async (error) => {
    if (error instanceof DomainError && error.code === 'CLOCK_MOVED') {
      const current = await getClock(db, write.serial)
      if (current) error.current = current
    }
    throw error
  })

/**
 * Says whose a number is, and turns its waiting punches into logs. Returns how many became logs. If
 * the answer is lost, the same request takes the rest.
 * @throws DomainError FORBIDDEN, CLOCK_NOT_FOUND, UNKNOWN_EMPLOYEE or OWN_NUMBER
 */
export const nameNumber = async (
  db: AuthorizedDb,
  naming: Omit<Naming, 'today' | 'at'>,
  now: Date,
): Promise<number> => {
  const { scope, zones } = await db.ready()
  const { number, employee_id, all_clocks } = naming
  const at = now.toISOString()
  const today = localDay(at, '', zones)
  const named = nameNumberStatements({ ...naming, today, at }, db.claims.userId, scope)
  const owner = { employee_id, branch_office: '', is_named: true, is_found: false }
  const serial = all_clocks ? '' : naming.serial
  return takeNamed(db, { serial, number, owner }, named, now)
}

/**
 * Stores a part of a file from a USB stick.
 * @throws DomainError CLOCK_NOT_FOUND or TOO_MANY_WAITING
 */
export const uploadFile = async (db: AuthorizedDb, serial: string, text: string, now: Date) => {
  const clock = await getClock(db, serial)
  if (!clock) throw new DomainError('CLOCK_NOT_FOUND')
  const place = { ...clock, zones: db.zones() }
  return receiveFile(db, place, text, { format: ON_STICK, user_id: db.claims.userId, now })
}
