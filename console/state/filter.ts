import type { api, FilterOf } from '../api/api.ts'
import { linkTo } from '../routes.ts'
import { addDays, today } from '../time.ts'

/** The filter of the list of logs, which the page's address contains. */
export type Filter = Omit<FilterOf<typeof api.v2.incidents.logs.$get>, 'order' | 'nearby'>

/**
 * Reads the filter from the query of the page's address. The status is pending by default. The
 * lists of other statuses begin 30 days ago unless the address has dates or a person.
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
