import { useState } from 'preact/hooks'
import type { Clock, WaitingPunches } from '../../sdk/api-types.ts'
import { can, seesAllBranches } from '../session/session.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { countedLogs } from '../ui/text.ts'
import { shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { dismissNumber, nameNumber } from './clocks.api.ts'

const QUESTIONS: Record<WaitingPunches['reason'], string> = {
  number: '¿De quién son?',
  branch: 'Ese número es de alguien de otra sucursal: ¿de quién son?',
  too_old: 'Tenían más de 45 días al llegar.',
  future: 'Su hora estaba en el futuro al llegar: ajusta el reloj.',
  time: 'El reloj perdió la fecha, o esa hora no existe: agrega a mano lo que falte.',
}

interface Props {
  punches: WaitingPunches
  onChanged: () => void
}

const NameDialog = ({ punches, onClose, onChanged }: Props & { onClose: () => void }) => {
  const [employee_id, setEmployee] = useState('')
  const mayRead = can('read_hours')
  const form = useForm({
    check: (given) =>
      employee_id || given('employee_id') ? {} : { employee_id: 'Elige a la persona.' },
    send: async (given) => {
      const id = employee_id || given('employee_id')
      const taken = await nameNumber(punches, id, given('all_clocks') !== '')
      onClose()
      announce(`Se registraron ${countedLogs(taken)}.`)
      onChanged()
    },
  })
  return (
    <FormDialog
      form={form}
      title={`¿De quién es el número ${punches.number}?`}
      act="Es de esta persona"
      onClose={onClose}
    >
      <p>
        {countedLogs(punches.count)}, del {shortMoment(punches.first_at)} al{' '}
        {shortMoment(punches.last_at)}. Quedan como suyas, y las que envíe después también.
      </p>
      {mayRead ? (
        <PersonSearch
          label="Persona"
          onChoose={(person) => {
            setEmployee(person?.employee_id ?? '')
            form.clear('employee_id')
          }}
          invalid={form.problems.employee_id}
        />
      ) : (
        <FormField form={form} name="employee_id" label="Número de empleado" />
      )}
      {seesAllBranches() && (
        <Checkbox name="all_clocks" value="1">
          Es su número en todos los relojes
        </Checkbox>
      )}
    </FormDialog>
  )
}

/** Punches of one number of a clock that have become no log yet, with what can be done. */
export const WaitingNumber = ({
  punches,
  clock,
  onChanged,
}: Props & { clock: Clock | undefined }) => {
  const { serial, number, reason, count, first_at, last_at } = punches
  const about = `las del número ${number}`
  return (
    <li>
      <p>
        <strong>
          {countedLogs(count)} del número {number}
        </strong>
        : {QUESTIONS[reason]}{' '}
        <span class="note">
          {clock?.label ?? serial}, {shortMoment(first_at)}
          {last_at !== first_at && ` a ${shortMoment(last_at)}`}
        </span>
      </p>
      <div class="acts start">
        {reason !== 'time' && (
          <DialogButton
            class="primary"
            label="Decir de quién son"
            about={about}
            dialog={(close) => (
              <NameDialog punches={punches} onClose={close} onChanged={onChanged} />
            )}
          />
        )}
        <DialogButton
          class="quiet"
          label="Descartar"
          about={about}
          dialog={(close) => (
            <ActDialog
              title={`Descartar ${countedLogs(count)}`}
              act="Descartar"
              isDangerous
              onClose={close}
              onDone={onChanged}
              send={async (given) => {
                const dismissed = await dismissNumber(punches, given('comment'))
                announce(`Se descartaron ${countedLogs(dismissed)}.`)
              }}
            >
              <p>Todas las del número {number} en este reloj. No se registran ni se pagan.</p>
            </ActDialog>
          )}
        />
      </div>
    </li>
  )
}
