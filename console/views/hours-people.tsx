import type { HoursDay, HoursTotal } from '../../sdk/api-types.ts'
import { type HoursFilter, withHours } from '../state/hours.ts'
import { addDays } from '../time.ts'
import { Exceptions } from './hours-days.tsx'
import { hours } from './hours-words.ts'

const STEP = 9
const HEIGHT = 20

/** A height for the hours of each day, and a mark where somebody must look. */
const Strip = ({ from, to, days }: HoursFilter & { days: HoursDay[] }) => {
  const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const byDay = new Map(days.map((row) => [row.day, row]))
  return (
    <svg class="strip" width={length * STEP} height={HEIGHT} aria-hidden="true">
      {Array.from({ length }, (_, i) => {
        const row = byDay.get(addDays(from, i))
        const tall = row ? Math.min(HEIGHT, 4 + (row.worked_hours ?? 0) * 1.4) : 1
        const wrong = row?.exceptions.some((name) => name !== 'pendientes')
        const waits = row?.exceptions.includes('pendientes')
        return (
          <rect
            key={i}
            class={wrong ? 'wrong' : waits ? 'waits' : row ? 'done' : ''}
            x={i * STEP + 1}
            width={STEP - 3}
            y={HEIGHT - tall}
            height={tall}
          />
        )
      })}
    </svg>
  )
}

interface Props {
  totals: HoursTotal[]
  days: HoursDay[]
  filter: HoursFilter
}

/** The totals of each person; whoever moved has a row for each branch. */
export const People = ({ totals, days, filter }: Props) => {
  const daysOf = Map.groupBy(days, (row) => row.employee_id)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Persona</th>
          <th scope="col">Días</th>
          <th scope="col">Horas</th>
          <th scope="col">Con excepción</th>
        </tr>
      </thead>
      <tbody>
        {totals.map((row) => {
          const { employee_id, branch_office } = row
          const own = daysOf.get(employee_id)?.filter((day) => day.branch_office === branch_office)
          const isOpen = filter.employee_id === employee_id
          return (
            <tr key={employee_id + branch_office}>
              <th scope="row">
                {isOpen ? (
                  branch_office
                ) : (
                  <a href={withHours(filter, { employee_id })}>{row.full_name}</a>
                )}
                <Strip {...filter} days={own ?? []} />
                {row.days === 0 && !own && <Exceptions names={row.exceptions} />}
              </th>
              <td>{row.days}</td>
              <td>{hours(row.worked_hours)}</td>
              <td>{row.days_with_exceptions || '–'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
