import './styles.css'
import { render } from 'preact'
import { takeInvitation } from '../account/invitation.api.ts'
import { isSupported } from '../ui/is-supported.ts'
import { followAddress } from '../ui/routes.ts'
import { App } from './app.tsx'
import { followCheckIns } from './check-ins.ts'
import { installPage } from './install.ts'
import { followPushChoice } from './push.ts'
import { keepSending } from './sending.ts'
import { followOtherTabs } from './session.ts'

const root = document.getElementById('mi')
if (root && isSupported()) {
  takeInvitation()
  addEventListener('hashchange', takeInvitation)
  followAddress()
  followOtherTabs()
  followPushChoice()
  followCheckIns()
  root.replaceChildren()
  render(<App />, root)
  keepSending()
  void installPage().catch(() => {})
}
