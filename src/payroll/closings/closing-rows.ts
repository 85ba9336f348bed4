import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { addDays, weekdayOf } from '../../core/values/time-zone.ts'
import { type DayException, EXCEPTIONS } from '../hours/marks.ts'
import { isHoliday, isSunday, restDayOf } from '../hours/rest-days.ts'
import { mondayOf, readWeeks } from '../hours/weekly-limits.ts'
import { type ClosingLine, type LineWithSpans, totalsOf } from './closing-lines.ts'
import { readLinesPage } from './lines.queries.ts'
import type { PersonClosing } from './person-closing.ts'

/** The rows of a closing's files, for a stored closing and for a preview. */

/** A person of a closing, with lines. */
export type PersonLines = Awaited<ReturnType<typeof readLinesPage>>['people'][number] & {
  lines: readonly LineWithSpans[]
}

/** The people of a stored closing with their lines, within the caller's scope. */
export async function* readPersonLines(
  db: AuthorizedDb,
  id: number,
): AsyncGenerator<PersonLines[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await readLinesPage(db, id, after)
    const linesOf = Map.groupBy(page.lines, ({ employee_id }) => employee_id)
    yield page.people.map((person) => ({ ...person, lines: linesOf.get(person.employee_id) ?? [] }))
    after = page.next
  }
}

export async function* toPersonLines(
  pages: AsyncIterable<PersonClosing[]>,
): AsyncGenerator<PersonLines[]> {
  for await (const page of pages) {
    yield page.map(({ person, window, lines, totals: { pending } }) => {
      const { employee_id, rfc, full_name, department, branch_office, payroll_group } = person
      const facts = { employee_id, rfc, full_name, department, branch_office, payroll_group }
      return { ...facts, ended_at: person.ended_at, from_day: window.from_day, pending, lines }
    })
  }
}

const toLineRow = (person: Omit<PersonLines, 'lines'>, line: LineWithSpans) => ({
  ...person,
  ...line,
  weekday: weekdayOf(line.day),
  holiday: restDayOf(line.day),
  ...restPaymentOf([line]),
})

/** Lines of the period, then lines of earlier days. */
export async function* lineRows(pages: AsyncIterable<PersonLines[]>) {
  const earlier: ReturnType<typeof toLineRow>[] = []
  for await (const page of pages) {
    const rows = page.flatMap(({ lines, ...person }) =>
      lines.map((line) => toLineRow(person, line)),
    )
    earlier.push(...rows.filter((line) => line.of_period === 0))
    yield rows.filter((line) => line.of_period === 1)
  }
  yield earlier
}

const exceptionNamesOf = (lines: readonly ClosingLine[]): DayException[] => {
  const names = new Set(lines.flatMap(({ exceptions }) => exceptions.split(' ')))
  return EXCEPTIONS.filter((name) => names.has(name))
}

/**
 * How much of `total_seconds` is of Sundays, and of official rest days. A Sunday may be one of them.
 * A line has the day on which its shifts began.
 */
const restPaymentOf = (lines: readonly ClosingLine[]) => {
  const paidOn = (isOfPart: (day: string) => boolean) =>
    lines
      .filter(({ day }) => isOfPart(day))
      .reduce((sum, { difference_seconds }) => sum + Math.max(0, difference_seconds), 0)
  return { sunday_seconds: paidOn(isSunday), holiday_seconds: paidOn(isHoliday) }
}

/** The amounts of a row. A deduction has its own column and does not lower `total_seconds`. */
const paymentOf = (lines: readonly ClosingLine[]) => {
  const { exceptions_left, ...totals } = totalsOf(lines)
  return {
    ...totals,
    total_seconds: totals.period_seconds + totals.added_seconds,
    days_with_exceptions: lines.filter(({ exceptions }) => exceptions !== '').length,
    exceptions: exceptionNamesOf(lines),
    ...restPaymentOf(lines),
  }
}

/** One row per person, with what to pay. People without lines of the period have a row too. */
export async function* personRows(pages: AsyncIterable<PersonLines[]>) {
  for await (const page of pages) {
    yield page.map(({ lines, ...person }) => {
      const payment = paymentOf(lines)
      const isEmpty = !lines.some(({ of_period }) => of_period === 1)
      return {
        ...person,
        ...payment,
        exceptions: isEmpty ? [...payment.exceptions, 'sin_checadas'] : payment.exceptions,
      }
    })
  }
}

/**
 * One row per person and week, Monday to Sunday, because the law's limits are weekly. The payment is
 * of the closing. The week's hours and its limit are those of the whole week.
 */
export async function* weekRows(pages: AsyncIterable<PersonLines[]>, db: AuthorizedDb) {
  for await (const page of pages) {
    const days = page.flatMap(({ lines }) => lines)
    const weekOf = await readWeeks(db, days)
    yield page.flatMap(({ lines, ...person }) =>
      [...Map.groupBy(lines, ({ day }) => mondayOf(day))].map(([week_from, linesOfWeek]) => {
        const { week_seconds, limit_seconds, over_seconds } = weekOf(person.employee_id, week_from)
        const dates = { week_from, week_to: addDays(week_from, 6) }
        const judged = { week_seconds, limit_seconds, over_seconds }
        return { ...person, ...dates, ...paymentOf(linesOfWeek), ...judged }
      }),
    )
  }
}
