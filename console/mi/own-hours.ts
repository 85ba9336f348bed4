import type { OwnDay, OwnWeek } from '../../sdk/api-types.ts'
import { workingText } from '../ui/hours-texts.ts'
import { daysName, duration } from '../ui/time.ts'

/** `4 h · 4 h por aprobar · En turno desde 18:02` */
export const hoursText = (day: OwnDay): string => {
  const { worked_seconds, pending_seconds, paid_seconds, closing_id, working_since } = day
  const texts = [
    worked_seconds !== null && duration(worked_seconds),
    pending_seconds > 0 && `${duration(pending_seconds)} por aprobar`,
    working_since !== null && workingText(working_since),
  ].filter((text) => text !== false)
  const [first = 'Sin horas todavía', ...others] = texts
  const paid =
    paid_seconds === null ? [] : [`el cierre ${closing_id} pagó ${duration(paid_seconds)}`]
  return [first, ...others, ...paid].join(' · ')
}

/** `3 al 9 de noviembre: 8 h de 48 h, y 9 h por aprobar` */
export const weekText = (week: OwnWeek): string => {
  const { week_from, week_to, week_seconds, limit_seconds, pending_seconds, open } = week
  const pending = open ? ', con algo pendiente' : ''
  return [
    `${daysName({ from: week_from, to: week_to })}: ${duration(week_seconds)} de ${limit_seconds / 3600} h`,
    pending_seconds > 0 ? `, y ${duration(pending_seconds)} por aprobar` : pending,
  ].join('')
}
