import type { LogKind, LogSummary } from '../../sdk/api-types.ts'
import { linkTo } from '../routes.ts'
import { totalsOf } from '../state/counts.ts'
import { type Filter, withFilter } from '../state/filter.ts'
import { queue } from '../state/queue.ts'
import { LISTS } from '../text.ts'
import { Choice, DateField } from '../ui/fields.tsx'
import { PersonFilter } from '../ui/person-search.tsx'

const change = (changes: Partial<Record<keyof Filter, string>>) => {
  location.hash = withFilter(queue.get().filter, changes)
}

const KINDS: [LogKind, string][] = [
  ['entrada', 'Entradas'],
  ['salida', 'Salidas'],
  ['checada', 'Sin distinguir'],
]

interface Props {
  filter: Filter
  summary: LogSummary | undefined
}

export const Filters = ({ filter, summary }: Props) => {
  const departments = [...(summary ? totalsOf(summary, filter, 'department') : [])]
  const chosen = filter.department
  if (chosen && !departments.some(([name]) => name === chosen)) departments.push([chosen, 0])
  const active = [filter.department, filter.kind, filter.from, filter.to, filter.employee_id]
  return (
    <div class="filters">
      <nav class="tabs" aria-label="Estado">
        {Object.entries(LISTS).map(([status, name]) => (
          <a
            key={status}
            href={linkTo('checadas', { ...filter, status })}
            aria-current={(filter.status ?? 'all') === status ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <details open={innerWidth > 700 || active.some((value) => value !== undefined)}>
        <summary>Más filtros</summary>
        <div class="fields">
          <PersonFilter
            id={filter.employee_id}
            onChange={(employee_id) => change({ employee_id })}
          />
          <Choice
            id="filter-department"
            label="Departamento"
            value={filter.department}
            options={departments.map(([name, count]) => [name, `${name} (${count})`] as const)}
            onChange={(department) => change({ department })}
          />
          <Choice
            id="filter-kind"
            label="Tipo"
            value={filter.kind}
            options={KINDS}
            onChange={(kind) => change({ kind })}
          />
          <DateField
            id="filter-from"
            label="Desde"
            value={filter.from ?? ''}
            onChange={(from) => change({ from })}
          />
          <DateField
            id="filter-to"
            label="Hasta"
            value={filter.to ?? ''}
            onChange={(to) => change({ to })}
          />
        </div>
      </details>
    </div>
  )
}
