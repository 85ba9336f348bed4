import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { Agreement, AgreementBody, PaperBody, VoidPaperBody } from '../../sdk/api-types.ts'
import { api, type FilterOf } from '../session/api.ts'
import { hasStatus } from '../session/client.ts'
import { about, pagesQuery, write } from '../ui/queries.ts'

const { agreements } = api.v2

/**
 * A text of the agreement. The text that is valid today is `current`. The texts before it are
 * `earlier`, and the texts that will be valid after today are `later`.
 */
export interface AgreementText extends Agreement {
  state: 'current' | 'earlier' | 'later'
}

/** Reads all texts, the newest first. */
export const readTexts = async (): Promise<AgreementText[]> => {
  const [{ agreements: all }, current] = await Promise.all([
    dataOf(agreements.$get()),
    dataOf(agreements.current.$get()).catch((error) => {
      if (!hasStatus(error, 404)) throw error
    }),
  ])
  const at = all.findIndex(({ id }) => id === current?.id)
  const stateAt = (i: number) => (i === at ? 'current' : at === -1 || i < at ? 'later' : 'earlier')
  return all.map((text, i) => ({ ...text, state: stateAt(i) }))
}

export const textsQuery = queryOptions({
  queryKey: [...about.agreements, 'texts'],
  queryFn: readTexts,
})

export const publishText = write([about.agreements, about.company], (json: AgreementBody) =>
  dataOf(agreements.$post({ json })),
)

export type PeopleOfText = FilterOf<(typeof agreements)[':id']['people']['$get']>

/**
 * The people who have agreed to a text or who are missing, sorted by name. The counts `agreed` and
 * `missing` include the people of all pages.
 */
export const peopleOfText = (id: number, filter: PeopleOfText) =>
  pagesQuery([...about.agreements, id, 'people', filter], async (cursor) => {
    const query = { ...filter, limit: 500, cursor }
    const found = await dataOf(agreements[':id'].people.$get({ param: { id }, query }))
    const { people: items, ...page } = found
    return { ...page, items }
  })

export const recordPaper = write([about.agreements], (id: number, json: PaperBody) =>
  dataOf(agreements[':id'].paper.$post({ param: { id }, json })),
)

export const voidPaper = write([about.agreements], (id: number, json: VoidPaperBody) =>
  dataOf(agreements[':id'].paper.void.$post({ param: { id }, json })),
)
