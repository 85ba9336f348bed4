import { QueryClientProvider } from '@tanstack/preact-query'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { askForPassword, askToSignOutEverywhere } from './account/account.tsx'
import { SignIn, SignInAgain } from './account/sign-in.tsx'
import { undoLast } from './review/decisions.ts'
import { findPerson } from './review/find-person.tsx'
import { LogView } from './review/log.tsx'
import { QueueView } from './review/queue.tsx'
import { showShortcuts } from './review/shortcuts-dialog.tsx'
import { connection } from './session/connection.ts'
import { lastBranch } from './session/last-branch.ts'
import {
  type Ability,
  beginSession,
  can,
  lastEmail,
  session,
  signedIn,
  signOut,
} from './session/session.ts'
import { useStore } from './session/store.ts'
import { Dialogs } from './ui/ask.tsx'
import { isPhone } from './ui/fields.tsx'
import { Icon } from './ui/icon.tsx'
import { lazyView } from './ui/lazy.tsx'
import { Menu } from './ui/menu.tsx'
import { Page } from './ui/page.tsx'
import { queries } from './ui/queries.ts'
import { linkTo, type Route, useRoute } from './ui/routes.ts'
import { OFFLINE_MESSAGE } from './ui/text.ts'
import { Toast } from './ui/toast.tsx'

const laterViews = () => import('./later-views.ts')
const TodayView = lazyView(async () => (await laterViews()).TodayView)
const HoursView = lazyView(async () => (await laterViews()).HoursView)
const ClosingsView = lazyView(async () => (await laterViews()).ClosingsView)
const SourcesView = lazyView(async () => (await laterViews()).SourcesView)
const CardsView = lazyView(async () => (await laterViews()).CardsView)
const ManualLogView = lazyView(async () => (await laterViews()).ManualLogView)
const PersonPage = lazyView(async () => (await laterViews()).PersonPage)
const PeopleView = lazyView(async () => (await import('./people/people.tsx')).PeopleView)
const UsersView = lazyView(async () => (await import('./users/users.tsx')).UsersView)
const InvitationsView = lazyView(
  async () => (await import('./people/invitations.tsx')).InvitationsView,
)
const AgreementsView = lazyView(
  async () => (await import('./agreements/agreements.tsx')).AgreementsView,
)
const InvitationPage = lazyView(
  async () => (await import('./account/invitation-page.tsx')).InvitationPage,
)
const CompanyView = lazyView(async () => (await import('./company/company.tsx')).CompanyView)
const InspectionView = lazyView(
  async () => (await import('./inspection/inspection.tsx')).InspectionView,
)
const HelpView = lazyView(async () => (await import('./help/help-page.tsx')).HelpView)
const IrregularitiesView = lazyView(
  async () => (await import('./help/irregularities-page.tsx')).IrregularitiesView,
)

interface Section {
  name?: string
  /** The user needs one of them. */
  abilities: readonly Ability[]
  View: FunctionComponent<{ route: Route }>
}

const LogsView: FunctionComponent<{ route: Route }> = ({ route }) => {
  const id = route.path[1]
  return id ? <LogView log_id={Number(id) || 0} /> : <QueueView route={route} />
}

const SECTIONS: Record<string, Section> = {
  hoy: { name: 'Hoy', abilities: ['read_hours'], View: TodayView },
  checadas: { name: 'Checadas', abilities: ['read_hours'], View: LogsView },
  horas: { name: 'Horas', abilities: ['read_hours'], View: HoursView },
  cierres: { name: 'Cierres', abilities: ['read_hours'], View: ClosingsView },
  relojes: { name: 'Relojes', abilities: ['read_hours', 'keep_people'], View: SourcesView },
  tarjeta: { abilities: ['read_hours'], View: CardsView },
  inspeccion: { abilities: ['read_hours'], View: InspectionView },
  agregar: { abilities: ['read_hours'], View: ManualLogView },
  persona: { abilities: ['read_hours'], View: PersonPage },
  personas: { name: 'Personas', abilities: ['keep_people'], View: PeopleView },
  invitaciones: { abilities: ['keep_people'], View: InvitationsView },
  acuerdo: { name: 'Acuerdo', abilities: ['read_agreements'], View: AgreementsView },
  empresa: { name: 'Empresa', abilities: ['pay'], View: CompanyView },
  usuarios: { name: 'Usuarios', abilities: ['keep_users'], View: UsersView },
}

const home = (): string => (can('read_hours') ? 'hoy' : 'personas')

const ofUser = () =>
  Object.entries(SECTIONS).filter(([, one]) => one.name && one.abilities.some(can))

const NotForUser = () => (
  <Page
    title="Tu usuario no usa esta sección"
    lead="Si la necesitas, pide el permiso a quien administra los usuarios."
  >
    <p>
      <a class="button" href={linkTo(home())}>
        Ir a {SECTIONS[home()]?.name}
      </a>
    </p>
  </Page>
)

const View = ({ route }: { route: Route }) => {
  const [section = home()] = route.path
  if (section === 'ayuda') {
    return route.path[1] === 'irregularidades' ? <IrregularitiesView /> : <HelpView />
  }
  const shown = Object.hasOwn(SECTIONS, section) ? section : home()
  const { abilities, View: Chosen } = SECTIONS[shown] as Section
  return abilities.some(can) ? <Chosen route={route} /> : <NotForUser />
}

/**
 * The query of a section's link. Logs and hours open with the branch that was chosen last, and hours
 * with the picture of people and days. A phone has room for the list alone.
 */
const queryOfSection = (path: string): Record<string, string | undefined> => {
  if (path !== 'checadas' && path !== 'horas') return {}
  const ver = path === 'horas' && !isPhone() ? 'personas' : undefined
  return { branch_office: lastBranch(), ver }
}

const TopBar = ({ section }: { section: string }) => {
  const nav = useRef<HTMLElement>(null)
  const current = useRef<HTMLAnchorElement>(null)
  // On a phone the bar is wider than the screen.
  useEffect(() => {
    nav.current?.scrollTo({ left: (current.current?.offsetLeft ?? 0) - innerWidth / 3 })
  }, [section])
  return (
    <header class="top">
      <a class="brand" href={linkTo(home())}>
        <img src="icon.svg" alt="" width="24" height="24" />
        Checada
      </a>
      <nav aria-label="Secciones" ref={nav}>
        {ofUser().map(([path, { name }]) => (
          <a
            key={path}
            ref={section === path ? current : null}
            class="section"
            href={linkTo(path, queryOfSection(path))}
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
        <a href={linkTo('ayuda')}>Ayuda</a>
        <button type="button" class="quiet" onClick={findPerson}>
          Buscar a una persona
        </button>
        <button type="button" class="quiet" onClick={showShortcuts}>
          Atajos de teclado
        </button>
        <button type="button" class="quiet" onClick={askForPassword}>
          Cambiar mi contraseña
        </button>
        <button type="button" class="quiet" onClick={askToSignOutEverywhere}>
          Cerrar todas mis sesiones
        </button>
        <button type="button" class="quiet" onClick={signOut}>
          Salir
        </button>
      </Menu>
    </header>
  )
}

const Frame = ({ route }: { route: Route }) => {
  const { online } = useStore(connection)
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
      <Dialogs route={route} />
    </div>
  )
}

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
      {settings && (
        <QueryClientProvider client={queries}>
          <Frame route={route} />
        </QueryClientProvider>
      )}
      {ended && <SignInAgain ended={ended} />}
    </div>
  )
}
