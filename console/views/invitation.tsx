import { beginSession, lastEmail, session } from '../api/session.ts'
import { useStore } from '../state/store.ts'
import { InvitationPage } from '../ui/invitation.tsx'

export const InvitationView = () => {
  const { settings } = useStore(session)
  const before = settings && { name: settings.user.full_name, email: lastEmail() }
  return (
    <InvitationPage before={before} enter={({ token, user }) => beginSession(token, user.email)} />
  )
}
