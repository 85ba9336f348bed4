import { dateDaysAgo } from './console-api.ts'
import { choose, fill, fillDate, type Place, partAt, press, textsAt } from './dom-page.ts'

/** What the tests of a closing's pages do. */

/** Chooses one person and a last day, and opens the preview. */
export const preview = async (page: Place, name: string, days: number) => {
  await choose(page, 'De quién', 'one')
  await fill(page, 'Persona', name)
  await press(page, new RegExp(name), 'option')
  await fillDate(page, 'Último día', dateDaysAgo(days))
  await press(page, 'Ver cómo quedaría')
  await partAt('.figures')
}

/** The figure beside a name in the preview. */
export const figure = (name: string) =>
  textsAt('.figures div')
    .find((text) => text.startsWith(name))
    ?.slice(name.length)
