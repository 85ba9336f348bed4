import type { Clock } from '../../sdk/api-types.ts'
import { counted } from '../ui/text.ts'

type Authored = Pick<
  Clock,
  'added_by' | 'confirmed_by' | 'unconfirmed' | 'unconfirmed_numbers' | 'may_confirm'
>

/**
 * Says who added a clock, and what somebody else has to confirm. The latter is left out if nothing
 * depends on it and the user cannot do it.
 * @param blocks whether the authors of a clock may not decide its logs until then
 */
export const authorsText = (clock: Authored, blocks: boolean): string => {
  const isAsked = blocks || clock.may_confirm
  const clockAsks = isAsked && clock.unconfirmed
  const numbers = isAsked ? clock.unconfirmed_numbers : 0
  const added = clock.added_by && `Lo agregó ${clock.added_by}`
  const sentences = [
    clockAsks
      ? `${added ? `${added}; falta` : 'Falta'} que alguien más lo confirme.`
      : added && `${added}.`,
    clock.confirmed_by && `Lo confirmó ${clock.confirmed_by}.`,
    numbers > 0 &&
      `Falta que alguien más confirme de quién ${numbers === 1 ? 'es' : 'son'} ${counted(numbers, 'número')}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}
