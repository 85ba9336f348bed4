import { useQuery } from '@tanstack/preact-query'
import { rememberBranch } from '../session/last-branch.ts'
import { branchNames } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { isPhone } from '../ui/fields.tsx'
import { choice, day, Filters, isFiltered, person } from '../ui/filters.tsx'
import { toAddress } from '../ui/routes.ts'
import { LISTS } from '../ui/text.ts'
import { hasZones, zoneName, zoneOf } from '../ui/time.ts'
import { sumOf, totalsOf } from './counts.ts'
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

interface BranchesProps {
  filter: Filter
  totals: Map<string, number> | undefined
}

/** Links that filter by branch, each with its number of logs. */
export const Branches = ({ filter, totals }: BranchesProps) => {
  const names = [...new Set([...branchNames(), ...(totals?.keys() ?? [])])]
  if (names.length < 2) return null
  const link = (label: string, branch: string | undefined, count: number | undefined) => (
    <a
      key={branch ?? 'all'}
      href={linkToLogs(filter, { branch_office: toAddress(branch) ?? '' })}
      aria-current={filter.branch_office === branch ? 'true' : undefined}
      onClick={() => rememberBranch(branch)}
    >
      {label} <span class="count">{count?.toLocaleString('es-MX') ?? '–'}</span>
      {branch && hasZones() && <small>{zoneName(zoneOf(branch))}</small>}
    </a>
  )
  return (
    <nav class="chips" aria-label="Sucursales">
      {link('Todas', undefined, totals && sumOf(totals.values()))}
      {names.map((name) => link(name || 'Sin sucursal', name, totals && (totals.get(name) ?? 0)))}
    </nav>
  )
}
