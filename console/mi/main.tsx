import { render } from 'preact'
import { takeInvitation } from '../account/invitation.api.ts'
import { followAddress } from '../ui/routes.ts'
import { App } from './app.tsx'
import { followCheckIns } from './check-ins.ts'
import { installPage } from './install.ts'
import { followPushChoice } from './push.ts'
import { keepSending } from './sending.ts'
import { followOtherTabs } from './session.ts'

takeInvitation()
addEventListener('hashchange', takeInvitation)
followAddress()
followOtherTabs()
followPushChoice()
followCheckIns()
const root = document.getElementById('mi')
if (root) {
  root.replaceChildren()
  render(<App />, root)
}
keepSending()
void installPage().catch(() => {})
