import type { HoursTotal } from '../../sdk/api-types.ts'
import { restDayOf } from '../../src/payroll/hours/rest-days.ts'

export interface EmptyDay {
  day: string
  className: '' | 'unsynced' | 'rest' | 'absent'
  text: string
}

/** The dates that explain why a person has days without logs. */
export interface Presence extends Pick<HoursTotal, 'started_at' | 'ended_at' | 'unsynced_from'> {
  /** Whether only the days at one branch were read. */
  isOfBranch?: boolean
}

/** What is said of a day without logs. */
export const emptyDay = (
  day: string,
  { started_at = '', ended_at = null, unsynced_from = null, isOfBranch }: Partial<Presence>,
  today: string,
  /** A picture of many people finds it once a day. */
  holiday: string | null = restDayOf(day),
): EmptyDay => {
  if (day > today) return { day, className: '', text: '' }
  if (day < started_at) return { day, className: '', text: 'Antes de su ingreso' }
  if (ended_at !== null && day > ended_at) return { day, className: '', text: 'Después de su baja' }
  const none = isOfBranch ? 'Sin checadas en esta sucursal' : 'Sin checadas'
  const text = holiday ? `Descanso obligatorio: ${holiday}` : none
  if (unsynced_from !== null && day >= unsynced_from) {
    return { day, className: 'unsynced', text: `${text}; falta información del reloj` }
  }
  return { day, className: holiday ? 'rest' : 'absent', text }
}
