import type { api, FilterOf } from '../session/api.ts'
import { linkToFiltered } from '../ui/routes.ts'
import { addDays, today } from '../ui/time.ts'

/** The filter of the list of logs, which the page's address contains. */
export type Filter = Omit<FilterOf<typeof api.v2.incidents.logs.$get>, 'order' | 'nearby'>

/** The first day of a list whose address has no first day. Undefined if there is none. */
const defaultFrom = ({ status, to, employee_id }: Filter): string | undefined =>
  status === 'pending' || to || employee_id ? undefined : addDays(today(), -30)

/**
 * Reads the filter from the query of the page's address. The status is pending by default. The
 * lists of other statuses begin 30 days ago unless the address has dates or a person.
 */
export const toFilter = ({ status, ...query }: Record<string, string>): Filter => {
  const filter = {
    ...query,
    status: status === 'all' ? undefined : (status ?? 'pending'),
  } as Filter
  return { ...filter, from: filter.from || defaultFrom(filter) }
}

/**
 * The address of the list of logs for a filter with some changes. It leaves out the default first
 * day, because other lists have another default.
 */
export const linkToLogs = (
  { from, ...filter }: Filter,
  changes: Partial<Record<keyof Filter, string | undefined>>,
): string =>
  linkToFiltered(
    'checadas',
    {
      ...filter,
      from: from === defaultFrom(filter) ? undefined : from,
      status: filter.status ?? 'all',
    },
    changes,
  )
