import type { Clock, IntakeProblem } from '../../sdk/api-types.ts'
import { can } from '../session/session.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ConfirmButton, DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { countedLogs } from '../ui/text.ts'
import { addDays, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { rejectLogs, sayAddress } from './clocks.api.ts'

/** What whoever decides does when somebody else calls in the name of a clock. */

interface AddressProps {
  clock: Clock
  problem: IntakeProblem
  onChanged: () => void
}

/** Says that the other address of a problem is the clock's. */
export const AddressButton = ({ clock, problem, onChanged }: AddressProps) => {
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
        onChanged()
      }}
    >
      Lo que llegue de cualquier otra quedará marcado y tendrá límites, hasta que alguien diga otra.
    </ConfirmButton>
  )
}

interface RejectProps {
  clock: Clock
  onChanged: () => void
}

/** Rejects the pending logs of a clock in a period. */
export const RejectButton = ({ clock, onChanged }: RejectProps) => {
  const name = clock.label ?? clock.serial
  return (
    <DialogButton
      class="quiet lost"
      label="Rechazar sus checadas"
      about={`de ${name}`}
      dialog={(close) => (
        <ActDialog
          title={`Rechazar checadas de ${name}`}
          act="Rechazar"
          isDangerous
          onClose={close}
          onDone={onChanged}
          send={async (given) => {
            const count = await rejectLogs(clock.serial, {
              from: given('from'),
              to: given('to'),
              elsewhere: given('elsewhere') !== '',
              comment: given('comment'),
            })
            announce(count === 1 ? 'Se rechazó 1 checada.' : `Se rechazaron ${countedLogs(count)}.`)
          }}
        >
          <p>Solo las pendientes. Nada se borra, y cada una se puede decidir otra vez.</p>
          <label>
            Del <input name="from" type="date" defaultValue={addDays(today(), -1)} required />
          </label>
          <label>
            al <input name="to" type="date" defaultValue={today()} required />
          </label>
          <Checkbox name="elsewhere" value="1" defaultChecked>
            Solo las que llegaron de otra dirección que la suya
          </Checkbox>
        </ActDialog>
      )}
    />
  )
}
