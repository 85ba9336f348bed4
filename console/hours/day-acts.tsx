import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { requestDecision } from '../review/decisions.state.ts'
import { rememberRow } from '../review/focus.ts'
import { can } from '../session/session.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ActButton } from '../ui/buttons.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { KINDS } from '../ui/text.ts'
import { clockTime, shortDay } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { askToApproveDay, readDecidableOfDay } from './clean-days.ts'
import { sentenceOf } from './day-sentence.ts'
import { Exceptions } from './exceptions.tsx'
import { reviewDay } from './hours.api.ts'
import { axisOf, Bars } from './hours-bars.tsx'
import { missingKinds } from './missing-log.ts'
import { MissingLogForm } from './missing-log-form.tsx'
import { repeatedLog } from './repeated-log.ts'

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

interface ActsProps {
  row: HoursDay
  onReviewed: () => void
}

type RepeatedLog = NonNullable<ReturnType<typeof repeatedLog>>

/** Asks to reject a log of the day. Returns a message if it cannot be decided. */
const askToReject = async (
  row: HoursDay,
  { kind, time }: RepeatedLog,
): Promise<string | undefined> => {
  const logs = await readDecidableOfDay(row)
  const log = logs.find(
    (one) => one.kind === kind && one.status !== 'rejected' && clockTime(one.local_at) === time,
  )
  if (!log) return `Esa ${kind} ya no se puede rechazar.`
  await requestDecision([log], 'rejected')
}

/** Buttons that reject each log of the day, or approve one that was rejected. */
const LogActs = ({ row }: { row: HoursDay }) => {
  const { data: logs, problem } = useRead(() => readDecidableOfDay(row), [row.log_ids.join()])
  return (
    <>
      <Problem text={problem} />
      {logs?.map((log) => {
        const isRejected = log.status === 'rejected'
        const name = `la ${KINDS[log.kind].toLowerCase()} de las ${clockTime(log.local_at)}`
        return (
          <button
            key={log.log_id}
            type="button"
            class="act"
            onClick={() => {
              rememberRow(row.employee_id + row.day)
              void requestDecision([log], isRejected ? 'approved' : 'rejected')
            }}
          >
            <Icon name={isRejected ? 'check' : 'cross'} />
            {isRejected ? `Aprobar ${name}, que se rechazó` : `Rechazar ${name}`}
          </button>
        )
      })}
    </>
  )
}

/** The acts for a day besides the main one. They are shown, and its logs are read, when opened. */
const MoreActs = ({ row, children }: { row: HoursDay; children: ComponentChildren }) => {
  const [isOpen, setOpen] = useState(false)
  const { employee_id, day, detail, branch_office } = row
  const query = { employee_id, day, detail, branch_office, back: location.hash.slice(2) }
  return (
    <details
      class="more"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Más</summary>
      {isOpen && (
        <div class="acts start">
          {children}
          <LogActs row={row} />
          <a
            class="button act"
            href={linkTo('agregar', query)}
            onClick={() => rememberRow(employee_id + day)}
          >
            <Icon name="plus" />
            Agregar otra checada…
          </a>
          <Exceptions names={row.exceptions} />
        </div>
      )}
    </details>
  )
}

/** What to do about a day that somebody must look at: a sentence and one act. Others are in «Más». */
export const DayActs = ({ row, onReviewed }: ActsProps) => {
  const { employee_id, day, exceptions } = row
  const [isAdding, setAdding] = useState(false)
  const kinds = missingKinds(row)
  const remember = () => rememberRow(employee_id + day)
  const repeated = can('decide') ? repeatedLog(row) : undefined
  const acts = [
    repeated && (
      <ActButton
        key="repeated"
        label={`Rechazar la ${repeated.kind} de las ${repeated.time}`}
        icon="cross"
        class="act"
        act={() => {
          remember()
          return askToReject(row, repeated)
        }}
      />
    ),
    kinds.length > 0 && (
      <button key="add" type="button" class="act" onClick={() => setAdding(true)}>
        <Icon name="plus" />
        Agregar la {kinds.length === 1 ? kinds[0] : 'checada'} que falta
      </button>
    ),
    exceptions.includes('pendientes') && can('decide') && (
      <ActButton
        key="approve"
        label="Aprobar lo pendiente"
        icon="check"
        class="act"
        act={() => {
          remember()
          return askToApproveDay(row)
        }}
      />
    ),
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
    />,
  ].filter(Boolean)
  const [main, ...others] = acts
  return (
    <div class="day-acts">
      <p class="to-do">{sentenceOf(row)}</p>
      {isAdding ? (
        <MissingLogForm
          key="form"
          row={row}
          kinds={kinds}
          onDone={remember}
          onClose={() => setAdding(false)}
        />
      ) : (
        main
      )}
      {!isAdding && <MoreActs row={row}>{others}</MoreActs>}
    </div>
  )
}
