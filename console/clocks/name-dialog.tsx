import { useState } from 'preact/hooks'
import type { WaitingPunches } from '../../sdk/api-types.ts'
import { can, seesAllBranches } from '../session/session.ts'
import { Checkbox } from '../ui/fields.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { linkTo } from '../ui/routes.ts'
import { countedLogs } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { nameNumber, readCandidates } from './clocks.api.ts'

interface Props {
  serial: string
  number: string
  /** What is known of the number, or what the act does. */
  note: string
  /** The punches that wait. Undefined if the number is put right. */
  punches?: WaitingPunches
  onClose: () => void
  onChanged: () => void
}

const takenText = (taken: number): string => {
  if (taken === 0) return 'Quedó guardado de quién es el número.'
  return taken === 1 ? 'Se registró 1 checada.' : `Se registraron ${countedLogs(taken)}.`
}

const WHYS = {
  same: 'el mismo número',
  one_digit: 'cambia una cifra',
  clock: 'checa en este reloj',
}

interface RadioProps {
  name: string
  value: string
  text: string
  checked: boolean
  onChoose: () => void
}

const Radio = ({ name, value, text, checked, onChoose }: RadioProps) => (
  <label class="pick">
    <input type="radio" name={name} value={value} checked={checked} onChange={onChoose} /> {text}
  </label>
)

/** Says whose the number of a clock is, or only the punches that wait with it. */
export const NameDialog = ({ serial, number, note, punches, onClose, onChanged }: Props) => {
  const [employee_id, setEmployee] = useState('')
  const [chosenScope, setScope] = useState<'these' | 'number'>()
  const { data: candidates = [], problem } = useRead(() => readCandidates(serial, number))
  const chosen = candidates.find((one) => one.employee_id === employee_id)
  // A number that is one digit apart was probably typed wrong.
  const scope = chosenScope ?? (chosen?.why === 'one_digit' ? 'these' : 'number')
  const isOnlyThese = punches !== undefined && scope === 'these'
  const form = useForm({
    check: (given) =>
      employee_id || given('employee_id') ? {} : { employee_id: 'Elige a la persona.' },
    send: async (given) => {
      const how = isOnlyThese
        ? { only_these: true, reason: punches.reason }
        : { all_clocks: given('all_clocks') !== '' }
      const id = employee_id || given('employee_id')
      const taken = await nameNumber({ serial, number }, id, how)
      onClose()
      announce(takenText(taken))
      onChanged()
    },
  })
  const choose = (id: string) => {
    setEmployee(id)
    form.clear('employee_id')
  }
  return (
    <FormDialog
      form={form}
      title={`¿De quién es el número ${number}?`}
      act="Es de esta persona"
      onClose={onClose}
    >
      <p>{note}</p>
      {problem && <p class="note">No se sabe quién se le parece.</p>}
      {candidates.length > 0 && (
        <fieldset>
          <legend>Puede ser</legend>
          {candidates.map((one) => (
            <Radio
              key={one.employee_id}
              name="candidate"
              value={one.employee_id}
              text={`${one.full_name} (${one.employee_id}): ${WHYS[one.why]}`}
              checked={employee_id === one.employee_id}
              onChoose={() => choose(one.employee_id)}
            />
          ))}
        </fieldset>
      )}
      {can('read_hours') ? (
        <PersonSearch
          label="Persona"
          onChoose={(person) => choose(person?.employee_id ?? '')}
          invalid={form.problems.employee_id}
        />
      ) : (
        <FormField form={form} name="employee_id" label="Número de empleado" />
      )}
      {punches && (
        <fieldset>
          <legend>Vale para</legend>
          <Radio
            name="scope"
            value="number"
            text="Estas checadas y las que envíe después con ese número"
            checked={scope === 'number'}
            onChoose={() => setScope('number')}
          />
          <Radio
            name="scope"
            value="these"
            text="Solo estas checadas: alguien se equivocó de número"
            checked={scope === 'these'}
            onChoose={() => setScope('these')}
          />
        </fieldset>
      )}
      {seesAllBranches() && !isOnlyThese && (
        <Checkbox name="all_clocks" value="1">
          Es su número en todos los relojes
        </Checkbox>
      )}
      {punches && (
        <p>
          ¿No está en la lista?{' '}
          <a href={linkTo('personas/agregar', { numero: number })}>Agregar persona</a>
        </p>
      )}
    </FormDialog>
  )
}
