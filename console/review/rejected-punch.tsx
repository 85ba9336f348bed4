import { useQuery } from '@tanstack/preact-query'
import type { HoursDay, LogRow, NearbyLog } from '../../sdk/api-types.ts'
import { linkTo } from '../ui/routes.ts'
import { clockTime, dayOf } from '../ui/time.ts'
import { daysOfLog } from './logs.queries.ts'

interface Pair {
  /** What the log is in its pair. */
  kind: 'entrada' | 'salida'
  /** The other log. */
  partner: NearbyLog
}

/** Finds a log's pair by the spans of the days. Undefined if the log has none. */
const pairOf = (log: LogRow, days: HoursDay[]): Pair | undefined => {
  for (const { from_log_id, to_log_id } of days.flatMap(({ spans }) => spans)) {
    if (from_log_id !== log.log_id && to_log_id !== log.log_id) continue
    const kind = from_log_id === log.log_id ? 'entrada' : 'salida'
    const other = kind === 'entrada' ? to_log_id : from_log_id
    const partner = log.nearby?.find(
      ({ log_id, status }) => log_id === other && status !== 'rejected',
    )
    if (partner) return { kind, partner }
  }
}

interface Props {
  log: LogRow
  /** Decides another log together with this one. */
  onAlso: (other: LogRow) => void
}

/**
 * What to do besides rejecting a punch without a kind. Without the punch, each later punch changes
 * from entrada to salida or back, until the next pause that is longer than the longest shift.
 */
export const RejectedPunch = ({ log, onAlso }: Props) => {
  const { data: days } = useQuery(daysOfLog(log))
  if (days?.some(({ extra_log_ids }) => extra_log_ids.includes(log.log_id))) {
    return <p class="note">Sin esta checada, que sobra, el día queda completo.</p>
  }
  const pair = days && pairOf(log, days)
  if (!pair) return <div />
  const { kind, partner } = pair
  const { employee_id, branch_office } = log.employee
  const query = { employee_id, kind, day: dayOf(log.local_at), branch_office }
  return (
    <div>
      <p class="note">
        Esta checada no dice si es entrada o salida: sin ella, las siguientes cambian. Si su hora
        está mal, agrega la verdadera; si no trabajó, rechaza también su par.
      </p>
      <ul class="ready" aria-label="Además del rechazo">
        <li>
          <a
            class="button quiet"
            href={linkTo('agregar', { ...query, back: location.hash.slice(2) })}
          >
            Agregar la {kind} verdadera
          </a>
        </li>
        <li>
          <button
            type="button"
            class="quiet"
            onClick={() => onAlso({ ...log, ...partner, nearby: [] })}
          >
            Rechazar también la de las {clockTime(partner.local_at)}
          </button>
        </li>
      </ul>
    </div>
  )
}
