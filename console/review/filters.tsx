import { useQuery } from '@tanstack/preact-query'
import { useStore } from '../session/store.ts'
import { isPhone } from '../ui/fields.tsx'
import { choice, day, Filters, isFiltered, person } from '../ui/filters.tsx'
import { LISTS } from '../ui/text.ts'
import { totalsOf } from './counts.ts'
import { type Filter, linkToLogs } from './filter.ts'
import { summaryQuery } from './logs.queries.ts'
import { queue } from './queue.state.ts'

/** The departments of the list's branch, each with its number of logs. */
const useDepartments = (chosen?: string) => {
  const { filter } = useStore(queue)
  const { data: summary } = useQuery(summaryQuery(filter))
  const totals = new Map<string, number | undefined>(
    summary && totalsOf(summary, filter, 'department'),
  )
  // Without a summary, it is not known how many logs the chosen department has.
  if (chosen !== undefined && !totals.has(chosen)) totals.set(chosen, summary ? 0 : undefined)
  return [...totals].map(
    ([name, count]) =>
      [name, (name || 'Sin departamento') + (count === undefined ? '' : ` (${count})`)] as const,
  )
}

const fields = {
  employee_id: person(),
  department: choice('Departamento', useDepartments),
  kind: choice('Tipo', [
    ['entrada', 'Entradas'],
    ['salida', 'Salidas'],
    ['checada', 'Sin distinguir'],
  ]),
  from: day('Desde'),
  to: day('Hasta'),
}

export const LogFilters = ({ filter }: { filter: Filter }) => (
  <div class="filters">
    <nav class="tabs" aria-label="Estado">
      {Object.entries(LISTS).map(([status, name]) => (
        <a
          key={status}
          href={linkToLogs(filter, { status })}
          aria-current={(filter.status ?? 'all') === status ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
    <Filters
      of={{
        fields,
        change: (changes) => {
          location.hash = linkToLogs(filter, changes)
        },
      }}
      filter={filter}
      isFolded={isPhone() && !isFiltered(fields, filter)}
    />
  </div>
)
