import { type Child, useId, useRef, useState } from 'hono/jsx/dom'
import type { Closing, FoundEmployee, Unlock } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { cancelClosing, unlockDays } from '../api/closings.ts'
import { connection } from '../api/connection.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { OFFLINE } from '../text.ts'
import { addDays, duration, fortnightOf } from '../time.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'

interface ActProps {
  title: string
  act: string
  danger?: boolean
  /** What to choose first; undefined where nothing is missing. */
  missing?: string | false | undefined
  children: Child
  onClose: () => void
  /** Does it; an error is shown, and the dialog stays. */
  run: (comment: string, given: FormData) => Promise<void>
}

/** An act on a closing: what it does to money stands before the reason that it asks for. */
const ActDialog = ({ title, act, danger, missing, children, onClose, run }: ActProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!form.current || busy) return
    const given = new FormData(form.current)
    const comment = String(given.get('comment')).trim()
    if (missing) return setProblem(missing)
    if (!comment) return setProblem('Escribe el motivo: queda en el historial.')
    setBusy(true)
    setProblem('')
    try {
      await run(comment, given)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={busy ? undefined : onClose}>
      <form ref={form} onSubmit={submit} novalidate>
        {children}
        <div class="field">
          <label for={id}>Motivo</label>
          <textarea
            id={id}
            name="comment"
            rows={2}
            maxlength={500}
            aria-invalid={problem ? 'true' : undefined}
          />
        </div>
        <p class="problem" role="alert">
          {problem || (online ? '' : OFFLINE)}
        </p>
        <footer>
          <button type="button" onClick={onClose} disabled={busy}>
            Volver
          </button>
          <button type="submit" class={danger ? 'danger' : 'primary'} disabled={!online || busy}>
            {busy ? 'Guardando…' : act}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

interface Props {
  closing: Closing
  /** Whom the closing takes, in words. */
  who: string
  onClose: () => void
  onDone: () => void
}

export const CancelDialog = ({ closing, who, onClose, onDone }: Props) => {
  const total = closing.period_seconds + closing.added_seconds
  return (
    <ActDialog
      title={`Cancelar el cierre ${closing.id}`}
      act="Cancelar el cierre"
      danger
      onClose={onClose}
      run={async (comment) => {
        await cancelClosing(closing.id, comment)
        announce(`Se canceló el cierre ${closing.id}: sus días se pagan en el próximo.`)
        onDone()
      }}
    >
      <p>
        Solo si nadie cobró con él. Sus <strong>{duration(total)}</strong> ({who}) dejan de contar
        como pagadas, y el próximo cierre las paga completas.
      </p>
      <p class="effect">
        Si alguien ya cobró, se le pagaría dos veces: en ese caso usa «Desbloquear días».
      </p>
    </ActDialog>
  )
}

export const UnlockDialog = ({
  closing,
  who,
  known,
  onClose,
  onDone,
}: Props & { known: Unlock[] }) => {
  const id = useId()
  const last = addDays(closing.before, -1)
  const [person, setPerson] = useState<FoundEmployee | undefined>(undefined)
  const [isAll, setAll] = useState(closing.employee_id !== null)
  return (
    <ActDialog
      title="Desbloquear días"
      act="Desbloquear"
      missing={!isAll && !person && 'Elige a la persona de la lista.'}
      onClose={onClose}
      run={async (comment, given) => {
        const [from, to] = [String(given.get('from')), String(given.get('to'))]
        const { payroll_group, employee_id } = isAll
          ? closing
          : { payroll_group: null, employee_id: person?.employee_id ?? '' }
        await unlockDays({ payroll_group, employee_id, from, to, comment }, known)
        announce('Los días se desbloquearon: sus checadas se pueden decidir otra vez.')
        onDone()
      }}
    >
      <p>
        Lo pagado se queda pagado. Las checadas de estos días se pueden decidir otra vez hasta el
        próximo cierre, que paga o descuenta solo la diferencia.
      </p>
      {!isAll && <PersonSearch key="person" label="Persona" required onChoose={setPerson} />}
      {closing.employee_id === null && (
        <label key="all" class="pick">
          <input type="checkbox" onChange={() => setAll(!isAll)} />
          En vez de una persona: {who}
        </label>
      )}
      <div class="pair">
        <div class="field">
          <label for={`${id}-from`}>Desde</label>
          <input id={`${id}-from`} name="from" type="date" value={fortnightOf(last).from} />
        </div>
        <div class="field">
          <label for={`${id}-to`}>Hasta</label>
          <input id={`${id}-to`} name="to" type="date" value={last} />
        </div>
      </div>
    </ActDialog>
  )
}
