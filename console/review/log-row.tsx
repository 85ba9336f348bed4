import { useMemo } from 'preact/hooks'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { can } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { StatusBadge } from '../ui/status.tsx'
import { ACTS, KINDS, sourceName } from '../ui/text.ts'
import { arrivalDelay, clockTime } from '../ui/time.ts'
import { isDecidable, mayDecide } from './abilities.ts'
import { DayLogs } from './day.tsx'
import { describeConflict, describeLog } from './decision-texts.ts'
import { linkOfRow, rememberRow } from './focus.ts'
import type { Mark } from './queue.state.ts'
import { requestDecision } from './request-decision.tsx'
import { toggleSelected } from './selection.tsx'

const ICONS = { approved: 'check', rejected: 'cross', pending: 'undo' } as const

interface DecideProps {
  log: LogRow
  status: LogStatus
  class?: string
}

export const DecideButton = ({ log, status, class: name = `decide ${status}` }: DecideProps) => (
  <button
    type="button"
    class={name}
    aria-label={`${ACTS[status].act}: ${describeLog(log)}`}
    onClick={() => requestDecision([log], status)}
  >
    <Icon name={ICONS[status]} />
    {ACTS[status].act}
  </button>
)

const State = ({ log, mark }: { log: LogRow; mark: Mark | undefined }) => {
  if (mark?.state === 'deciding') return <span class="status absent">Guardando…</span>
  const isForUser = mayDecide(log)
  if (isForUser && log.status === 'pending') {
    return (
      <>
        <DecideButton log={log} status="approved" />
        <DecideButton log={log} status="rejected" />
      </>
    )
  }
  return (
    <>
      {!isForUser && can('decide') && <span class="note">La decide otra persona</span>}
      <StatusBadge status={log.status} />
      {isDecidable(log) && <DecideButton log={log} status="pending" />}
      {isDecidable(log) && log.status === 'approved' && !mark && (
        <DecideButton log={log} status="rejected" />
      )}
    </>
  )
}

interface Props {
  log: LogRow
  mark: Mark | undefined
  notes: string[] | undefined
  isOfBatch: boolean
  selected: boolean
}

const Row = ({ log, mark, notes, isOfBatch, selected }: Props) => {
  const { employee } = log
  const late = arrivalDelay(log)
  return (
    <li
      class={`log ${selected ? 'selected' : ''} ${mark ? `is-${mark.state}` : ''}`}
      data-log={log.log_id}
      aria-busy={mark?.state === 'deciding' ? 'true' : undefined}
    >
      <Checkbox
        checked={selected}
        disabled={mark?.state === 'decided' || !isDecidable(log)}
        label={`Seleccionar: ${describeLog(log)}`}
        onChange={(checked) => toggleSelected(log, checked)}
      />
      <div class="who">
        <a
          ref={linkOfRow(String(log.log_id))}
          href={linkTo(`checadas/${log.log_id}`)}
          onClick={() => rememberRow(String(log.log_id))}
        >
          {employee.full_name}
        </a>
        <p class="note">
          {employee.employee_id} · {employee.department} · {employee.branch_office}
        </p>
      </div>
      <p class="when">
        <span class="note">{KINDS[log.kind]}</span> <strong>{clockTime(log.local_at)}</strong>
      </p>
      <DayLogs log={log} />
      <p class={`note received ${log.source === '' && !log.locked ? 'plain' : ''}`}>
        {sourceName(log.source)}
        {log.locked && ' · pagada'}
        {log.other_network && <span class="late"> · desde otra dirección</span>}
        {late && <span class={isOfBatch ? '' : 'late'}> · llegó {late} después</span>}
      </p>
      <div class="acts">
        <State log={log} mark={mark} />
      </div>
      {log.request_comment && <blockquote class="request">{log.request_comment}</blockquote>}
      {notes && (
        <p class="alert notes">
          <Icon name="alert" />
          {notes.map((name) => EXCEPTIONS[name] ?? 'Checada repetida').join(' · ')}
        </p>
      )}
      {mark?.conflict && <Remark>{describeConflict(mark.conflict)}</Remark>}
    </li>
  )
}

/** A row. A list has up to 200, and only those whose values have changed are rendered again. */
export const LogListRow = (props: Props) => {
  const { log, mark, notes, isOfBatch, selected } = props
  return useMemo(() => <Row {...props} />, [log, mark, notes, isOfBatch, selected])
}
