import { useQuery } from '@tanstack/preact-query'
import type { WaitingPunches } from '../../sdk/api-types.ts'
import { can, seesAllBranches } from '../session/session.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { CheckField, RadioField, TextField } from '../ui/fields.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { linkTo } from '../ui/routes.ts'
import { countedLogs } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { candidatesQuery, nameNumber } from './clocks.queries.ts'

interface Props {
  serial: string
  number: string
  /** What is known of the number, or what the act does. */
  note: string
  /** The punches that wait. Undefined if the number is put right. */
  punches?: WaitingPunches
  onClose: () => void
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

/** Says whose the number of a clock is, or only the punches that wait with it. */
export const NameDialog = ({ serial, number, note, punches, onClose }: Props) => {
  const { data: candidates = [], error } = useQuery(candidatesQuery(serial, number))
  const form = useForm({
    initial: { employee_id: '', scope: '', all_clocks: false },
    check: ({ employee_id }) => ({ employee_id: !employee_id && 'Elige a la persona.' }),
    send: async ({ employee_id, all_clocks }) => {
      const how = isOnlyThese ? { only_these: true, reason: punches.reason } : { all_clocks }
      const taken = await nameNumber({ serial, number }, employee_id, how)
      onClose()
      announce(takenText(taken))
    },
  })
  const { employee_id } = form.values
  const chosen = candidates.find((one) => one.employee_id === employee_id)
  // A number that is one digit apart was probably typed wrong.
  const scope = form.values.scope || (chosen?.why === 'one_digit' ? 'these' : 'number')
  const isOnlyThese = punches !== undefined && scope === 'these'
  return (
    <FormDialog
      form={form}
      title={`¿De quién es el número ${number}?`}
      act="Es de esta persona"
      onClose={onClose}
    >
      <p>{note}</p>
      {error && <p class="note">No se sabe quién se le parece.</p>}
      {candidates.length > 0 && (
        <RadioField
          {...form.field('employee_id')}
          // The field below says what is wrong.
          problem={undefined}
          legend="Puede ser"
          options={candidates.map(
            (one) =>
              [one.employee_id, `${one.full_name} (${one.employee_id}): ${WHYS[one.why]}`] as const,
          )}
        />
      )}
      {can('read_hours') ? (
        <PersonSearch
          label="Persona"
          onChoose={(person) => form.set({ employee_id: person?.employee_id ?? '' })}
          invalid={form.field('employee_id').problem}
        />
      ) : (
        <TextField {...form.field('employee_id')} label="Número de empleado" />
      )}
      {punches && (
        <RadioField
          {...form.field('scope')}
          value={scope}
          legend="Vale para"
          options={[
            ['number', 'Estas checadas y las que envíe después con ese número'],
            ['these', 'Solo estas checadas: alguien se equivocó de número'],
          ]}
        />
      )}
      {seesAllBranches() && !isOnlyThese && (
        <CheckField {...form.field('all_clocks')}>Es su número en todos los relojes</CheckField>
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
