import { useEffect } from 'preact/hooks'
import type { HoursDay, ManualLogBody } from '../../sdk/api-types.ts'
import { readersNote } from '../review/decision-texts.ts'
import { rememberRow } from '../review/focus.ts'
import { messageOf } from '../session/client.ts'
import { newId } from '../session/new-id.ts'
import { can, signedIn } from '../session/session.ts'
import { RadioField, Suggestions, TextField } from '../ui/fields.tsx'
import { write } from '../ui/queries.ts'
import { timeProblems } from '../ui/second-time.tsx'
import { KINDS } from '../ui/text.ts'
import { dayAndMonth, hasZones, today, zoneName, zoneOf } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { approveWithAdded } from './clean-days.ts'
import { ADDED, sendLog } from './hours.queries.ts'
import { dayOfEnd, isTooLong, type MissingEnd } from './missing-log.ts'

const REASONS = ['Olvidó checar.', 'El reloj no tenía corriente.', 'Salió por trabajo.']

const tooLong = (): string =>
  `Con esa hora la jornada pasaría de ${signedIn().max_shift_hours} h. Si es así, cancela, y en «Más» usa «Agregar otra checada…».`

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
}

/**
 * The form in a day's row that adds the missing log. If the user may decide what they add, it also
 * approves the day's pending logs. The day follows from the hour until the user chooses another.
 */
export const MissingLogForm = ({ row, ends, onClose }: Props) => {
  const { employee_id, full_name, day, branch_office } = row
  const approves = approvesAdded()
  const endOf = (chosen: string) => (ends.length === 1 ? ends[0] : ends[Number(chosen || -1)])
  const dayFor = ({ end, time, day: chosen }: { end: string; time: string; day: string }) => {
    const found = endOf(end)
    return chosen || (found ? dayOfEnd(found, time) : day)
  }
  const addAndApprove = write(ADDED, async (json: ManualLogBody) => {
    const { log_id, warnings } = await sendLog(json)
    const isToApprove = approves && log_id !== null
    const outcome = isToApprove ? await approveWithAdded(row, log_id, json.comment) : undefined
    return { outcome, twice: warnings.map(({ message }) => ` ${message}`).join('') }
  })
  const form = useForm({
    draft: `falta ${employee_id} ${day}`,
    initial: { client_id: newId(), end: '', time: '', day: '', comment: '' },
    check: (values) => {
      const { time, comment } = values
      const end = endOf(values.end)
      const { max_shift_hours } = signedIn()
      const isLong = end && isTooLong(end, { day: dayFor(values), time, max_shift_hours })
      return {
        end: !end && 'Elige cuál falta.',
        time: time ? isLong && tooLong() : 'Pon la hora.',
        comment: !comment && 'Escribe por qué falta.',
      }
    },
    send: async (values) => {
      const { client_id, time, comment } = values
      const kind = endOf(values.end)?.kind ?? 'entrada'
      const dayOfLog = dayFor(values)
      const log = { client_id, employee_id, kind, comment, branch_office }
      const { outcome, twice } = await addAndApprove({
        ...log,
        local_time: `${dayOfLog}T${time}:00`,
      })
      const what = `${full_name}, ${kind} del ${dayAndMonth(dayOfLog)} a las ${time}`
      rememberRow(employee_id + day)
      onClose()
      if (!outcome) announce(`Se agregó: ${what}. Queda por revisar.${twice}`)
      else if (outcome.error) {
        announce(`Se agregó: ${what}. Falta aprobarla: ${messageOf(outcome.error)}${twice}`)
      } else announce(`Se agregó y se aprobó: ${what}.${twice}`, { undoable: outcome.undoable })
    },
    describe: timeProblems,
  })
  const end = endOf(form.values.end)
  const proposed = dayFor({ ...form.values, day: '' })
  // A browser follows `autofocus` only as a page or a dialog opens.
  useEffect(() => form.focus(ends.length > 1 ? 'end' : 'time'), [])
  return (
    <Form
      form={form}
      class="missing"
      act={approves ? 'Agregar y aprobar' : 'Agregar'}
      busyAct="Agregando…"
      beside={
        <button
          type="button"
          onClick={() => {
            form.forget()
            onClose()
          }}
        >
          Cancelar
        </button>
      }
    >
      {ends.length > 1 && (
        <RadioField
          {...form.field('end')}
          legend="Cuál falta"
          hasHiddenLegend
          options={ends.map((one, i) => [String(i), endText(one)] as const)}
        />
      )}
      <TextField
        {...form.field('time')}
        type="time"
        label={end ? `Hora de la ${end.kind}` : 'Hora'}
      />
      <TextField
        {...form.field('day')}
        value={form.values.day || proposed}
        type="date"
        label="Día"
        max={today()}
      />
      <TextField
        {...form.field('comment')}
        label="Motivo"
        list="missing-reasons"
        autocomplete="off"
      />
      <Suggestions id="missing-reasons" names={REASONS} />
      <p class="note" role="status">
        {proposed !== day && !form.values.day && `Es la hora del ${dayAndMonth(proposed)}. `}
        {hasZones() && `En ${zoneName(zoneOf(branch_office))}. `}
        {readersNote(1)}
      </p>
    </Form>
  )
}
