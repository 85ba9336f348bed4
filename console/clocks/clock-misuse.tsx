import type { Clock, IntakeProblem } from '../../sdk/api-types.ts'
import { can } from '../session/session.ts'
import { ConfirmButton, DialogButton } from '../ui/dialog-button.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { CheckField, TextField } from '../ui/fields.tsx'
import { countedLogs } from '../ui/text.ts'
import { addDays, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { rejectLogs, sayAddress } from './clocks.queries.ts'

/** What whoever decides does when somebody else calls in the name of a clock. */

interface AddressProps {
  clock: Clock
  problem: IntakeProblem
}

/** Says that the other address of a problem is the clock's. */
export const AddressButton = ({ clock, problem }: AddressProps) => {
  const { serial, label } = clock
  const { reason, result, detail } = problem
  if (!can('decide') || reason !== 'otra_red' || result !== 'created' || !detail) return null
  return (
    <ConfirmButton
      class="quiet"
      label="Es su dirección"
      about={`${detail}, de ${label ?? serial}`}
      title={`${detail} es la dirección de ${label ?? serial}`}
      act="Es su dirección"
      send={async () => {
        await sayAddress(serial, detail)
        announce('La dirección del reloj quedó guardada.')
      }}
    >
      Lo que llegue de cualquier otra quedará marcado y tendrá límites, hasta que alguien diga otra.
    </ConfirmButton>
  )
}

const RejectDialog = ({ clock, onClose }: { clock: Clock; onClose: () => void }) => {
  const form = useForm({
    initial: { from: addDays(today(), -1), to: today(), elsewhere: true, comment: '' },
    check: ({ from, to, comment }) => ({
      from: !from && 'Di desde cuándo.',
      to: !to && 'Di hasta cuándo.',
      comment: !comment && 'Escribe el motivo: queda en el historial.',
    }),
    send: async (json) => {
      const count = await rejectLogs(clock.serial, json)
      onClose()
      announce(count === 1 ? 'Se rechazó 1 checada.' : `Se rechazaron ${countedLogs(count)}.`)
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Rechazar checadas de ${clock.label ?? clock.serial}`}
      act="Rechazar"
      isDangerous
      onClose={onClose}
    >
      <p>Solo las pendientes. Nada se borra, y cada una se puede decidir otra vez.</p>
      <TextField {...form.field('from')} label="Del" type="date" />
      <TextField {...form.field('to')} label="al" type="date" />
      <CheckField {...form.field('elsewhere')}>
        Solo las que llegaron de otra dirección que la suya
      </CheckField>
      <TextField {...form.field('comment')} label="Motivo" rows={2} />
    </FormDialog>
  )
}

/** Rejects the pending logs of a clock in a period. */
export const RejectButton = ({ clock }: { clock: Clock }) => (
  <DialogButton
    class="quiet lost"
    label="Rechazar sus checadas"
    about={`de ${clock.label ?? clock.serial}`}
    dialog={(close) => <RejectDialog clock={clock} onClose={close} />}
  />
)
