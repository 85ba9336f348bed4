import { afterEach, expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { type ApiClient, createApiClient } from './console-api.ts'
import { useService } from './server.ts'

/** What happy-dom adds to a window. */
const { happyDOM } = globalThis as unknown as { happyDOM: { setURL: (url: string) => void } }

interface Element {
  textContent: string
  value: string
  href: string
  disabled: boolean
  options: Iterable<{ value: string }>
  getAttribute: (name: string) => string | null
}

type Name = string | RegExp

/** What tests use of a page, or of a part of it, of Testing Library. */
export interface Place {
  findByText: (text: Name) => Promise<Element>
  findByRole: (role: string, options?: { name?: Name; level?: number }) => Promise<Element>
  findByLabelText: (label: Name) => Promise<Element>
  queryByText: (text: Name) => Element | null
  queryByLabelText: (label: Name) => Element | null
  queryAllByRole: (role: string, options?: { name?: Name }) => Element[]
}

/** The types of these modules would bring those of a DOM into all tests. */
const load = (path: string) => import(path)
const loadConsole = (path: string) => import(`../../console/${path}`)

const library = load('@testing-library/dom')

/** Types a text into the field of a label, in place of what it has. */
export const fill = async (place: Place, label: Name, value: string) =>
  (await library).fireEvent.input(await place.findByLabelText(label), { target: { value } })

/** Chooses the value of a list, as soon as the list has it. */
export const choose = async (place: Place, label: Name, value: string) => {
  const { fireEvent } = await library
  const values = async () =>
    Array.from((await place.findByLabelText(label)).options, (option) => option.value)
  await expect.poll(values).toContain(value)
  fireEvent.change(await place.findByLabelText(label), { target: { value } })
}

/** Presses a button, or another thing, as soon as it can be pressed. */
export const press = async (place: Place, name: Name, role = 'button') => {
  const { fireEvent } = await library
  await expect.poll(async () => (await place.findByRole(role, { name })).disabled).not.toBe(true)
  fireEvent.click(await place.findByRole(role, { name }))
}

/** Shows another page. The DOM sends no event of its own. */
export const go = (path: string) => {
  const { location } = globalThis as unknown as { location: { hash: string } }
  location.hash = `#/${path}`
  ;(dispatchEvent as (event: unknown) => void)(new Event('hashchange'))
}

/** The name of the field that has the focus. */
export const focusedName = (): string => {
  const { document } = globalThis as unknown as { document: { activeElement: { name: string } } }
  return document.activeElement.name
}

/** The part of a page that has a role, such as its dialog. */
export const partOf = async (place: Place, role: string, name?: Name): Promise<Place> =>
  (await library).within(await place.findByRole(role, name ? { name } : {}))

/**
 * Runs the service, and draws the console in Node with a DOM: for what needs no browser, such as what
 * a page shows, sends and says. A file that uses it begins with `// @vitest-environment happy-dom`.
 */
export const usePages = (flags: string[] = []) => {
  const service = useService(flags)
  let clear = () => {}
  let isFollowing = false
  afterEach(() => clear())
  return {
    service,
    api: (email = DEMO_ADMIN): Promise<ApiClient> =>
      createApiClient(service.api, email, DEMO_PASSWORD),
    /** Signs in, and shows the page of an address. */
    open: async (path: string, email = DEMO_ADMIN): Promise<Place> => {
      clear()
      happyDOM.setURL(`${new URL(service.api).origin}/revision/#/${path}`)
      const { h, render } = await load('preact')
      const { App } = await loadConsole('app.tsx')
      const { session, signIn } = await loadConsole('session/session.ts')
      const { queries } = await loadConsole('ui/queries.ts')
      const { followAddress } = await loadConsole('ui/routes.ts')
      if (!isFollowing) followAddress()
      isFollowing = true
      // The DOM's own event: setting the URL sends none.
      ;(dispatchEvent as (event: unknown) => void)(new Event('hashchange'))
      const { document } = globalThis as unknown as { document: { body: object } }
      const { body } = document
      render(h(App, null), body)
      clear = () => {
        render(null, body)
        queries.clear()
        session.set({ settings: undefined })
      }
      const problem = await signIn(email, DEMO_PASSWORD)
      if (problem) throw new Error(problem)
      return (await library).screen
    },
  }
}
