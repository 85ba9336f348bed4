import type { EmployeeRecord, PeopleChange } from '../../sdk/api-types.ts'
import { afterSpreadsheet } from '../../src/core/values/csv.ts'
import { withoutAccents } from '../ui/text.ts'

/** The fields of a person's record, except those that the service adds. */
export type PersonFields = Omit<EmployeeRecord, 'version' | 'user'>

/** The fields of a person's record, in the order in which people read them. */
export const FIELD_NAMES = {
  employee_id: 'Número',
  full_name: 'Nombre completo',
  rfc: 'RFC',
  branch_office: 'Sucursal',
  department: 'Departamento',
  job_position: 'Puesto',
  payroll_group: 'Grupo de nómina',
  started_at: 'Ingreso',
  ended_at: 'Último día',
  paid_from: 'Se paga desde',
  phone: 'Teléfono',
  cellphone: 'Celular',
  profile_image: 'Imagen',
} as const satisfies Record<keyof PersonFields, string>

export type FieldName = keyof PersonFields

export const FIELDS = Object.keys(FIELD_NAMES) as FieldName[]

export const isField = (name: string): name is FieldName => Object.hasOwn(FIELD_NAMES, name)

export const NEW_PERSON = {
  ...Object.fromEntries(FIELDS.map((name) => [name, ''])),
  ended_at: null,
  paid_from: null,
} as PersonFields

/** The fields with a day, which some people do not have. */
const DAY_FIELDS: readonly FieldName[] = ['started_at', 'ended_at', 'paid_from']

export const isDayField = (name: string): boolean =>
  (DAY_FIELDS as readonly string[]).includes(name)

/** What the pages call the group of people without another group. */
const GENERAL = /^general$/i

/** The record as a request sends it: a missing day is null, and the group General is ''. */
export const toRecord = <Fields extends PersonFields>(record: Fields): Fields => ({
  ...record,
  payroll_group: record.payroll_group.replace(GENERAL, ''),
  ended_at: record.ended_at || null,
  paid_from: record.paid_from || null,
})

export const fieldsOf = (record: PersonFields): PersonFields =>
  Object.fromEntries(FIELDS.map((name) => [name, record[name]])) as unknown as PersonFields

export const differencesOf = (a: PersonFields, b: PersonFields): FieldName[] =>
  FIELDS.filter((name) => a[name] !== b[name])

/**
 * Returns a function that finds one of `names` that differs from a given name only by blanks, case
 * or accents, or by what a spreadsheet makes of a number. It returns undefined if there is none.
 */
export const nearFinder = (names: Iterable<string>) => {
  const lettersOf = (name: string) => afterSpreadsheet(withoutAccents(name).replace(/\s/g, ''))
  const byLetters = new Map<string, string>()
  for (const name of names) {
    const letters = lettersOf(name)
    if (!byLetters.has(letters)) byLetters.set(letters, name)
  }
  return (name: string): string | undefined => {
    const near = byLetters.get(lettersOf(name))
    return near === name ? undefined : near
  }
}

/** `31/12/2025` */
export const shownDay = (day: string): string => day.split('-').reverse().join('/')

/** A value in which days such as `2025-12-31` are written as `31/12/2025`. */
const withShownDays = (value: string): string => value.replace(/\b\d{4}-\d\d-\d\d\b/g, shownDay)

type Value = PeopleChange['changes'][number]['before']

export const shownValue = (value: Value | undefined): string =>
  value === null || value === undefined || value === ''
    ? 'vacío'
    : `«${withShownDays(String(value))}»`

/** `E-002 · Almacenista · Almacén · Norte` */
export const summaryOf = (person: EmployeeRecord): string =>
  [person.employee_id, person.job_position, person.department, person.branch_office]
    .filter(Boolean)
    .join(' · ')
