import { useEffect } from 'hono/jsx/dom'
import { connection } from './api/connection.ts'
import { session, signedIn, signOut } from './api/session.ts'
import { linkTo, type Route, useRoute } from './routes.ts'
import { lastBranch } from './state/last-branch.ts'
import { useStore } from './state/store.ts'
import { ui } from './state/ui.ts'
import { OFFLINE_MESSAGE } from './text.ts'
import { Icon } from './ui/icon.tsx'
import { Toast } from './ui/toast.tsx'
import { CardsView } from './views/cards.tsx'
import { ClosingsView } from './views/closings.tsx'
import { DecisionDialog } from './views/decision-dialog.tsx'
import { Help } from './views/help.tsx'
import { HoursView } from './views/hours.tsx'
import { LogView } from './views/log.tsx'
import { ManualLogView } from './views/manual-log.tsx'
import { QueueView } from './views/queue.tsx'
import { SignIn, SignInAgain } from './views/sign-in.tsx'
import { SourcesView } from './views/sources.tsx'

const SECTIONS: [path: string, name: string][] = [
  ['checadas', 'Checadas'],
  ['horas', 'Horas'],
  ['cierres', 'Cierres'],
  ['relojes', 'Relojes'],
]

const View = ({ route }: { route: Route }) => {
  const [section = 'checadas', id] = route.path
  if (section === 'horas') return <HoursView route={route} />
  if (section === 'cierres') return <ClosingsView />
  if (section === 'relojes') return <SourcesView />
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
    <details class="menu">
      <summary>
        <span>{signedIn().user.full_name}</span> <Icon name="menu" />
        <b class="sr">Menú</b>
      </summary>
      <div>
        <button type="button" class="quiet" onClick={() => ui.set({ helpOpen: true })}>
          Atajos de teclado
        </button>
        <a href="/docs">Referencia de la API</a>
        <button type="button" class="quiet" onClick={signOut}>
          Salir
        </button>
      </div>
    </details>
  </header>
)

const Page = () => {
  const route = useRoute()
  const { online } = useStore(connection)
  const { deciding, helpOpen } = useStore(ui)
  const section = route.path[0] ?? 'checadas'
  useEffect(() => {
    document.querySelector('details.menu')?.removeAttribute('open')
  }, [route])
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
    </div>
  )
}

/**
 * Every component with state must have one root element. Otherwise hono/jsx/dom moves its elements
 * at each update, and the focus is lost.
 */
export const App = () => {
  const { isStarting, settings, ended } = useStore(session)
  return (
    <div>
      {isStarting && <main aria-busy="true" />}
      {!isStarting && !settings && <SignIn />}
      {settings && <Page />}
      {ended && <SignInAgain ended={ended} />}
    </div>
  )
}
