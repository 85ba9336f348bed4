import type { LogEvent, LogRow } from '../../sdk/api-types.ts'
import { ACTS, KINDS, sourceName } from '../text.ts'
import { exactTime, hasZones, lateness, shortMoment, zoneName, zoneOf } from '../time.ts'
import { Definitions } from '../ui/definitions.tsx'
import { StatusShape } from '../ui/status.tsx'

const Event = ({ event }: { event: LogEvent }) => {
  const who = event.user?.full_name ?? 'Importación'
  const what = event.event === 'recorded' ? 'Registrada' : ACTS[event.to_status].done
  return (
    <li>
      <StatusShape status={event.to_status} />
      <div>
        <p>
          <strong>{what}</strong> por {who}
        </p>
        {event.comment && <blockquote>{event.comment}</blockquote>}
        <p class="note">{shortMoment(event.created_at)}</p>
      </div>
    </li>
  )
}

export const Facts = ({ log }: { log: LogRow }) => {
  const late = lateness(log)
  const branch = log.employee.branch_office
  const facts: [string, string][] = [
    ['Número de empleado', log.employee.employee_id],
    ['Sucursal', branch],
    ['Departamento', log.employee.department],
    ['Tipo', KINDS[log.kind]],
    ['Hora', exactTime(log.local_at) + (hasZones() ? `, ${zoneName(zoneOf(branch))}` : '')],
    [
      'Recibida',
      `${shortMoment(log.received_at, zoneOf(branch))}${late ? `, ${late} después` : ''}`,
    ],
    ['Origen', sourceName(log.source)],
    ['Registro', String(log.log_id)],
  ]
  return <Definitions class="facts" items={facts} />
}

/** The newest event first. */
export const History = ({ events, hasMore }: { events: LogEvent[]; hasMore: boolean }) => (
  <>
    <ol class="history">
      {events.map((event) => (
        <Event key={event.created_at + event.to_status} event={event} />
      ))}
    </ol>
    {hasMore && <p class="note">Hay cambios más antiguos: están en la API.</p>}
  </>
)
