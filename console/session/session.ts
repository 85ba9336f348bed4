import { dataOf } from '../../sdk/api-client.ts'
import type { InstallationSettings } from '../../sdk/api-types.ts'
import { endToken, hasStatus, messageOf, sessionApi, storedToken } from './client.ts'
import { tabStorage } from './storage.ts'
import { createStore } from './store.ts'

const LAST_ACTIVITY_KEY = 'checada.activity'
const EMAIL_KEY = 'checada.email'

/** The beginning of the keys under which forms store what was typed. */
export const DRAFT_KEY = 'checada.draft '

/** The session ends after half an hour without a key press, a tap or a scroll. */
const IDLE_MS = 30 * 60_000
const IDLE_CHECK_MS = 15_000

interface Session {
  isStarting: boolean
  /** The settings of the installation and the user, present once somebody has signed in. */
  settings?: InstallationSettings
  /** Why the session ended while the page was open. */
  ended?: 'expired' | 'idle' | undefined
  /** Why the page could not start, or why the user was signed out. */
  notice?: string | undefined
}

export const session = createStore<Session>({ isStarting: true })

export const signedIn = (): InstallationSettings => {
  const { settings } = session.get()
  if (!settings) throw new Error('Nobody has signed in.')
  return settings
}

export type Ability = InstallationSettings['user']['can'][number]

export const can = (ability: Ability): boolean => signedIn().user.can.includes(ability)

export const seesAllBranches = (): boolean => signedIn().user.scope_branches === null

/** Whether the user may close periods. Closings pay people of all branches. */
export const mayClose = (): boolean => can('pay') && seesAllBranches()

export const branchNames = (): string[] =>
  signedIn().branches.map(({ branch_office }) => branch_office)

export const lastEmail = (): string => tabStorage.getItem(EMAIL_KEY) ?? ''

const markActivity = () => tabStorage.setItem(LAST_ACTIVITY_KEY, String(Date.now()))

const isIdle = (): boolean =>
  Date.now() - Number(tabStorage.getItem(LAST_ACTIVITY_KEY) ?? Date.now()) >= IDLE_MS

let waiting: (() => void)[] = []

const readSettings = () => dataOf(sessionApi.v2.incidents.settings.$get())

/**
 * Reads the settings of the user who has signed in. If this is another user than before, the page
 * reloads, so that no data of the previous user is left.
 */
const enter = async (): Promise<void> => {
  const settings = await readSettings()
  // Before a reload too, or the page that loads would end the new session as idle.
  markActivity()
  const before = session.get().settings
  if (before && before.user.id !== settings.user.id) {
    const drafts = Object.keys(tabStorage).filter((name) => name.startsWith(DRAFT_KEY))
    for (const name of drafts) tabStorage.removeItem(name)
    return location.reload()
  }
  session.set({ isStarting: false, ended: undefined, settings, notice: undefined })
  for (const resume of waiting) resume()
  waiting = []
}

/**
 * Reads the settings again after a change of branches, zones or payroll groups. If this fails, the
 * change is saved all the same, and the settings stay as they were read before.
 */
export const refreshSettings = async (): Promise<void> => {
  const settings = await readSettings().catch(() => undefined)
  if (settings) session.set({ settings })
}

/** Deletes the token at once, and revokes it if the service can be reached. */
const revoke = (): void => {
  const token = storedToken.get()
  storedToken.clear()
  if (token) endToken(token)
}

/** Signs in. Returns a message if the user could not sign in. */
export const signIn = async (email: string, password: string): Promise<string | undefined> => {
  try {
    const { token } = await dataOf(sessionApi.auth.login.$post({ json: { email, password } }))
    storedToken.set(token)
    tabStorage.setItem(EMAIL_KEY, email)
  } catch (error) {
    return messageOf(error)
  }
  try {
    await enter()
  } catch (error) {
    revoke()
    return hasStatus(error, 403)
      ? 'Tu usuario no revisa checadas. Pide el permiso a quien administra el servicio.'
      : messageOf(error)
  }
}

/**
 * Begins the session of somebody who has just set a password, and ends the tab's previous session.
 * @returns whether the user may use the console. If so, the caller must load the page again.
 */
export const beginSession = async (token: string, email: string): Promise<boolean> => {
  revoke()
  tabStorage.clear()
  storedToken.set(token)
  tabStorage.setItem(EMAIL_KEY, email)
  try {
    await readSettings()
    return true
  } catch (error) {
    revoke()
    // The token of the user who was signed in before is gone, so the page asks to sign in again.
    if (session.get().settings) session.set({ ended: 'expired' })
    if (hasStatus(error, 403)) return false
    throw error
  }
}

const leave = (): void => {
  tabStorage.clear()
  location.assign('./')
}

export const signOut = (): void => {
  revoke()
  leave()
}

export const signOutEverywhere = async (): Promise<void> => {
  await dataOf(sessionApi.auth.logout_all.$post())
  leave()
}

/** Changes the user's password. Other sessions of the user end. This session gets a new token. */
export const changePassword = async (current_password: string, password: string): Promise<void> => {
  const json = { current_password, password }
  storedToken.set((await dataOf(sessionApi.auth.password.$post({ json }))).token)
}

/** Asks the user to sign in again. Resolves once the user has signed in. */
export const waitForSignIn = (ended: 'expired' | 'idle' = 'expired'): Promise<void> => {
  if (session.get().ended === undefined) session.set({ ended })
  return new Promise((resolve) => waiting.push(resolve))
}

export const endIdleSession = (): void => {
  const { settings, ended } = session.get()
  if (!settings || ended || !isIdle()) return
  void waitForSignIn('idle')
  revoke()
}

/** Restores the tab's session, and ends it later if nobody uses the page. */
export const startSession = async (): Promise<void> => {
  for (const event of ['keydown', 'pointerdown', 'scroll'] as const) {
    addEventListener(event, () => session.get().ended || isIdle() || markActivity(), {
      passive: true,
      capture: true,
    })
  }
  setInterval(endIdleSession, IDLE_CHECK_MS)
  document.addEventListener('visibilitychange', endIdleSession)

  if (isIdle()) revoke()
  if (!storedToken.get()) return session.set({ isStarting: false })
  await enter().catch((error) => {
    if (hasStatus(error, 401) || hasStatus(error, 403)) storedToken.clear()
    const notice = hasStatus(error, 401) ? 'Tu sesión terminó. Entra de nuevo.' : messageOf(error)
    session.set({ isStarting: false, notice })
  })
}
