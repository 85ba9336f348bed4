import { dataOf } from '../../sdk/api-client.ts'
import type { Agreement, AgreementBody, PaperBody, VoidPaperBody } from '../../sdk/api-types.ts'
import { api, type FilterOf } from '../session/api.ts'
import { hasStatus } from '../session/client.ts'

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

export const publishText = (json: AgreementBody) => dataOf(agreements.$post({ json }))

export type PeopleOfText = FilterOf<(typeof agreements)[':id']['people']['$get']>

/**
 * Reads a page of the people who have agreed to a text or who are missing, sorted by name. The
 * counts `agreed` and `missing` include the people of all pages.
 */
export const readPeopleOf = async (id: number, filter: PeopleOfText, cursor?: string) => {
  const query = { ...filter, limit: 500, cursor }
  const { people, ...page } = await dataOf(agreements[':id'].people.$get({ param: { id }, query }))
  return { ...page, items: people }
}

export const recordPaper = (id: number, json: PaperBody) =>
  dataOf(agreements[':id'].paper.$post({ param: { id }, json }))

export const voidPaper = (id: number, json: VoidPaperBody) =>
  dataOf(agreements[':id'].paper.void.$post({ param: { id }, json }))
