/** The views of users and their invitations, in one file. */
export { InvitationView } from './invitation.tsx'
export { InvitationsView } from './invitations.tsx'
export { UsersView } from './users.tsx'
