import { queryOptions, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Clock, IntakeProblem, LogSource, UserRecord } from '../../sdk/api-types.ts'
import { can, seesAllBranches, signedIn } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { about } from '../ui/queries.ts'
import { linkTo } from '../ui/routes.ts'
import { Badge } from '../ui/status.tsx'
import { counted } from '../ui/text.ts'
import { dayAndMonth, shortMoment } from '../ui/time.ts'
import { readUsersOf } from '../users/users.queries.ts'
import { ClockAuthors } from './clock-confirm.tsx'
import { ClockDay } from './clock-day.tsx'
import { AddressButton } from './clock-misuse.tsx'
import { ClockActs, ClockState } from './clock-state.tsx'
import { readClocks } from './clocks.queries.ts'
import { NewClocks } from './new-clocks.tsx'
import { DismissButton, SourceActs } from './source-acts.tsx'
import { clockLook, isSilent, lookOf, sourceOf } from './source-state.ts'
import { knownUntilText, readSources } from './sources.queries.ts'
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
  const { source, isRetired } = props
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
      {clock && <ClockAuthors clock={clock} />}
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
      {can('read_hours') && source.last_seen_local_at && (
        <ClockDay
          source={source.source}
          branch_office={clock?.branch_office}
          day={source.last_seen_local_at.slice(0, 10)}
        />
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
                {clock && <AddressButton clock={clock} problem={problem} />}
                {mayKeep && (
                  <DismissButton
                    source={source.source}
                    problem={problem}
                    about={`${subjectOf(problem)}: ${describeProblem(problem)}.`}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {clock ? (
        <ClockActs clock={clock} />
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

/** How often the page is read again. A new clock appears by itself. */
const AGAIN_MS = 20_000

/** The sources, and the clocks that connect by themselves. */
const allQuery = (isRetired: boolean) =>
  queryOptions({
    queryKey: [...about.clocks, 'all', isRetired],
    queryFn: async () => {
      const found = can('keep_people') || can('read_hours') ? await readClocks() : undefined
      const ofRetirement = (retired: boolean) =>
        can('read_hours')
          ? readSources(retired)
          : (found?.clocks ?? []).filter((clock) => clock.retired === retired).map(sourceOf)
      const sources = await ofRetirement(isRetired)
      const others = sources.length === 0 && !isRetired ? await ofRetirement(true) : []
      return { sources, areRetired: others.length > 0, found }
    },
    refetchInterval: AGAIN_MS,
  })

const machinesQuery = () => {
  const roles = signedIn().machine_roles ?? []
  return queryOptions({
    queryKey: [...about.users, 'machines'],
    queryFn: () => readUsersOf(roles, { active: 'true' }),
    enabled: roles.length > 0,
    // An old list would link to the page of a new machine.
    gcTime: 0,
  })
}

const NoSources = ({ areRetired, onShow }: { areRetired: boolean; onShow: () => void }) => (
  <div class="empty">
    <Icon name="clock" />
    {areRetired ? (
      <>
        <h2>Todos los relojes están retirados</h2>
        <p>Si uno vuelve a enviar, se usa otra vez.</p>
        <button type="button" onClick={onShow}>
          Ver los retirados
        </button>
      </>
    ) : (
      <>
        <h2>
          {can('read_hours')
            ? 'Ningún reloj ha enviado checadas'
            : `Ningún reloj agregado${seesAllBranches() ? '' : ' en tus sucursales'}`}
        </h2>
        <p>Cuando uno envíe las primeras, aquí verás si está al día.</p>
      </>
    )}
  </div>
)

/** The clocks, the silent ones first, and their problems. */
export const SourcesView = () => {
  const [isRetired, setRetired] = useState(false)
  const { data: machines } = useQuery(machinesQuery())
  const read = useQuery(allQuery(isRetired))
  const { clocks = [], unknown = [], waiting = [] } = read.data?.found ?? {}
  const clockOf = ({ source }: LogSource) =>
    clocks.find((clock) => sourceOf(clock).source === source)
  return (
    <Page
      title="Relojes"
      lead="De dónde llegan las checadas. Antes de cerrar un periodo, conviene que todos estén al día."
    >
      {read.data?.found && can('keep_people') && seesAllBranches() && (
        <NewClocks unknown={unknown} />
      )}
      {waiting.length > 0 && <WaitingNumbers waiting={waiting} clocks={clocks} />}
      {(can('keep_users') || can('keep_people')) && (
        <Checkbox checked={isRetired} onChange={setRetired}>
          Ver los retirados
        </Checkbox>
      )}
      <Loaded read={read} failure="No se pudieron leer los relojes" rows={2}>
        {({ sources, areRetired }) => (
          <>
            {sources.length === 0 && isRetired && <p class="note">Ningún reloj está retirado.</p>}
            {sources.length === 0 && !isRetired && (
              <NoSources areRetired={areRetired} onShow={() => setRetired(true)} />
            )}
            {sources.length > 0 && (
              <Rows>
                {[...sources]
                  .sort((a, b) => Number(isSilent(b)) - Number(isSilent(a)))
                  .map((source) => (
                    <Source
                      key={source.source}
                      source={source}
                      clock={clockOf(source)}
                      isRetired={isRetired}
                      keyLink={linkToKey(source, machines)}
                    />
                  ))}
              </Rows>
            )}
            <HowToConnect />
          </>
        )}
      </Loaded>
    </Page>
  )
}
