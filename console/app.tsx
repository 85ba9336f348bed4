import { type FC, useEffect } from 'hono/jsx/dom'
import { connection } from './api/connection.ts'
import { beginSession, lastEmail, session, signedIn, signOut } from './api/session.ts'
import { linkTo, type Route, useRoute } from './routes.ts'
import { undoLast } from './state/decisions.ts'
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

const laterViews = () => import('./views/later-views.ts')
const HoursView = lazyView(async () => (await laterViews()).HoursView)
const ClosingsView = lazyView(async () => (await laterViews()).ClosingsView)
const SourcesView = lazyView(async () => (await laterViews()).SourcesView)
const CardsView = lazyView(async () => (await laterViews()).CardsView)
const ManualLogView = lazyView(async () => (await laterViews()).ManualLogView)
const PeopleView = lazyView(async () => (await import('./views/people/people.tsx')).PeopleView)
const UsersView = lazyView(async () => (await import('./views/users.tsx')).UsersView)
const InvitationsView = lazyView(
  async () => (await import('./views/invitations.tsx')).InvitationsView,
)
const AgreementsView = lazyView(async () => (await import('./views/agreements.tsx')).AgreementsView)
const InvitationPage = lazyView(async () => (await import('./ui/invitation.tsx')).InvitationPage)
const InspectionView = lazyView(async () => (await import('./views/inspection.tsx')).InspectionView)
const HelpView = lazyView(async () => (await import('./views/help-page.tsx')).HelpView)

interface Section {
  name?: string
  may: 'may_read' | 'may_keep_people' | 'may_keep_users' | 'may_read_agreements'
  View: FC<{ route: Route }>
}

const LogsView: FC<{ route: Route }> = ({ route }) => {
  const id = route.path[1]
  return id ? <LogView log_id={Number(id) || 0} /> : <QueueView route={route} />
}

const SECTIONS: Record<string, Section> = {
  checadas: { name: 'Checadas', may: 'may_read', View: LogsView },
  horas: { name: 'Horas', may: 'may_read', View: HoursView },
  cierres: { name: 'Cierres', may: 'may_read', View: ClosingsView },
  relojes: { name: 'Relojes', may: 'may_read', View: SourcesView },
  tarjeta: { may: 'may_read', View: CardsView },
  inspeccion: { may: 'may_read', View: InspectionView },
  agregar: { may: 'may_read', View: ManualLogView },
  personas: { name: 'Personas', may: 'may_keep_people', View: PeopleView },
  invitaciones: { may: 'may_keep_people', View: InvitationsView },
  acuerdo: { name: 'Acuerdo', may: 'may_read_agreements', View: AgreementsView },
  usuarios: { name: 'Usuarios', may: 'may_keep_users', View: UsersView },
}

/** Whether a section is in the menu. Users who may not read logs have all sections in the bar. */
const isInMenu = ({ may }: Section): boolean => may !== 'may_read' && signedIn().user.may_read

const home = (): string => (signedIn().user.may_read ? 'checadas' : 'personas')

const ofUser = (inMenu: boolean) =>
  Object.entries(SECTIONS).filter(
    ([, one]) => one.name && signedIn().user[one.may] && isInMenu(one) === inMenu,
  )

const NotForUser = () => (
  <main class="one">
    <h1>Tu usuario no usa esta sección</h1>
    <p class="lead">Si la necesitas, pide el permiso a quien administra los usuarios.</p>
    <p>
      <a class="button" href={linkTo(home())}>
        Ir a {SECTIONS[home()]?.name}
      </a>
    </p>
  </main>
)

const View = ({ route }: { route: Route }) => {
  const [section = home()] = route.path
  if (section === 'ayuda') return <HelpView />
  // An unknown section shows the logs.
  const { may, View: Chosen } = SECTIONS[section] ?? { may: 'may_read', View: LogsView }
  return signedIn().user[may] ? <Chosen route={route} /> : <NotForUser />
}

/** The query of a section's link. Logs and hours open with the branch that was chosen last. */
const branchQuery = (path: string) =>
  path === 'checadas' || path === 'horas' ? { branch_office: lastBranch() } : {}

const TopBar = ({ section }: { section: string }) => (
  <header class="top">
    <a class="brand" href={linkTo(home(), branchQuery(home()))}>
      <img src="icon.svg" alt="" width="24" height="24" />
      Checada
    </a>
    <nav aria-label="Secciones">
      {ofUser(false).map(([path, { name }]) => (
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
      {ofUser(true).map(([path, { name }]) => (
        <a key={path} href={linkTo(path)}>
          {name}
        </a>
      ))}
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

const Page = ({ route }: { route: Route }) => {
  const { online } = useStore(connection)
  const { account, deciding, helpOpen } = useStore(ui)
  const section = route.path[0] ?? home()
  // The views of `later-views.ts` are loaded now, so that they can be opened without a connection.
  useEffect(() => void laterViews().catch(() => {}), [])
  return (
    <div class="page">
      <TopBar section={section} />
      <p class={`offline ${online ? '' : 'shown'}`} role="status">
        {!online && <Icon name="alert" />}
        {online ? '' : OFFLINE_MESSAGE}
      </p>
      <View route={route} />
      <Toast onUndo={undoLast} />
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
  // Only this component calls `useRoute`. If a view called it too, the view would read its data
  // twice.
  const route = useRoute()
  // An invitation may be for another person than the user who has signed in in this tab.
  if (route.path[0] === 'invitacion') {
    return (
      <div key="invitation">
        <InvitationPage
          before={settings && { name: settings.user.full_name, email: lastEmail() }}
          enter={({ token, user }) => beginSession(token, user.email)}
        />
      </div>
    )
  }
  return (
    <div key="page">
      {isStarting && <main aria-busy="true" />}
      {!isStarting && !settings && <SignIn />}
      {settings && <Page route={route} />}
      {ended && <SignInAgain ended={ended} />}
    </div>
  )
}
