import type { LogKind, LogStatus } from '../../sdk/api-types.ts'
import { linkTo } from '../routes.ts'
import { addDays, today } from '../time.ts'

/** The filter of the list of logs, as the page's address holds it. */
export interface Filter {
  status?: LogStatus | undefined
  branch_office?: string | undefined
  department?: string | undefined
  kind?: LogKind | undefined
  employee_id?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * Reads the filter from an address. The status is pending by default. The lists of other statuses
 * begin a month ago unless the address has dates or a person.
 */
export const toFilter = ({ status, ...query }: Record<string, string>): Filter => {
  const filter = {
    ...query,
    status: status === 'all' ? undefined : (status ?? 'pending'),
  } as Filter
  if (filter.status === 'pending' || filter.from || filter.to || filter.employee_id) return filter
  return { ...filter, from: addDays(today(), -30) }
}

/** The address of the list of logs for a filter with some changes. */
export const linkToLogs = (
  filter: Filter,
  changes: Partial<Record<keyof Filter, string>>,
): string => linkTo('checadas', { ...filter, status: filter.status ?? 'all', ...changes })
