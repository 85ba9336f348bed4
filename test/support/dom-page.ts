import { afterEach, beforeAll, expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { type ApiClient, createApiClient } from './console-api.ts'
import { useService } from './server.ts'

/** What happy-dom adds to a window. */
const { happyDOM, location } = globalThis as unknown as {
  happyDOM: { setURL: (url: string) => void; settings: { navigation: object } }
  location: { hash: string }
}

// Only the part of an address after `#` changes: a page that is left, or a file, is not loaded.
Object.assign(happyDOM.settings.navigation, {
  disableMainFrameNavigation: true,
  disableFallbackToSetURL: true,
})

interface Element {
  textContent: string
  value: string
  href: string
  disabled: boolean
  checked: boolean
  isConnected: boolean
  options: Iterable<{ value: string; textContent: string }>
  getAttribute: (name: string) => string | null
  querySelectorAll: (selector: string) => Iterable<Element>
  focus: () => void
}

type Name = string | RegExp

/** What tests use of a page, or of a part of it, of Testing Library. */
export interface Place {
  findByText: (text: Name) => Promise<Element>
  findAllByText: (text: Name) => Promise<Element[]>
  findByRole: (role: string, options?: { name?: Name; level?: number }) => Promise<Element>
  findByLabelText: (label: Name) => Promise<Element>
  queryByText: (text: Name) => Element | null
  queryAllByText: (text: Name) => Element[]
  queryByLabelText: (label: Name) => Element | null
  queryAllByRole: (role: string, options?: { name?: Name }) => Element[]
}

/** A part of a page, with its own element. */
export interface Part extends Place {
  element: Element
}

/** The types of a DOM would come from `lib.dom.d.ts`, which tests do not have. */
interface Tree {
  querySelectorAll: (selector: string) => Iterable<Element>
  activeElement: Element & { name: string; closest: (selector: string) => Element | null }
  body: object
}

const tree = () => (globalThis as unknown as { document: Tree }).document

/** The types of these modules would bring those of a DOM into all tests. */
const load = (path: string) => import(path)
const loadConsole = (path: string) => import(`../../console/${path}`)

const library = load('@testing-library/dom').then((loaded) => {
  // On a busy computer, an answer may take longer than the second that is waited for otherwise.
  loaded.configure({ asyncUtilTimeout: 60_000 })
  return loaded
})

/** Types a text into the field of a label, in place of what it has. */
export const fill = async (place: Place, label: Name, value: string) => {
  const { fireEvent } = await library
  const field = await place.findByLabelText(label)
  fireEvent.input(field, { target: { value } })
  fireEvent.change(field, { target: { value } })
}

/** Types a date, and leaves its field, since some fields take it only then. */
export const fillDate = async (place: Place, label: Name, value: string) => {
  const { fireEvent } = await library
  await fill(place, label, value)
  fireEvent.blur(await place.findByLabelText(label))
}

/** Pastes a text into the field of a label. */
export const paste = async (place: Place, label: Name, text: string) =>
  (await library).fireEvent.paste(await place.findByLabelText(label), {
    clipboardData: { getData: () => text },
  })

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
  let element = await place.findByRole(role, { name })
  const isDisabled = async () => {
    if (!element.isConnected) element = await place.findByRole(role, { name })
    return element.disabled
  }
  await expect.poll(isDisabled).not.toBe(true)
  fireEvent.click(element)
}

/** Opens or closes what is behind a summary, such as «Más». */
export const unfold = async (place: Place, name: Name) =>
  (await library).fireEvent.click(await place.findByText(name))

/** Follows a link of the console. The DOM opens no pages of its own. */
export const follow = async (place: Place, name: Name) => {
  await press(place, name, 'link')
  go((await place.findByRole('link', { name })).href.split('#/')[1] ?? '')
}

/** The address of the page, after `#/`. */
export const shownAddress = (): string => location.hash.slice(2)

