import { useEffect, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { dataOf } from '../../sdk/api-client.ts'
import type { LogDetail, LogEvent, LogRow } from '../../sdk/api-types.ts'
import { api } from '../api/api.ts'
import { hasStatus, messageOf } from '../api/client.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { describeMoved } from '../state/decisions.ts'
import { rememberRow } from '../state/focus.ts'
import { mayDecide, queue } from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { KINDS, OWN } from '../text.ts'
import { clockTime, longDay, shifted } from '../time.ts'
import { Day } from '../ui/day.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { StatusBadge } from '../ui/status.tsx'
import { Facts, History } from './log-facts.tsx'
import { DecideButton } from './log-row.tsx'

interface Read {
  log: LogRow
  locked: boolean
  history: LogEvent[]
  next: string | null
}

const readNearby = async ({ employee, recorded_at }: LogDetail) => {
  const { employee_id } = employee
  const query = {
    employee_id,
    from: shifted(recorded_at, -25),
    to: shifted(recorded_at, 25),
    limit: 50,
  }
  return (await dataOf(api.v2.incidents.logs.$get({ query }))).logs
}

const readLog = async (log_id: number): Promise<Read> => {
  const param = { log_id }
  const detail = await dataOf(api.v2.incidents.logs[':log_id'].$get({ param, query: {} }))
  const { history, next_cursor, locked, ...log } = detail
  const nearby = (await readNearby(detail)).filter((one) => one.log_id !== log_id)
  return { log: { ...log, nearby }, locked, history, next: next_cursor }
}

/** Links to the logs before and after this one in the list that it was opened from. */
const Neighbors = ({ log_id }: { log_id: number }) => {
  const { rows } = useStore(queue)
  const at = rows.findIndex((row) => row.log_id === log_id)
  const [before, after] = at === -1 ? [] : [rows[at - 1], rows[at + 1]]
  return (
    <nav class="neighbors" aria-label="Otras checadas de la lista">
      <a href={linkTo('checadas', listQuery())}>
        <Icon name="back" />
        Volver a la lista
      </a>
      <span>
        {before && (
          <a data-before href={linkTo(`checadas/${before.log_id}`)}>
            <Icon name="back" />
            Anterior
          </a>
        )}
        {after && (
          <a data-after href={linkTo(`checadas/${after.log_id}`)}>
            Siguiente
            <Icon name="next" />
          </a>
        )}
      </span>
    </nav>
  )
}

const listQuery = () => {
  const { filter } = queue.get()
  return {
    ...filter,
    status: filter.status ?? (Object.keys(filter).length > 0 ? 'all' : undefined),
  }
}

/** The proof of this log's history, which anybody can check without this service. */
const Evidence = ({ log_id }: { log_id: number }) => (
  <section>
    <h2>Evidencia</h2>
    <p class="acts">
      <DownloadButton
        label="Descargar evidencia"
        limit="Se descarga una evidencia por minuto; espera un momento."
        request={() => api.v2.audit.evidence.$get({ query: { log_id } })}
      />
      <a href="/verificar">Verificar una evidencia</a>
    </p>
  </section>
)

/** Evidence has every branch: a user who sees some of them may not download it. */
const mayProve = (): boolean => {
  const { seals, user } = signedIn()
  return seals && user.may_decide && user.scope_branches === null
}

export const LogView = ({ log_id }: { log_id: number }) => {
  const [read, setRead] = useState<Read | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const { marks } = useStore(queue)
  const mark = marks.get(log_id)
  const settled = mark?.state === 'deciding' ? 'deciding' : `${mark?.state}`
  useEffect(() => {
    let current = true
    setProblem('')
    if (settled !== 'deciding') {
      readLog(log_id).then(
        (result) => current && setRead(result),
        (error) =>
          current &&
          setProblem(hasStatus(error, 404) ? 'Esa checada no existe.' : messageOf(error)),
      )
    }
    return () => {
      current = false
    }
  }, [log_id, settled])

  const shown = read?.log.log_id === log_id ? read : undefined
  const log = shown?.log
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    rememberRow(String(log_id))
    heading.current?.focus()
  }, [log?.log_id])
  return (
    <main class="one">
      <Neighbors log_id={log_id} />
      {problem && (
        <div class="empty" role="alert">
          <h1>{problem}</h1>
          <a class="button" href={linkTo('checadas')}>
            Volver a la lista
          </a>
        </div>
      )}
      {!log && !problem && <Skeleton rows={3} />}
      {log && shown && (
        <article data-log={log.log_id}>
          <header class="head">
            <div>
              <h1 ref={heading} tabindex={-1}>
                {log.employee.full_name}
              </h1>
              <p class="lead">
                {KINDS[log.kind]} a las <strong>{clockTime(log.local_at)}</strong>,{' '}
                {longDay(log.local_at)}
              </p>
            </div>
            <StatusBadge status={log.status} />
          </header>
          {mark?.moved && (
            <p class="moved">
              <Icon name="alert" />
              {describeMoved(mark.moved)}
            </p>
          )}
          {shown.locked && (
            <p class="moved" key="locked">
              <Icon name="alert" />
              <span>
                Está en un cierre: para decidirla otra vez, quien cierra desbloquea ese día.{' '}
                <a href={linkTo('cierres')}>Ver cierres</a>
              </span>
            </p>
          )}
          {signedIn().user.may_decide && !mayDecide(log) && (
            <p class="note" key="own">
              {OWN}
            </p>
          )}
          {mayDecide(log) && !shown.locked && (
            <div class="acts" key="acts">
              {(['approved', 'rejected', 'pending'] as const)
                .filter((status) => status !== log.status)
                .map((status) => (
                  <DecideButton key={status} log={log} status={status} />
                ))}
            </div>
          )}
          <section>
            <h2>Ese día</h2>
            <Day log={log} />
          </section>
          <section>
            <h2>Datos</h2>
            <Facts log={log} />
          </section>
          <section>
            <h2>Historia</h2>
            <History events={shown.history} hasMore={shown.next !== null} />
          </section>
          {mayProve() && <Evidence key="evidence" log_id={log.log_id} />}
        </article>
      )}
    </main>
  )
}
