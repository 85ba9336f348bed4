import { afterSpreadsheet } from '../../src/core/values/csv.ts'
import { FIELDS, type FieldName, isDayField, type PersonFields } from './person-fields.ts'
import { isDay, toDay } from './sheet-days.ts'

/** Finds values that a spreadsheet has changed, although nobody meant to change them. */

/** The day and the month of a date, with or without a year, in any order. Empty for other texts. */
const dateIn = (text: string): string => {
  const dates = [text, `${text}/2000`].flatMap((date) => [toDay(date), toDay(date, 'month-day')])
  const day = dates.find(isDay)
  return day ? day.slice(5).split('-').sort().join() : ''
}

/** Whether a spreadsheet saves the text `stored` as `given`. */
export const isSpoiled = (stored: string, given: string): boolean => {
  if (stored === given || stored === '' || given === '') return false
  const isWritten = /^\d\d:/.test(given) || afterSpreadsheet(given) === given
  if (isWritten && afterSpreadsheet(stored) === afterSpreadsheet(given)) return true
  return dateIn(stored) !== '' && dateIn(stored) === dateIn(given)
}

/** The stored values that a spreadsheet has probably changed into those to write, by field. */
export const spoiledIn = (
  write: PersonFields,
  before: PersonFields | undefined,
): Partial<Record<FieldName, string>> =>
  Object.fromEntries(
    FIELDS.filter((name) => !isDayField(name)).flatMap((name) => {
      const stored = before?.[name] ?? ''
      return isSpoiled(stored, write[name] ?? '') ? [[name, stored]] : []
    }),
  )
