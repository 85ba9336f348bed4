import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DAY_MS } from '../core/values/time-zone.ts'
import { listPunches } from './off-days.queries.ts'

/** Days on which a clock was probably wrong: most people are off by the same minutes. */

/** How many days back a day is told, and how many days back show when people usually come. */
const TOLD_DAYS = 14
const USUAL_DAYS = 42

const USUAL_DAYS_MIN = 5
const PEOPLE_MIN = 5
const OFF_MINUTES_MIN = 20
/** How far from the others a person may be. */
const SPREAD_MINUTES = 10
const MOST = 0.8

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

interface FirstPunch {
  employee_id: string
  day: string
  /** Minutes since the local midnight. */
  minute: number
}

/** The days from `from` on, oldest first, with by how many minutes most people came later. */
const offDaysOf = (punches: readonly FirstPunch[], from: string) => {
  const usual = new Map(
    [...Map.groupBy(punches, ({ employee_id }) => employee_id)]
      .filter(([, days]) => days.length >= USUAL_DAYS_MIN)
      .map(([id, days]) => [id, median(days.map(({ minute }) => minute))]),
  )
  const ofDays = Map.groupBy(
    punches.filter(({ employee_id, day }) => day >= from && usual.has(employee_id)),
    ({ day }) => day,
  )
  return [...ofDays]
    .map(([day, ofDay]) => {
      const off = ofDay.map(({ employee_id, minute }) => minute - (usual.get(employee_id) ?? 0))
      const minutes = median(off)
      const people = off.filter((each) => Math.abs(each - minutes) <= SPREAD_MINUTES).length
      return { day, minutes, people, of: off.length }
    })
    .filter(({ minutes, people, of }) => {
      const areMost = of >= PEOPLE_MIN && people >= MOST * of
      return areMost && Math.abs(minutes) >= OFF_MINUTES_MIN
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day !== b.day)))
}

/**
 * The days of the last two weeks on which most people of a clock came earlier or later than usual by
 * the same minutes. It looks at each person's first punch of a local day.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const findOffDays = async (db: AuthorizedDb, serial: string, now: Date) => {
  const since = new Date(now.getTime() - USUAL_DAYS * DAY_MS).toISOString()
  const { branch_office, logs } = await listPunches(db, serial, since)
  const zones = db.zones()
  const localTime = (moment: Date) => zones.zoneAt(branch_office, moment).localTime(moment)
  const first = new Map<string, FirstPunch>()
  for (const { employee_id, recorded_at } of logs) {
    const [day = '', time = ''] = localTime(new Date(recorded_at)).split(' ')
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const key = `${employee_id}\n${day}`
    const minute = hours * 60 + minutes
    if (minute < (first.get(key)?.minute ?? Infinity)) first.set(key, { employee_id, day, minute })
  }
  const from = localTime(new Date(now.getTime() - TOLD_DAYS * DAY_MS)).slice(0, 10)
  return offDaysOf([...first.values()], from)
}
