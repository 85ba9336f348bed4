import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { can, seesAllBranches } from '../session/session.ts'
import { saveFile } from '../ui/buttons.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkTo } from '../ui/routes.ts'
import { type Column, type Sorting, sorted, Table } from '../ui/table.tsx'
import { counted } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { ChangeTogether } from './change-together.tsx'
import { LogLinks } from './log-links.tsx'
import { type EmployeeRecord, matchingQuery, type PeopleFilter } from './people.queries.ts'
import { peopleCsv } from './people-csv.ts'
import { linkToPerson } from './person.tsx'
import { shownDay } from './person-fields.ts'
import { surnameFirst } from './surnames.ts'

const nameOf = ({ full_name, employee_id }: EmployeeRecord): string =>
  surnameFirst(full_name) || employee_id

const userText = ({ user }: EmployeeRecord) =>
  user && `${user.email}${user.active ? '' : ' (desactivado)'}`

const groupOf = ({ payroll_group }: EmployeeRecord): string => payroll_group || 'General'

const COLUMNS: Column<EmployeeRecord>[] = [
  {
    name: 'Persona',
    text: nameOf,
    cell: (person) => (
      <>
        <a href={linkToPerson(person.employee_id)}>{nameOf(person)}</a>
        <small>
          {[person.employee_id, person.job_position, userText(person)].filter(Boolean).join(' · ')}
        </small>
      </>
    ),
  },
  {
    name: 'Sucursal',
    text: ({ branch_office }) => branch_office,
    cell: ({ branch_office }) => branch_office,
  },
  {
    name: 'Departamento',
    isWide: true,
    text: ({ department }) => department,
    cell: ({ department }) => department,
  },
  { name: 'Grupo', isWide: true, text: groupOf, cell: groupOf },
  {
    name: 'Ingreso',
    isWide: true,
    text: ({ started_at }) => started_at,
    cell: ({ started_at, ended_at }) => (
      <>
        {shownDay(started_at)}
        {ended_at && <small>último día {shownDay(ended_at)}</small>}
      </>
    ),
  },
  {
    name: 'Ver',
    isNameHidden: true,
    isWide: true,
    cell: (person) => can('read_hours') && <LogLinks person={person} />,
  },
]

const idOf = ({ employee_id }: EmployeeRecord): string => employee_id

const Nobody = ({ isFiltered }: { isFiltered: boolean }) => (
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
    {isFiltered && (
      <a class="button" href={linkTo('personas')}>
        Quitar los filtros
      </a>
    )}
  </div>
)

interface Props {
  filter: PeopleFilter
  isFiltered: boolean
}

/** The people of a filter, with acts for several of them. */
export const PeopleTable = ({ filter, isFiltered }: Props) => {
  const [sorting, setSorting] = useState<Sorting>({ by: 'Persona', isDescending: false })
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const select = (people: EmployeeRecord[], isSelected: boolean) => {
    const changed = new Set(selection)
    for (const { employee_id } of people) {
      if (isSelected) changed.add(employee_id)
      else changed.delete(employee_id)
    }
    setSelection(changed)
  }
  const table = (people: EmployeeRecord[]) => {
    const selected = people.filter(({ employee_id }) => selection.has(employee_id))
    const all = sorted(people, COLUMNS, sorting, idOf)
    return (
      <div class="result">
        <div class="head">
          <Checkbox
            checked={selected.length === people.length}
            onChange={(isSelected) => select(people, isSelected)}
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
                    }}
                  />
                )}
              />
            )}
            <button
              type="button"
              class="quiet"
              onClick={() => announce(saveFile('personas.csv', peopleCsv(all)))}
            >
              <Icon name="down" />
              CSV de lo que se ve
            </button>
          </span>
        </div>
        <Paged
          items={all}
          name={`people ${JSON.stringify(filter)}`}
          render={(rows) => (
            <Table
              columns={COLUMNS}
              rows={rows}
              keyOf={idOf}
              sorting={{ now: sorting, change: setSorting }}
              selection={{
                has: ({ employee_id }) => selection.has(employee_id),
                change: (person, isSelected) => select([person], isSelected),
                label: (person) => `Seleccionar: ${nameOf(person)}`,
              }}
              classOf={({ ended_at }) => (ended_at ? 'ended' : '')}
            />
          )}
        />
      </div>
    )
  }
  return (
    <Loaded read={useQuery(matchingQuery(filter))} failure="No se pudo leer a las personas">
      {(people) => (people.length === 0 ? <Nobody isFiltered={isFiltered} /> : table(people))}
    </Loaded>
  )
}
