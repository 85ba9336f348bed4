import type { LogKind, LogSummary } from '../../sdk/api-types.ts'
import { linkTo } from '../routes.ts'
import { totalsOf } from '../state/counts.ts'
import { type Filter, linkToLogs } from '../state/filter.ts'
import { queue } from '../state/queue.ts'
import { LISTS } from '../text.ts'
import { Choice, DateField, MoreFilters } from '../ui/fields.tsx'
import { PersonFilter } from '../ui/person-search.tsx'

const change = (changes: Partial<Record<keyof Filter, string>>) => {
  location.hash = linkToLogs(queue.get().filter, changes)
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
  const { department, kind, from, to, employee_id } = filter
  const totals = summary ? totalsOf(summary, filter, 'department') : new Map<string, number>()
  if (department && !totals.has(department)) totals.set(department, 0)
  const isFiltered = [department, kind, from, to, employee_id].some((value) => value !== undefined)
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
      <MoreFilters open={isFiltered}>
        <PersonFilter id={employee_id} onChange={(id) => change({ employee_id: id })} />
        <Choice
          id="filter-department"
          label="Departamento"
          value={department}
          options={[...totals].map(([name, count]) => [name, `${name} (${count})`] as const)}
          onChange={(name) => change({ department: name })}
        />
        <Choice
          id="filter-kind"
          label="Tipo"
          value={kind}
          options={KINDS}
          onChange={(name) => change({ kind: name })}
        />
        <DateField
          id="filter-from"
          label="Desde"
          value={from ?? ''}
          onChange={(day) => change({ from: day })}
        />
        <DateField
          id="filter-to"
          label="Hasta"
          value={to ?? ''}
          onChange={(day) => change({ to: day })}
        />
      </MoreFilters>
    </div>
  )
}
