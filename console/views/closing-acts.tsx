import { useId, useState } from 'hono/jsx/dom'
import type { Closing, FoundEmployee, Unlock } from '../../sdk/api-types.ts'
import { cancelClosing, totalOf, unlockDays } from '../api/closings.ts'
import { announce } from '../state/ui.ts'
import { groupName } from '../text.ts'
import { addDays, duration, fortnightOf } from '../time.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { Checkbox, Field } from '../ui/fields.tsx'
import { PersonSearch } from '../ui/person-search.tsx'

interface Props {
  closing: Closing
  onClose: () => void
  onDone: () => void
}

const whoOf = ({ payroll_group, employee_id }: Closing): string =>
  employee_id === null
    ? groupName(payroll_group).replace(/^./, (first) => first.toLowerCase())
    : 'una persona'

export const CancelDialog = ({ closing, ...act }: Props) => (
  <ActDialog
    {...act}
    title={`Cancelar el cierre ${closing.id}`}
    act="Cancelar el cierre"
    isDangerous
    send={async (given) => {
      await cancelClosing(closing.id, given('comment'))
      announce(`Se canceló el cierre ${closing.id}: sus días se pagan en el próximo.`)
    }}
  >
    <p>
      Solo si nadie cobró con él. Sus <strong>{duration(totalOf(closing))}</strong> (
      {whoOf(closing)}) dejan de contar como pagadas, y el próximo cierre las paga completas.
    </p>
    <p class="effect">
      Si alguien ya cobró, se le pagaría dos veces: en ese caso usa «Desbloquear días».
    </p>
  </ActDialog>
)

export const UnlockDialog = ({ closing, known, ...act }: Props & { known: Unlock[] }) => {
  const id = useId()
  const last = addDays(closing.before, -1)
  const [person, setPerson] = useState<FoundEmployee>()
  const [isAll, setAll] = useState(closing.employee_id !== null)
  return (
    <ActDialog
      {...act}
      title="Desbloquear días"
      act="Desbloquear"
      missing={!isAll && !person && 'Elige a la persona de la lista.'}
      send={async (given) => {
        const [from, to, comment] = [given('from'), given('to'), given('comment')]
        const { payroll_group, employee_id } = isAll
          ? closing
          : { payroll_group: null, employee_id: person?.employee_id ?? '' }
        await unlockDays({ payroll_group, employee_id, from, to, comment }, known)
        announce('Los días se desbloquearon: sus checadas se pueden decidir otra vez.')
      }}
    >
      <p>
        Lo pagado se queda pagado. Las checadas de estos días se pueden decidir otra vez hasta el
        próximo cierre, que paga o descuenta solo la diferencia.
      </p>
      {!isAll && <PersonSearch key="person" label="Persona" required onChoose={setPerson} />}
      {closing.employee_id === null && (
        <Checkbox key="all" checked={isAll} onChange={setAll}>
          Desbloquear a {closing.payroll_group ? `todo el ${whoOf(closing)}` : whoOf(closing)}
        </Checkbox>
      )}
      <div class="pair">
        <Field id={`${id}-from`} label="Desde">
          <input id={`${id}-from`} name="from" type="date" value={fortnightOf(last).from} />
        </Field>
        <Field id={`${id}-to`} label="Hasta">
          <input id={`${id}-to`} name="to" type="date" value={last} />
        </Field>
      </div>
    </ActDialog>
  )
}