/** Shows another page. The DOM sends no event of its own. */
export const go = (path: string) => {
  location.hash = `#/${path}`
  ;(dispatchEvent as (event: unknown) => void)(new Event('hashchange'))
}

/** The name of the field that has the focus. */
export const focusedName = (): string => tree().activeElement.name

/** The value of an attribute of what has the focus, or of the nearest around it that has one. */
export const focused = (attribute: string): string | null =>
  tree().activeElement.closest(`[${attribute}]`)?.getAttribute(attribute) ?? null

/** The text of what has the focus. */
export const focusedText = (): string => tree().activeElement.textContent

/** Presses a key where the focus is. */
export const pressKey = async (key: string, more: { ctrlKey?: boolean } = {}) =>
  (await library).fireEvent.keyDown(tree().activeElement, { key, ...more })

const allAt = (selector: string, text: Name = ''): Element[] =>
  [...tree().querySelectorAll(selector)].filter(({ textContent }) =>
    typeof text === 'string' ? textContent.includes(text) : text.test(textContent),
  )

/** The parts of the page that a CSS selector finds, as they are now. */
export const partsAt = (selector: string): Element[] => allAt(selector)

/** The texts of the parts of the page that a CSS selector finds, as they are now. */
export const textsAt = (selector: string): string[] =>
  allAt(selector).map(({ textContent }) => textContent)

/** The part of the page that a CSS selector finds, as soon as one has the text. */
export const partAt = async (selector: string, text?: Name): Promise<Part> => {
  const find = () => allAt(selector, text)[0]
  await expect.poll(find, { message: `${selector} with ${text ?? 'any text'}` }).toBeDefined()
  const element = find() as Element
  return { ...(await library).within(element), element }
}

/** Waits until no part of the page is found by a CSS selector and a text. */
export const waitForNone = (selector: string, text?: Name) =>
  expect.poll(() => allAt(selector, text).length).toBe(0)

/** Waits for the message at the end of the page. */
export const waitForMessage = (text: Name) => partAt('.toast [role=status]', text)

/** The part of a page that has a role, such as its dialog. */
export const partOf = async (place: Place, role: string, name?: Name): Promise<Place> =>
  (await library).within(await place.findByRole(role, name ? { name } : {}))

/** A request of the page. */
interface Sent {
  method: string
  url: string
  body: unknown
}

type Answer = (send: () => Promise<Response>, sent: Sent) => Promise<Response>

let answers: { url: RegExp; answer: Answer }[] = []
let requests: Sent[] = []
let unanswered = new Set<Sent>()

const sendOverNetwork = globalThis.fetch

globalThis.fetch = (input, init = {}) => {
  // Only the page's requests can be aborted. The others are those of the test itself.
  if (!init.signal) return sendOverNetwork(input, init)
  const { method = 'GET', body } = init
  const url = String(input)
  const sent = { method, url, body: typeof body === 'string' ? JSON.parse(body) : body }
  const send = () => sendOverNetwork(input, init)
  requests.push(sent)
  const waiting = unanswered.add(sent)
  const own = answers.findLast((one) => one.url.test(`${method} ${url}`))
  return (own?.answer(send, sent) ?? send()).finally(() => waiting.delete(sent))
}

/** The requests so far, in this test, whose `METHOD URL` matches. */
export const sentRequests = (url = /\/api\//): Sent[] =>
  requests.filter((one) => url.test(`${one.method} ${one.url}`))

/**
 * Answers the page's requests whose `METHOD URL` matches, until the returned function is called or
 * the test ends. `send` gets the answer of the service.
 */
export const answerWith = (url: RegExp, answer: Answer): (() => void) => {
  const own = { url, answer }
  answers.push(own)
  return () => {
    answers = answers.filter((one) => one !== own)
  }
}

/** An answer with rows, each in a line. */
export const linesAnswer = (rows: object[]) =>
  new Response(rows.map((row) => JSON.stringify(row)).join('\n'))

/** Waits until the page has all answers, and asks for nothing more. */
export const waitForRest = () => {
  let quiet = 0
  const look = () => {
    quiet = unanswered.size === 0 ? quiet + 1 : 0
    return quiet
  }
  return expect.poll(look).toBeGreaterThan(3)
}

/** A refusal in the form of the service. */
export const refusal = async (status: number, code: string, message: string) =>
  Response.json({ success: false, message, data: null, code }, { status })

/** Loses the page's requests, as a network that fails. */
export const loseRequests = (url: RegExp) =>
  answerWith(url, () => Promise.reject(new TypeError('The connection was reset.')))

/** Holds the page's requests until the returned function is called. */
export const holdRequests = (url: RegExp): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = answerWith(url, (send) => promise.then(send))
  return () => {
    stop()
    resolve()
  }
}

