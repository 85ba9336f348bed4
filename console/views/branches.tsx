import { type Filter, withFilter } from '../state/filter.ts'

/** The branches with what waits in each, which are filters too. */
export const Branches = ({
  filter,
  totals,
}: {
  filter: Filter
  totals: Map<string, number> | undefined
}) => {
  const all = [...(totals?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  const link = (label: string, branch: string, count: number | undefined) => (
    <li key={branch}>
      <a
        href={withFilter(filter, { branch_office: branch })}
        aria-current={(filter.branch_office ?? '') === branch ? 'true' : undefined}
      >
        {label}
        <span class="count">{count?.toLocaleString('es-MX') ?? '–'}</span>
      </a>
    </li>
  )
  return (
    <nav class="branches" aria-label="Sucursales">
      <h2>Sucursales</h2>
      <ul>
        {link('Todas', '', totals && all)}
        {[...(totals ?? [])].map(([branch, count]) =>
          link(branch || 'Sin sucursal', branch, count),
        )}
      </ul>
    </nav>
  )
}
