import type { OwnLog } from '../../sdk/api-types.ts'
import { StatusBadge } from '../ui/status.tsx'
import { KINDS } from '../ui/text.ts'
import { clockTime, dayOf, shortMoment } from '../ui/time.ts'

/**
 * The person's logs with their decisions, in their branch's time, which may not be the phone's.
 * Logs of another day than `day` show their date.
 */
export const LogList = ({ logs, day }: { logs: OwnLog[]; day: string }) => (
  <ul class="rows">
    {logs.map(({ log_id, kind, local_at, status, comment, request_comment }) => (
      <li key={log_id}>
        <strong>{KINDS[kind]}</strong>
        <span>{dayOf(local_at) === day ? clockTime(local_at) : shortMoment(local_at)}</span>
        <StatusBadge status={status} />
        {request_comment && <p class="note">La pediste: «{request_comment}»</p>}
        {comment && <p class="note">Al decidirla: «{comment}»</p>}
      </li>
    ))}
  </ul>
)
