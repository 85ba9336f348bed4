import type { ExportedLog, HoursDay, HoursTotal, HoursWeek } from '../../sdk/api-types.ts'
import { BYTE_ORDER_MARK, formatField, type Value } from '../../src/core/values/csv.ts'
import { type readPeriod, toCardDay } from '../closings/cards.queries.ts'
import { dayRemarks } from '../closings/cards.tsx'
import { calendarOf } from '../hours/calendar.ts'
import { groupBy } from '../ui/order.ts'
import { KINDS, STATUSES, sourceName } from '../ui/text.ts'
import {
  dayOf,
  earlierOf,
  exactTime,
  mondayOf,
  type Period,
  shortMoment,
  today,
  zoneOf,
} from '../ui/time.ts'

/** The file registro.csv: a row for each day of each person, with the logs behind its figures. */

const COLUMNS = [
  ...['Número', 'Nombre', 'RFC', 'Sucursal', 'Día', 'Inicio', 'Fin', 'Entradas y salidas'],
  ...['Horas', 'Segundos', 'Semana del', 'Horas de la semana', 'Límite de la semana'],
  ...['Sobre el límite', 'Semana con checadas sin decidir', 'Notas', 'Origen', 'Quién decidió'],
  'Checadas',
]

/** Hours with two decimals, rounded as in the service's files. Empty if there are none. */
const inHours = (seconds: number | null): string =>
  seconds === null ? '' : (Math.round(seconds / 36) / 100).toFixed(2)

const toLine = (fields: readonly Value[]): string => `${fields.map(formatField).join()}\r\n`

const decision = ({ status, decided_at, decided_by, branch_office }: ExportedLog): string => {
  const by = decided_by === null ? '' : ` por ${decided_by}`
  const at = decided_at === null ? '' : ` el ${dayOf(decided_at, zoneOf(branch_office))}`
  return STATUSES[status].toLowerCase() + (status === 'pending' ? '' : by + at)
}

const logText = (log: ExportedLog): string => {
  const at = shortMoment(log.local_at).replace(/\d\d:\d\d$/, exactTime(log.local_at))
  return `${log.log_id}: ${KINDS[log.kind]} ${at}, ${sourceName(log.source)}, ${decision(log)}`
}

const listed = (texts: (string | null)[]): string => [...new Set(texts)].filter(Boolean).join(', ')

/** The fields about a day's logs. For a log at a branch that was not read, only its id is given. */
const logFields = (logs: ExportedLog[], elsewhere: number[]): string[] => [
  listed(logs.map(({ source }) => sourceName(source))),
  listed(logs.map(({ decided_by }) => decided_by)),
  [...logs.map(logText), ...elsewhere.map((id) => `${id}: en otra sucursal`)].join('; '),
]

const weekFields = (week: HoursWeek | undefined): Value[] => {
  if (!week) return ['', '', '', '']
  const { week_seconds, limit_seconds, over_seconds, open } = week
  return [...[week_seconds, limit_seconds, over_seconds].map(inHours), open ? 'sí' : 'no']
}

const dayFields = (day: HoursDay | undefined): Value[] => {
  if (!day) return ['', '', '', '', '']
  const { first_in, last_out, detail, worked_seconds } = day
  return [first_in, last_out, detail, inHours(worked_seconds), worked_seconds]
}

/**
 * Returns a function that makes the log fields of a day. Rejected logs are not among `ids`, so they
 * are found by their date.
 */
const logsByDay = (logs: readonly ExportedLog[]) => {
  const byId = new Map(logs.map((log) => [log.log_id, log]))
  const rejected = groupBy(
    logs.filter(({ status }) => status === 'rejected'),
    ({ employee_id, local_at }) => `${employee_id} ${local_at.slice(0, 10)}`,
  )
  return (employee_id: string, day: string, ids: number[]): string[] => {
    const counted = ids.flatMap((id) => byId.get(id) ?? [])
    const all = [...counted, ...(rejected.get(`${employee_id} ${day}`) ?? [])]
    const sorted = [...all].sort((a, b) => a.recorded_at.localeCompare(b.recorded_at))
    const elsewhere = ids.filter((id) => !byId.has(id))
    return logFields(sorted, elsewhere)
  }
}

export const registerOf = (
  { from, to }: Period,
  { daysOf, weeksOf, people }: Awaited<ReturnType<typeof readPeriod>>,
  logs: readonly ExportedLog[],
): string => {
  const last = earlierOf(to, today())
  const logsOf = logsByDay(logs)
  const rowsOf = (person: HoursTotal): string[] => {
    const { employee_id, full_name, rfc } = person
    const weeks = new Map(weeksOf.get(employee_id)?.map((week) => [week.week_from, week]))
    const calendar = calendarOf({ from, to: last }, daysOf.get(employee_id) ?? [], person)
    return calendar.flatMap((row) => {
      if ('week' in row) return []
      const found = 'found' in row ? row.found : undefined
      const { day, text } = 'empty' in row ? row.empty : { day: row.found.day, text: '' }
      return toLine([
        ...[employee_id, full_name, rfc, found?.branch_office ?? person.branch_office, day],
        ...dayFields(found),
        mondayOf(day),
        ...weekFields(weeks.get(mondayOf(day))),
        found ? dayRemarks(toCardDay(found)) : text,
        ...logsOf(employee_id, day, found?.log_ids ?? []),
      ])
    })
  }
  const rows = [...people.values()].flatMap(rowsOf)
  return BYTE_ORDER_MARK + toLine(COLUMNS) + rows.join('')
}
