import type { LogStatus, LogSummary } from '../../sdk/api-types.ts'
import { linkTo } from '../routes.ts'
import { totalsOf } from '../state/counts.ts'
import { type Filter, withFilter } from '../state/filter.ts'
import { queue } from '../state/queue.ts'
import { DateField } from '../ui/date-field.tsx'
import { PersonFilter } from '../ui/person-filter.tsx'

const change = (changes: Partial<Record<keyof Filter, string>>) => {
  location.hash = withFilter(queue.get().filter, changes)
}

const STATUS_TABS: [LogStatus | 'all', string][] = [
  ['pending', 'Por revisar'],
  ['approved', 'Aprobadas'],
  ['rejected', 'Rechazadas'],
  ['all', 'Todas'],
]

export const Filters = ({
  filter,
  summary,
}: {
  filter: Filter
  summary: LogSummary | undefined
}) => {
  const departments = [...(summary ? totalsOf(summary, filter, 'department') : [])]
  const chosen = filter.department
  if (chosen && !departments.some(([name]) => name === chosen)) departments.push([chosen, 0])
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
          <PersonFilter
            id={filter.employee_id}
            onChange={(employee_id) => change({ employee_id })}
          />
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
