import { dataOf } from '../../sdk/api-client.ts'
import type {
  ApiOperations,
  Closing,
  ClosingBody,
  ClosingPerson,
  Unlock,
  UnlockBody,
} from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { Interrupted, isLost } from './client.ts'
import { whenOnline } from './connection.ts'
import { rowsOf } from './hours.ts'
import { signedIn } from './session.ts'

const { closings, unlocks } = api.v2.incidents

type Query = ApiOperations['/api/v2/incidents/closings/preview']['$get']['input']['query']

export type PreviewQuery = { [Name in keyof Query]: Query[Name] | undefined }

export const readClosings = (cursor?: string) => dataOf(closings.$get({ query: { cursor } }))

/** What a closing would pay, with a row for each person. */
export const readPreview = async (query: PreviewQuery) => {
  const { preview } = closings
  const [summary, people] = await Promise.all([
    dataOf(preview.$get({ query })),
    rowsOf<ClosingPerson>(
      preview.lines.$get({ query: { ...query, format: 'ndjson', by: 'employee' } }),
    ),
  ])
  return { summary, people }
}

export const requestPreviewFile = (query: PreviewQuery) =>
  closings.preview.lines.$get({ query: { ...query, format: 'csv', by: 'employee' } })

/** A file of a closing: a row a person or week, or its lines. */
export const requestLines = (id: number, by?: 'employee' | 'week') =>
  closings[':id'].lines.$get({ param: { id }, query: { format: 'csv', by } })

const LOOKS = 4
const LOOK_MS = 700

/** Acts once: where the answer is lost, the act is looked for before it counts as failed. */
const actOnce = async <T>(
  act: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (!isLost(error)) throw error
    for (let look = 1; look <= LOOKS; look++) {
      await whenOnline()
      const result = await find().catch(() => undefined)
      if (result !== undefined) return result
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS * look))
    }
    throw new Interrupted('Se perdió la conexión y no se guardó. Inténtalo de nuevo.')
  }
}

const isOwn = ({ user }: { user: { id: number } }): boolean => user.id === signedIn().user.id

type Selection = Pick<ClosingBody, 'payroll_group' | 'employee_id'>

const isOf = (one: Selection, other: Selection): boolean =>
  (one.payroll_group ?? null) === (other.payroll_group ?? null) &&
  (one.employee_id ?? null) === (other.employee_id ?? null)

/** @param known the closings that were there before */
export const close = (json: ClosingBody, known: readonly Closing[]): Promise<Closing> =>
  actOnce(
    () => dataOf(closings.$post({ json })),
    async () => {
      const [newest] = (await readClosings()).closings
      const isNew = newest && !known.some(({ id }) => id === newest.id)
      return isNew && isOwn(newest) && newest.before === json.before && isOf(newest, json)
        ? newest
        : undefined
    },
  )

export const cancelClosing = (id: number, comment: string): Promise<Closing> =>
  actOnce(
    () => dataOf(closings[':id'].cancel.$post({ param: { id }, json: { comment } })),
    async () => {
      const page = await readClosings(String(id + 1))
      return page.closings.find((closing) => closing.id === id && closing.cancelled !== null)
    },
  )

/** @param known the unlocks that were there before */
export const unlockDays = async (json: UnlockBody, known: readonly Unlock[]): Promise<void> => {
  await actOnce<Pick<Unlock, 'id'>>(
    () => dataOf(unlocks.$post({ json })),
    async () => {
      const [newest] = (await readClosings()).unlocks
      const isNew = newest && !known.some(({ id }) => id === newest.id)
      const isSame = newest?.from === json.from && newest.to === json.to
      return isNew && isSame && isOwn(newest) && isOf(newest, json) ? newest : undefined
    },
  )
}
