import { render } from 'hono/jsx/dom'
import { takeInvitation } from './api/invitation.ts'
import { startSession } from './api/session.ts'
import { App } from './app.tsx'
import { followAddress } from './routes.ts'
import { listenToShortcuts } from './shortcuts.ts'

takeInvitation()
addEventListener('hashchange', takeInvitation)
followAddress()
const root = document.getElementById('console')
if (root) render(<App />, root)
listenToShortcuts()
void startSession()
