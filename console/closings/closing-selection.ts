import { linkToFiltered } from '../ui/routes.ts'
import type { PreviewQuery } from './closings.queries.ts'

/** Whom a closing pays, and the first day that it does not pay. */
export type ClosingSelection = Pick<PreviewQuery, 'payroll_group' | 'employee_id'> & {
  before: string
}

export const linkToPreview = (selection: ClosingSelection): string =>
  linkToFiltered('cierres', { ...selection })

/** Reads the preview from the query of an address. Undefined if the query has no `before`. */
export const toPreviewRoute = (query: Record<string, string>): ClosingSelection | undefined => {
  const { before, payroll_group, employee_id } = query
  return before ? { before, payroll_group, employee_id } : undefined
}
