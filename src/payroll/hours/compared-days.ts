import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addDays, later } from '../../core/values/time-zone.ts'
import { listEmployeesOfPeriod } from './people-of-period.queries.ts'
import { readToday } from './period.ts'
import { type DaysOptions, type PersonDays, readPersonDays } from './person-days.ts'
import { toWorkDays } from './work-days.ts'

/** What would be otherwise: the zones, or the person with other rules or logs. */
export type Amendments = Pick<DaysOptions, 'zones' | 'amend'>

/** A day of a person as it is, and as it would be. One of them may be missing. */
interface ComparedDay<Day> {
  person: PersonDays['person']
  day: string
  before: Day | undefined
  after: Day | undefined
}

/** The days of people as they are and with amendments, by person and day. */
export const readComparedDays = async <Day extends { day: string }>(
  db: AuthorizedDb,
  people: Parameters<typeof readPersonDays>[1],
  options: DaysOptions,
  amendments: Amendments,
  daysOf: (one: PersonDays) => readonly Day[],
): Promise<ComparedDay<Day>[]> => {
  const compared = new Map<string, ComparedDay<Day>>()
  const read = async (side: 'before' | 'after', more: Amendments) => {
    for await (const page of readPersonDays(db, people, { ...options, ...more })) {
      for (const one of page) {
        for (const day of daysOf(one)) {
          const key = `${one.person.employee_id} ${day.day}`
          const known = compared.get(key)
          const added = { person: one.person, day: day.day, before: undefined, after: undefined }
          compared.set(key, { ...added, ...known, [side]: day })
        }
      }
    }
  }
  await read('before', {})
  await read('after', amendments)
  return [...compared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
}

/** A day whose hours an amendment changes. The seconds are null if no pair counts. */
interface ChangedDay {
  employee_id: string
  day: string
  before_seconds: number | null
  after_seconds: number | null
}

/** The days whose hours an amendment changes, and those whose hours it changes if pending logs count. */
interface Changes {
  changed_pairs: ChangedDay[]
  /** The other days, with the seconds of pending logs too. */
  changed_pending_pairs: ChangedDay[]
}

/** The seconds of a day. Each is null if no pair counts. */
interface DaySeconds {
  day: string
  approved: number | null
  withPending: number | null
}

interface Days {
  from: string
  to: string
}

/** The most days whose hours are compared before and after an amendment. */
const COMPARED_DAYS = 31

/** The seconds of a person's days. */
const secondsOfDays = (
  { days, logs, dayOptions }: PersonDays,
  { from, to }: Days,
): DaySeconds[] => {
  const ifApproved = toWorkDays(logs, { ...dayOptions, countPending: true })
  const withPending = new Map(ifApproved.map((one) => [one.day, one.worked_seconds]))
  return days
    .filter(({ day }) => day >= from && day <= to)
    .map(({ day, worked_seconds: approved }) => ({
      ...{ day, approved, withPending: withPending.get(day) ?? null },
    }))
}

/** Whose days an amendment is about, and from which day on. Everybody's if both are null. */
interface Amended {
  employee_id?: string | null
  branch_office?: string | null
  valid_from: string
}

export const NO_CHANGES: Changes = { changed_pairs: [], changed_pending_pairs: [] }

/** The days of the last `COMPARED_DAYS` whose hours an amendment changes, by person and day. */
export const readChanges = async (
  db: AuthorizedDb,
  { employee_id = null, branch_office = null, valid_from }: Amended,
  amendments: Amendments,
  now: Date,
): Promise<Changes> => {
  const today = await readToday(db, now)
  const days = { from: later(addDays(today, 1 - COMPARED_DAYS), valid_from), to: today }
  if (days.from > days.to) return NO_CHANGES
  const before = addDays(days.to, 2)
  const period = { from: addDays(days.from, -1), before, onPayroll: undefined }
  const place = branch_office === null ? {} : { branch_office }
  const ids = employee_id === null ? await listEmployeesOfPeriod(db, place, period) : [employee_id]
  const compared = await readComparedDays(
    db,
    ids.map((id) => ({ employee_id: id, firstDay: days.from })),
    { before: addDays(days.to, 1), countPending: false },
    amendments,
    (one) => secondsOfDays(one, days),
  )
  const changedBy =
    (name: 'approved' | 'withPending') =>
    ({ person, day, before, after }: (typeof compared)[number]): ChangedDay[] => {
      const before_seconds = before?.[name] ?? null
      const after_seconds = after?.[name] ?? null
      const { employee_id } = person
      return before_seconds === after_seconds
        ? []
        : [{ employee_id, day, before_seconds, after_seconds }]
    }
  const ofApproved = changedBy('approved')
  return {
    changed_pairs: compared.flatMap(ofApproved),
    changed_pending_pairs: compared
      .filter((one) => ofApproved(one).length === 0)
      .flatMap(changedBy('withPending')),
  }
}
