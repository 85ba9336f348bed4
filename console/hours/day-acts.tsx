import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { rememberRow } from '../review/focus.ts'
import { requestDecision } from '../review/request-decision.tsx'
import { messageOf } from '../session/client.ts'
import { can, mayClose } from '../session/session.ts'
import { ActButton } from '../ui/buttons.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { CommentDialog } from '../ui/dialogs.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/reading.tsx'
import { linkTo, linkToLongestShift } from '../ui/routes.ts'
import { counted, KINDS } from '../ui/text.ts'
import { clockTime, shortDay } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { askToApproveDay, readDecidable } from './clean-days.ts'
import {
  actsOf,
  type DayAct,
  type ExtraLog,
  GUARD_HOURS,
  isInverted,
  isPending,
} from './day-act.ts'
import { sentenceOf } from './day-sentence.ts'
import { Exceptions } from './exceptions.tsx'
import { decidableOfDay, pendingOfDay, reviewDay } from './hours.queries.ts'
import { axisOf, Bars } from './hours-bars.tsx'
import { missingEnds } from './missing-log.ts'
import { MissingLogForm } from './missing-log-form.tsx'
import { WrongKeyDialog } from './wrong-key-dialog.tsx'

interface ReviewProps {
  row: HoursDay
  onClose: () => void
}

