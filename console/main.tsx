import { render } from 'hono/jsx/dom'
import { takeInvitation } from './api/invitation.ts'
import { startSession } from './api/session.ts'
import { App } from './app.tsx'
import { listenToShortcuts } from './shortcuts.ts'

takeInvitation()
addEventListener('hashchange', takeInvitation)
const root = document.getElementById('console')
if (root) render(<App />, root)
listenToShortcuts()
void startSession()
