import './styles.css'
import { render } from 'preact'
import { takeInvitation } from './account/invitation.api.ts'
import { App } from './app.tsx'
import { listenToShortcuts } from './review/shortcuts.ts'
import { startSession } from './session/session.ts'
import { isSupported } from './ui/is-supported.ts'
import { keepFocus } from './ui/keep-focus.ts'
import { followAddress } from './ui/routes.ts'

const root = document.getElementById('console')
if (root && isSupported()) {
  takeInvitation()
  addEventListener('hashchange', takeInvitation)
  followAddress()
  root.replaceChildren()
  render(<App />, root)
  listenToShortcuts()
  keepFocus()
  void startSession()
}
