import { useState } from 'preact/hooks'
import type { IntakeProblem, LogSource, UserRecord } from '../../sdk/api-types.ts'
import { can, signedIn } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem, Skeleton } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { Badge } from '../ui/status.tsx'
import { counted } from '../ui/text.ts'
import { shortMoment } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { readUsersOf } from '../users/users.api.ts'
import { DismissButton, SourceActs } from './source-acts.tsx'
import { isSilent, lookOf } from './source-state.ts'
import { knownUntilText, readSources } from './sources.api.ts'

const REASONS: Record<string, string> = {
  unknown_employee: 'esa persona no está dada de alta',
  other_branch: 'esa persona es de otra sucursal',
  future: 'la hora está en el futuro: hay que ajustar el reloj',
  too_old: 'tiene más de 45 días',
  invalid: 'llegó incompleta o mal escrita',
  otra_zona: 'se guardó, pero con la hora de otra zona: revisa la zona de su sucursal o el reloj',
}

const describeProblem = ({ result, reason, detail }: IntakeProblem): string => {
  if (result === 'differs') return 'llegó otra vez con datos distintos; se conservó la primera'
  const text = REASONS[reason ?? ''] ?? 'no se aceptó'
  return detail ? `${text} (${detail.replace(/^near:/, 'se parece a ')})` : text
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

const Clock = (props: Parameters<typeof SourceActs>[0]) => {
  const { source, isRetired, onChanged } = props
  const mayKeep = can('keep_users')
  return (
    <li>
      <h2>
        {source.label ?? source.source}
        {isRetired ? <span class="status absent">Retirado</span> : <Badge look={lookOf(source)} />}
      </h2>
      <p class="note">
        {source.label && `${source.source}. `}
        {knownUntilText(source).replace(/^./, (first) => first.toUpperCase())}.
      </p>
      {source.problems.length > 0 && (
        <>
          <h3>{counted(source.problem_count, 'problema')}</h3>
          <ul class="problems">
            {source.problems.map((problem) => (
              <li key={problem.source_id + problem.employee_id}>
                <strong>{problem.employee_id || 'Sin persona'}</strong>: {describeProblem(problem)}.{' '}
                <span class="note">
                  {counted(problem.count, 'vez', 'veces')}, la última el{' '}
                  {shortMoment(problem.last_at)}
                </span>
                {mayKeep && (
                  <DismissButton
                    source={source.source}
                    problem={problem}
                    about={`${problem.employee_id || 'Sin persona'}: ${describeProblem(problem)}.`}
                    onChanged={onChanged}
                  />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {mayKeep && <SourceActs {...props} />}
    </li>
  )
}

/** The clocks, the silent ones first, and their problems. */
export const SourcesView = () => {
  const [isRetired, setRetired] = useState(false)
  const { data, problem, again } = useRead(async () => {
    const sources = await readSources(isRetired)
    const others = sources.length === 0 && !isRetired ? await readSources(true) : []
    return { isRetired, sources, areRetired: others.length > 0 }
  }, [isRetired])
  const { data: machines } = useRead(async () => {
    const roles = signedIn().machine_roles
    return roles?.length ? readUsersOf(roles, { active: 'true' }) : undefined
  })
  // Until the chosen list has been read, `data` still has the other list.
  const sources = data?.isRetired === isRetired ? data.sources : undefined
  const sorted = sources?.toSorted((a, b) => Number(isSilent(b)) - Number(isSilent(a)))
  return (
    <main class="sources">
      <h1>Relojes</h1>
      <p class="lead">
        De dónde llegan las checadas. Antes de cerrar un periodo, conviene que todos estén al día.
      </p>
      {can('keep_users') && (
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
          <h2>Ningún reloj ha enviado checadas</h2>
          <p>
            Cuando uno envíe las primeras, aquí verás si está al día. Los relojes y la app los
            conecta quien instala el servicio: <a href="/docs">referencia de la API</a>.
          </p>
        </div>
      )}
      <ul class="clocks">
        {sorted?.map((source) => (
          <Clock
            key={source.source}
            source={source}
            isRetired={isRetired}
            keyLink={linkToKey(source, machines)}
            onChanged={again}
          />
        ))}
      </ul>
    </main>
  )
}
