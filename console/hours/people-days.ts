import type { HoursDay, HoursTotal, HoursWeek } from '../../sdk/api-types.ts'
import { restDayOf } from '../../src/payroll/hours/rest-days.ts'
import { groupBy } from '../ui/order.ts'
import { isPending } from './day-act.ts'
import { emptyDay } from './empty-day.ts'

/** People and days as one picture: a row a person, a cell a day, and a cell for each week. */

/** `blank`: a day that needs no log, such as one that has not come, or before the first day of work. */
export type DayState =
  | 'approved'
  | 'pending'
  | 'review'
  | 'working'
  | 'absent'
  | 'rest'
  | 'unsynced'
  | 'blank'

/** What a count of the heading counts, and the picture can be filtered by. */
export type Shown = DayState | 'over_limit' | 'holiday' | 'requested'

/** `holiday`: the name of an official rest day. */
export type Column = { day: string; weekday: number; holiday: string | null } | { monday: string }

export type Cell =
  | { day: string; state: DayState; found?: HoursDay; text: string }
  /** `pending`: what the approval of everything would add to the week. */
  | { week: HoursWeek | undefined; pending: number }

/** A row: a person at a branch and in a department, as the totals of the service have them. */
export interface PersonDays {
  key: string
  total: HoursTotal
  /** One for each column. */
  cells: Cell[]
}

/** As in `ui/time.ts`, which needs a page with a session. */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The days of a period, each week followed by its own column. */
export const columnsOf = (from: string, to: string): Column[] => {
  const columns: Column[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const weekday = (new Date(day).getUTCDay() + 6) % 7
    columns.push({ day, weekday, holiday: restDayOf(day) })
    if (weekday === 6 || day === to) columns.push({ monday: addDays(day, -weekday) })
  }
  return columns
}

export interface Hours {
  days: readonly HoursDay[]
  totals: readonly HoursTotal[]
  weeks: readonly HoursWeek[]
}

interface Given {
  today: string
  needsReview: (row: HoursDay) => boolean
}

const placeOf = (branch: string, day: string): string => `${day} ${branch}`

/**
 * Returns whether a branch works on a day. The service knows no rosters, so this is what the branch's
 * people did: at least half of them have logs.
 */
const workingDays = ({ days, totals }: Hours) => {
  const people = groupBy(totals, ({ branch_office }) => branch_office)
  const present = groupBy(days, ({ branch_office, day }) => placeOf(branch_office, day))
  const known = new Map<string, boolean>()
  const find = (branch: string, day: string): boolean => {
    const expected = people
      .get(branch)
      ?.filter(({ started_at, ended_at }) => started_at <= day && day <= (ended_at ?? day))
    return 2 * (present.get(placeOf(branch, day))?.length ?? 0) >= (expected?.length ?? 0)
  }
  return (branch: string, day: string): boolean => {
    const place = placeOf(branch, day)
    const works = known.get(place) ?? find(branch, day)
    known.set(place, works)
    return works
  }
}

/** A day that only waits for a clock is not for somebody to clarify. */
const stateOf = (row: HoursDay, needsReview: Given['needsReview']): DayState => {
  if (needsReview(row)) {
    const exceptions = row.exceptions.filter((name) => name !== 'sin_sincronizar')
    return needsReview({ ...row, exceptions }) ? 'review' : 'unsynced'
  }
  if (row.working_since) return 'working'
  return isPending(row) ? 'pending' : 'approved'
}

export const peopleDays = (columns: Column[], hours: Hours, given: Given): PersonDays[] => {
  const { today, needsReview } = given
  const byPerson = groupBy(hours.days, ({ employee_id }) => employee_id)
  const weeksOf = groupBy(hours.weeks, ({ employee_id }) => employee_id)
  const isWorkingDay = workingDays(hours)

  const emptyCell = (
    total: HoursTotal,
    { day, holiday }: Extract<Column, { day: string }>,
    elsewhere: HoursDay | undefined,
  ): Cell => {
    if (elsewhere) return { day, state: 'blank', text: `Checó en ${elsewhere.branch_office}` }
    const { className, text } = emptyDay(day, total, today, holiday)
    if (className === 'unsynced' || className === 'rest') return { day, state: className, text }
    if (className !== 'absent') return { day, state: 'blank', text }
    // The day is not over: somebody may still come.
    if (day === today) return { day, state: 'blank', text: 'Hoy, todavía sin checadas' }
    if (isWorkingDay(total.branch_office, day)) return { day, state: 'absent', text }
    return { day, state: 'rest', text: `${text}, como la mayoría de su sucursal` }
  }

  return hours.totals.map((total) => {
    const { employee_id, branch_office, department } = total
    const all = byPerson.get(employee_id) ?? []
    const weeks = weeksOf.get(employee_id)
    const cells = columns.map((column): Cell => {
      if ('monday' in column) {
        const ofWeek = weeks?.filter(({ week_from }) => week_from === column.monday) ?? []
        const pending = ofWeek.reduce((sum, { pending_seconds }) => sum + pending_seconds, 0)
        return { week: ofWeek[0], pending }
      }
      const { day } = column
      const ofDay = all.filter((row) => row.day === day)
      const found = ofDay.find(
        (row) => row.branch_office === branch_office && row.department === department,
      )
      if (!found) return emptyCell(total, column, ofDay[0])
      return { day, state: stateOf(found, needsReview), found, text: '' }
    })
    return { key: JSON.stringify([employee_id, branch_office, department]), total, cells }
  })
}

export const isOver = (cell: Cell): boolean =>
  'week' in cell && cell.week !== undefined && cell.week.over_seconds > 0

/** What is said of a day whatever its state is: work on an official rest day, a worker's request. */
const FACTS: Partial<Record<Shown, (row: HoursDay) => boolean>> = {
  holiday: ({ holiday }) => !!holiday,
  requested: ({ notices, exceptions }) =>
    notices.includes('solicitada') && exceptions.includes('pendientes'),
}
const FACT_NAMES = Object.keys(FACTS) as Shown[]

export const isOf = (cell: Cell, shown: Shown): boolean => {
  if ('week' in cell) return shown === 'over_limit' && isOver(cell)
  return cell.state === shown || (cell.found !== undefined && !!FACTS[shown]?.(cell.found))
}

/** How many days have each state or fact, and how many weeks passed the limit. */
export const countsOf = (people: readonly PersonDays[]): Map<Shown, number> => {
  const counts = new Map<Shown, number>()
  const weeks = new Set<string>()
  for (const { total, cells } of people) {
    for (const cell of cells) {
      // Somebody at two places has two rows, and the same week in both.
      if ('week' in cell && isOver(cell)) weeks.add(total.employee_id + cell.week?.week_from)
      if ('week' in cell) continue
      counts.set(cell.state, (counts.get(cell.state) ?? 0) + 1)
      for (const name of FACT_NAMES) {
        if (cell.found && isOf(cell, name)) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
  }
  return counts.set('over_limit', weeks.size)
}
