import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { Closing, ClosingBody, ClosingPerson, Objection } from '../../sdk/api-types.ts'
import { api, encodePath } from '../session/api.ts'
import { hasStatus } from '../session/client.ts'
import { rowsOf } from '../session/files.ts'
import { untilAnswered } from '../session/repeat.ts'
import { signedIn } from '../session/session.ts'
import { about, pagesQuery, write } from '../ui/queries.ts'

const { closings, objections } = api.v2.incidents

export type PreviewQuery = Parameters<typeof closings.preview.$get>[0]['query']

const readClosings = async (cursor?: string) => {
  const { closings: items, next_cursor } = await dataOf(closings.$get({ query: { cursor } }))
  return { items, next_cursor }
}

export const closingsQuery = pagesQuery([...about.closings, 'list'], readClosings)

/** The unanswered objections of workers to their lines of a closing. */
export const objectionsQuery = queryOptions({
  queryKey: [...about.closings, 'objections'],
  queryFn: async () => (await dataOf(objections.$get())).objections,
})

/** What a closing changes: the days are paid, and so are their logs. */
const PAID = [about.closings, about.hours, about.groups, about.logs, about.logList]

export const readClosing = (id: number): Promise<Closing> =>
  dataOf(closings[':id'].$get({ param: { id } }))

/** Requests a CSV file for people with what a closing would pay each person. */
export const requestPreviewFile = (query: PreviewQuery) =>
  closings.preview.lines.$get({ query: { ...query, format: 'csv', headers: 'es', by: 'employee' } })

const readPreview = async (query: PreviewQuery) => {
  const [summary, people] = await Promise.all([
    dataOf(closings.preview.$get({ query })),
    rowsOf<ClosingPerson>(
      closings.preview.lines.$get({ query: { ...query, format: 'ndjson', by: 'employee' } }),
    ),
  ])
  return { summary, people }
}

export type Preview = Awaited<ReturnType<typeof readPreview>>

/** What a closing would pay now. */
export const previewQuery = (query: PreviewQuery) =>
  queryOptions({
    queryKey: [...about.closings, 'preview', query],
    queryFn: () => readPreview(query),
    gcTime: 0,
  })

/**
 * Requests a closing's CSV file for people. It has the closing's lines, a row for each person, or a
 * row for each week of each person. Ids are as a spreadsheet keeps them, unless they are plain.
 */
export const requestLines = (id: number, by?: 'employee' | 'week', ids?: 'plain') =>
  closings[':id'].lines.$get({ param: { id }, query: { format: 'csv', headers: 'es', by, ids } })

export const totalOf = ({
  period_seconds,
  added_seconds,
}: Pick<Closing, 'period_seconds' | 'added_seconds'>): number => period_seconds + added_seconds

/** Sends an act. If the service refuses its repetition, `find` looks for what a lost request did. */
const actOnce = (
  act: () => Promise<Closing>,
  find: () => Promise<Closing | undefined>,
): Promise<Closing> =>
  untilAnswered(async (isRepeated) => {
    try {
      return await act()
    } catch (error) {
      const done = isRepeated && hasStatus(error, 409) ? await find() : undefined
      if (done) return done
      throw error
    }
  })

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
export const saveClosing = write(
  PAID,
  (json: ClosingBody, known: readonly Closing[]): Promise<Closing> => {
    const { before, payroll_group = null, employee_id = null } = json
    return actOnce(
      () => dataOf(closings.$post({ json })),
      async () =>
        findOwn((await readClosings()).items, known, { before, payroll_group, employee_id }),
    )
  },
)

export const cancelClosing = write(
  PAID,
  (id: number, comment: string): Promise<Closing> =>
    actOnce(
      () => dataOf(closings[':id'].cancel.$post({ param: { id }, json: { comment } })),
      async () => {
        const closing = await readClosing(id)
        return closing.cancelled?.user.id === signedIn().user.id ? closing : undefined
      },
    ),
)

export const answerObjection = write(
  [about.closings],
  ({ closing_id: id, employee_id }: Objection, comment: string) => {
    const { answer } = closings[':id'].objections[':employee_id']
    return dataOf(answer.$post({ param: encodePath({ id, employee_id }), json: { comment } }))
  },
)
