import type { HoursDay } from '../../sdk/api-types.ts'
import { restDayOf } from '../rest-days.ts'
import { linkTo } from '../routes.ts'
import { isToRead } from '../state/hours.ts'
import { addDays, duration, inHours, periodName, shortDay } from '../time.ts'
import { Icon } from '../ui/icon.tsx'
import { DayActs } from './day-acts.tsx'
import { type Axis, AxisHours, axisOf, Bars } from './hours-bars.tsx'
import { EXCEPTIONS, hours, NOTICES, paidText } from './hours-words.ts'

/** The logs of a day, and of the morning after where a night ends there. */
const logsLink = ({ employee_id, day, detail }: HoursDay): string =>
  linkTo('checadas', {
    employee_id,
    from: day,
    to: detail.includes('+') ? addDays(day, 1) : day,
    status: 'all',
  })

export const Exceptions = ({ names }: { names: string[] }) => (
  <span class="exceptions">
    {names.map((name) => (
      <span key={name} class="status pending">
        <Icon name={name === 'pendientes' ? 'dot' : 'alert'} />
        {EXCEPTIONS[name] ?? name}
      </span>
    ))}
  </span>
)

interface DayProps {
  row: HoursDay
  axis: Axis
  named: boolean
  onReviewed: (row: HoursDay) => void
}

const Day = ({ row, axis, named, onReviewed }: DayProps) => {
  const { worked_seconds, reviewed } = row
  const holiday = restDayOf(row.day)
  const notes = [
    holiday && `descanso obligatorio: ${holiday}`,
    ...row.notices.map((name) => NOTICES[name] ?? name),
    paidText(row),
    reviewed &&
      `revisada por ${reviewed.user.full_name}${reviewed.comment ? `: «${reviewed.comment}»` : ''}`,
  ].filter(Boolean)
  return (
    <li
      class={`work ${row.paid_seconds === null ? '' : 'paid'}`}
      data-day={row.employee_id + row.day}
    >
      <a href={logsLink(row)}>
        {named && <strong>{row.full_name} </strong>}
        {shortDay(row.day)}
        {named && <span class="note"> · {row.branch_office}</span>}
        <span class="sr">: ver sus checadas</span>
      </a>
      <Bars detail={row.detail} axis={axis} />
      <p class="worked">
        {hours(worked_seconds)}
        {worked_seconds !== null && <small>{inHours(worked_seconds)}</small>}
      </p>
      <div class="what">
        {row.detail && <span>{row.detail} </span>}
        <Exceptions names={row.exceptions} /> {notes.join(' · ')}
      </div>
      {isToRead(row) && <DayActs row={row} onReviewed={() => onReviewed(row)} />}
    </li>
  )
}

/** A day without logs; a week, with its days outside the period too. */
export type CalendarRow =
  | HoursDay
  | { day: string }
  | { week: string; isCut: boolean; days: HoursDay[] }

interface Props {
  rows: CalendarRow[]
  named?: boolean
  /** Whether a clock of this person has not sent everything. */
  isUnsynced?: boolean
  onReviewed: (row: HoursDay) => void
}

const isDay = (row: CalendarRow): row is HoursDay => 'employee_id' in row

const Week = ({ week, isCut, days }: { week: string; isCut: boolean; days: HoursDay[] }) => {
  const seconds = days.reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)
  return (
    <li class="work week">
      <span>Semana</span>
      <span class="note">
        {periodName({ from: week, to: addDays(week, 6) })}
        {isCut && ', con sus días fuera del periodo'}
      </span>
      <p class="worked">
        <strong>{seconds > 0 ? duration(seconds) : '–'}</strong>
        {seconds > 0 && <small>{inHours(seconds)}</small>}
      </p>
    </li>
  )
}

/** Nobody worked, or nothing has arrived, or it is a day of rest: each looks different. */
const EmptyDay = ({ day, isUnsynced }: { day: string; isUnsynced: boolean }) => {
  const holiday = restDayOf(day)
  return (
    <li class={`work none ${holiday ? 'rest' : isUnsynced ? 'unsynced' : ''}`}>
      <span>{shortDay(day)}</span>
      <span class="note">
        {holiday
          ? `Descanso obligatorio: ${holiday}`
          : isUnsynced
            ? 'Sin checadas; falta información del reloj'
            : 'Sin checadas'}
      </span>
      <p class="worked">–</p>
    </li>
  )
}

/** Days with their bars; those without a log too, and the hours of each week. */
export const Days = ({ rows, named = false, isUnsynced = false, onReviewed }: Props) => {
  const axis = axisOf(rows.filter(isDay))
  return (
    <div class={`calendar ${named ? 'named' : ''}`}>
      <div class="work" aria-hidden="true">
        <span />
        <AxisHours axis={axis} />
      </div>
      <ul>
        {rows.map((row) => {
          if ('week' in row) return <Week key={`week ${row.week}`} {...row} />
          if (!isDay(row)) return <EmptyDay key={row.day} day={row.day} isUnsynced={isUnsynced} />
          return (
            <Day
              key={row.employee_id + row.day}
              row={row}
              axis={axis}
              named={named}
              onReviewed={onReviewed}
            />
          )
        })}
      </ul>
    </div>
  )
}
