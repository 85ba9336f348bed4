import { render } from 'preact'
import { takeInvitation } from './account/invitation.api.ts'
import { App } from './app.tsx'
import { listenToShortcuts } from './review/shortcuts.ts'
import { startSession } from './session/session.ts'
import { followAddress } from './ui/routes.ts'

takeInvitation()
addEventListener('hashchange', takeInvitation)
followAddress()
const root = document.getElementById('console')
if (root) render(<App />, root)
listenToShortcuts()
void startSession()
