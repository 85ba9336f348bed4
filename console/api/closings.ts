import { dataOf } from '../../sdk/api-client.ts'
import type { Closing, ClosingBody, ClosingPerson } from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { ConsoleError, isLost } from './client.ts'
import { whenOnline } from './connection.ts'
import { rowsOf } from './hours.ts'
import { signedIn } from './session.ts'

const { closings, payroll_groups } = api.v2.incidents

export type PreviewQuery = Parameters<typeof closings.preview.$get>[0]['query']

export const readClosings = (cursor?: string) => dataOf(closings.$get({ query: { cursor } }))

export const readClosing = (id: number): Promise<Closing> =>
  dataOf(closings[':id'].$get({ param: { id } }))

export const requestPreviewFile = (query: PreviewQuery, format: 'csv' | 'ndjson') =>
  closings.preview.lines.$get({ query: { ...query, format, by: 'employee' } })

/**
 * Reads the payroll groups. `next` is a group's period that contains `day`. Without a day, it is
 * the group's next period to pay.
 */
export const readPayrollGroups = async (day?: string) =>
  (await dataOf(payroll_groups.$get({ query: { day } }))).groups

/** Sets the first day that this installation pays a group. */
export const savePaysFrom = async (name: string, pays_from: string): Promise<void> => {
  const group = (await readPayrollGroups()).find(({ payroll_group }) => payroll_group === name)
  if (!group) throw new ConsoleError(`Ya no existe el grupo ${name}.`)
  const { payroll_group, calendar, version: expected_version } = group
  await dataOf(
    payroll_groups.$put({ json: { payroll_group, calendar, pays_from, expected_version } }),
  )
}

export const readPreview = async (query: PreviewQuery) => {
  const [summary, people] = await Promise.all([
    dataOf(closings.preview.$get({ query })),
    rowsOf<ClosingPerson>(requestPreviewFile(query, 'ndjson')),
  ])
  return { summary, people }
}

/**
 * Requests a closing's file. It has the closing's lines, a row for each person, or a row for each
 * week of each person.
 */
export const requestLines = (id: number, by?: 'employee' | 'week') =>
  closings[':id'].lines.$get({ param: { id }, query: { format: 'csv', by } })

export const totalOf = ({
  period_seconds,
  added_seconds,
}: Pick<Closing, 'period_seconds' | 'added_seconds'>): number => period_seconds + added_seconds

const ATTEMPTS = 4
const RETRY_MS = 700

/**
 * Sends a request once. If the response is lost, looks for the result up to four times.
 * @throws ConsoleError if the response is lost and there is no result
 */
const actOnce = async <T>(
  act: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (!isLost(error)) throw error
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await whenOnline()
      const result = await find().catch(() => undefined)
      if (result !== undefined) return result
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt))
    }
    throw new ConsoleError('Se perdió la conexión y no se guardó. Inténtalo de nuevo.')
  }
}

/**
 * Returns the newest closing if this user has made it, it is not one of `known`, and its fields are
 * the requested ones. Otherwise returns undefined.
 */
const findOwn = (
  [newest]: Closing[],
  known: readonly Closing[],
  requested: Pick<Closing, 'before' | 'payroll_group' | 'employee_id'>,
): Closing | undefined => {
  const isOwn = newest?.user.id === signedIn().user.id
  if (!newest || !isOwn || known.some(({ id }) => id === newest.id)) return undefined
  const names = Object.keys(requested) as (keyof typeof requested)[]
  return names.every((name) => newest[name] === requested[name]) ? newest : undefined
}

/** @param known the closings that existed before the request */
export const saveClosing = (json: ClosingBody, known: readonly Closing[]): Promise<Closing> => {
  const { before, payroll_group = null, employee_id = null } = json
  return actOnce(
    () => dataOf(closings.$post({ json })),
    async () =>
      findOwn((await readClosings()).closings, known, { before, payroll_group, employee_id }),
  )
}

export const cancelClosing = (id: number, comment: string): Promise<Closing> =>
  actOnce(
    () => dataOf(closings[':id'].cancel.$post({ param: { id }, json: { comment } })),
    async () => {
      const closing = await readClosing(id)
      return closing.cancelled === null ? undefined : closing
    },
  )
