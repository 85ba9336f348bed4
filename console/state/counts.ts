import type { LogSummary } from '../../sdk/api-types.ts'
import type { Filter } from './filter.ts'

type Counts = LogSummary['branches'][number]

/** How many of the filter's status a branch and department have. */
const countOf = (counts: Counts, { status }: Filter): number =>
  status ? counts[status] : counts.pending + counts.approved + counts.rejected

/** The totals of a choice: what each value would show with the rest of the filter. */
export const totalsOf = (
  summary: LogSummary | undefined,
  filter: Filter,
  field: 'branch_office' | 'department',
): Map<string, number> | undefined => {
  const other = field === 'department' ? 'branch_office' : 'department'
  const totals = new Map<string, number>()
  for (const counts of summary?.branches ?? []) {
    if (filter[other] !== undefined && counts[other] !== filter[other]) continue
    totals.set(counts[field], (totals.get(counts[field]) ?? 0) + countOf(counts, filter))
  }
  return summary && totals
}

export const branchTotals = (summary: LogSummary | undefined, filter: Filter) =>
  totalsOf(summary, filter, 'branch_office')

export const matchingTotal = (
  summary: LogSummary | undefined,
  filter: Filter,
): number | undefined => {
  const totals = branchTotals(summary, filter)
  if (!totals) return undefined
  if (filter.branch_office !== undefined) return totals.get(filter.branch_office) ?? 0
  return [...totals.values()].reduce((sum, count) => sum + count, 0)
}
