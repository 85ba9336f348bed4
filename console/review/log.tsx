import { useQuery } from '@tanstack/preact-query'
import { useLayoutEffect } from 'preact/hooks'
import type { LogEvent, LogRow } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { can, seesAllBranches, signedIn } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, linkToPersonPage } from '../ui/routes.ts'
import { StatusBadge, StatusShape } from '../ui/status.tsx'
import { ACTS, KINDS, lockedText, OWN_LOG_MESSAGE, sourceName } from '../ui/text.ts'
import {
  arrivalDelay,
  clockTime,
  exactTime,
  hasZones,
  longDay,
  shortMoment,
  zoneName,
  zoneOf,
} from '../ui/time.ts'
import { isDecidable, mayDecide } from './abilities.ts'
import { DayLogs } from './day.tsx'
import { describeConflict } from './decision-texts.ts'
import { linkToLogs } from './filter.ts'
import { rememberRow } from './focus.ts'
import { DecideButton } from './log-row.tsx'
import { logQuery } from './logs.queries.ts'
import { neighborsOf, queue } from './queue.state.ts'

/** Links to the list, and to the previous and the next log of the list. */
const Neighbors = ({
  before,
  after,
}: {
  before?: LogRow | undefined
  after?: LogRow | undefined
}) => {
  const { filter } = useStore(queue)
  const isListed = Object.keys(filter).length > 0
  return (
    <nav class="neighbors" aria-label="Otras checadas de la lista">
      <a href={isListed ? linkToLogs(filter, {}) : linkTo('checadas')}>
        <Icon name="back" />
        Volver a la lista
      </a>
      <span>
        {before && (
          <a href={linkTo(`checadas/${before.log_id}`)}>
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

const Facts = ({ log }: { log: LogRow }) => {
  const { employee_id, branch_office, department } = log.employee
  const late = arrivalDelay(log)
  const zone = zoneOf(branch_office)
  return (
    <Definitions
      class="facts"
      items={[
        ['Número de empleado', employee_id],
        ['Sucursal', branch_office],
        ['Departamento', department],
        ['Tipo', KINDS[log.kind]],
        ['Hora', exactTime(log.local_at) + (hasZones() ? `, ${zoneName(zone)}` : '')],
        ['Recibida', shortMoment(log.received_at, zone) + (late ? `, ${late} después` : '')],
        [
          'Origen',
          sourceName(log.source) + (log.other_network ? ', desde otra dirección que la suya' : ''),
        ],
        ['Registro', String(log.log_id)],
      ]}
    />
  )
}

const Event = ({ event, source }: { event: LogEvent; source: string }) => (
  <li>
    <p>
      <StatusShape status={event.to_status} />{' '}
      <strong>{event.event === 'recorded' ? 'Registrada' : ACTS[event.to_status].done}</strong> por{' '}
      {event.user?.full_name ?? (source.startsWith('clock ') ? 'el reloj' : 'Importación')}
    </p>
    {event.comment && <blockquote>{event.comment}</blockquote>}
    <p class="note">{shortMoment(event.created_at)}</p>
  </li>
)

/**
 * A button that downloads this log's evidence. With that file, anybody can check the log's history
 * without the service.
 */
const Evidence = ({ log_id }: { log_id: number }) => (
  <section class="stack">
    <h2 class="note">Evidencia</h2>
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

/** Evidence may be downloaded by users who may decide logs in all branches, if there are seals. */
const mayDownloadEvidence = (): boolean => signedIn().seals && can('decide') && seesAllBranches()

export const LogView = ({ log_id }: { log_id: number }) => {
  const { marks } = useStore(queue)
  const read = useQuery(logQuery(log_id))
  const log = read.data
  const conflict = marks.get(log_id)?.conflict
  const [before, after] = neighborsOf(log_id)
  useLayoutEffect(() => rememberRow(String(log_id)), [log?.log_id])
  return (
    <Page>
      <Neighbors before={before} after={after} />
      <Loaded isPage read={read} failure="No se pudo leer la checada" rows={3}>
        {(log) => (
          <article data-log={log.log_id} class="result">
            <header class="head">
              <div>
                <Heading about={log_id}>
                  <a href={linkToPersonPage(log.employee.employee_id)}>{log.employee.full_name}</a>
                </Heading>
                <p class="lead">
                  {KINDS[log.kind]} a las <strong>{clockTime(log.local_at)}</strong>,{' '}
                  {longDay(log.local_at)}
                </p>
              </div>
              <StatusBadge status={log.status} />
            </header>
            {conflict && <Remark>{describeConflict(conflict)}</Remark>}
            {log.locked && (
              <Remark>
                {lockedText(isDecidable(log))} <a href={linkTo('cierres')}>Ver cierres</a>
              </Remark>
            )}
            {can('decide') && !mayDecide(log) && <p class="note">{OWN_LOG_MESSAGE}</p>}
            {isDecidable(log) && (
              <div class="acts">
                {(['approved', 'rejected', 'pending'] as const)
                  .filter((status) => status !== log.status)
                  .map((status) => (
                    <DecideButton
                      key={status}
                      log={log}
                      status={status}
                      class={status === 'approved' ? 'primary' : ''}
                    />
                  ))}
              </div>
            )}
            <section class="stack">
              <h2 class="note">Ese día</h2>
              <DayLogs log={log} />
            </section>
            <section class="stack">
              <h2 class="note">Datos</h2>
              <Facts log={log} />
            </section>
            <section class="stack">
              <h2 class="note">Historia</h2>
              <ol class="history stack">
                {log.history.map((event) => (
                  <Event
                    key={event.created_at + event.to_status}
                    event={event}
                    source={log.source}
                  />
                ))}
              </ol>
              {log.next_cursor && <p class="note">Hay cambios más antiguos: están en la API.</p>}
            </section>
            {mayDownloadEvidence() && <Evidence log_id={log.log_id} />}
          </article>
        )}
      </Loaded>
    </Page>
  )
}
