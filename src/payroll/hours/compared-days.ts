import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type DaysOptions, type PersonDays, readPersonDays } from './person-days.ts'

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
