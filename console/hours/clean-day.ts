import type { HoursDay } from '../../sdk/api-types.ts'

type Day = Pick<HoursDay, 'exceptions' | 'notices' | 'reviewed'>

const hasAddedLog = ({ notices }: Day): boolean =>
  notices.includes('manual') || notices.includes('solicitada')

/**
 * Whether a day is before the person began to work here or after their last day, or a log of it came
 * from another address than the clock's.
 */
const isDoubtful = ({ notices }: Day): boolean =>
  notices.includes('fuera_de_relacion') || notices.includes('otra_red')

/**
 * Whether a day can be approved without a review: its only exception is `pendientes`. The exception
 * `semana_sobre_limite` is ignored, since it changes no hours and is reviewed after the approval. A
 * day needs a review if somebody has added or requested one of its logs, or if the person did not
 * work here.
 * @param mayDecide whether the user may decide the day; somebody else may have to decide one's own
 */
export const isCleanDay = (row: Day, mayDecide: boolean): boolean => {
  const ofDay = row.exceptions.filter((name) => name !== 'semana_sobre_limite')
  return ofDay.join() === 'pendientes' && !hasAddedLog(row) && !isDoubtful(row) && mayDecide
}

/** Whether somebody must look at the day. */
export const isToReview = (row: Day, mayDecide: boolean): boolean =>
  (row.exceptions.length > 0 || isDoubtful(row)) &&
  row.reviewed === null &&
  !isCleanDay(row, mayDecide)
