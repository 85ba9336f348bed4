import type { HoursDay } from '../../sdk/api-types.ts'
import { linkTo } from '../routes.ts'
import { addDays, shortDay } from '../time.ts'
import { Icon } from '../ui/icon.tsx'
import { type Axis, AxisHours, axisOf, Bars } from './hours-bars.tsx'
import { EXCEPTIONS, hours, NOTICES } from './hours-words.ts'

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
      <span key={name} class={`status ${name === 'pendientes' ? 'pending' : 'rejected'}`}>
        <Icon name={name === 'pendientes' ? 'dot' : 'alert'} />
        {EXCEPTIONS[name] ?? name}
      </span>
    ))}
  </span>
)

const Day = ({ row, axis, named }: { row: HoursDay; axis: Axis; named: boolean }) => (
  <li class="work">
    <a href={logsLink(row)}>
      {named && <strong>{row.full_name} </strong>}
      {shortDay(row.day)}
      <span class="sr">: ver sus checadas</span>
    </a>
    <Bars detail={row.detail} axis={axis} />
    <p class="worked">{hours(row.worked_hours)}</p>
    <p class="what">
      {row.detail && <span>{row.detail} </span>}
      <Exceptions names={row.exceptions} />{' '}
      {row.notices.map((name) => NOTICES[name] ?? name).join(' · ')}
    </p>
  </li>
)

/** Days with their bars; those without a log too, where they are given by their date alone. */
export const Days = ({ rows, named = false }: { rows: (HoursDay | string)[]; named?: boolean }) => {
  const axis = axisOf(rows.filter((row) => typeof row !== 'string'))
  return (
    <div class={`calendar ${named ? 'named' : ''}`}>
      <div class="work" aria-hidden="true">
        <span />
        <AxisHours axis={axis} />
      </div>
      <ul>
        {rows.map((row) =>
          typeof row === 'string' ? (
            <li key={row} class="work none">
              <span>{shortDay(row)}</span>
              <Bars detail="" axis={axis} />
              <p class="worked">
                –<span class="sr"> sin checadas</span>
              </p>
            </li>
          ) : (
            <Day key={row.employee_id + row.day} row={row} axis={axis} named={named} />
          ),
        )}
      </ul>
    </div>
  )
}
