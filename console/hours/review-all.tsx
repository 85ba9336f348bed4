import type { HoursDay } from '../../sdk/api-types.ts'
import { CommentButton } from '../ui/dialog-button.tsx'
import { counted } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { reviewDays } from './hours.queries.ts'

interface Props {
  rows: HoursDay[]
  /** The text of the exception that all of these days have. */
  name: string
}

/** Marks days with the same exception as reviewed, with one comment. */
export const ReviewAll = ({ rows, name }: Props) => {
  const isOne = rows.length === 1
  const days = counted(rows.length, 'día')
  const reviewed = isOne ? 'revisado' : 'revisados'
  return (
    <CommentButton
      label={`Marcar ${days} como ${reviewed}…`}
      title={`Marcar ${days} como ${reviewed}`}
      act={`Marcar ${days}`}
      send={async (comment) => {
        await reviewDays(rows, comment)
        announce(
          `${days} ${reviewed}. ${isOne ? 'Vuelve' : 'Cada uno vuelve'} a la lista si algo cambia.`,
        )
      }}
    >
      <p>
        {isOne ? 'Tiene' : 'Todos tienen'} «{name}». Sus horas quedan como están.
      </p>
    </CommentButton>
  )
}
