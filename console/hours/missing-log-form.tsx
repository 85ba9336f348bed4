import { useEffect, useState } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { markPeopleChanged } from '../review/changed-people.ts'
import { readersNote } from '../review/decisions.state.ts'
import { messageOf } from '../session/client.ts'
import { can, signedIn } from '../session/session.ts'
import { Suggestions } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { KINDS } from '../ui/text.ts'
import { addDays, dayAndMonth, hasZones, toInstant, zoneName, zoneOf } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { approveWithAdded } from './clean-days.ts'
import { addLog, isTooLong, type missingKinds, shiftOf } from './missing-log.ts'

const REASONS = ['Olvidó checar.', 'El reloj no tenía corriente.', 'Salió por trabajo.']

const tooLong = (): string =>
  `Con esa hora la jornada pasaría de ${signedIn().max_shift_hours} h. Si es así, cancela, y en «Más» usa «Agregar otra checada…».`

interface Props {
  row: HoursDay
  kinds: ReturnType<typeof missingKinds>
  onClose: () => void
  /** Called before the list is read again. */
  onDone: () => void
}

/**
 * The form in a day's row that adds the missing log. If the user may decide what they add, it also
 * approves the day's pending logs.
 */
export const MissingLogForm = ({ row, kinds, onClose, onDone }: Props) => {
  const { employee_id, full_name, day, detail, branch_office } = row
  const [clientId] = useState(crypto.randomUUID())
  const [shift, setShift] = useState(0)
  const zone = zoneOf(branch_office)
  const approves = can('decide') && !signedIn().forbid_self_approval
  const form = useForm({
    draft: `falta ${employee_id} ${day}`,
    check: (given) => ({
      ...(!given('kind') && { kind: 'Elige si fue entrada o salida.' }),
      ...(!given('time') && { time: 'Pon la hora.' }),
      ...(isTooLong(detail, given('kind'), given('time')) && { time: tooLong() }),
      ...(!given('comment') && { comment: 'Escribe por qué falta.' }),
    }),
    send: async (given) => {
      const [kind, time, comment] = [given('kind') as 'entrada', given('time'), given('comment')]
      const dayOfLog = addDays(day, shiftOf(detail, kind, time))
      const recorded_at = toInstant(dayOfLog, time, zone)
      const added = { client_id: given('client_id'), employee_id, kind, recorded_at, comment }
      const { log_id } = await addLog(added)
      const outcome =
        approves && log_id !== null ? await approveWithAdded(row, log_id, comment) : undefined
      const what = `${full_name}, ${kind} del ${dayAndMonth(dayOfLog)} a las ${time}`
      onDone()
      markPeopleChanged([employee_id])
      onClose()
      if (!outcome) announce(`Se agregó: ${what}. Queda por revisar.`)
      else if (outcome.error) {
        announce(`Se agregó: ${what}. Falta aprobarla: ${messageOf(outcome.error)}`)
      } else announce(`Se agregó y se aprobó: ${what}.`, { undoable: outcome.undoable })
    },
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
        setShift(shiftOf(detail, form.given('kind'), form.given('time')))
      }}
    >
      <input type="hidden" name="client_id" defaultValue={clientId} />
      <fieldset {...about('kind')} hidden={kinds.length === 1}>
        <legend class="sr">Tipo</legend>
        {kinds.map((kind) => (
          <label key={kind} class="pick">
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={kinds.length === 1}
              autofocus={kinds.length > 1 && kind === kinds[0]}
            />
            {KINDS[kind]}
          </label>
        ))}
        {problem('kind')}
      </fieldset>
      <FormField
        form={form}
        name="time"
        type="time"
        label={kinds.length === 1 ? `Hora de la ${kinds[0]}` : 'Hora'}
        autofocus={kinds.length === 1}
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
        problem={form.problems.all ?? form.problems.recorded_at}
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
        {shift !== 0 && `Es la hora del ${dayAndMonth(addDays(day, shift))}. `}
        {hasZones() && `En ${zoneName(zone)}. `}
        {readersNote(1)}
      </p>
    </form>
  )
}
