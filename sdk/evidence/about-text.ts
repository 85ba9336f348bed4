import type { Report } from './report.ts'
import { momentText, plural } from './words.ts'

export type About = NonNullable<Report['about']>

export const hasManyPeople = ({ about }: Report): boolean => (about?.employee_ids.length ?? 0) > 1

/** The people of a file: `Empleado E-1`, or `50 empleados, de E-1 a E-88`. */
export const peopleOf = ({ employee_ids }: About): string => {
  const [first, last] = [employee_ids[0], employee_ids.at(-1)]
  return employee_ids.length === 1
    ? `Empleado ${first}`
    : `${plural(employee_ids.length, 'empleado')}, de ${first} a ${last}`
}

/** The period or the only log of a file of people. */
export const contentOf = ({ log_id, from, before }: About): string => {
  if (log_id !== null) return `solo la checada ${log_id}`
  return `sus checadas del ${momentText(from)} hasta antes del ${momentText(before)}`
}
