import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { DEMO_ADMIN, DEMO_EMPLOYEE, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { importConsole, stubBrowser } from '../support/browser-globals.ts'
import { useService } from '../support/server.ts'

/** The session of the console, with the real service, without a browser. */

const OTHER_ADMIN = 'maria.hernandez@demo.mx'
const TOKEN = 'checada.token'
const ACTIVITY = 'checada.activity'

const service = useService()
const sendOverNetwork = globalThis.fetch

let page: ReturnType<typeof stubBrowser>
// Without types, because the console is compiled with those of a browser.
let session: Awaited<ReturnType<typeof importConsole>>
let api: Awaited<ReturnType<typeof importConsole>>

beforeAll(async () => {
  page = stubBrowser(new URL(service.api).origin)
  session = await importConsole('session/session')
  api = (await importConsole('session/api')).api
})

afterEach(() => {
  vi.stubGlobal('fetch', sendOverNetwork)
  sessionStorage.clear()
  session.session.set({ settings: undefined as never, ended: undefined })
})

const signIn = (email = DEMO_ADMIN) => session.signIn(email, DEMO_PASSWORD)
const readSettings = () => api.v2.incidents.settings.$get()
const auth = (method: 'GET' | 'POST', path: string, token: string) =>
  sendOverNetwork(`${service.api}/auth/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  })
const isSignedIn = async (token: string) => (await auth('GET', 'me', token)).ok
/** Ends a token elsewhere, as «Cerrar todas mis sesiones» on another computer does. */
const endToken = (token: string) => auth('POST', 'logout', token)
const storedToken = () => sessionStorage.getItem(TOKEN) ?? ''

/** Holds the first request to a path until it is released. */
const hold = (path: string) => {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) => {
    if (!String(input).endsWith(path)) return sendOverNetwork(input, init)
    vi.stubGlobal('fetch', sendOverNetwork)
    held.resolve()
    await released.promise
    return sendOverNetwork(input, init)
  })
  return { held: held.promise, release: released.resolve }
}

it('does not sign in a user who may not review logs', async () => {
  expect(await signIn(DEMO_EMPLOYEE)).toMatch(/^Tu usuario no revisa checadas\./)
  expect(sessionStorage.getItem(TOKEN)).toBeNull()
})

it('asks somebody else for the password once after the session of a user became idle', async () => {
  await signIn()
  sessionStorage.setItem(ACTIVITY, String(Date.now() - 31 * 60_000))
  session.session.set({ ended: 'idle' })
  await signIn(OTHER_ADMIN)
  expect(page.reloads).toBe(1)
  // The page has been loaded again, and knows nobody yet.
  session.session.set({ settings: undefined, ended: undefined })
  await session.startSession()
  expect(session.session.get().settings?.user.full_name).toBe('María José Hernández Núñez')
})

it('keeps the token of who signs in while the one before is still being revoked', async () => {
  await signIn()
  const old = storedToken()
  sessionStorage.setItem(ACTIVITY, String(Date.now() - 31 * 60_000))
  const { release } = hold('/logout')
  await session.endIdleSession()
  expect(session.session.get().ended).toBe('idle')
  await signIn()
  const token = storedToken()
  release()
  await expect.poll(() => isSignedIn(old)).toBe(false)
  expect(storedToken()).toBe(token)
  expect(session.session.get().ended).toBeUndefined()
})

it('repeats a request whose answer about an old token comes late, and asks nobody', async () => {
  await signIn()
  const old = storedToken()
  const { held, release } = hold('/settings')
  const answer = readSettings()
  await held
  await endToken(old)
  await signIn()
  release()
  expect((await answer).status).toBe(200)
  expect(session.session.get().ended).toBeUndefined()
})

it('asks to sign in again if the token that was sent is the stored one', async () => {
  await signIn()
  await endToken(storedToken())
  const answer = readSettings()
  await expect.poll(() => session.session.get().ended).toBe('expired')
  await signIn()
  expect((await answer).status).toBe(200)
})

it('signs out at once although the service does not answer, and ends the token later', async () => {
  await signIn()
  const token = storedToken()
  const { release } = hold('/logout')
  await session.signOut()
  expect(page.left).toBe(1)
  expect(storedToken()).toBe('')
  release()
  await expect.poll(() => isSignedIn(token)).toBe(false)
})

it('asks nobody to sign in, and keeps the token, if another server says 401', async () => {
  await signIn()
  const token = storedToken()
  const headers = { 'Content-Type': 'text/html' }
  vi.stubGlobal('fetch', async () => new Response('<html>', { status: 401, headers }))
  expect((await readSettings()).status).toBe(401)
  await session.startSession()
  expect(session.session.get()).toMatchObject({
    ended: undefined,
    notice: 'Contestó la red, y no el servicio: quizá pide que abras su página para conectarte.',
  })
  expect(storedToken()).toBe(token)
})
