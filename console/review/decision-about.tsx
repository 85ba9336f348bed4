import { useQuery } from '@tanstack/preact-query'
import type { HoursDay, LogRow, LogStatus } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { signedIn } from '../session/session.ts'
import { Icon } from '../ui/icon.tsx'
import { compare } from '../ui/order.ts'
import { counted } from '../ui/text.ts'
import { clockTime, duration, longDay, weekday } from '../ui/time.ts'
import { closedDaysText } from './closed-days.ts'
import { DayLogs } from './day.tsx'
import { describeLog } from './decision-texts.ts'
import { daysIfRejected } from './logs.queries.ts'
import { otherNetworkText } from './other-network.ts'
import { RejectedPunch } from './rejected-punch.tsx'

/** Logs of the same kind within this time are probably the same punch. */
const SAME_PUNCH_MS = 30 * 60_000

/** The maximum number of days that the text about a rejection's effect names. */
const EFFECT_DAYS_MAX = 3

/** The maximum number of requests whose reasons are shown. */
const REASONS_MAX = 5

/** Suggested reasons for a rejection. Each says what happened or what to do, and blames nobody. */
export const readyReasons = (logs: LogRow[]): string[] => {
  const [log] = logs.length === 1 ? logs : []
  const twin = log?.nearby?.find(
    ({ kind, status, recorded_at }) =>
      kind === log.kind &&
      status !== 'rejected' &&
      Math.abs(Date.parse(recorded_at) - Date.parse(log.recorded_at)) <= SAME_PUNCH_MS,
  )
  return [
    twin
      ? `Checada repetida: cuenta la de las ${clockTime(twin.local_at)}.`
      : 'Checada repetida: cuenta la primera.',
    'La hora no coincide con tu turno; acláralo antes del cierre.',
    'Se registró por error; ya quedó la checada correcta.',
  ]
}

const effectOf = (days: HoursDay[]): string => {
  const scope = signedIn().user.scope_branches === null ? '' : ' en tus sucursales'
  if (days.length === 0) return `Este rechazo no cambia ninguna hora${scope}.`
  const effects = days.slice(0, EFFECT_DAYS_MAX).map(({ day, worked_seconds }) => {
    const left = worked_seconds === null ? 'sin horas' : `con ${duration(worked_seconds)}`
    return `el ${weekday(day)} queda ${left}`
  })
  const more =
    days.length > EFFECT_DAYS_MAX ? ` y ${counted(days.length - EFFECT_DAYS_MAX, 'día')} más` : ''
  const isOpen = days.some(
    ({ exceptions, worked_seconds }) =>
      worked_seconds !== null && exceptions.includes('pendientes'),
  )
  const assumed = isOpen ? ', si se aprueba lo pendiente' : ''
  return `Con este rechazo, ${effects.join('; ')}${more}${assumed}.`
}

/** Shows how the rejection of a log changes the person's hours. */
const Effect = ({ log }: { log: LogRow }) => {
  const { data, error } = useQuery(daysIfRejected(log))
  return (
    <p class="effect" role="status">
      <Icon name={data?.length === 0 ? 'check' : 'alert'} />
      {error
        ? `No se pudo calcular qué pasa con sus horas. ${messageOf(error)}`
        : data
          ? effectOf(data)
          : 'Calculando qué pasa con sus horas…'}
    </p>
  )
}

/** What people wrote to ask for logs. After five, the others are only counted. */
const Reasons = ({ logs }: { logs: LogRow[] }) => {
  const asked = logs.filter(({ request_comment }) => request_comment)
  const more = asked.length - REASONS_MAX
  return (
    <>
      {asked.slice(0, REASONS_MAX).map((log) => (
        <p key={log.log_id}>
          {logs.length > 1 && `${describeLog(log)}: `}«{log.request_comment}»
        </p>
      ))}
      {more > 0 && <p>Y {counted(more, 'solicitud', 'solicitudes')} más.</p>}
    </>
  )
}

export const countPeople = (logs: LogRow[]): number =>
  new Set(logs.map(({ employee }) => employee.employee_id)).size

const OtherNetwork = ({ logs }: { logs: LogRow[] }) => {
  const text = otherNetworkText(logs)
  return text ? (
    <p class="effect">
      <Icon name="alert" />
      {text}
    </p>
  ) : null
}

interface AboutProps {
  logs: LogRow[]
  status: LogStatus
  /** Decides another log together with the only one. */
  onAlso: (other: LogRow) => void
}

/** Shows one log and its day. For several logs, shows the number of people and the period. */
export const DecisionAbout = ({ logs, status, onAlso }: AboutProps) => {
  const [first] = logs
  if (!first) return null
  if (logs.length === 1) {
    return (
      <div class="stack">
        <p>
          <strong>{describeLog(first)}</strong>, {longDay(first.local_at)}
        </p>
        <DayLogs log={first} />
        <OtherNetwork logs={logs} />
        {closedDaysText(logs) && <p class="effect">{closedDaysText(logs)}</p>}
        <Reasons logs={logs} />
        {status === 'rejected' && <Effect log={first} />}
        {status === 'rejected' && first.kind === 'checada' && (
          <RejectedPunch log={first} onAlso={onAlso} />
        )}
      </div>
    )
  }
  const closed = closedDaysText(logs)
  const sorted = [...logs].sort((a, b) => compare(a.recorded_at, b.recorded_at))
  const [from, to] = [longDay(sorted[0]?.local_at ?? ''), longDay(sorted.at(-1)?.local_at ?? '')]
  return (
    <div class="stack">
      <p>
        De{' '}
        {countPeople(logs) === 1 ? first.employee.full_name : counted(countPeople(logs), 'persona')}
        , {from === to ? `del ${from}` : `del ${from} al ${to}`}.
      </p>
      <OtherNetwork logs={logs} />
      {closed && <p class="effect">{closed}</p>}
      <Reasons logs={sorted} />
    </div>
  )
}
