import { addDays, type Period } from '../ui/time.ts'

/** The days of a folder, and its people: one person, the people of one branch, or everybody. */
export interface Selection extends Period {
  employee_id: string
  /** Empty for the people without a branch. Undefined for everybody. */
  branch_office: string | undefined
}

const DAYS_MAX = { person: 366, many: 31 }

export const daysMax = ({ employee_id }: Selection): number =>
  employee_id ? DAYS_MAX.person : DAYS_MAX.many

/** Returns why a folder cannot have this period, or an empty text if it can. */
export const problemOfPeriod = (selection: Selection): string => {
  const { employee_id, from, to } = selection
  if (!from || !to) return 'Pon el primer y el último día.'
  if (from > to) return 'El último día es anterior al primero.'
  if (addDays(from, daysMax(selection)) > to) return ''
  return `${employee_id ? 'De una persona' : 'De varias personas'} son ${daysMax(selection)} días como máximo.`
}

/** The query for the hours and the logs of a folder. */
export const queryOf = ({ employee_id, branch_office, from, to }: Selection) => ({
  ...(employee_id ? { employee_id } : branch_office !== undefined && { branch_office }),
  from,
  to,
})
