import { useState } from 'hono/jsx/dom'
import type { HoursDay } from '../../sdk/api-types.ts'
import { reviewDay } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { rememberRow } from '../state/focus.ts'
import { approveDay } from '../state/hours.ts'
import { announce } from '../state/ui.ts'
import { KINDS } from '../text.ts'
import { shortDay } from '../time.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ActButton } from '../ui/buttons.tsx'
import { Icon } from '../ui/icon.tsx'
import { MISSING } from './hours-texts.ts'

interface ReviewProps {
  row: HoursDay
  onClose: () => void
  onDone: () => void
}

const ReviewDialog = ({ row, onClose, onDone }: ReviewProps) => {
  const what = `${row.full_name} (${row.employee_id}), ${shortDay(row.day)}`
  return (
    <ActDialog
      title={`Marcar como revisada: ${what}`}
      act="Marcar como revisada"
      hint="Por ejemplo: «Día de descanso trabajado, con autorización»."
      onClose={onClose}
      onDone={onDone}
      send={async (given) => {
        await reviewDay(row.employee_id, row.day, given('comment') || null)
        announce(`Revisada: ${what}. Vuelve a la lista si algo cambia.`)
      }}
    >
      <p>Sale de esta lista hasta que una de sus checadas cambie. Sus horas quedan como están.</p>
    </ActDialog>
  )
}

/** The buttons for a day that somebody must review. */
export const DayActs = ({ row, onReviewed }: { row: HoursDay; onReviewed: () => void }) => {
  const [reviewing, setReviewing] = useState(false)
  const { employee_id, day, detail, exceptions } = row
  const kinds = [...new Set(exceptions.flatMap((name) => MISSING[name] ?? []))]
  const remember = () => rememberRow(employee_id + day)
  const add = (kind: 'entrada' | 'salida') =>
    linkTo('agregar', { employee_id, kind, day, detail, back: location.hash.slice(2) })
  return (
    <div class="day-acts">
      {kinds.map((kind) => (
        <a key={kind} class="button act" href={add(kind)} onClick={remember}>
          <Icon name="plus" />
          Agregar la {KINDS[kind].toLowerCase()} que falta
        </a>
      ))}
      {exceptions.includes('pendientes') && signedIn().user.may_decide && (
        <ActButton
          key="approve"
          label="Aprobar lo pendiente"
          icon="check"
          class="act"
          act={() => {
            remember()
            return approveDay(row)
          }}
        />
      )}
      <button key="review" type="button" class="act" onClick={() => setReviewing(true)}>
        Revisada
      </button>
      {reviewing && (
        <ReviewDialog
          key="dialog"
          row={row}
          onClose={() => setReviewing(false)}
          onDone={onReviewed}
        />
      )}
    </div>
  )
}
