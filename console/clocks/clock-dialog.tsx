import type { Clock } from '../../sdk/api-types.ts'
import { hasStatus, messageOf } from '../session/client.ts'
import { branchNames } from '../session/session.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { CheckField, Choice, TextField } from '../ui/fields.tsx'
import { addDays, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { problemsOf, useForm } from '../ui/use-form.tsx'
import { saveClock } from './clocks.queries.ts'

interface Props {
  /** The clock to change. Undefined to add one. */
  clock?: Clock
  /** The serial number of a clock that has called, without its last four characters. */
  hidden?: string
  onClose: () => void
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

/** Adds a clock that connects by itself, or changes it. */
export const ClockDialog = ({ clock, hidden, onClose }: Props) => {
  const start = hidden?.replace(HIDDEN_END, '')
  const { label = '', branch_office: stored, uses_keys, from_day } = clock ?? {}
  const names = [...new Set([...branchNames(), ...(stored ? [stored] : [])])]
  const form = useForm({
    initial: {
      serial: '',
      label: label ?? '',
      branch_office: stored ?? (names.length === 1 ? (names[0] ?? '') : ''),
      uses_keys: uses_keys ?? false,
      from_day: from_day ?? addDays(today(), -DAYS_KEPT),
    },
    check: ({ serial, branch_office, from_day }) => ({
      serial: !clock && !serial && 'Escribe lo que dice su etiqueta.',
      branch_office: !clock && names.length > 0 && !branch_office && 'Elige la sucursal.',
      from_day: !from_day && 'Di desde qué día.',
    }),
    send: async ({ serial: typed, label, ...fields }) => {
      const serial = clock?.serial ?? wholeSerial(start ?? '', typed)
      await saveClock(serial, {
        ...fields,
        label: label || null,
        retired: clock?.retired ?? false,
        expected_version: clock?.version ?? 0,
        has_not_called: !clock && start === undefined,
      })
      onClose()
      announce(clock ? 'El reloj se guardó.' : addedText(start !== undefined))
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
        <TextField
          {...form.field('serial')}
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
      <TextField {...form.field('label')} label="Cómo le dicen las personas (opcional)" />
      <Choice
        {...form.field('branch_office')}
        label="Sucursal"
        empty={stored === '' ? 'Sin sucursal' : 'Elige…'}
        options={names}
        hint={
          <>
            Sus checadas llevan la hora de esta sucursal, y son de su gente.
            {clock &&
              ' Si cambia, revisa sus números: los que alguien dijo siguen siendo de las mismas personas.'}
          </>
        }
      />
      <div>
        <CheckField {...form.field('uses_keys')}>La gente oprime entrada o salida en él</CheckField>
        <p class="note">Si no, se deduce de la hora si cada checada es entrada o salida.</p>
      </div>
      <TextField
        {...form.field('from_day')}
        type="date"
        label="Tomar sus checadas desde"
        hint="Las anteriores que tenga guardadas no se toman."
      />
    </FormDialog>
  )
}
