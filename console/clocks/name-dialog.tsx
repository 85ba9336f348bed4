import { useState } from 'preact/hooks'
import { can, seesAllBranches } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { countedLogs } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { nameNumber } from './clocks.api.ts'

interface Props {
  serial: string
  number: string
  /** What is known of the number, or what the act does. */
  note: string
  onClose: () => void
  onChanged: () => void
}

const takenText = (taken: number): string => {
  if (taken === 0) return 'Quedó guardado de quién es el número.'
  return taken === 1 ? 'Se registró 1 checada.' : `Se registraron ${countedLogs(taken)}.`
}

/** Says whose the number of a clock is. */
export const NameDialog = ({ serial, number, note, onClose, onChanged }: Props) => {
  const [employee_id, setEmployee] = useState('')
  const form = useForm({
    check: (given) =>
      employee_id || given('employee_id') ? {} : { employee_id: 'Elige a la persona.' },
    send: async (given) => {
      const id = employee_id || given('employee_id')
      const taken = await nameNumber({ serial, number }, id, given('all_clocks') !== '')
      onClose()
      announce(takenText(taken))
      onChanged()
    },
  })
  return (
    <FormDialog
      form={form}
      title={`¿De quién es el número ${number}?`}
      act="Es de esta persona"
      onClose={onClose}
    >
      <p>{note}</p>
      {can('read_hours') ? (
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
