import type { LogRow, NearbyLog } from '../../sdk/api-types.ts'
import { signedIn } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { compare } from '../ui/order.ts'
import { StatusShape } from '../ui/status.tsx'
import { KINDS, STATUSES } from '../ui/text.ts'
import { clockTime, dayOf, HOUR_MS } from '../ui/time.ts'

const KIND_ICONS = { entrada: 'in', salida: 'out', checada: 'clock' } as const

/**
 * The person's logs on the log's local day, in order. A partner of an entrada is a salida or
 * checada after it. A partner of another log is an entrada or checada before it. Both are at most
 * one longest shift apart. If the day has no partner of the log, partners on other days are added.
 */
const logsOfDay = (log: LogRow): NearbyLog[] => {
  const day = dayOf(log.local_at)
  const all: NearbyLog[] = [...(log.nearby ?? []), log].sort((a, b) =>
    compare(a.recorded_at, b.recorded_at),
  )
  const at = Date.parse(log.recorded_at)
  const nightMs = signedIn().max_shift_hours * HOUR_MS
  const isPartner = ({ kind, recorded_at }: NearbyLog): boolean => {
    const after = Date.parse(recorded_at) - at
    return log.kind === 'entrada'
      ? kind !== 'entrada' && after > 0 && after <= nightMs
      : kind !== 'salida' && after < 0 && -after <= nightMs
  }
  const ofDay = all.filter(({ local_at }) => dayOf(local_at) === day)
  return ofDay.some(isPartner) ? ofDay : all.filter((one) => ofDay.includes(one) || isPartner(one))
}

const dayOffset = (one: NearbyLog, log: LogRow): string | undefined => {
  const [a, b] = [dayOf(one.local_at), dayOf(log.local_at)]
  if (a === b) return undefined
  return a > b ? '+1' : '−1'
}

/** Shows the logs of a log's day, and marks the log itself. */
export const DayLogs = ({ log }: { log: LogRow }) => (
  <ol class="day" aria-label="Checadas de ese día">
    {logsOfDay(log).map((one) => (
      <li key={one.log_id} class={one.log_id === log.log_id ? 'this' : ''}>
        <Icon name={KIND_ICONS[one.kind]} />
        <span class="sr">{KINDS[one.kind]} </span>
        {clockTime(one.local_at)}
        {dayOffset(one, log) && <sup>{dayOffset(one, log)}</sup>}
        <StatusShape status={one.status} />
        <span class="sr"> {STATUSES[one.status].toLowerCase()}</span>
      </li>
    ))}
  </ol>
)
