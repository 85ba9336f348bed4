import { withoutAccents } from '../ui/text.ts'
import { FIELD_NAMES, type FieldName, isField } from './person-fields.ts'

/** The parts of a full name. Many sheets have a column for each part. */
const NAME_PARTS = {
  first_names: 'Nombre(s)',
  last_name: 'Apellido paterno',
  mother_last_name: 'Apellido materno',
}

export type NamePart = keyof typeof NAME_PARTS

/** The content of a column: a field of the record, or a part of the full name. */
export type SheetField = FieldName | NamePart

export const SHEET_FIELDS: Record<SheetField, string> = { ...FIELD_NAMES, ...NAME_PARTS }

export const isSheetField = (name: string): name is SheetField => Object.hasOwn(SHEET_FIELDS, name)

export const isNamePart = (field: SheetField): field is NamePart => Object.hasOwn(NAME_PARTS, field)

/**
 * The headings that mean a field, besides the field's own name. They are written as `wordsOf`
 * returns them, with `|` between them.
 */
const HEADINGS: Record<SheetField, string> = {
  employee_id: 'numero|no|num|id|clave|codigo|ficha',
  full_name: 'nombre|nombre completo|empleado|persona|trabajador|colaborador|nombre del empleado',
  rfc: 'r f c',
  branch_office: 'sucursal|planta|tienda|centro de trabajo|oficina',
  department: 'departamento|depto|area',
  job_position: 'puesto|cargo',
  payroll_group: 'grupo de nomina|grupo|tipo de nomina',
  started_at: 'ingreso|fecha de ingreso|fecha ingreso|alta|fecha de alta|fecha alta',
  paid_from: 'se paga desde|pagar desde|primer dia que se paga',
  ended_at: 'ultimo dia|ultimo dia de trabajo|baja|fecha de baja|fecha baja',
  phone: 'telefono|tel|telefono fijo',
  cellphone: 'celular|cel|movil|telefono celular',
  profile_image: 'imagen|foto|fotografia',
  first_names: 'nombres|nombre s|nombre de pila',
  last_name: 'apellido paterno|paterno|primer apellido|ap paterno|apellidos|apellido',
  mother_last_name: 'apellido materno|materno|segundo apellido|ap materno',
}

const FIELD_OF_HEADING = new Map(
  Object.entries(HEADINGS).flatMap(([field, names]) =>
    names.split('|').map((name) => [name, field as SheetField] as const),
  ),
)

/** `numero de empleado`, `no emp`, `clave del trabajador`, `num nomina` */
const NUMBER_OF_PERSON =
  /^(numero|num|no|id|clave|codigo|ficha)( de| del)? (empleado|emp|trabajador|colaborador|personal|nomina|ficha)$/

/** The words of a heading. `#` and `N.º` stand for `no`. */
const wordsOf = (heading: string): string =>
  withoutAccents(heading)
    .replace(/#|\bn\.?[º°]/g, ' no ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The field that a heading means alone. Undefined if it depends on the others. */
const fieldOfWords = (words: string): SheetField | undefined =>
  NUMBER_OF_PERSON.test(words) ? 'employee_id' : FIELD_OF_HEADING.get(words)

/**
 * Returns the field that each heading names. It is undefined if the heading names no field, if an
 * earlier column has the field, or if it names a part of a name and another column has full names.
 */
export const columnsOf = (head: readonly string[]): (SheetField | undefined)[] => {
  const headings = head.map(wordsOf)
  const hasSurnames = headings.some((words) => fieldOfWords(words) === 'last_name')
  // `Nómina` alone is the number on the payroll. Beside a number, it is the group.
  const hasNumber = head.some(
    (heading, i) =>
      heading.trim().toLowerCase() === 'employee_id' ||
      fieldOfWords(headings[i] ?? '') === 'employee_id',
  )
  const nomina = hasNumber ? 'payroll_group' : 'employee_id'
  const used = new Set<SheetField>()
  const columns = head.map((heading, i) => {
    const key = heading.trim().toLowerCase()
    const words = headings[i] ?? ''
    const named = isField(key) ? key : words === 'nomina' ? nomina : fieldOfWords(words)
    // If other columns have the surnames, `Nombre` means only the first names.
    const field = hasSurnames && words === 'nombre' ? 'first_names' : named
    if (!field || used.has(field)) return undefined
    used.add(field)
    return field
  })
  const needsParts = !used.has('full_name')
  return columns.map((field) => (field && isNamePart(field) && !needsParts ? undefined : field))
}

/**
 * Returns a text about what the user must still choose before the rows can be read. It is empty if
 * the choice is complete.
 */
export const columnsProblem = (columns: readonly (SheetField | undefined)[]): string => {
  const has = (field: SheetField) => columns.includes(field)
  if (!has('employee_id')) return 'Elige qué columna es el número.'
  if (!columns.some((field) => field && isNamePart(field))) return ''
  if (has('full_name')) return 'Elige el nombre completo o sus partes, no los dos.'
  return has('first_names') && has('last_name')
    ? ''
    : 'Falta elegir el nombre o el apellido paterno. Si una columna trae todo, es el nombre completo.'
}

/** The number of cells that name a field. */
export const knownHeadings = (cells: readonly string[]): number =>
  columnsOf(cells).filter(Boolean).length
