import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { limitSignIns } from '../core/http/rate-limit.ts'
import { issueToken } from '../core/http/token.ts'
import { validate } from '../core/http/validate.ts'
import { signedIn } from '../session/session.ts'
import { checkInvitation, setPasswordByLink } from './invitations.ts'
import { InvitationAcceptBody, InvitationCheckBody } from './users.schemas.ts'

/** What the holder of a link may do without a token: see whose it is, and set a password. */
export const invitations = createApp()
  .post('/invitation/check', validate(InvitationCheckBody), limitSignIns, async (c) => {
    const { db, settings, now } = c.var
    const { token } = c.req.valid('json')
    const invited = await checkInvitation(db, token, { settings, now })
    const { full_name, email, expires_at } = invited
    return c.json(success('Enlace vigente.', { full_name, email, expires_at }), 200)
  })
  .post('/invitation', validate(InvitationAcceptBody), limitSignIns, async (c) => {
    const { token: linkToken, password } = c.req.valid('json')
    const { db, settings, now } = c.var
    const use = { settings, now }
    const { user, token_version } = await setPasswordByLink(db, linkToken, password, use)
    c.set('signedInId', user.id)
    const token = await issueToken({ id: user.id, tokenVersion: token_version }, settings, now)
    return c.json(success('La contraseña quedó guardada.', signedIn(user, token)), 200)
  })