/** `16:42 h` */
const hoursAndMinutes = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`
}

/** Shows an inverted day as it is now, and as it would be if its first log were a salida. */
const BothReadings = ({ row }: { row: HoursDay }) => {
  const [first] = row.spans
  const axis = axisOf([row])
  const reading = (label: string, spans: HoursDay['spans']): ComponentChildren => (
    <figure>
      <figcaption>{label}</figcaption>
      <Bars day={{ day: row.day, spans }} axis={axis} />
    </figure>
  )
  return (
    <div>
      {reading(`Como está: ${row.detail}`, row.spans)}
      {first?.from &&
        reading(`Si falta una entrada: ?–${first.from.slice(11, 16)}`, [
          { ...first, from: null, to: first.from },
        ])}
    </div>
  )
}

/** Marks a day as reviewed. Its pending logs are approved in the same request, or nothing is saved. */
const ReviewDialog = ({ row, onClose }: ReviewProps) => {
  const [isConfirmed, setConfirmed] = useState(false)
  const approves = isPending(row)
  const { data, error } = useQuery({ ...pendingOfDay(row), enabled: approves })
  const pending = approves ? data : []
  const problem = error ? messageOf(error) : undefined
  const what = `${row.full_name} (${row.employee_id}), ${shortDay(row.day)}`
  const seconds = (row.worked_seconds ?? 0) + (approves ? row.pending_seconds : 0)
  const mustConfirm = isInverted(row)
  const missing = !pending
    ? (problem ?? 'Espera: se leen las checadas pendientes del día.')
    : mustConfirm && !isConfirmed && 'Confirma las horas que se pagan, o vuelve.'
  return (
    <CommentDialog
      title={`${approves ? 'Aprobar y marcar como revisada' : 'Marcar como revisada'}: ${what}`}
      act={approves ? 'Aprobar y marcar como revisada' : 'Marcar como revisada'}
      hint="Por ejemplo: «Día de descanso trabajado, con autorización»."
      missing={missing}
      onClose={onClose}
      send={async (typed) => {
        const { employee_id, day } = row
        const comment = typed || null
        const confirmed = mustConfirm ? { confirm_seconds: seconds } : {}
        const approve_log_ids = pending?.map(({ log_id }) => log_id) ?? []
        await reviewDay({
          employee_id,
          day,
          comment,
          ...confirmed,
          ...(approve_log_ids.length > 0 && { approve_log_ids }),
        })
        rememberRow(employee_id + day)
        announce(`Revisada: ${what}. Vuelve a la lista si algo cambia.`)
      }}
    >
      {approves && (
        <p>
          {pending
            ? `Se ${pending.length === 1 ? 'aprueba' : 'aprueban'} ${counted(pending.length, 'checada')} de ese día: ${row.detail}.`
            : (problem ?? 'Se leen las checadas pendientes…')}
        </p>
      )}
      <p>
        Sale de esta lista hasta que una de sus checadas cambie.
        {!approves && ' Sus horas quedan como están.'}
      </p>
      {mustConfirm && (
        <div>
          <BothReadings row={row} />
          <Checkbox checked={isConfirmed} onChange={setConfirmed}>
            Se pagan {hoursAndMinutes(seconds)} así
          </Checkbox>
        </div>
      )}
    </CommentDialog>
  )
}

/** Asks to reject the log that is too many. Returns a message if it cannot be decided. */
const askToReject = async (row: HoursDay, { log_id }: ExtraLog): Promise<string | undefined> => {
  const log = await readDecidable(row, log_id)
  if (!log || log.status === 'rejected') return 'Esa checada ya no se puede rechazar.'
  rememberRow(row.employee_id + row.day)
  requestDecision([log], 'rejected')
}

/**
 * Buttons that reject each log of the day, or approve one that was rejected.
 * @param props.except a log that has a button already
 */
const LogActs = ({ row, except }: { row: HoursDay; except: number | undefined }) => {
  const { data, error, isFetching } = useQuery(decidableOfDay(row))
  const others = data?.filter(({ log_id }) => log_id !== except) ?? []
  return (
    <>
      <Problem text={error ? messageOf(error) : ''} />
      {others.map((log) => {
        const isRejected = log.status === 'rejected'
        const name = `la ${KINDS[log.kind].toLowerCase()} de las ${clockTime(log.local_at)}`
        return (
          <button
            key={log.log_id}
            type="button"
            class="act"
            // A decision gives logs another status, which the next act has to expect.
            disabled={isFetching}
            onClick={() => {
              rememberRow(row.employee_id + row.day)
              requestDecision([log], isRejected ? 'approved' : 'rejected')
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

interface MoreProps {
  row: HoursDay
  /** A log whose rejection is one of the day's acts. */
  rejects?: number | undefined
  children?: ComponentChildren
}

/** The acts for a day besides the main one. They are shown, and its logs are read, when opened. */
export const MoreActs = ({ row, rejects, children }: MoreProps) => {
  const [isOpen, setOpen] = useState(false)
  const { employee_id, day, branch_office } = row
  const query = { employee_id, day, branch_office, back: location.hash.slice(2) }
  return (
    <details
      class="more"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Más</summary>
      {isOpen && (
        <div class="acts">
          {children}
          <LogActs row={row} except={rejects} />
          <a
            class="button act"
            href={linkTo('agregar', query)}
            onClick={() => rememberRow(employee_id + day)}
          >
            <Icon name="plus" />
            Agregar otra checada…
          </a>
        </div>
      )}
    </details>
  )
}

interface ActProps {
  row: HoursDay
  act: DayAct
  /** Opens the form that adds the missing log. */
  onAdd: () => void
}

/** The button or link of an act. */
const Act = ({ act, row, onAdd }: ActProps) => {
  const { employee_id, day } = row
  const { name, label } = act
  if (name === 'long_shift' || name === 'dates') {
    const href =
      name === 'dates'
        ? linkTo('personas/persona', { id: employee_id, hacer: 'editar' })
        : linkToLongestShift(employee_id, GUARD_HOURS)
    return (
      <a class="button act" href={href} onClick={() => rememberRow(employee_id + day)}>
        {label}
      </a>
    )
  }
  if (name === 'reject') {
    return (
      <ActButton label={label} icon="cross" class="act" act={() => askToReject(row, act.extra)} />
    )
  }
  if (name === 'change_kind') {
    // The dialog outlives its button, which goes once a part of the change is saved.
    return (
      <DialogButton
        class="act"
        label={label}
        dialog={(close) => <WrongKeyDialog row={row} punch={act.punch} onClose={close} />}
      />
    )
  }
  if (name === 'add') {
    return (
      <button type="button" class="act" onClick={onAdd}>
        <Icon name="plus" />
        {label}
      </button>
    )
  }
  if (name === 'approve') {
    return <ActButton label={label} icon="check" class="act" act={() => askToApproveDay(row)} />
  }
  return (
    <DialogButton
      class="act"
      label={label}
      dialog={(close) => <ReviewDialog row={row} onClose={close} />}
    />
  )
}

/** What to do about a day that somebody must look at: a sentence and one act. Others are in «Más». */
export const DayActs = ({ row }: { row: HoursDay }) => {
  const [isAdding, setAdding] = useState(false)
  const may = { decide: can('decide'), close: mayClose(), keep_people: can('keep_people') }
  const acts = actsOf(row, may)
  const [main, ...others] = acts
  const reject = acts.find((act) => act.name === 'reject')
  const nodeOf = (act: DayAct) => (
    <Act key={act.name} act={act} row={row} onAdd={() => setAdding(true)} />
  )
  return (
    <div class="day-acts">
      <p class="to-do">
        {sentenceOf(row)}
        {isPending(row) && !may.decide && ' Antes decide alguien que aprueba checadas.'}
        {row.maybe_long_shift && !may.close && ' Si es así, lo dice en Empresa quien cierra.'}
      </p>
      {isAdding ? (
        <MissingLogForm
          key="form"
          row={row}
          ends={missingEnds(row)}
          onClose={() => setAdding(false)}
        />
      ) : (
        main && nodeOf(main)
      )}
      {!isAdding && (
        <MoreActs row={row} rejects={reject?.extra.log_id}>
          <Exceptions names={row.exceptions} />
          {others.map(nodeOf)}
        </MoreActs>
      )}
    </div>
  )
}
