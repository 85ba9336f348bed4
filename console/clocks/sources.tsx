import { useEffect, useState } from 'preact/hooks'
import type { Clock, IntakeProblem, LogSource, UserRecord } from '../../sdk/api-types.ts'
import { can, seesAllBranches, signedIn } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem, Skeleton } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { Badge } from '../ui/status.tsx'
import { counted } from '../ui/text.ts'
import { dayAndMonth, shortMoment } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { readUsersOf } from '../users/users.queries.ts'
import { ClockAuthors } from './clock-confirm.tsx'
import { AddressButton } from './clock-misuse.tsx'
import { ClockActs, ClockState } from './clock-state.tsx'
import { readClocks } from './clocks.api.ts'
import { NewClocks } from './new-clocks.tsx'
import { DismissButton, SourceActs } from './source-acts.tsx'
import { clockLook, isSilent, lookOf, sourceOf } from './source-state.ts'
import { knownUntilText, readSources } from './sources.api.ts'
import { WaitingNumbers } from './waiting-numbers.tsx'

const REASONS: Record<string, string> = {
  unknown_employee: 'esa persona no está dada de alta',
  other_branch: 'esa persona es de otra sucursal',
  future: 'la hora está en el futuro: hay que ajustar el reloj',
  too_old: 'tiene más de 45 días',
  invalid: 'llegó incompleta o mal escrita',
  otra_red:
    'llamaron en su nombre desde otra dirección mientras él llamaba desde la suya: los días con esas checadas piden revisión',
  too_large: 'envía demasiado a la vez y conserva sus checadas: sube su archivo',
  too_many_waiting: 'más de 10,000 de sus checadas esperan, y conserva las demás: di de quién son',
  otra_zona: 'se guardó, pero con la hora de otra zona: revisa la zona de su sucursal o el reloj',
}

/** What came from elsewhere in a clock's name beyond what is stored of a person and day. */
const NOT_STORED =
  'llegaron en su nombre desde otra dirección más checadas de un día de las que se guardan, y no se guardaron'

/** The problems of a clock itself, not of a person's log. */
const OF_CLOCK = ['otra_red', 'too_large', 'too_many_waiting']

/** A clock's lines that could not be read are kept whole. Here is the beginning. */
const DETAIL_SHOWN = 200

const subjectOf = ({ employee_id, reason }: IntakeProblem): string =>
  employee_id || (OF_CLOCK.includes(reason ?? '') ? 'El reloj' : 'Sin persona')

const describeProblem = ({ result, reason, detail, near }: IntakeProblem): string => {
  if (result === 'differs') return 'llegó otra vez con datos distintos; se conservó la primera'
  const isCounted = result === 'refused' && reason === 'otra_red'
  const text = isCounted ? NOT_STORED : (REASONS[reason ?? ''] ?? 'no se aceptó')
  const more = near === null ? detail?.slice(0, DETAIL_SHOWN) : `se parece a ${near}`
  return more ? `${text} (${more})` : text
}

/**
 * The link to the page where a clock's key is made. It is the page of the clock's machine, or the
 * page for a new machine. Undefined until the machines have been read, if the settings name no role
 * for machines, or if the user may not manage users.
 */
const linkToKey = ({ source }: LogSource, machines: UserRecord[] | undefined) => {
  const isOfClock = ({ machine, sources }: UserRecord) => machine && sources?.includes(source)
  const user = machines?.find(isOfClock)
  if (user) return linkTo(`usuarios/${user.id}`)
  return machines && linkTo('usuarios/nuevo', { reloj: source })
}

type SourceProps = Parameters<typeof SourceActs>[0] & {
  /** Undefined if the source is no clock of the user's branches that connects by itself. */
  clock: Clock | undefined
}

