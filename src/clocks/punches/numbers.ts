import type { WaitReason } from '../../core/values/log-values.ts'
import { earlier } from '../../core/values/time-zone.ts'
import { dayOf } from './lines.ts'

/** Whose the numbers are that clocks send. The database says only what is written and who is alike. */

export interface Owner {
  employee_id: string
  branch_office: string
  /** Whether a user has said that the number is the employee's. */
  is_named: boolean
  /** Whether the number is to be written down, because it is like the employee's id. */
  is_found: boolean
}

/** A row of `clock_numbers`. */
export interface NumberRow extends Omit<Owner, 'is_found'> {
  /** '' for all clocks. */
  serial: string
  valid_from: string
}

/** Named rows come before found ones, and rows of the clock before those of all clocks. */
const rankOf = ({ is_named, serial }: NumberRow): number =>
  (is_named ? 2 : 0) + (serial === '' ? 0 : 1)

/**
 * Finds the row of a clock and a number that applies on a local day.
 * @param rows the rows of the number, the newest first
 */
export const rowOn = (
  rows: readonly NumberRow[],
  serial: string,
  day: string,
): NumberRow | undefined => {
  const valid = rows.filter(
    (row) => row.valid_from <= day && (row.serial === serial || row.serial === ''),
  )
  const best = Math.max(...valid.map(rankOf))
  return valid.find((row) => rankOf(row) === best)
}

interface OwnerRows {
  rows: readonly (NumberRow & { number: string })[]
  /** The employees whose id is like a number that has no row. */
  likeIds: readonly { number: string; employee_id: string; branch_office: string }[]
}

/**
 * Returns a function that finds whose number it is on a local day: the employee whom a user has named
 * for the clock, or for all clocks, or else the only one whose id is like the number. It returns
 * undefined if there is nobody, or more than one.
 */
export const toOwnerOf = (serial: string, { rows, likeIds }: OwnerRows) => {
  const rowsOf = Map.groupBy(rows, ({ number }) => number)
  const likeIdsOf = Map.groupBy(likeIds, ({ number }) => number)
  return (number: string, day: string): Owner | undefined => {
    const row = rowOn(rowsOf.get(number) ?? [], serial, day)
    if (row) return { ...row, is_found: false }
    const [like, ...others] = likeIdsOf.get(number) ?? []
    return like && others.length === 0 ? { ...like, is_named: false, is_found: true } : undefined
  }
}

/**
 * Why a punch at a clock is not a log of the number's owner. Null if it is. An id that is only like
 * the number counts in the clock's own branch.
 * @param uploader the employee who uploads the punch from a file, and takes none of their own
 */
export const reasonOfOwner = (
  owner: Owner | undefined,
  clock: { branch_office: string },
  uploader: string | null,
): WaitReason | null => {
  if (!owner) return 'number'
  if (owner.employee_id === uploader) return 'own'
  return owner.is_named || owner.branch_office === clock.branch_office ? null : 'branch'
}

/** Whether a punch waits for its owner, who may have been added or named since. */
const waitsForOwner = ({ reason }: { reason: WaitReason | null }): boolean =>
  reason === 'number' || reason === 'branch'

/** What a waiting punch becomes now: a log, or one that waits for another reason. */
export const becomes = (
  punch: { reason: WaitReason; uploader_employee_id: string | null },
  owner: Owner | undefined,
  clock: { branch_office: string },
): 'log' | 'number' | 'branch' | undefined => {
  if (!waitsForOwner(punch)) return undefined
  const reason = reasonOfOwner(owner, clock, null)
  if (reason === 'number' || reason === 'branch')
    return reason === punch.reason ? undefined : reason
  return owner?.employee_id === punch.uploader_employee_id ? undefined : 'log'
}

/**
 * From when an employee who is named has the number: always if nobody has been named before, or else
 * from the oldest punch on that waits for an owner, or from today on.
 */
export const validFrom = (
  rows: readonly NumberRow[],
  waiting: readonly { local_at: string; reason: WaitReason }[],
  { serial, today }: { serial: string; today: string },
): string => {
  const isFirst = !rows.some((row) => row.is_named && (row.serial === serial || row.serial === ''))
  if (isFirst) return ''
  return waiting
    .filter(waitsForOwner)
    .map(({ local_at }) => dayOf(local_at))
    .reduce(earlier, today)
}
