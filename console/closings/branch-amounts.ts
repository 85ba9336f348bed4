import type { ClosingPerson } from '../../sdk/api-types.ts'
import { compare, groupBy } from '../ui/order.ts'

type Figures = Pick<ClosingPerson, 'branch_office' | 'total_seconds' | 'held_seconds' | 'pending'>

export interface BranchAmount {
  branch: string
  people: number
  paid: number
  held: number
  /** Logs that nobody has decided. */
  pending: number
}

/** What a closing pays, holds back and leaves undecided by branch, the largest first. */
export const branchAmounts = (people: readonly Figures[]): BranchAmount[] =>
  [...groupBy(people, ({ branch_office }) => branch_office)]
    .map(([branch, own]) => ({
      branch,
      people: own.length,
      paid: own.reduce((sum, { total_seconds }) => sum + total_seconds, 0),
      held: own.reduce((sum, { held_seconds }) => sum + held_seconds, 0),
      pending: own.reduce((sum, one) => sum + one.pending, 0),
    }))
    .sort((a, b) => b.paid - a.paid || compare(a.branch, b.branch))