const Source = ({ clock, ...props }: SourceProps) => {
  const { source, isRetired, onChanged } = props
  const mayKeep = can('keep_users')
  return (
    <li>
      <h2>
        {source.label ?? (clock ? `Reloj ${clock.serial}` : source.source)}
        {isRetired ? (
          <span class="status absent">Retirado</span>
        ) : (
          <Badge look={(clock && clockLook(clock)) ?? lookOf(source)} />
        )}
      </h2>
      {clock && <ClockState clock={clock} />}
      {clock && <ClockAuthors clock={clock} onChanged={onChanged} />}
      {clock?.receiving && (
        <p class="note">
          Todavía envía lo que tiene desde el {dayAndMonth(clock.from_day)}: no se sabe qué falta.
        </p>
      )}
      {(clock ? clock.last_seen_at && !clock.receiving : source.last_seen_at) && (
        <p class="note">
          {source.label && !clock && `${source.source}. `}
          {knownUntilText(source).replace(/^./, (first) => first.toUpperCase())}.
        </p>
      )}
      {source.problems.length > 0 && (
        <>
          <h3>{counted(source.problem_count, 'problema')}</h3>
          <ul class="problems">
            {source.problems.map((problem) => (
              <li key={problem.source_id + problem.employee_id}>
                <strong>{subjectOf(problem)}</strong>: {describeProblem(problem)}.{' '}
                <span class="note">
                  {counted(problem.count, 'vez', 'veces')}, la última el{' '}
                  {shortMoment(problem.last_at)}
                </span>
                {clock && <AddressButton clock={clock} problem={problem} onChanged={onChanged} />}
                {mayKeep && (
                  <DismissButton
                    source={source.source}
                    problem={problem}
                    about={`${subjectOf(problem)}: ${describeProblem(problem)}.`}
                    onChanged={onChanged}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {clock ? (
        <ClockActs clock={clock} onChanged={onChanged} />
      ) : (
        mayKeep && !source.source.startsWith('clock ') && <SourceActs {...props} />
      )}
    </li>
  )
}

/** How a clock finds the service. */
const HowToConnect = () => (
  <details>
    <summary>Cómo conectar un reloj</summary>
    <p class="note">
      En el menú del reloj, en Comunicación, «Servidor en la nube» o «ADMS»: escribe la dirección{' '}
      <code>{location.hostname}</code> y el puerto{' '}
      {location.port || '443 con HTTPS, o 80 si el reloj no lo tiene'}, sin proxy. En un minuto
      aparece aquí, y lo agregas con los últimos cuatro caracteres de su etiqueta. Un programa que
      lee relojes usa la <a href="/docs">API</a>.
    </p>
  </details>
)

/** How often the page is read again. */
const AGAIN_MS = 20_000

/** Reads the sources, and the clocks that connect by themselves. */
const readAll = async (isRetired: boolean) => {
  const found = can('keep_people') || can('read_hours') ? await readClocks() : undefined
  const ofRetirement = (retired: boolean) =>
    can('read_hours')
      ? readSources(retired)
      : (found?.clocks ?? []).filter((clock) => clock.retired === retired).map(sourceOf)
  const sources = await ofRetirement(isRetired)
  const others = sources.length === 0 && !isRetired ? await ofRetirement(true) : []
  return { isRetired, sources, areRetired: others.length > 0, found }
}

/** The clocks, the silent ones first, and their problems. */
export const SourcesView = () => {
  const [isRetired, setRetired] = useState(false)
  const { data, problem, again } = useRead(() => readAll(isRetired), [isRetired])
  // A new clock appears by itself. A dialog stays open, since only the data is read again.
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [isRetired])
  const { data: machines } = useRead(async () => {
    const roles = signedIn().machine_roles
    return roles?.length ? readUsersOf(roles, { active: 'true' }) : undefined
  })
  // Until the chosen list has been read, `data` still has the other list.
  const sources = data?.isRetired === isRetired ? data.sources : undefined
  const sorted = sources && [...sources].sort((a, b) => Number(isSilent(b)) - Number(isSilent(a)))
  const { clocks = [], unknown = [], waiting = [] } = data?.found ?? {}
  const clockOf = ({ source }: LogSource) =>
    clocks.find((clock) => sourceOf(clock).source === source)
  return (
    <main class="sources">
      <h1>Relojes</h1>
      <p class="lead">
        De dónde llegan las checadas. Antes de cerrar un periodo, conviene que todos estén al día.
      </p>
      {data?.found && can('keep_people') && seesAllBranches() && (
        <NewClocks unknown={unknown} onChanged={again} />
      )}
      {waiting.length > 0 && <WaitingNumbers waiting={waiting} clocks={clocks} onChanged={again} />}
      {(can('keep_users') || can('keep_people')) && (
        <Checkbox checked={isRetired} onChange={setRetired}>
          Ver los retirados
        </Checkbox>
      )}
      {!sorted && !problem && <Skeleton rows={2} />}
      <Problem text={problem} />
      {sorted?.length === 0 && isRetired && <p class="note">Ningún reloj está retirado.</p>}
      {sorted?.length === 0 && !isRetired && data?.areRetired && (
        <div class="empty">
          <Icon name="clock" />
          <h2>Todos los relojes están retirados</h2>
          <p>Si uno vuelve a enviar, se usa otra vez.</p>
          <button type="button" onClick={() => setRetired(true)}>
            Ver los retirados
          </button>
        </div>
      )}
      {sorted?.length === 0 && !isRetired && !data?.areRetired && (
        <div class="empty">
          <Icon name="clock" />
          <h2>
            {can('read_hours')
              ? 'Ningún reloj ha enviado checadas'
              : `Ningún reloj agregado${seesAllBranches() ? '' : ' en tus sucursales'}`}
          </h2>
          <p>Cuando uno envíe las primeras, aquí verás si está al día.</p>
        </div>
      )}
      <ul class="clocks">
        {sorted?.map((source) => (
          <Source
            key={source.source}
            source={source}
            clock={clockOf(source)}
            isRetired={isRetired}
            keyLink={linkToKey(source, machines)}
            onChanged={again}
          />
        ))}
      </ul>
      {data && <HowToConnect />}
    </main>
  )
}
