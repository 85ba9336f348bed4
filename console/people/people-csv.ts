import { BYTE_ORDER_MARK, formatField, formatId } from '../../src/core/csv.ts'
import type { EmployeeRecord } from './people.api.ts'
import { FIELD_NAMES, FIELDS } from './person-fields.ts'

/** People as a CSV file, which can be pasted again: the headings name the fields of a record. */
export const peopleCsv = (people: readonly EmployeeRecord[]): Blob => {
  const head = FIELDS.map((name) => formatField(FIELD_NAMES[name]))
  const rows = people.map((person) =>
    FIELDS.map((name) =>
      name === 'employee_id' ? formatId(person.employee_id) : formatField(person[name]),
    ),
  )
  const lines = [head, ...rows].map((cells) => `${cells.join()}\r\n`)
  return new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' })
}