let saved: Blob[] = []

URL.createObjectURL = (file) => {
  saved.push(file as Blob)
  return 'blob:'
}

/** The bytes of the last file that the page has saved, as soon as it has. */
export const savedFile = async (): Promise<Uint8Array<ArrayBuffer>> => {
  await expect.poll(() => saved.length).toBeGreaterThan(0)
  return new Uint8Array((await saved.pop()?.arrayBuffer()) ?? [])
}

/** Tells the page that the connection is lost, or is there again. */
export const setOnline = (online: boolean) =>
  (dispatchEvent as (event: unknown) => void)(new Event(online ? 'online' : 'offline'))

/**
 * Runs the service, and draws the console in Node with a DOM: for what needs no browser, such as what
 * a page shows, sends and says. A file that uses it begins with `// @vitest-environment happy-dom`.
 */
export const usePages = (flags: string[] = []) => {
  const hasRoles = flags.some((flag) => flag.startsWith('INTAKE_ROLES:'))
  const service = useService([...(hasRoles ? [] : ['--var', 'INTAKE_ROLES:admin']), ...flags])
  let clear = () => {}
  let isListening = false
  // The DOM refuses requests to another origin.
  beforeAll(() => happyDOM.setURL(new URL(service.api).origin))
  afterEach(() => {
    clear()
    setOnline(true)
    answers = []
    requests = []
    unanswered = new Set()
    saved = []
    sessionStorage.clear()
    localStorage.clear()
  })
  /** Shows the page of an address without signing in. */
  const visit = async (path: string): Promise<Place> => {
    clear()
    happyDOM.setURL(`${new URL(service.api).origin}/revision/#/${path}`)
    const { h, render } = await load('preact')
    const { takeInvitation } = await loadConsole('account/invitation.api.ts')
    const { App } = await loadConsole('app.tsx')
    const { listenToShortcuts } = await loadConsole('review/shortcuts.ts')
    const { session } = await loadConsole('session/session.ts')
    const { queries } = await loadConsole('ui/queries.ts')
    const { followAddress } = await loadConsole('ui/routes.ts')
    takeInvitation()
    if (!isListening) {
      ;(addEventListener as (name: string, listen: () => void) => void)(
        'hashchange',
        takeInvitation,
      )
      followAddress()
      listenToShortcuts()
    }
    isListening = true
    // The DOM's own event: setting the URL sends none.
    ;(dispatchEvent as (event: unknown) => void)(new Event('hashchange'))
    const { body } = tree()
    render(h(App, null), body)
    clear = () => {
      render(null, body)
      queries.clear()
      session.set({ settings: undefined, ended: undefined })
    }
    return (await library).screen
  }
  return {
    service,
    api: (email = DEMO_ADMIN): Promise<ApiClient> =>
      createApiClient(service.api, email, DEMO_PASSWORD),
    visit,
    /** Signs in, and shows the page of an address. */
    open: async (path: string, email = DEMO_ADMIN): Promise<Place> => {
      const screen = await visit(path)
      const { signIn } = await loadConsole('session/session.ts')
      const problem = await signIn(email, DEMO_PASSWORD)
      if (problem) throw new Error(problem)
      return screen
    },
  }
}
