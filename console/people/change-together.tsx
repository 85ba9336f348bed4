import { ConsoleError, hasStatus, itemFaults, messageOf } from '../session/client.ts'
import { refreshSettings } from '../session/session.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { counted } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import {
  chunksOf,
  type EmployeeRecord,
  type PersonWrite,
  readEverybody,
  writePeople,
} from './people.queries.ts'
import { differencesOf, FIELD_NAMES, fieldsOf, toRecord } from './person-fields.ts'
import { usePlaces } from './places.tsx'

const MOVES = ['branch_office', 'department', 'payroll_group', 'ended_at'] as const
type Move = (typeof MOVES)[number]

interface Props {
  people: EmployeeRecord[]
  onClose: () => void
  onDone: (field: Move) => void
}

/** Names at most three people whose change the service has rejected. */
const describeFaults = (people: EmployeeRecord[], error: unknown): string =>
  itemFaults(error)
    .slice(0, 3)
    .map(({ position, text }) => {
      const { full_name, employee_id } = people[position] ?? {}
      return `${full_name} (${employee_id}): ${text}`
    })
    .join(' ')

const areAll = async (writes: PersonWrite[]): Promise<boolean> => {
  const stored = await readEverybody()
  return writes.every((one) => {
    const found = stored.get(one.employee_id)
    return found && differencesOf(found, one).length === 0
  })
}

/** Sets one field of several people, in chunks: all people of a chunk or none. */
const writeTogether = async (people: EmployeeRecord[], field: Move, value: string) => {
  const writeOf = (person: EmployeeRecord): PersonWrite => ({
    ...toRecord({ ...fieldsOf(person), [field]: value }),
    expected_version: person.version,
  })
  for (const chunk of chunksOf(people, writeOf)) {
    try {
      await writePeople(chunk.map(writeOf))
    } catch (error) {
      // An earlier request has written these people, and its response was lost.
      if (hasStatus(error, 409) && (await areAll(chunk.map(writeOf)))) continue
      const faults = describeFaults(chunk, error)
      throw faults ? new ConsoleError(faults) : error
    }
  }
}

/** Moves several people to a branch, a department or a payroll group, or sets their last day. */
export const ChangeTogether = ({ people, onClose, onDone }: Props) => {
  const places = usePlaces()
  const form = useForm({
    initial: { field: 'branch_office' as Move, value: '' },
    check: ({ field, value }) => ({
      value:
        field !== 'payroll_group' &&
        !value &&
        (field === 'ended_at' ? 'Di el último día.' : 'Elige a dónde.'),
    }),
    send: async ({ field, value }) => {
      await writeTogether(people, field, value)
      await refreshSettings()
      onClose()
      onDone(field)
      // The message belongs to the page that is shown now.
      announce(`Se guardaron los cambios de ${counted(people.length, 'persona')}.`)
    },
    describe: (error) => ({ all: messageOf(error) }),
  })
  const { field } = form.values
  const names = field === 'ended_at' ? [] : places[field]
  return (
    <FormDialog
      title={`Cambiar los datos de ${counted(people.length, 'persona')}`}
      act={`Guardar los cambios de ${counted(people.length, 'persona')}`}
      form={form}
      onClose={onClose}
    >
      <Choice
        {...form.field('field')}
        label="Qué cambia"
        empty={null}
        options={MOVES.map((name) => [name, FIELD_NAMES[name]])}
        onChange={(name) => form.set({ field: name as Move, value: '' })}
      />
      {field === 'ended_at' ? (
        <TextField {...form.field('value')} label="Último día" type="date" />
      ) : (
        <Choice
          {...form.field('value')}
          label="A dónde"
          empty={
            field === 'payroll_group' ? 'General' : names ? 'Elige uno' : 'No se han podido leer'
          }
          options={names ?? []}
        />
      )}
    </FormDialog>
  )
}
