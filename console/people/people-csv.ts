import { BYTE_ORDER_MARK, formatField, formatForSpreadsheet } from '../../src/core/values/csv.ts'
import { FIELD_NAMES, FIELDS, isDayField, type PersonFields } from './person-fields.ts'

/**
 * People as a CSV file, which can be pasted again: the headings name the fields of a record. A
 * spreadsheet keeps all texts. Days it may show in another form, which the page reads.
 */
export const peopleCsv = (people: readonly PersonFields[]): Blob => {
  const head = FIELDS.map((name) => formatField(FIELD_NAMES[name]))
  const rows = people.map((person) =>
    FIELDS.map((name) =>
      isDayField(name) ? formatField(person[name]) : formatForSpreadsheet(person[name] ?? ''),
    ),
  )
  const lines = [head, ...rows].map((cells) => `${cells.join()}\r\n`)
  return new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' })
}
