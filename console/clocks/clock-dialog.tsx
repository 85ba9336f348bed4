import { useState } from 'preact/hooks'
import type { Clock } from '../../sdk/api-types.ts'
import { hasStatus, messageOf } from '../session/client.ts'
import { branchNames } from '../session/session.ts'
import { Checkbox, Field } from '../ui/fields.tsx'
import { FormField, problemsOf, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { addDays, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { saveClock } from './clocks.api.ts'

interface Props {
  /** The clock to change. Undefined to add one. */
  clock?: Clock
  /** The serial number of a clock that has called, without its last four characters. */
  hidden?: string
  onClose: () => void
  onSaved: () => void
}

/** Punches from before this many days are old: they come by import. */
const DAYS_KEPT = 45

const HIDDEN_END = /····$/

/** The serial number, of which the user may have typed the end or all. */
const wholeSerial = (start: string, typed: string): string =>
  start !== '' && typed.toUpperCase().startsWith(start) ? typed : `${start}${typed}`

const addedText = (hasCalled: boolean): string =>
  hasCalled
    ? 'El reloj se agregó: en un minuto envía lo que tiene.'
    : 'El reloj se agregó. Sube su archivo cuando lo tengas.'

interface BranchProps {
  form: ReturnType<typeof useForm>
  /** The branch of a clock that is changed. */
  stored: string | undefined
}

const BranchField = ({ form, stored }: BranchProps) => {
  const id = `${form.id}-branch`
  const names = [...new Set([...branchNames(), ...(stored ? [stored] : [])])]
  // The choice at first. It stays when the names change while the dialog is open.
  const [chosen] = useState(stored ?? (names.length === 1 ? names[0] : ''))
  return (
    <div>
      <Field id={id} label="Sucursal">
        <select id={id} name="branch_office" {...form.about('branch_office')}>
          <option value="">{stored === '' ? 'Sin sucursal' : 'Elige…'}</option>
          {names.map((name) => (
            <option key={name} value={name} selected={name === chosen}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <p class="note">
        Sus checadas llevan la hora de esta sucursal, y son de su gente.
        {stored !== undefined &&
          ' Si cambia, revisa sus números: los que alguien dijo siguen siendo de las mismas personas.'}
      </p>
      {form.problem('branch_office')}
    </div>
  )
}

/** Adds a clock that connects by itself, or changes it. */
export const ClockDialog = ({ clock, hidden, onClose, onSaved }: Props) => {
  const start = hidden?.replace(HIDDEN_END, '')
  const form = useForm({
    check: (given) => ({
      ...(!clock && !given('serial') && { serial: 'Escribe lo que dice su etiqueta.' }),
      ...(!clock &&
        branchNames().length > 0 &&
        !given('branch_office') && {
          branch_office: 'Elige la sucursal.',
        }),
      ...(!given('from_day') && { from_day: 'Di desde qué día.' }),
    }),
    send: async (given) => {
      const serial = clock?.serial ?? wholeSerial(start ?? '', given('serial'))
      await saveClock(serial, {
        label: given('label') || null,
        branch_office: given('branch_office'),
        uses_keys: given('uses_keys') !== '',
        from_day: given('from_day'),
        retired: clock?.retired ?? false,
        expected_version: clock?.version ?? 0,
        has_not_called: !clock && start === undefined,
      })
      onClose()
      announce(clock ? 'El reloj se guardó.' : addedText(start !== undefined))
      onSaved()
    },
    // Only the serial number can be wrong of a clock that is added.
    describe: (error) =>
      !clock && hasStatus(error, 409) ? { serial: messageOf(error) } : problemsOf(error),
  })
  return (
    <FormDialog
      form={form}
      title={clock ? `Reloj ${clock.serial}` : 'Agregar un reloj'}
      act={clock ? 'Guardar' : 'Agregar'}
      onClose={onClose}
    >
      {!clock && (
        <FormField
          form={form}
          name="serial"
          label={start === undefined ? 'Número de serie' : 'Los últimos 4 caracteres de su serie'}
          hint={
            start === undefined
              ? 'Está en la etiqueta del reloj, atrás o abajo, como SN.'
              : `Su número de serie comienza con ${start || '…'}. Está en la etiqueta, como SN.`
          }
          autocomplete="off"
          autofocus
        />
      )}
      <FormField
        form={form}
        name="label"
        label="Cómo le dicen las personas (opcional)"
        value={clock?.label ?? ''}
      />
      <BranchField form={form} stored={clock?.branch_office} />
      <div>
        <Checkbox name="uses_keys" value="1" defaultChecked={clock?.uses_keys ?? false}>
          La gente oprime entrada o salida en él
        </Checkbox>
        <p class="note">Si no, se deduce de la hora si cada checada es entrada o salida.</p>
      </div>
      <FormField
        form={form}
        name="from_day"
        type="date"
        label="Tomar sus checadas desde"
        hint="Las anteriores que tenga guardadas no se toman."
        value={clock?.from_day ?? addDays(today(), -DAYS_KEPT)}
      />
    </FormDialog>
  )
}
