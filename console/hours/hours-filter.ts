import type { HoursQuery } from '../review/logs.queries.ts'
import { linkToFiltered } from '../ui/routes.ts'
import { addDays, earlierOf, fortnightOf, laterOf, type Period, today } from '../ui/time.ts'

type Selection = Pick<HoursQuery, 'employee_id' | 'branch_office' | 'department' | 'payroll_group'>

/** The people and period of the hours page. */
export interface HoursFilter extends Selection, Period {
  exception?: string | undefined
  /** What the picture of people and days shows. Without it, the days to clarify are listed. */
  ver?: string | undefined
}

export const DAYS_MAX = 31

/**
 * Reads the filter from the query of the page's address. The default period is the fortnight of
 * today. The longest period is 31 days.
 */
export const toHoursFilter = (query: Record<string, string>): HoursFilter => {
  const { employee_id, branch_office, department, payroll_group, exception, ver } = query
  const from = query.from ?? fortnightOf(query.to ?? today()).from
  const to = query.to ?? fortnightOf(from).to
  const end = laterOf(from, earlierOf(to, addDays(from, DAYS_MAX - 1)))
  return { employee_id, branch_office, department, payroll_group, exception, ver, from, to: end }
}

export const linkToHours = (
  filter: HoursFilter,
  changes: Partial<Record<keyof HoursFilter, string | undefined>>,
): string => linkToFiltered('horas', { ...filter }, changes)

/** Whether the page shows the picture of people and days. */
export const isPicture = ({ ver, employee_id }: HoursFilter): boolean => !!ver && !employee_id

/**
 * The API query of a filter. For one person it leaves out the place and the group, so that the
 * response includes days at earlier branches and in earlier groups.
 */
export const queryOf = (filter: HoursFilter) => {
  const { employee_id, payroll_group, exception: _, ver: __, from, to, ...place } = filter
  if (employee_id) return { employee_id, from, to }
  return { ...place, payroll_group, from, to }
}
