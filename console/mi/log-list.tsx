import type { OwnLog } from '../../sdk/api-types.ts'
import { phoneTime } from '../ui/phone-time.ts'
import { linkTo } from '../ui/routes.ts'
import { StatusBadge } from '../ui/status.tsx'
import { KINDS } from '../ui/text.ts'
import { clockTime, dayOf, shortMoment } from '../ui/time.ts'

/** Says whose the hours of logs are if the phone shows another hour than the branch had. */
export const BranchTimeNote = ({ logs }: { logs: OwnLog[] }) => {
  const isOther = logs.some(
    ({ recorded_at, local_at }) => phoneTime(recorded_at).slice(0, 16) !== local_at.slice(0, 16),
  )
  return isOther ? <p class="note">Con la hora de tu sucursal, que no es la del teléfono.</p> : null
}

const WrongHour = ({ log: { kind, local_at } }: { log: OwnLog }) => {
  const hora = clockTime(local_at)
  return (
    <a
      class="target quiet"
      href={linkTo('pedir', { dia: dayOf(local_at), tipo: kind, hora })}
      aria-label={`¿Está mal la hora de la ${kind} de las ${hora}?`}
    >
      ¿Está mal esta hora?
    </a>
  )
}

interface Props {
  logs: OwnLog[]
  /** Logs of another day show their date. */
  day: string
  /** Whether each log has a link that requests the right hour. */
  mayRequest?: boolean
}

/** The person's logs with their decisions, in their branch's time. */
export const LogList = ({ logs, day, mayRequest }: Props) => (
  <ul class="rows">
    {logs.map((log) => {
      const { log_id, kind, local_at, status, comment, request_comment } = log
      return (
        <li key={log_id}>
          <strong>{KINDS[kind]}</strong>
          <span>{dayOf(local_at) === day ? clockTime(local_at) : shortMoment(local_at)}</span>
          {mayRequest && status !== 'rejected' && <WrongHour log={log} />}
          <StatusBadge status={status} />
          {request_comment && <p class="note">La pediste: «{request_comment}»</p>}
          {comment && <p class="note">Al decidirla: «{comment}»</p>}
        </li>
      )
    })}
  </ul>
)
