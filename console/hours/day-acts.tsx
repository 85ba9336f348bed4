import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { rememberRow } from '../review/focus.ts'
import { can } from '../session/session.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ActButton } from '../ui/buttons.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { MISSING_KINDS } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { linkTo } from '../ui/routes.ts'
import { KINDS } from '../ui/text.ts'
import { shortDay } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { askToApproveDay } from './clean-days.ts'
import { reviewDay } from './hours.api.ts'
import { axisOf, Bars } from './hours-bars.tsx'

interface ReviewProps {
  row: HoursDay
  onClose: () => void
  onDone: () => void
}

export const isInverted = ({ exceptions }: HoursDay): boolean =>
  exceptions.includes('posible_desfase')

/** `16:42 h` */
const hoursAndMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** Shows an inverted day as it is now, and as it would be if its first log were a salida. */
const BothReadings = ({ row }: { row: HoursDay }) => {
  // The times of pending logs are in parentheses.
  const [firstPunch = ''] = row.detail.replace(/[()]/g, '').split('–')
  const withMissing = `?–${firstPunch}`
  const axis = axisOf([row])
  const reading = (label: string, detail: string): ComponentChildren => (
    <figure class="work">
      <figcaption>
        {label}: {detail}
      </figcaption>
      <Bars detail={detail} axis={axis} />
    </figure>
  )
  return (
    <div>
      {reading('Como está', row.detail)}
      {reading('Si falta una entrada', withMissing)}
    </div>
  )
}

const ReviewDialog = ({ row, onClose, onDone }: ReviewProps) => {
  const [isConfirmed, setConfirmed] = useState(false)
  const what = `${row.full_name} (${row.employee_id}), ${shortDay(row.day)}`
  const seconds = row.worked_seconds ?? 0
  const mustConfirm = isInverted(row)
  return (
    <ActDialog
      title={`Marcar como revisada: ${what}`}
      act="Marcar como revisada"
      hint="Por ejemplo: «Día de descanso trabajado, con autorización»."
      missing={mustConfirm && !isConfirmed && 'Confirma las horas que se pagan, o vuelve.'}
      onClose={onClose}
      onDone={onDone}
      send={async (given) => {
        const { employee_id, day } = row
        const comment = given('comment') || null
        const confirmed = mustConfirm ? { confirm_seconds: seconds } : {}
        await reviewDay({ employee_id, day, comment, ...confirmed })
        announce(`Revisada: ${what}. Vuelve a la lista si algo cambia.`)
      }}
    >
      <p>Sale de esta lista hasta que una de sus checadas cambie. Sus horas quedan como están.</p>
      {mustConfirm && (
        <div>
          <BothReadings row={row} />
          <Checkbox checked={isConfirmed} onChange={setConfirmed}>
            Se pagan {hoursAndMinutes(seconds)} así
          </Checkbox>
        </div>
      )}
    </ActDialog>
  )
}

/** The kinds that a missing log may have. Empty if no log is missing, both if kinds are deduced. */
const missingKinds = ({ exceptions, notices }: HoursDay): ('entrada' | 'salida')[] => {
  const kinds = [...new Set(exceptions.flatMap((name) => MISSING_KINDS[name] ?? []))]
  if (!notices.includes('tipo_deducido')) return kinds
  return kinds.length > 0 || exceptions.includes('jornada_larga') ? ['entrada', 'salida'] : []
}

/** The buttons for a day that somebody must review. */
export const DayActs = ({ row, onReviewed }: { row: HoursDay; onReviewed: () => void }) => {
  const { employee_id, day, detail, branch_office, exceptions } = row
  const remember = () => rememberRow(employee_id + day)
  const back = location.hash.slice(2)
  const add = (kind: 'entrada' | 'salida') =>
    linkTo('agregar', { employee_id, kind, day, detail, branch_office, back })
  return (
    <div class="day-acts">
      {missingKinds(row).map((kind) => (
        <a key={kind} class="button act" href={add(kind)} onClick={remember}>
          <Icon name="plus" />
          Agregar la {KINDS[kind].toLowerCase()} que falta
        </a>
      ))}
      {exceptions.includes('pendientes') && can('decide') && (
        <ActButton
          label="Aprobar lo pendiente"
          icon="check"
          class="act"
          act={() => {
            remember()
            return askToApproveDay(row)
          }}
        />
      )}
      <DialogButton
        key="review"
        class="act"
        label={isInverted(row) ? 'Está bien así…' : 'Revisada'}
        dialog={(close) => (
          <ReviewDialog
            row={row}
            onClose={close}
            onDone={() => {
              remember()
              onReviewed()
            }}
          />
        )}
      />
    </div>
  )
}
