import type { BranchCounts, LogSummary } from '../../sdk/api-types.ts'
import type { Filter } from './filter.ts'

const countOf = (counts: BranchCounts, { status }: Filter): number =>
  status ? counts[status] : counts.pending + counts.approved + counts.rejected

/** Counts the logs of each value of a field. The other fields of the filter still apply. */
export const totalsOf = (
  summary: LogSummary,
  filter: Filter,
  field: 'branch_office' | 'department',
): Map<string, number> => {
  const other = field === 'department' ? 'branch_office' : 'department'
  const totals = new Map<string, number>()
  for (const counts of summary.branches) {
    if (filter[other] !== undefined && counts[other] !== filter[other]) continue
    totals.set(counts[field], (totals.get(counts[field]) ?? 0) + countOf(counts, filter))
  }
  return totals
}

export const sumOf = (counts: Iterable<number>): number =>
  [...counts].reduce((sum, count) => sum + count, 0)
