import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { readForUpload } from './clocks.queries.ts'
import { readFile } from './punches/files.ts'
import { storeLines } from './punches/store.ts'

/**
 * Stores a part of a file from a USB stick. Punches of the uploader wait for somebody else.
 * @throws DomainError CLOCK_NOT_FOUND, NOT_OF_A_CLOCK; TOO_MANY_WAITING, whose details say what was
 * stored
 */
export const uploadFile = async (db: AuthorizedDb, serial: string, text: string, now: Date) => {
  const { clock, employee_id } = await readForUpload(db, serial)
  if (!clock) throw new DomainError('CLOCK_NOT_FOUND')
  const file = readFile(text)
  if (!file) throw new DomainError('NOT_OF_A_CLOCK')
  const withZones = { ...clock, zones: db.zones() }
  const { counts } = await storeLines(db, withZones, file.lines, {
    read: file.read,
    uploader: { user_id: db.claims.userId, employee_id },
    elsewhere: null,
    now,
  })
  const { created, known, waiting, before_from_day, invalid, full, held } = counts
  const left_out = full + held
  if (left_out > 0) {
    throw new DomainError('TOO_MANY_WAITING', { created, known, waiting, left_out })
  }
  return { created, known, waiting, before_from_day, invalid }
}
