import { useLayoutEffect } from 'preact/hooks'
import { createStore, useStore } from '../session/store.ts'
import { endMessage } from './ui-state.ts'

/** An address within the page, such as `#/checadas?branch_office=Norte` or `#/checadas/14`. */
export interface Route {
  path: string[]
  query: Record<string, string>
}

/** What stands for an empty value in an address, such as the branch of people without one. */
const NONE = '-'

export const fromAddress = (value: string): string => (value === NONE ? '' : value)

export const toAddress = <Value extends string | undefined>(value: Value): Value | typeof NONE =>
  value === '' ? NONE : value

const currentRoute = (): Route => {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const values = [...new URLSearchParams(query)]
  return {
    path: path.split('/').filter((part) => part !== ''),
    query: Object.fromEntries(values.map(([name, value]) => [name, fromAddress(value)])),
  }
}

/** The address of a page. An empty value is left out. `toAddress` keeps it. */
export const linkTo = (path: string, query: Record<string, string | undefined> = {}): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams(given).toString()
  return `#/${path}${search && `?${search}`}`
}

/** The address of a page with a filter, which keeps its empty values, and with changes of it. */
export const linkToFiltered = (
  path: string,
  filter: Record<string, string | undefined>,
  changes: Record<string, string | undefined> = {},
): string => {
  const kept = Object.entries(filter).map(([name, value]) => [name, toAddress(value)])
  return linkTo(path, { ...Object.fromEntries(kept), ...changes })
}

/** The page of a person: the last weeks, and what there is about them. */
export const linkToPersonPage = (id: string): string => linkTo('persona', { id })

/** The form of a person's longest shift on the page of the company, filled in. */
export const linkToLongestShift = (employee_id: string, hours: number): string =>
  linkTo('empresa', { jornada: employee_id, horas: String(hours) })

const route = createStore<Route>(currentRoute())

export const useRoute = (): Route => useStore(route)

export const shownRoute = (): Route => route.get()

/** The questions to ask before the user leaves data that cannot be shown again. */
const questions = new Set<string>()

export const mayLeave = (): boolean => [...questions].every((question) => confirm(question))

/** Shows `text` as a question before the page is left, unless `text` is empty. */
export const useLeaveQuestion = (text: string): void =>
  // At once, since the address may change before a frame is drawn.
  useLayoutEffect(() => {
    if (!text) return
    questions.add(text)
    return () => void questions.delete(text)
  }, [text])

/** Shows the page of a new address. If the user decides to stay, restores the old address. */
export const followAddress = (): void => {
  addEventListener('hashchange', ({ oldURL }) => {
    if (!mayLeave()) return history.pushState(null, '', oldURL)
    endMessage()
    route.set(currentRoute())
  })
  addEventListener('beforeunload', (event) => questions.size > 0 && event.preventDefault())
}
