import type { FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { connection } from '../session/connection.ts'
import { useStore } from '../session/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyView } from '../ui/lazy.tsx'
import { linkTo, type Route, useRoute } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import { Toast } from '../ui/toast.tsx'
import { ui } from '../ui/ui-state.ts'
import { checkIns } from './check-ins.ts'
import { HomeView } from './home.tsx'
import { currentSession, enterInvited, type Session, signOut } from './session.ts'
import { SignInAgain, SignInPage } from './sign-in.tsx'

const laterViews = () => import('./later-views.ts')
const AgreementView = lazyView(async () => (await laterViews()).AgreementView)
const CardsView = lazyView(async () => (await laterViews()).CardsView)
const DaysView = lazyView(async () => (await laterViews()).DaysView)
const InvitationPage = lazyView(async () => (await laterViews()).InvitationPage)
const PasswordView = lazyView(async () => (await laterViews()).PasswordView)
const RequestView = lazyView(async () => (await laterViews()).RequestView)

const SECTIONS: Record<string, { name?: string; View: FunctionComponent<{ route: Route }> }> = {
  checar: { name: 'Checar', View: HomeView },
  dias: { name: 'Mis días', View: DaysView },
  tarjetas: { name: 'Tarjetas', View: CardsView },
  pedir: { View: RequestView },
  acuerdo: { name: 'Acuerdo', View: AgreementView },
  contrasena: { View: PasswordView },
}

const LeaveDialog = ({ count, onClose }: { count: number; onClose: () => void }) => {
  const { unsaved } = useStore(checkIns)
  const isOne = count === 1
  return (
    <Dialog title="¿Salir sin enviar?" onClose={onClose}>
      <p>
        {isOne ? 'Queda' : 'Quedan'} {counted(count, 'checada')} por enviar.{' '}
        {unsaved.length > 0
          ? 'Lo que este teléfono no pudo guardar se pierde si cierras esta página.'
          : `${isOne ? 'Se guarda' : 'Se guardan'} en este teléfono hasta que vuelvas a entrar aquí; nadie más ${isOne ? 'la' : 'las'} puede enviar.`}
      </p>
      <footer>
        <button type="button" onClick={onClose}>
          Quedarme
        </button>
        <button type="button" class="primary" onClick={signOut}>
          Salir
        </button>
      </footer>
    </Dialog>
  )
}

const Page = ({ session, route }: { session: Session; route: Route }) => {
  const { online } = useStore(connection)
  const { all } = useStore(checkIns)
  const [isLeaving, setLeaving] = useState(false)
  // The last message was about the previous user, and is not shown to this one for even a frame.
  useLayoutEffect(() => ui.set({ message: '' }), [])
  // The views of `later-views.ts` are loaded now, so that they can be opened without a connection.
  useEffect(() => void laterViews().catch(() => {}), [])
  const unsent = all.filter(({ user_id }) => user_id === session.user_id).length
  const [section = 'checar'] = route.path
  const chosen = Object.hasOwn(SECTIONS, section) ? section : 'checar'
  const View = SECTIONS[chosen]?.View ?? HomeView
  return (
    <div class="page">
      <header class="top">
        <a class="brand" href={linkTo('')}>
          <img src="icon.svg" alt="" width="24" height="24" />
          Checada
        </a>
        <button
          type="button"
          class="quiet"
          onClick={() => (unsent > 0 ? setLeaving(true) : signOut())}
        >
          Salir
        </button>
      </header>
      <nav class="tabs" aria-label="Secciones">
        {Object.entries(SECTIONS).map(
          ([path, { name }]) =>
            name && (
              <a key={path} href={linkTo(path)} aria-current={path === chosen ? 'page' : undefined}>
                {name}
              </a>
            ),
        )}
      </nav>
      <p class={`offline ${online ? '' : 'shown'}`} role="status">
        {!online && <Icon name="alert" />}
        {online ? '' : 'Sin conexión. Puedes checar: se envía cuando vuelva la señal.'}
      </p>
      {!session.token && <SignInAgain session={session} />}
      {/* A link to another day opens the view again. */}
      <View key={`${chosen} ${route.query.dia}`} route={route} />
      <Toast />
      {isLeaving && <LeaveDialog count={unsent} onClose={() => setLeaving(false)} />}
    </div>
  )
}

export const App = () => {
  const { session } = useStore(currentSession)
  const route = useRoute()
  if (route.path[0] === 'invitacion') {
    return (
      <div key="invitation">
        <InvitationPage before={session} enter={enterInvited} />
      </div>
    )
  }
  // For another user the page is created again, so that no data of the previous user is left.
  return (
    <div key={session?.user_id ?? 'nobody'}>
      {session ? <Page session={session} route={route} /> : <SignInPage />}
    </div>
  )
}
