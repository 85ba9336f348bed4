import type { Clock } from '../../sdk/api-types.ts'
import { branchNames } from '../session/session.ts'
import { Checkbox, Suggestions } from '../ui/fields.tsx'
import { FormField, useForm } from '../ui/form.tsx'
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

/** Adds a clock that connects by itself, or changes it. */
export const ClockDialog = ({ clock, hidden, onClose, onSaved }: Props) => {
  const start = hidden?.replace(HIDDEN_END, '')
  const form = useForm({
    check: (given) => ({
      ...(!clock && !given('serial') && { serial: 'Escribe lo que dice su etiqueta.' }),
      ...(!branchNames().includes(given('branch_office')) && {
        branch_office: 'Nadie está en esa sucursal: escríbela como está en Personas.',
      }),
      ...(!given('from_day') && { from_day: 'Di desde qué día.' }),
    }),
    send: async (given) => {
      const serial = clock?.serial ?? `${start ?? ''}${given('serial')}`
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
      announce(
        clock ? 'El reloj se guardó.' : 'El reloj se agregó: en un minuto envía lo que tiene.',
      )
      onSaved()
    },
  })
  const branches = `${form.id}-branches`
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
      <FormField
        form={form}
        name="branch_office"
        label="Sucursal"
        hint="Sus checadas llevan la hora de esta sucursal, y son de su gente."
        list={branches}
        value={clock?.branch_office ?? ''}
      />
      <Suggestions id={branches} names={branchNames()} />
      <Checkbox name="uses_keys" value="1" checked={clock?.uses_keys ?? false}>
        La gente oprime entrada o salida en él
      </Checkbox>
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
