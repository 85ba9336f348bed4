import { useEffect, useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { markPeopleChanged } from '../review/changed-people.ts'
import { readersNote } from '../review/decisions.state.ts'
import { messageOf } from '../session/client.ts'
import { newId } from '../session/new-id.ts'
import { can, signedIn } from '../session/session.ts'
import { Suggestions } from '../ui/fields.tsx'
import { FormEnd, FormField, type Given, useForm } from '../ui/form.tsx'
import { timeProblems } from '../ui/second-time.tsx'
import { KINDS } from '../ui/text.ts'
import { dayAndMonth, hasZones, today, zoneName, zoneOf } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { approveWithAdded } from './clean-days.ts'
import { addLog } from './hours.api.ts'
import { dayOfEnd, isTooLong, type MissingEnd } from './missing-log.ts'

const REASONS = ['Olvidó checar.', 'El reloj no tenía corriente.', 'Salió por trabajo.']

const tooLong = (): string =>
  `Con esa hora la jornada pasaría de ${signedIn().max_shift_hours} h. Si es así, cancela, y en «Más» usa «Agregar otra checada…».`

const isLong = (end: MissingEnd, given: Given): boolean =>
  isTooLong(end, {
    day: given('day'),
    time: given('time'),
    max_shift_hours: signedIn().max_shift_hours,
  })

/** `Salida, después de las 22:00` */
const endText = ({ kind, beside }: MissingEnd): string =>
  `${KINDS[kind]}, ${kind === 'salida' ? 'después' : 'antes'} de las ${beside.slice(11, 16)}`

/** Whether the user may approve what they add, so that both are one act. */
export const approvesAdded = (): boolean => can('decide') && !signedIn().forbid_self_approval

interface Props {
  row: HoursDay
  /** What may be missing. The user chooses one if there are several. */
  ends: MissingEnd[]
  onClose: () => void
  /** Called before the list is read again. */
  onDone: () => void
}

/**
 * The form in a day's row that adds the missing log. If the user may decide what they add, it also
 * approves the day's pending logs. The day follows from the hour until the user chooses another.
 */
export const MissingLogForm = ({ row, ends, onClose, onDone }: Props) => {
  const { employee_id, full_name, day, branch_office } = row
  const [clientId] = useState(newId())
  const [end, setEnd] = useState(ends.length === 1 ? ends[0] : undefined)
  const [isDayChosen, setDayChosen] = useState(false)
  const [time, setTime] = useState('')
  const proposed = end ? dayOfEnd(end, time) : day
  const approves = approvesAdded()
  const form = useForm({
    draft: `falta ${employee_id} ${day}`,
    check: (given) => ({
      ...(!end && { end: 'Elige cuál falta.' }),
      ...(!given('time') && { time: 'Pon la hora.' }),
      ...(!given('day') && { day: 'Pon el día.' }),
      ...(end && isLong(end, given) && { time: tooLong() }),
      ...(!given('comment') && { comment: 'Escribe por qué falta.' }),
    }),
    send: async (given) => {
      if (!end) return
      const { kind } = end
      const [dayOfLog, comment] = [given('day'), given('comment')]
      const local_time = `${dayOfLog}T${given('time')}:00`
      const log = { client_id: given('client_id'), employee_id, kind, comment }
      const { log_id, warnings } = await addLog({ ...log, local_time, branch_office })
      const outcome =
        approves && log_id !== null ? await approveWithAdded(row, log_id, comment) : undefined
      const what = `${full_name}, ${kind} del ${dayAndMonth(dayOfLog)} a las ${given('time')}`
      const twice = warnings.map(({ message }) => ` ${message}`).join('')
      onDone()
      markPeopleChanged([employee_id])
      onClose()
      if (!outcome) announce(`Se agregó: ${what}. Queda por revisar.${twice}`)
      else if (outcome.error) {
        announce(`Se agregó: ${what}. Falta aprobarla: ${messageOf(outcome.error)}${twice}`)
      } else announce(`Se agregó y se aprobó: ${what}.${twice}`, { undoable: outcome.undoable })
    },
    describe: timeProblems,
  })
  const { id, about, problem } = form
  // A browser follows `autofocus` only as a page or a dialog opens.
  useEffect(() => form.props.ref.current?.querySelector<HTMLElement>('[autofocus]')?.focus(), [])
  return (
    <form
      class="missing"
      {...form.props}
      onInput={(event: Event) => {
        form.props.onInput(event)
        if ((event.target as HTMLInputElement).name === 'day') setDayChosen(true)
        if (ends.length > 1) setEnd(ends[Number(form.given('end') || -1)])
        setTime(form.given('time'))
      }}
    >
      <input type="hidden" name="client_id" defaultValue={clientId} />
      <fieldset {...about('end')} hidden={ends.length === 1}>
        <legend class="sr">Cuál falta</legend>
        {ends.map((one, i) => (
          <label key={i} class="pick">
            <input
              type="radio"
              name="end"
              value={i}
              defaultChecked={ends.length === 1}
              autofocus={ends.length > 1 && i === 0}
            />
            {endText(one)}
          </label>
        ))}
        {problem('end')}
      </fieldset>
      <FormField
        form={form}
        name="time"
        type="time"
        label={end ? `Hora de la ${end.kind}` : 'Hora'}
        autofocus={ends.length === 1}
      />
      <FormField
        form={form}
        name="day"
        type="date"
        label="Día"
        max={today()}
        {...(!isDayChosen && { value: proposed })}
      />
      <FormField
        form={form}
        name="comment"
        label="Motivo"
        list={`${id}-reasons`}
        autocomplete="off"
      />
      <Suggestions id={`${id}-reasons`} names={REASONS} />
      <FormEnd
        form={form}
        problem={form.problems.all}
        act={approves ? 'Agregar y aprobar' : 'Agregar'}
        busyAct="Agregando…"
      >
        <button
          type="button"
          onClick={() => {
            form.forget()
            onClose()
          }}
        >
          Cancelar
        </button>
      </FormEnd>
      <p class="note" role="status">
        {proposed !== day && !isDayChosen && `Es la hora del ${dayAndMonth(proposed)}. `}
        {hasZones() && `En ${zoneName(zoneOf(branch_office))}. `}
        {readersNote(1)}
      </p>
    </form>
  )
}
