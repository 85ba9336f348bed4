import { linkTo, linkToPersonPage } from '../ui/routes.ts'
import type { EmployeeRecord } from './people.queries.ts'

/** Links to a person's hours and logs. */
export const LogLinks = ({ person: { employee_id, full_name } }: { person: EmployeeRecord }) => (
  <>
    <a href={linkToPersonPage(employee_id)}>
      Calendario<span class="sr"> de {full_name}</span>
    </a>{' '}
    <a href={linkTo('horas', { employee_id })}>
      Horas<span class="sr"> de {full_name}</span>
    </a>{' '}
    <a href={linkTo('checadas', { employee_id, status: 'all' })}>
      Checadas<span class="sr"> de {full_name}</span>
    </a>
  </>
)
