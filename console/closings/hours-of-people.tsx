import type { ClosingPerson } from '../../sdk/api-types.ts'
import { Paged } from '../ui/paged.tsx'
import { linkToFiltered } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import { duration, inHours } from '../ui/time.ts'
import { type HoursLink, NewTab } from './closing-warnings.tsx'

interface Props {
  people: ClosingPerson[]
  hours: HoursLink
}

/** What a closing would pay each person, folded. */
export const HoursOfPeople = ({ people, hours }: Props) => (
  <details class="more">
    <summary>Ver las horas de {counted(people.length, 'persona')}</summary>
    <Paged
      items={people}
      render={(shown) => (
        <table>
          <thead>
            <tr>
              <th scope="col">Persona</th>
              <th scope="col">Días</th>
              <th scope="col">Por pagar</th>
              <th scope="col">Por descontar</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => {
              const { employee_id, full_name, days, total_seconds, deducted_seconds } = person
              return (
                <tr key={employee_id}>
                  <th scope="row">
                    <NewTab href={linkToFiltered('horas', hours, { employee_id })}>
                      {full_name}
                    </NewTab>
                    <small>{employee_id}</small>
                  </th>
                  <td>{days}</td>
                  <td>
                    {duration(total_seconds)}
                    <small>{inHours(total_seconds)}</small>
                  </td>
                  <td>{deducted_seconds > 0 ? duration(deducted_seconds) : '–'}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    />
  </details>
)
