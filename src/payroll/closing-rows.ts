import type { AuthorizedDb } from '../core/db/authorization.ts'
import { addDays } from '../core/time-zone.ts'
import { type ClosingLine, type LineWithSpans, totalsOf } from './closing-lines.ts'
import { readLinesPage } from './lines.queries.ts'
import type { PersonClosing } from './person-closing.ts'
import { mondayOf } from './weekly-limits.ts'
import { type DayException, EXCEPTIONS } from './work-days.ts'

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
    yield page.map(({ person, window, lines }) => {
      const { employee_id, rfc, full_name, department, branch_office, payroll_group } = person
      const facts = { employee_id, rfc, full_name, department, branch_office, payroll_group }
      return { ...facts, ended_at: person.ended_at, from_day: window.from_day, lines }
    })
  }
}

type LineOfPerson = Omit<PersonLines, 'lines'> & LineWithSpans

/** Lines of the period, then lines of earlier days. */
export async function* lineRows(
  pages: AsyncIterable<PersonLines[]>,
): AsyncGenerator<LineOfPerson[]> {
  const earlier: LineOfPerson[] = []
  for await (const page of pages) {
    const rows = page.flatMap(({ lines, ...person }) =>
      lines.map((line) => ({ ...person, ...line })),
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

/** The amounts of a row. A deduction has its own column and does not lower `total_seconds`. */
const paymentOf = (lines: readonly ClosingLine[]) => {
  const { exceptions_left, ...totals } = totalsOf(lines)
  return {
    ...totals,
    total_seconds: totals.period_seconds + totals.added_seconds,
    days_with_exceptions: lines.filter(({ exceptions }) => exceptions !== '').length,
    exceptions: exceptionNamesOf(lines),
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

/** One row per person and week, Monday to Sunday, because the law's limits are weekly. */
export async function* weekRows(pages: AsyncIterable<PersonLines[]>) {
  for await (const page of pages) {
    yield page.flatMap(({ lines, ...person }) =>
      [...Map.groupBy(lines, ({ day }) => mondayOf(day))].map(([week_from, linesOfWeek]) => ({
        ...person,
        week_from,
        week_to: addDays(week_from, 6),
        ...paymentOf(linesOfWeek),
      })),
    )
  }
}
