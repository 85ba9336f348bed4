import { useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { summarize } from '../review/decision-texts.ts'
import { runDecision } from '../review/decisions.ts'
import { rememberRow } from '../review/focus.ts'
import { ConsoleError } from '../session/client.ts'
import { newId } from '../session/new-id.ts'
import { CommentDialog } from '../ui/dialogs.tsx'
import { queries, write } from '../ui/queries.ts'
import { dayAndMonth } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { approveWithAdded } from './clean-days.ts'
import type { NamedPunch } from './extra-log.ts'
import { ADDED, decidableOfDay, sendLog } from './hours.queries.ts'
import { approvesAdded } from './missing-log-form.tsx'

interface Props {
  row: HoursDay
  punch: NamedPunch
  onClose: () => void
}

/**
 * Replaces a punch of the wrong key: it is rejected, and one of the other kind is added at the same
 * moment. Each request changes nothing if it is sent again, so the act can be repeated.
 */
export const WrongKeyDialog = ({ row, punch, onClose }: Props) => {
  const [client_id] = useState(newId())
  const { employee_id, full_name, day } = row
  const kind = punch.kind === 'entrada' ? 'salida' : 'entrada'
  const time = punch.at.slice(11, 16)
  const send = write(ADDED, async (comment: string) => {
    const logs = await queries.fetchQuery({ ...decidableOfDay(row), staleTime: 0 })
    const wrong = logs.find(({ log_id }) => log_id === punch.log_id)
    if (!wrong) throw new ConsoleError(`Esa ${punch.kind} ya no se puede cambiar.`)
    const { recorded_at } = wrong
    const { log_id } = await sendLog({ client_id, employee_id, kind, recorded_at, comment })
    if (wrong.status !== 'rejected') {
      const rejected = await runDecision({ logs: [wrong], status: 'rejected', comment })
      if (rejected.done.length === 0) throw new ConsoleError(summarize(rejected, 'rejected', wrong))
    }
    if (!approvesAdded() || log_id === null) return 'Queda por revisar.'
    const approved = await approveWithAdded(row, log_id, comment)
    return approved.error === undefined && approved.conflicts.length === 0
      ? 'Quedó aprobada.'
      : `Falta aprobarla: ${summarize(approved, 'approved')}`
  })
  return (
    <CommentDialog
      title={`Cambiar a ${kind}: ${full_name}, ${dayAndMonth(day)} a las ${time}`}
      act={`Cambiar a ${kind}`}
      onClose={onClose}
      send={async (comment) => {
        const state = await send(comment)
        rememberRow(employee_id + day)
        announce(`La ${punch.kind} de las ${time} se cambió a ${kind}. ${state}`)
      }}
    >
      <p>
        La {punch.kind} de las {time} se rechaza, y a la misma hora se agrega una {kind}. Las dos
        quedan en el historial, con tu motivo.
      </p>
    </CommentDialog>
  )
}
