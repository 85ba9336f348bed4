import { useEffect } from 'hono/jsx/dom'
import { connection } from './api/connection.ts'
import { session, signedIn, signOut } from './api/session.ts'
import { linkTo, type Route, useRoute } from './routes.ts'
import { lastBranch } from './state/last-branch.ts'
import { useStore } from './state/store.ts'
import { ui } from './state/ui.ts'
import { OFFLINE_MESSAGE } from './text.ts'
import { Icon } from './ui/icon.tsx'
import { lazyView } from './ui/lazy.tsx'
import { Menu } from './ui/menu.tsx'
import { Toast } from './ui/toast.tsx'
import { PasswordDialog, SignOutEverywhereDialog } from './views/account.tsx'
import { DecisionDialog } from './views/decision-dialog.tsx'
import { Help } from './views/help.tsx'
import { LogView } from './views/log.tsx'
import { QueueView } from './views/queue.tsx'
import { SignIn, SignInAgain } from './views/sign-in.tsx'

const SECTIONS: [path: string, name: string][] = [
  ['checadas', 'Checadas'],
  ['horas', 'Horas'],
  ['cierres', 'Cierres'],
  ['relojes', 'Relojes'],
]

const more = () => import('./views/more.ts')
const HoursView = lazyView(async () => (await more()).HoursView)
const ClosingsView = lazyView(async () => (await more()).ClosingsView)
const SourcesView = lazyView(async () => (await more()).SourcesView)
const CardsView = lazyView(async () => (await more()).CardsView)
const ManualLogView = lazyView(async () => (await more()).ManualLogView)
const PeopleView = lazyView(async () => (await import('./views/people/people.tsx')).PeopleView)
const access = () => import('./views/access.ts')
const UsersView = lazyView(async () => (await access()).UsersView)
const InvitationsView = lazyView(async () => (await access()).InvitationsView)
const InvitationView = lazyView(async () => (await access()).InvitationView)
const HelpView = lazyView(async () => (await import('./views/help-page.tsx')).HelpView)

const View = ({ route }: { route: Route }) => {
  const [section = 'checadas', id] = route.path
  if (section === 'horas') return <HoursView route={route} />
  if (section === 'cierres') return <ClosingsView route={route} />
  if (section === 'relojes') return <SourcesView />
  if (section === 'personas') return <PeopleView route={route} />
  if (section === 'usuarios') return <UsersView route={route} />
  if (section === 'invitaciones') return <InvitationsView route={route} />
  if (section === 'ayuda') return <HelpView />
  if (section === 'tarjeta') return <CardsView route={route} />
  if (section === 'agregar') return <ManualLogView route={route} />
  if (section === 'checadas' && id) return <LogView log_id={Number(id) || 0} />
  return <QueueView route={route} />
}

/** The query of a tab's link: the lists open with the branch that was chosen last. */
const branchQuery = (path: string) =>
  path === 'checadas' || path === 'horas' ? { branch_office: lastBranch() } : {}

const TopBar = ({ section }: { section: string }) => (
  <header class="top">
    <a class="brand" href={linkTo('checadas', branchQuery('checadas'))}>
      <img src="icon.svg" alt="" width="24" height="24" />
      Checada
    </a>
    <nav aria-label="Secciones">
      {SECTIONS.map(([path, name]) => (
        <a
          key={path}
          class="section"
          href={linkTo(path, branchQuery(path))}
          aria-current={section === path ? 'page' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
    <Menu
      summary={
        <>
          <span>{signedIn().user.full_name}</span> <Icon name="menu" />
          <b class="sr">Menú</b>
        </>
      }
    >
      {signedIn().user.may_keep_people && (
        <a key="people" href={linkTo('personas')}>
          Personas
        </a>
      )}
      {signedIn().user.may_keep_users && <a href={linkTo('usuarios')}>Usuarios</a>}
      <a href={linkTo('ayuda')}>Ayuda</a>
      <button type="button" class="quiet" onClick={() => ui.set({ helpOpen: true })}>
        Atajos de teclado
      </button>
      <button type="button" class="quiet" onClick={() => ui.set({ account: 'password' })}>
        Cambiar mi contraseña
      </button>
      <button type="button" class="quiet" onClick={() => ui.set({ account: 'sign-out' })}>
        Cerrar todas mis sesiones
      </button>
      <button type="button" class="quiet" onClick={signOut}>
        Salir
      </button>
    </Menu>
  </header>
)

const closeAccount = () => ui.set({ account: undefined })

const Page = () => {
  const route = useRoute()
  const { online } = useStore(connection)
  const { account, deciding, helpOpen } = useStore(ui)
  const section = route.path[0] ?? 'checadas'
  // The other views are there when the connection goes.
  useEffect(() => void more().catch(() => {}), [])
  return (
    <div class="page">
      <TopBar section={section} />
      <p class={`offline ${online ? '' : 'shown'}`} role="status">
        {!online && <Icon name="alert" />}
        {online ? '' : OFFLINE_MESSAGE}
      </p>
      <View route={route} />
      <Toast />
      {deciding && <DecisionDialog key="deciding" {...deciding} />}
      {helpOpen && <Help key="help" />}
      {account === 'password' && <PasswordDialog key="password" onClose={closeAccount} />}
      {account === 'sign-out' && <SignOutEverywhereDialog key="sign-out" onClose={closeAccount} />}
    </div>
  )
}

/**
 * Every component with state must have one root element. Otherwise hono/jsx/dom moves its elements
 * at each update, and the focus is lost.
 */
export const App = () => {
  const { isStarting, settings, ended } = useStore(session)
  // An invitation is of somebody who has no password yet, whoever uses this tab.
  if (useRoute().path[0] === 'invitacion') {
    return (
      <div key="invitation">
        <InvitationView />
      </div>
    )
  }
  return (
    <div key="page">
      {isStarting && <main aria-busy="true" />}
      {!isStarting && !settings && <SignIn />}
      {settings && <Page />}
      {ended && <SignInAgain ended={ended} />}
    </div>
  )
}
