import { dataOf } from '../../sdk/api-client.ts'
import { sessionApi } from '../session/client.ts'
import { createStore } from '../session/store.ts'

/** The token of the invitation that this page was opened with. It is kept nowhere else. */
export const invitation = createStore<{ token?: string }>({})

/**
 * Removes the token from the page's address, so that neither the browser's history nor a shared
 * screen shows it. The token is sent only in the bodies of the two requests below.
 */
export const takeInvitation = (): void => {
  const [, token] = /^#\/invitacion\/([\w-]+)$/.exec(location.hash) ?? []
  if (!token) return
  history.replaceState(null, '', '#/invitacion')
  invitation.set({ token })
}

export const checkInvitation = (token: string) =>
  dataOf(sessionApi.auth.invitation.check.$post({ json: { token } }))

/** Sets the password. Returns the user with the token of a new session. */
export const acceptInvitation = (token: string, password: string) =>
  dataOf(sessionApi.auth.invitation.$post({ json: { token, password } }))
