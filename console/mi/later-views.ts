/** The views that are loaded after the first view, in one file. */
export { InvitationPage } from '../account/invitation-page.tsx'
export { AgreementView } from './agreement.tsx'
export { CardsView } from './cards.tsx'
export { DaysView } from './days.tsx'
export { PasswordView } from './password.tsx'
export { RequestView } from './request.tsx'
