import type { LogKind, LogSummary } from '../../sdk/api-types.ts'
import { rememberBranch } from '../session/last-branch.ts'
import { branchNames } from '../session/session.ts'
import { Choice, DateField, isPhone, MoreFilters } from '../ui/fields.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { toAddress } from '../ui/routes.ts'
import { LISTS } from '../ui/text.ts'
import { hasZones, zoneName, zoneOf } from '../ui/time.ts'
import { sumOf, totalsOf } from './counts.ts'
import { type Filter, linkToLogs } from './filter.ts'
import { queue } from './queue.state.ts'

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
  const totals = new Map<string, number | undefined>(
    summary && totalsOf(summary, filter, 'department'),
  )
  // Without a summary, it is not known how many logs the chosen department has.
  if (department !== undefined && !totals.has(department)) {
    totals.set(department, summary ? 0 : undefined)
  }
  const isFiltered = [department, kind, from, to, employee_id].some((value) => value !== undefined)
  return (
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
      <MoreFilters isFolded={isPhone() && !isFiltered}>
        <PersonFilter id={employee_id} onChange={(id) => change({ employee_id: id })} />
        <Choice
          id="filter-department"
          label="Departamento"
          value={toAddress(department)}
          options={[...totals].map(([name, count]) => [
            toAddress(name),
            (name || 'Sin departamento') + (count === undefined ? '' : ` (${count})`),
          ])}
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

interface BranchesProps {
  filter: Filter
  totals: Map<string, number> | undefined
}

/** Links that filter by branch, each with its number of logs. */
export const Branches = ({ filter, totals }: BranchesProps) => {
  const names = [...new Set([...branchNames(), ...(totals?.keys() ?? [])])]
  if (names.length < 2) return <span />
  const link = (label: string, branch: string | undefined, count: number | undefined) => (
    <li key={branch ?? 'all'}>
      <a
        href={linkToLogs(filter, { branch_office: toAddress(branch) ?? '' })}
        aria-current={filter.branch_office === branch ? 'true' : undefined}
        onClick={() => rememberBranch(branch)}
      >
        <span>
          {label}
          {branch && hasZones() && <small>{zoneName(zoneOf(branch))}</small>}
        </span>
        <span class="count">{count?.toLocaleString('es-MX') ?? '–'}</span>
      </a>
    </li>
  )
  return (
    <nav class="branches" aria-label="Sucursales">
      <h2>Sucursales</h2>
      <ul>
        {link('Todas', undefined, totals && sumOf(totals.values()))}
        {names.map((name) => link(name || 'Sin sucursal', name, totals && (totals.get(name) ?? 0)))}
      </ul>
    </nav>
  )
}
