import { Choice, isPhone, MoreFilters } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { TextFilter } from '../ui/text-filter.tsx'
import { PeopleFile } from './file.tsx'
import type { PeopleFilter } from './people.api.ts'
import { PeopleTable } from './people-table.tsx'
import { AddPerson, PersonView } from './person.tsx'
import { usePlaces } from './places.tsx'

const toFilter = ({ q, branch_office, department, payroll_group, active }: Route['query']) =>
  ({ q, branch_office, department, payroll_group, active }) as PeopleFilter

/** The filter with which the list was shown last. Links back to the list use this filter. */
let lastFilter: PeopleFilter = {}

const linkToPeople = (changes: PeopleFilter = {}): string =>
  linkTo('personas', { ...lastFilter, ...changes })

/** Changes the filter. Typing adds no entries to the browser's history. */
const change = (changes: PeopleFilter) => location.replace(linkToPeople(changes))

const Filters = ({ filter }: { filter: PeopleFilter }) => {
  const { branch_office, department, payroll_group, active } = filter
  const {
    branch_office: branches = [],
    payroll_group: groups = [],
    department: names = [],
  } = usePlaces()
  const isFiltered = [branch_office, department, payroll_group, active].some(Boolean)
  const choice = (label: string, field: 'branch_office' | 'payroll_group', options: string[]) => (
    <Choice
      key={field}
      empty={field === 'branch_office' ? 'Todas' : 'Todos'}
      id={`people-${field}`}
      label={label}
      value={filter[field]}
      options={options}
      onChange={(name) => change({ [field]: name })}
    />
  )
  return (
    <div class="filters">
      <TextFilter
        id="people-q"
        label="Nombre o número"
        value={filter.q}
        onChange={(q) => change({ q })}
      />
      <MoreFilters isFolded={isPhone() && !isFiltered}>
        {choice('Sucursal', 'branch_office', branches)}
        <TextFilter
          key="department"
          id="people-department"
          label="Departamento"
          names={names}
          value={department}
          onChange={(name) => change({ department: name })}
        />
        {choice('Grupo de nómina', 'payroll_group', groups)}
        <Choice
          key="active"
          id="people-active"
          label="Trabajan aquí"
          value={active}
          options={[
            ['true', 'Hoy sí'],
            ['false', 'Ya no'],
          ]}
          onChange={(value) => change({ active: value as 'true' })}
        />
      </MoreFilters>
    </div>
  )
}

/** The people of the user's branches, and the pages that add, change and import people. */
export const PeopleView = ({ route }: { route: Route }) => {
  const { path, query } = route
  if (path[1] === 'archivo') return <PeopleFile />
  if (path[1] === 'agregar') {
    return <AddPerson key={query.numero} back={linkToPeople()} number={query.numero} />
  }
  const { id = '', hacer } = query
  if (path[1] === 'persona')
    return <PersonView key={id} id={id} act={hacer} back={linkToPeople()} />
  const filter = toFilter(query)
  lastFilter = filter
  return (
    <main class="hours">
      <header class="head">
        <h1>Personas</h1>
        <div class="acts start">
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
        </div>
      </header>
      <Filters key="filters" filter={filter} />
      <PeopleTable key="table" filter={filter} />
    </main>
  )
}
