import { branchNames } from '../api/session.ts'
import { sumOf } from '../state/counts.ts'
import { type Filter, linkToLogs } from '../state/filter.ts'
import { rememberBranch } from '../state/last-branch.ts'
import { hasZones, zoneName, zoneOf } from '../time.ts'

interface Props {
  filter: Filter
  totals: Map<string, number> | undefined
}

/** Links that filter by branch, each with its number of logs. */
export const Branches = ({ filter, totals }: Props) => {
  const names = [...new Set([...branchNames(), ...(totals?.keys() ?? [])])]
  if (names.length < 2) return <span />
  const link = (label: string, branch: string, count: number | undefined) => (
    <li key={branch}>
      <a
        href={linkToLogs(filter, { branch_office: branch })}
        aria-current={(filter.branch_office ?? '') === branch ? 'true' : undefined}
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
        {link('Todas', '', totals && sumOf(totals.values()))}
        {names.map((name) => link(name || 'Sin sucursal', name, totals && (totals.get(name) ?? 0)))}
      </ul>
    </nav>
  )
}
