import { render } from 'hono/jsx/dom'
import { startSession } from './api/session.ts'
import { App } from './app.tsx'
import { listenToShortcuts } from './shortcuts.ts'

const root = document.getElementById('console')
if (root) render(<App />, root)
listenToShortcuts()
void startSession()
