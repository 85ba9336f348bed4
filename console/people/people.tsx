import { choice, declareFilter, type FieldsOf, Filters, search } from '../ui/filters.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { PeopleFile } from './file.tsx'
import type { PeopleFilter } from './people.queries.ts'
import { PeopleTable } from './people-table.tsx'
import { AddPerson, PersonView } from './person.tsx'
import { usePlaces } from './places.tsx'

const list = declareFilter('personas', {
  q: search('Nombre o número'),
  branch_office: choice('Sucursal', () => usePlaces().branch_office ?? [], 'Todas'),
  department: search('Departamento', () => usePlaces().department ?? []),
  payroll_group: choice('Grupo de nómina', () => usePlaces().payroll_group ?? []),
  active: choice('Trabajan aquí', [
    ['true', 'Hoy sí'],
    ['false', 'Ya no'],
  ]),
} satisfies FieldsOf<PeopleFilter>)

/** The people of the user's branches, and the pages that add, change and import people. */
export const PeopleView = ({ route: { path, query } }: { route: Route }) => {
  const { id = '', hacer, numero } = query
  if (path[1] === 'archivo') return <PeopleFile />
  if (path[1] === 'agregar') return <AddPerson key={numero} back={list.link()} number={numero} />
  if (path[1] === 'persona') return <PersonView key={id} id={id} act={hacer} back={list.link()} />
  const filter = list.of(query)
  return (
    <Page
      title="Personas"
      acts={
        <>
          <a class="button" href={linkTo('invitaciones')}>
            <Icon name="print" />
            Hoja de invitaciones
          </a>
          <a class="button" href={linkTo('personas/archivo')}>
            Desde una hoja o un archivo
          </a>
          <a class="button" href={linkTo('personas/agregar')}>
            <Icon name="plus" />
            Agregar persona
          </a>
        </>
      }
    >
      <Filters of={list} filter={filter} />
      <PeopleTable filter={filter as PeopleFilter} isFiltered={list.isFiltered()} />
    </Page>
  )
}
