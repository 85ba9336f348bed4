import type { ClosingPerson } from '../../sdk/api-types.ts'
import { Paged } from '../ui/paged.tsx'
import { linkToFiltered } from '../ui/routes.ts'
import { type Column, Table } from '../ui/table.tsx'
import { counted } from '../ui/text.ts'
import { duration, inHours } from '../ui/time.ts'
import { type HoursLink, NewTab } from './closing-warnings.tsx'

interface Props {
  people: ClosingPerson[]
  hours: HoursLink
}

const columnsOf = (hours: HoursLink): Column<ClosingPerson>[] => [
  {
    name: 'Persona',
    cell: ({ employee_id, full_name }) => (
      <>
        <NewTab href={linkToFiltered('horas', hours, { employee_id })}>{full_name}</NewTab>
        <small>{employee_id}</small>
      </>
    ),
  },
  { name: 'Días', isNumber: true, cell: ({ days }) => days },
  {
    name: 'Por pagar',
    isNumber: true,
    cell: ({ total_seconds }) => (
      <>
        {duration(total_seconds)}
        <small>{inHours(total_seconds)}</small>
      </>
    ),
  },
  {
    name: 'Por descontar',
    isNumber: true,
    cell: ({ deducted_seconds }) => (deducted_seconds > 0 ? duration(deducted_seconds) : '–'),
  },
]

/** What a closing would pay each person, folded. */
export const HoursOfPeople = ({ people, hours }: Props) => (
  <details class="more">
    <summary>Ver las horas de {counted(people.length, 'persona')}</summary>
    <Paged
      items={people}
      render={(rows) => (
        <Table columns={columnsOf(hours)} rows={rows} keyOf={({ employee_id }) => employee_id} />
      )}
    />
  </details>
)
