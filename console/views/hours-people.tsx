import type { HoursTotal } from '../../sdk/api-types.ts'
import { type HoursFilter, withHours } from '../state/hours.ts'
import { inHours, today } from '../time.ts'
import { Exceptions } from './hours-days.tsx'
import { hours } from './hours-words.ts'

interface Props {
  totals: HoursTotal[]
  filter: HoursFilter
}

/** Why somebody may have too few hours. Of today no clock has sent everything yet. */
const missingOf = ({ exceptions, unsynced_from }: HoursTotal) =>
  exceptions.filter(
    (name) =>
      name === 'sin_checadas' ||
      (name === 'sin_sincronizar' && unsynced_from !== null && unsynced_from < today()),
  )

/** The totals of each person; somebody who moved has a row for each branch. */
export const People = ({ totals, filter }: Props) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{filter.employee_id ? 'Sucursal' : 'Persona'}</th>
        <th scope="col">Días</th>
        <th scope="col">Horas</th>
        <th scope="col">Con excepción</th>
      </tr>
    </thead>
    <tbody>
      {totals.map((row) => {
        const { employee_id, branch_office } = row
        const isOpen = filter.employee_id === employee_id
        return (
          <tr key={employee_id + branch_office}>
            <th scope="row">
              {isOpen ? (
                branch_office
              ) : (
                <a href={withHours(filter, { employee_id })}>{row.full_name}</a>
              )}
              {!isOpen && <small>{employee_id}</small>}
              <Exceptions names={missingOf(row)} />
            </th>
            <td>{row.days}</td>
            <td>
              {hours(row.worked_seconds)}
              {row.worked_seconds !== null && <small>{inHours(row.worked_seconds)}</small>}
            </td>
            <td>{row.days_with_exceptions || '–'}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
