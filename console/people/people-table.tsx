import { useState } from 'preact/hooks'
import { can, seesAllBranches } from '../session/session.ts'
import { saveFile } from '../ui/buttons.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkTo } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { ChangeTogether } from './change-together.tsx'
import { LogLinks } from './log-links.tsx'
import { type EmployeeRecord, type PeopleFilter, readMatching } from './people.api.ts'
import { peopleCsv } from './people-csv.ts'
import { linkToPerson } from './person.tsx'
import { shownDay } from './person-fields.ts'
import { surnameFirst } from './surnames.ts'

/** The columns, each with the text by which the people are sorted. */
const COLUMNS: [name: string, textOf: (person: EmployeeRecord) => string][] = [
  ['Persona', ({ full_name, employee_id }) => surnameFirst(full_name) || employee_id],
  ['Sucursal', ({ branch_office }) => branch_office],
  ['Departamento', ({ department }) => department],
  ['Grupo', ({ payroll_group }) => payroll_group || 'General'],
  ['Ingreso', ({ started_at }) => started_at],
]

interface Sorting {
  column: number
  isDescending: boolean
}

const { compare } = new Intl.Collator('es', { numeric: true })

const sorted = (people: EmployeeRecord[], { column, isDescending }: Sorting): EmployeeRecord[] => {
  const textOf = COLUMNS[column]?.[1] ?? (({ employee_id }) => employee_id)
  return [...people].sort((a, b) => {
    const order = compare(textOf(a), textOf(b)) || compare(a.employee_id, b.employee_id)
    return isDescending ? -order : order
  })
}

interface HeadProps {
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

const Head = ({ sorting, onSort }: HeadProps) => (
  <thead>
    <tr>
      <th scope="col">
        <span class="sr">Seleccionar</span>
      </th>
      {COLUMNS.map(([name], column) => {
        const isSorted = sorting.column === column
        const isDescending = isSorted && !sorting.isDescending
        return (
          <th
            key={name}
            scope="col"
            aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
          >
            <button type="button" class="quiet" onClick={() => onSort({ column, isDescending })}>
              {name}
              {isSorted && <Icon name={sorting.isDescending ? 'fold' : 'unfold'} />}
            </button>
          </th>
        )
      })}
      <th scope="col">
        <span class="sr">Ver</span>
      </th>
    </tr>
  </thead>
)

interface RowProps {
  person: EmployeeRecord
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

const Row = ({ person, isSelected, onSelect }: RowProps) => {
  const { employee_id, full_name, branch_office, department, payroll_group } = person
  const { started_at, ended_at, user, job_position } = person
  const name = surnameFirst(full_name) || employee_id
  return (
    <tr class={ended_at ? 'ended' : ''}>
      <td>
        <Checkbox checked={isSelected} label={`Seleccionar: ${name}`} onChange={onSelect} />
      </td>
      <th scope="row">
        <a href={linkToPerson(employee_id)}>{name}</a>
        <small>
          {[
            employee_id,
            job_position,
            user && `${user.email}${user.active ? '' : ' (desactivado)'}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </th>
      <td>{branch_office}</td>
      <td>{department}</td>
      <td>{payroll_group || 'General'}</td>
      <td>
        {shownDay(started_at)}
        {ended_at && <small>último día {shownDay(ended_at)}</small>}
      </td>
      <td>{can('read_hours') && <LogLinks person={person} />}</td>
    </tr>
  )
}

/** The people of a filter, with acts for several of them. */
export const PeopleTable = ({ filter }: { filter: PeopleFilter }) => {
  const read = useRead(() => readMatching(filter), [JSON.stringify(filter)])
  const [sorting, setSorting] = useState<Sorting>({ column: 0, isDescending: false })
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const { data: people } = read
  if (!people || read.problem) {
    return <Waiting read={read} failure="No se pudo leer a las personas" rows={6} />
  }
  const isFiltered = Object.values(filter).some(Boolean)
  if (people.length === 0) {
    return (
      <div class="empty">
        <Icon name="search" />
        <h2>
          {isFiltered
            ? 'Nadie coincide'
            : seesAllBranches()
              ? 'Todavía no hay personas'
              : 'Todavía no hay personas en tus sucursales'}
        </h2>
        <p>
          {isFiltered
            ? 'Busca por una parte del nombre o del número, o quita filtros.'
            : 'Agrega a una, o pégalas todas desde una hoja.'}
        </p>
      </div>
    )
  }
  const selected = people.filter(({ employee_id }) => selection.has(employee_id))
  const select = (ids: string[], isSelected: boolean) =>
    setSelection(
      new Set(
        isSelected ? [...selection, ...ids] : [...selection].filter((id) => !ids.includes(id)),
      ),
    )
  const all = people.map(({ employee_id }) => employee_id)
  return (
    <div class="result">
      <div class="head">
        <Checkbox
          checked={selected.length === people.length}
          onChange={(isSelected) => select(all, isSelected)}
        >
          {selected.length > 0
            ? counted(selected.length, 'seleccionada')
            : `Seleccionar ${counted(people.length, 'persona')}`}
        </Checkbox>
        <span class="acts">
          {selected.length > 0 && (
            <DialogButton
              label={`Cambiar los datos de ${counted(selected.length, 'persona')}…`}
              dialog={(close) => (
                <ChangeTogether
                  people={selected}
                  onClose={close}
                  onDone={(field) => {
                    setSelection(new Set())
                    // With the filter that they have left, the list would be empty.
                    const { [field as 'branch_office']: left, ...others } = filter
                    if (left) location.hash = linkTo('personas', others)
                    else read.again()
                  }}
                />
              )}
            />
          )}
          <button
            type="button"
            class="quiet"
            onClick={() => announce(saveFile('personas.csv', peopleCsv(sorted(people, sorting))))}
          >
            <Icon name="down" />
            CSV de lo que se ve
          </button>
        </span>
      </div>
      <Paged
        items={sorted(people, sorting)}
        name={`people ${JSON.stringify(filter)}`}
        render={(shown) => (
          <table class="people-table">
            <Head sorting={sorting} onSort={setSorting} />
            <tbody>
              {shown.map((person) => (
                <Row
                  key={person.employee_id}
                  person={person}
                  isSelected={selection.has(person.employee_id)}
                  onSelect={(isSelected) => select([person.employee_id], isSelected)}
                />
              ))}
            </tbody>
          </table>
        )}
      />
    </div>
  )
}
