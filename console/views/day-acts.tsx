import { useId, useRef, useState } from 'hono/jsx/dom'
import type { HoursDay } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { reviewDay } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { rememberRow } from '../state/focus.ts'
import { approveDay } from '../state/hours.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { KINDS, OFFLINE } from '../text.ts'
import { shortDay } from '../time.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { MISSING } from './hours-words.ts'

interface ReviewProps {
  row: HoursDay
  onClose: () => void
  onReviewed: () => void
}

/** Says that somebody has looked at a day, which takes it off the list until something changes. */
const ReviewDialog = ({ row, onClose, onReviewed }: ReviewProps) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const what = `${row.full_name} (${row.employee_id}), ${shortDay(row.day)}`
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await reviewDay(row.employee_id, row.day, field.current?.value.trim() || null)
      announce(`Revisada: ${what}. Vuelve a la lista si algo cambia.`)
      onClose()
      onReviewed()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Marcar como revisada: ${what}`} onClose={busy ? undefined : onClose}>
      <form onSubmit={submit} novalidate>
        <p>Sale de esta lista hasta que una de sus checadas cambie. Sus horas quedan como están.</p>
        <div class="field">
          <label for={id}>Nota (opcional)</label>
          <textarea id={id} ref={field} rows={2} maxlength={500} autofocus />
          <p class="note">Por ejemplo: «Día de descanso trabajado, con autorización».</p>
        </div>
        <p class="problem" role="alert">
          {problem || (online ? '' : OFFLINE)}
        </p>
        <footer>
          <button type="button" onClick={onClose} disabled={busy}>
            Volver
          </button>
          <button type="submit" class="primary" disabled={!online || busy}>
            {busy ? 'Guardando…' : 'Marcar como revisada'}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** What can be done about a day that somebody has to look at. */
export const DayActs = ({ row, onReviewed }: { row: HoursDay; onReviewed: () => void }) => {
  const [reviewing, setReviewing] = useState(false)
  const [busy, setBusy] = useState(false)
  const { employee_id, day, detail, exceptions } = row
  const kinds = [...new Set(exceptions.flatMap((name) => MISSING[name] ?? []))]
  const approve = async () => {
    setBusy(true)
    rememberRow(employee_id + day)
    const said = await approveDay(row).catch(messageOf)
    if (said) announce(said)
    setBusy(false)
  }
  const add = (kind: 'entrada' | 'salida') =>
    linkTo('agregar', { employee_id, kind, day, detail, back: location.hash.slice(2) })
  return (
    <div class="day-acts">
      {kinds.map((kind) => (
        <a
          key={kind}
          class="button act"
          href={add(kind)}
          onClick={() => rememberRow(employee_id + day)}
        >
          <Icon name="plus" />
          Agregar la {KINDS[kind].toLowerCase()} que falta
        </a>
      ))}
      {exceptions.includes('pendientes') && signedIn().user.may_decide && (
        <button key="approve" type="button" class="act" onClick={approve} disabled={busy}>
          <Icon name="check" />
          Aprobar lo pendiente
        </button>
      )}
      <button key="review" type="button" class="act" onClick={() => setReviewing(true)}>
        Revisada
      </button>
      {reviewing && (
        <ReviewDialog
          key="dialog"
          row={row}
          onClose={() => setReviewing(false)}
          onReviewed={onReviewed}
        />
      )}
    </div>
  )
}
