import type { Closing } from '../../sdk/api-types.ts'
import { CommentButton } from '../ui/dialog-button.tsx'
import { groupName } from '../ui/text.ts'
import { duration } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { cancelClosing, totalOf } from './closings.queries.ts'

interface Props {
  closing: Closing
  onDone: () => void
}

const whoOf = ({ payroll_group, employee_id }: Closing): string =>
  employee_id === null
    ? groupName(payroll_group).replace(/^./, (first) => first.toLowerCase())
    : 'una persona'

export const CancelButton = ({ closing, onDone }: Props) => (
  <CommentButton
    class="quiet lost"
    label="Cancelar (nadie cobró con él)"
    title={`Cancelar el cierre ${closing.id}`}
    act="Cancelar el cierre"
    isDangerous
    send={async (comment) => {
      await cancelClosing(closing.id, comment)
      onDone()
      announce(`Se canceló el cierre ${closing.id}: sus días se pagan en el próximo.`)
    }}
  >
    <p>
      Solo si nadie cobró con él. Sus <strong>{duration(totalOf(closing))}</strong> (
      {whoOf(closing)}) dejan de contar como pagadas, y el próximo cierre las paga completas.
    </p>
    <p class="effect">
      Si alguien ya cobró, se le pagaría dos veces: en ese caso corrige sus checadas, y el próximo
      cierre paga o descuenta la diferencia.
    </p>
  </CommentButton>
)
