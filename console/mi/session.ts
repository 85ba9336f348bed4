import { createClient, dataOf } from '../../sdk/api-client.ts'
import type { SignedIn } from '../../sdk/api-types.ts'
import { endsSession, hasStatus, messageOf, sessionApi } from '../session/client.ts'
import { fetchInTime } from '../session/fetch-in-time.ts'
import { browserStorage, tabStorage } from '../session/storage.ts'
import { createStore } from '../session/store.ts'
import { endSubscription } from './subscription.ts'

const KEY = 'checada.mi'
const SHARED_KEY = 'checada.mi.shared'

/**
 * The user of the page. If the service refuses the token, only the token is deleted, so that the
 * person can still check in.
 */
export interface Session {
  user_id: number
  name: string
  email: string
  token?: string
}

/** Reads the session that is stored in the tab, or else the session that is stored on the phone. */
const readStored = (): Session | undefined => {
  try {
    return JSON.parse(tabStorage.getItem(KEY) ?? browserStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    // What the browser has stored is damaged.
    return undefined
  }
}

/** Runs a write. If it fails, the session lasts until the page is closed. */
const tryToStore = (write: () => void): void => {
  try {
    write()
  } catch {
    // The storage is full.
  }
}

export const currentSession = createStore<{ session?: Session | undefined }>({
  session: readStored(),
})

const storageOf = (isShared: boolean) => (isShared ? tabStorage : browserStorage)

export const isSharedPhone = (): boolean => browserStorage.getItem(SHARED_KEY) !== null

/** Stores a session in place of any other. On a shared phone, only the tab keeps the session. */
const begin = ({ token, user }: SignedIn, isShared: boolean): void => {
  const { id: user_id, email } = user
  const name = [user.first_name, user.last_name].join(' ').trim()
  const session = { user_id, name, email, token }
  tryToStore(() => {
    storageOf(!isShared).removeItem(KEY)
    storageOf(isShared).setItem(KEY, JSON.stringify(session))
    if (isShared) browserStorage.setItem(SHARED_KEY, '1')
    else browserStorage.removeItem(SHARED_KEY)
  })
  currentSession.set({ session })
}

/** Deletes the token of a session in the tab and on the phone. A newer session is not changed. */
const forgetToken = (session: Session): void => {
  const { token, ...rest } = session
  tryToStore(() => {
    for (const storage of [tabStorage, browserStorage]) {
      const stored: Session | null = JSON.parse(storage.getItem(KEY) ?? 'null')
      if (stored?.token === token) storage.setItem(KEY, JSON.stringify(rest))
    }
  })
  if (currentSession.get().session?.token === token) currentSession.set({ session: rest })
}

/** A client with the token of this session, even if somebody else has signed in meanwhile. */
export const apiOf = (session: Session) =>
  createClient(location.origin, {
    token: session.token,
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const response = await fetchInTime(input, init)
      if (session.token && (await endsSession(response))) forgetToken(session)
      return response
    },
  })

export const signedIn = (): Session => {
  const { session } = currentSession.get()
  if (!session) throw new Error('Nobody has signed in.')
  return session
}

export const api = () => apiOf(signedIn())

const revoke = async (session: Session | undefined): Promise<void> => {
  if (session?.token) await dataOf(apiOf(session).auth.logout.$post()).catch(() => {})
}

/** Signs in. Returns a message if the user could not sign in. */
export const signIn = async (
  email: string,
  password: string,
  isShared: boolean,
): Promise<string | undefined> => {
  try {
    begin(await dataOf(sessionApi.auth.login.$post({ json: { email, password } })), isShared)
  } catch (error) {
    // The service's message has no word for a number.
    return hasStatus(error, 401)
      ? 'El número o correo, o la contraseña, no son correctos.'
      : messageOf(error)
  }
}

/** Changes the user's password. Other sessions of the user end. This session gets a new token. */
export const changePassword = async (current_password: string, password: string): Promise<void> => {
  const session = signedIn()
  const json = { current_password, password }
  const { token } = await dataOf(apiOf(session).auth.password.$post({ json }))
  tryToStore(() => storageOf(isSharedPhone()).setItem(KEY, JSON.stringify({ ...session, token })))
  currentSession.set({ session: { ...session, token } })
}

/** Begins the session of a user who has set a password, and ends the previous session. */
export const enterInvited = async (signedIn: SignedIn): Promise<boolean> => {
  const { session } = currentSession.get()
  begin(signedIn, isSharedPhone())
  await revoke(session)
  return true
}

/**
 * Ends the session. The session is deleted before its token is revoked, so that no tab gets a
 * rejected token and asks to sign in again. Unsent check-ins stay for the person's next session.
 * Messages end in the browser too, since the token may not be revoked without a network.
 */
export const signOut = async (): Promise<void> => {
  const { session } = currentSession.get()
  tryToStore(() => {
    tabStorage.removeItem(KEY)
    browserStorage.removeItem(KEY)
  })
  currentSession.set({ session: undefined })
  await Promise.all([revoke(session), endSubscription().catch(() => {})])
}

/** Follows sign-ins and sign-outs in other tabs, unless this tab has a session of its own. */
export const followOtherTabs = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === KEY) currentSession.set({ session: readStored() })
  })
