import type { HoursDay } from '../../sdk/api-types.ts'
import { sumOf } from '../review/counts.ts'
import { linkOfRow } from '../review/focus.ts'
import { can } from '../session/session.ts'
import { NOTICES, workingText } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { linkTo } from '../ui/routes.ts'
import { addDays, duration, earlierOf, inHours, laterOf, shortDay } from '../ui/time.ts'
import { type CalendarRow, limitText, type Week } from './calendar.ts'
import { needsReview } from './clean-days.ts'
import { DayActs, MoreActs } from './day-acts.tsx'
import { Exceptions } from './exceptions.tsx'
import { type Axis, AxisHours, axisOf, Bars, clockChangeNote } from './hours-bars.tsx'

/** A link to a day's logs, and to those of the days that its shifts reach, or may lack an end on. */
const logsLink = ({ employee_id, day, spans }: HoursDay): string => {
  const days = spans.flatMap(({ from, to }) => {
    const [begin, end] = [from?.slice(0, 10), to?.slice(0, 10)]
    return [begin ?? addDays(end ?? day, -1), end ?? addDays(begin ?? day, 1)]
  })
  return linkTo('checadas', {
    employee_id,
    from: days.reduce(earlierOf, day),
    to: days.reduce(laterOf, day),
    status: 'all',
  })
}

/** Says what was paid for a day, and what the next closing changes. Empty if nothing was paid. */
const paidText = ({ paid_seconds, closing_id, worked_seconds }: HoursDay): string => {
  if (paid_seconds === null) return ''
  const paid = `pagado: ${duration(paid_seconds)}, cierre ${closing_id}`
  const unpaid = (worked_seconds ?? 0) - paid_seconds
  if (unpaid === 0) return paid
  const next = unpaid > 0 ? 'se pagarán' : 'por descontar'
  return `${paid}; ${duration(Math.abs(unpaid))} ${next} en el próximo cierre`
}

export const Worked = ({ seconds }: { seconds: number | null }) => (
  <>
    {seconds === null ? '–' : duration(seconds)}
    {seconds !== null && <small>{inHours(seconds)}</small>}
  </>
)

interface DayProps {
  row: HoursDay
  axis: Axis
  named: boolean
}

const Day = ({ row, axis, named }: DayProps) => {
  const { reviewed, holiday } = row
  const toReview = needsReview(row)
  const notes = [
    row.working_since && workingText(row.working_since),
    holiday && `descanso obligatorio: ${holiday}`,
    clockChangeNote(row.spans, row.worked_seconds),
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
      <a ref={linkOfRow(row.employee_id + row.day)} href={logsLink(row)}>
        {named && <strong>{row.full_name} </strong>}
        {shortDay(row.day)}
        {named && (
          <span class="note">
            {' '}
            · {row.employee_id} · {row.branch_office}
          </span>
        )}
        <span class="sr">: ver sus checadas</span>
      </a>
      <Bars day={row} axis={axis} />
      <p class="worked">
        <Worked seconds={row.worked_seconds} />
      </p>
      <div class="what">
        {row.request_comments.map((text) => (
          <span key={text}>«{text}»</span>
        ))}
        {row.detail && <span>{row.detail} </span>}
        {!toReview && <Exceptions names={row.exceptions} />} {notes.join(' · ')}
      </div>
      {toReview && <DayActs row={row} />}
      {!toReview && !named && row.log_ids.length > 0 && can('decide') && (
        <div class="day-acts">
          <MoreActs row={row} />
        </div>
      )}
    </li>
  )
}

interface Props {
  rows: CalendarRow<HoursDay>[]
  named?: boolean
}

const WeekRow = ({ week: { name, isCut, days, judged } }: { week: Week<HoursDay> }) => {
  const seconds = sumOf(days.map(({ worked_seconds }) => worked_seconds ?? 0))
  return (
    <li class="work week">
      <span>Semana</span>
      <span class="note">
        {name}
        {isCut && '. Incluye días de otro periodo'}
        {judged && ` · ${limitText(judged, seconds)} `}
        {judged && judged.over_seconds > 0 && <Exceptions names={['semana_sobre_limite']} />}
      </span>
      <p class="worked">
        <strong>{seconds > 0 ? duration(seconds) : '–'}</strong>
        {seconds > 0 && <small>{inHours(seconds)}</small>}
      </p>
    </li>
  )
}

export const Days = ({ rows, named = false }: Props) => {
  const found = rows.flatMap((row) => ('found' in row ? row.found : []))
  const axis = axisOf(found)
  return (
    <div class={`calendar ${named ? 'named' : ''}`}>
      <div class="work" aria-hidden="true">
        <span />
        <AxisHours axis={axis} />
      </div>
      <ul>
        {rows.map((row) => {
          if ('week' in row) return <WeekRow key={row.week.name} week={row.week} />
          if ('found' in row) {
            const key = row.found.employee_id + row.found.day
            return <Day key={key} row={row.found} axis={axis} named={named} />
          }
          const { day, className, text } = row.empty
          return (
            <li key={day} class={`work none ${className}`}>
              <span>{shortDay(day)}</span>
              <span class="note">
                {className === 'unsynced' && <Icon name="clock" />}
                {text}
              </span>
              <p class="worked">–</p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
