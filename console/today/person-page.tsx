import { useQuery } from '@tanstack/preact-query'
import { Objections } from '../closings/objections.tsx'
import { hoursOf } from '../hours/hours.queries.ts'
import { linkToHours } from '../hours/hours-filter.ts'
import { PeopleDaysView } from '../hours/people-days-view.tsx'
import { can } from '../session/session.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PersonName } from '../ui/person-search.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { addDays, mondayOf, today } from '../ui/time.ts'

const WEEKS = 6

/** A person: the last weeks as a calendar, and links to what there is about them. */
export const PersonPage = ({ route: { query } }: { route: Route }) => {
  const { id: employee_id = '' } = query
  const monday = addDays(mondayOf(today()), 7 * (1 - WEEKS))
  const filter = { employee_id, from: monday, to: addDays(monday, 7 * WEEKS - 1) }
  const period = { employee_id, from: monday, to: today() }
  const links = [
    ['Horas', linkToHours(period, {})],
    ['Checadas', linkTo('checadas', { employee_id, status: 'all' })],
    ['Por decidir', linkTo('checadas', { employee_id })],
    ['Tarjeta para firmar', linkTo('tarjeta', period)],
    ['Para la inspección', linkTo('inspeccion', period)],
    can('keep_people') && ['Registro', linkTo('personas/persona', { id: employee_id })],
  ].filter((link) => !!link)
  return (
    <Page title={<PersonName id={employee_id} />} about={employee_id} lead={employee_id}>
      <nav class="chips" aria-label="De esta persona">
        {links.map(([name, href]) => (
          <a key={name} href={href}>
            {name}
          </a>
        ))}
      </nav>
      <Loaded
        read={useQuery(hoursOf(filter))}
        failure="No se pudieron calcular las horas"
        rows={WEEKS}
      >
        {(read) =>
          read.totals.length > 0 ? (
            <PeopleDaysView {...read} isOwn />
          ) : (
            <p>No trabaja aquí en las últimas {WEEKS} semanas.</p>
          )
        }
      </Loaded>
      <Objections id={employee_id} />
    </Page>
  )
}
