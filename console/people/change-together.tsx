import { useState } from 'preact/hooks'
import { forgetHours } from '../hours/hours-list.state.ts'
import { itemFaults, messageOf } from '../session/client.ts'
import { refreshSettings } from '../session/session.ts'
import { Choice, DateField } from '../ui/fields.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { counted } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { type EmployeeRecord, PEOPLE_PER_REQUEST, writePeople } from './people.api.ts'
import { FIELD_NAMES, fieldsOf, withDays } from './person-fields.ts'
import { usePlaces } from './places.tsx'

const MOVES = ['branch_office', 'department', 'payroll_group', 'ended_at'] as const
type Move = (typeof MOVES)[number]

interface Props {
  people: EmployeeRecord[]
  onClose: () => void
  onDone: (field: Move) => void
}

/** Sets one field of several people, in blocks of 500: all people of a block or none. */
const writeTogether = async (people: EmployeeRecord[], field: Move, value: string) => {
  const rows = people.map((person) => ({
    ...withDays({ ...fieldsOf(person), [field]: value }),
    expected_version: person.version,
  }))
  for (let start = 0; start < rows.length; start += PEOPLE_PER_REQUEST) {
    await writePeople(rows.slice(start, start + PEOPLE_PER_REQUEST))
  }
}

/** Moves several people to a branch, a department or a payroll group, or sets their last day. */
export const ChangeTogether = ({ people, onClose, onDone }: Props) => {
  const places = usePlaces()
  const [field, setField] = useState<Move>('branch_office')
  const [value, setValue] = useState('')
  const form = useForm({
    check: () =>
      field !== 'payroll_group' && !value
        ? { all: field === 'ended_at' ? 'Di el último día.' : 'Elige a dónde.' }
        : {},
    send: async () => {
      await writeTogether(people, field, value)
      forgetHours()
      await refreshSettings()
      onClose()
      onDone(field)
      // The message belongs to the page that is shown now.
      announce(`Se guardaron los cambios de ${counted(people.length, 'persona')}.`)
    },
    describe: (error) => {
      const faults = itemFaults(error).map(({ position, text }) => {
        const { full_name, employee_id } = people[position] ?? {}
        return `${full_name} (${employee_id}): ${text}`
      })
      return { all: faults.slice(0, 3).join(' ') || messageOf(error) }
    },
  })
  const names = field === 'ended_at' ? [] : (places[field] ?? [])
  return (
    <FormDialog
      title={`Cambiar los datos de ${counted(people.length, 'persona')}`}
      act={`Guardar los cambios de ${counted(people.length, 'persona')}`}
      form={form}
      onClose={onClose}
    >
      <Choice
        id="together-field"
        label="Qué cambia"
        empty="Elige uno"
        value={field}
        options={MOVES.map((name) => [name, FIELD_NAMES[name]])}
        onChange={(name) => {
          setField(name as Move)
          setValue('')
        }}
      />
      {field === 'ended_at' ? (
        <DateField id="together-day" label="Último día" value={value} onChange={setValue} />
      ) : (
        <Choice
          id="together-place"
          label="A dónde"
          empty={field === 'payroll_group' ? 'General' : 'Elige uno'}
          value={value}
          options={names}
          onChange={setValue}
        />
      )}
    </FormDialog>
  )
}
