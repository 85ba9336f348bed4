import type { ChangedPair } from '../../sdk/api-types.ts'
import { sumOf } from '../review/counts.ts'
import { counted } from '../ui/text.ts'
import { duration } from '../ui/time.ts'

export interface Effect {
  /** The days whose approved hours change. */
  changed_pairs: ChangedPair[]
  /** The other days, whose hours change if what is pending is approved. */
  changed_pending_pairs: ChangedPair[]
}

const changeText = (what: string, pairs: ChangedPair[]): string => {
  if (pairs.length === 0) return ''
  const seconds = sumOf(
    pairs.map(({ before_seconds, after_seconds }) => (after_seconds ?? 0) - (before_seconds ?? 0)),
  )
  return seconds === 0
    ? `La suma ${what} queda igual.`
    : `La suma ${what} cambia ${duration(seconds)}.`
}

/** Says what a rule of hours changes in the days of the last month. */
export const effectText = ({ changed_pairs, changed_pending_pairs }: Effect): string => {
  const [approved, pending] = [changed_pairs.length, changed_pending_pairs.length]
  if (approved + pending === 0) return 'No cambia las horas de ningún día de los últimos 31.'
  const days = [
    approved > 0 && `${counted(approved, 'día')} ya ${approved === 1 ? 'aprobado' : 'aprobados'}`,
    pending > 0 && `${approved > 0 ? pending : counted(pending, 'día')} por aprobar`,
  ]
  const people = new Set(
    [...changed_pairs, ...changed_pending_pairs].map(({ employee_id }) => employee_id),
  )
  return [
    `Cambian las horas de ${days.filter(Boolean).join(' y ')}, de ${counted(people.size, 'persona')}.`,
    changeText('de lo aprobado', changed_pairs),
    changeText('de lo que falta aprobar', changed_pending_pairs),
  ]
    .filter(Boolean)
    .join(' ')
}
