import { rememberBranch } from '../session/last-branch.ts'
import { branchNames } from '../session/session.ts'
import { hasZones, zoneName, zoneOf } from './time.ts'

interface Props {
  label: string
  /** The chosen value. Undefined if all are shown. */
  chosen: string | undefined
  /** The values, each with its number. A number is undefined while it is unknown. */
  counts: readonly (readonly [value: string, count: number | undefined])[]
  total: number | undefined
  textOf: (value: string) => string
  /** A smaller text below a value and its number. */
  noteOf?: (value: string) => string | false
  /** The address of the list with a value, or with all. */
  linkOf: (value: string | undefined) => string
  onChoose?: (value: string | undefined) => void
}

/** Links that filter by the values of a field, each with its number of rows. */
export const Chips = (props: Props) => {
  const { label, chosen, counts, total, textOf, noteOf, linkOf, onChoose } = props
  return (
    <nav class="chips" aria-label={label}>
      {[[undefined, total] as const, ...counts].map(([value, count]) => {
        const note = value !== undefined && noteOf?.(value)
        return (
          <a
            key={value ?? 'all'}
            href={linkOf(value)}
            aria-current={chosen === value ? 'true' : undefined}
            onClick={() => onChoose?.(value)}
          >
            {value === undefined ? 'Todas' : textOf(value)}{' '}
            <span class="count">{count?.toLocaleString('es-MX') ?? '–'}</span>
            {note && <small>{note}</small>}
          </a>
        )
      })}
    </nav>
  )
}

interface BranchProps extends Pick<Props, 'chosen' | 'total' | 'linkOf'> {
  counts: ReadonlyMap<string, number> | undefined
}

/** Links that filter by branch. The links of sections then open with that branch, too. */
export const BranchChips = ({ counts, ...props }: BranchProps) => {
  const names = [...new Set([...branchNames(), ...(counts?.keys() ?? [])])]
  if (names.length < 2) return null
  return (
    <Chips
      {...props}
      label="Sucursales"
      counts={names.map((name) => [name, counts && (counts.get(name) ?? 0)])}
      textOf={(name) => name || 'Sin sucursal'}
      noteOf={(name) => name !== '' && hasZones() && zoneName(zoneOf(name))}
      onChoose={rememberBranch}
    />
  )
}
