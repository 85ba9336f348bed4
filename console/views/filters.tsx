import { useEffect, useState } from 'hono/jsx/dom'
import type { LogSummary } from '../../sdk/api-types.ts'
import { call } from '../api/call.ts'
import { api } from '../api/client.ts'
import type { Status } from '../api/decide.ts'
import { linkTo } from '../routes.ts'
import { totalsOf } from '../state/counts.ts'
import { type Filter, withFilter } from '../state/filter.ts'
import { queue } from '../state/queue.ts'
import { Icon } from '../ui/icon.tsx'
import { PersonSearch } from '../ui/person-search.tsx'

const change = (changes: Partial<Record<keyof Filter, string>>) => {
  location.hash = withFilter(queue.get().filter, changes)
}

const STATUS_TABS: [Status | 'all', string][] = [
  ['pending', 'Por revisar'],
  ['approved', 'Aprobadas'],
  ['rejected', 'Rechazadas'],
  ['all', 'Todas'],
]

/** The person of the filter, by name. */
const Person = ({ id }: { id: string }) => {
  const [name, setName] = useState(id)
  useEffect(() => {
    const known = queue.get().rows.find(({ employee }) => employee.employee_id === id)
    if (known) return setName(known.employee.full_name)
    call(() => api.v2.incidents.employees.$get({ query: { q: id } }))
      .then(({ employees }) =>
        setName(employees.find((e) => e.employee_id === id)?.full_name ?? id),
      )
      .catch(() => {})
  }, [id])
  return (
    <div class="search">
      <span class="label">Persona</span>
      <button type="button" class="token" onClick={() => change({ employee_id: '' })}>
        {name}
        <Icon name="cross" />
        <span class="sr">: quitar este filtro</span>
      </button>
    </div>
  )
}

export const Filters = ({
  filter,
  summary,
}: {
  filter: Filter
  summary: LogSummary | undefined
}) => {
  const departments = [...(totalsOf(summary, filter, 'department') ?? [])]
  const chosen = filter.department
  if (chosen && !departments.some(([name]) => name === chosen)) departments.push([chosen, 0])
  const field = (name: 'from' | 'to', label: string) => {
    // Not while it is typed: a date is complete when the field is left, or at Enter.
    const apply = ({ target }: Event) => {
      const { value } = target as HTMLInputElement
      if (value !== (queue.get().filter[name] ?? '')) change({ [name]: value })
    }
    return (
      <div class="field">
        <label for={`filter-${name}`}>{label}</label>
        <input
          id={`filter-${name}`}
          type="date"
          value={filter[name] ?? ''}
          onBlur={(event: Event) => apply(event)}
          onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply(event)}
        />
      </div>
    )
  }
  const active = [filter.department, filter.kind, filter.from, filter.to, filter.employee_id]
  return (
    <div class="filters">
      <nav class="tabs" aria-label="Estado">
        {STATUS_TABS.map(([status, label]) => (
          <a
            key={status}
            href={linkTo('checadas', { ...filter, status })}
            aria-current={(filter.status ?? 'all') === status ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <details open={innerWidth > 700 || active.some((value) => value !== undefined)}>
        <summary>Más filtros</summary>
        <div class="fields">
          {filter.employee_id ? (
            <Person key="person" id={filter.employee_id} />
          ) : (
            <PersonSearch
              key="search"
              label="Persona"
              onChoose={({ employee_id }) => change({ employee_id })}
            />
          )}
          <div class="field">
            <label for="filter-department">Departamento</label>
            <select
              id="filter-department"
              value={filter.department ?? ''}
              onChange={(event: Event) =>
                change({ department: (event.target as HTMLSelectElement).value })
              }
            >
              <option value="">Todos</option>
              {departments.map(([name, count]) => (
                <option key={name} value={name}>
                  {name} ({count})
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="filter-kind">Tipo</label>
            <select
              id="filter-kind"
              value={filter.kind ?? ''}
              onChange={(event: Event) =>
                change({ kind: (event.target as HTMLSelectElement).value })
              }
            >
              <option value="">Todos</option>
              <option value="entrada">Entradas</option>
              <option value="salida">Salidas</option>
              <option value="checada">Sin distinguir</option>
            </select>
          </div>
          {field('from', 'Desde')}
          {field('to', 'Hasta')}
        </div>
      </details>
    </div>
  )
}
