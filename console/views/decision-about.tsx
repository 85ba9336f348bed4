import type { LogRow } from '../../sdk/api-types.ts'
import type { Status } from '../api/decide.ts'
import { describeLog } from '../state/decisions.ts'
import { counted } from '../text.ts'
import { clockTime, longDay, weekday } from '../time.ts'
import { Day, logsOfDay } from '../ui/day.tsx'
import { Icon } from '../ui/icon.tsx'

/** Logs of the same kind this close are most likely one. */
const SAME_MS = 30 * 60_000

/** Reasons that are ready to use: what happened and what to do, without a reproach. */
export const readyReasons = (logs: LogRow[]): string[] => {
  const [log] = logs
  const twin =
    logs.length === 1 && log
      ? log.nearby?.find(
          ({ kind, status, recorded_at }) =>
            kind === log.kind &&
            status !== 'rejected' &&
            Math.abs(Date.parse(recorded_at) - Date.parse(log.recorded_at)) <= SAME_MS,
        )
      : undefined
  return [
    twin
      ? `Checada repetida: cuenta la de las ${clockTime(twin.local_at)}.`
      : 'Checada repetida: cuenta la primera.',
    'La hora no coincide con tu turno; acláralo antes del corte.',
    'Se registró por error; ya quedó la checada correcta.',
  ]
}

/** What a rejection does to the hours of its day, where one half of a pair goes. */
const consequence = (log: LogRow): string | undefined => {
  const left = logsOfDay(log).filter(
    ({ log_id, status }) => log_id !== log.log_id && status !== 'rejected',
  )
  const has = (kind: LogRow['kind']) =>
    left.some((one) => one.kind === kind || one.kind === 'checada')
  if (left.length >= 2 && has('entrada') && has('salida')) return undefined
  return `Con este rechazo, el ${weekday(log.local_at)} queda sin horas.`
}

/** What the decision is about: one log with its day, or how many people and days. */
export const About = ({ logs, status }: { logs: LogRow[]; status: Status }) => {
  const [first] = logs
  if (!first) return null
  if (logs.length === 1) {
    const effect = status === 'rejected' && consequence(first)
    return (
      <div class="about">
        <p>
          <strong>{describeLog(first)}</strong>, {longDay(first.local_at)}
        </p>
        <Day log={first} />
        {effect && (
          <p class="effect">
            <Icon name="alert" />
            {effect}
          </p>
        )}
      </div>
    )
  }
  const sorted = logs.toSorted((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1))
  const [from, to] = [longDay(sorted[0]?.local_at ?? ''), longDay(sorted.at(-1)?.local_at ?? '')]
  return (
    <p class="about">
      De {counted(peopleOf(logs), 'persona')},{' '}
      {from === to ? `del ${from}` : `del ${from} al ${to}`}.
    </p>
  )
}

export const peopleOf = (logs: LogRow[]): number =>
  new Set(logs.map(({ employee }) => employee.employee_id)).size
