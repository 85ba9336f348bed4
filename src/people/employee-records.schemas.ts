import * as z from 'zod/mini'
import {
  dayField,
  dayOrNull,
  expectedVersion,
  listField,
  missingMessage,
  nameText,
  optional,
  orMissing,
  paidDayOrNull,
  shortText,
  strictObject,
  textField,
  trueOrFalse,
} from '../core/values/fields.schemas.ts'
import { CHANGE_SUBJECTS } from '../core/values/log-values.ts'
import { cursorField, pageSizeField, query } from '../core/values/query-fields.schemas.ts'
import { NAME_MAX, TEXT_MAX } from '../core/values/text-limits.ts'

const LIMIT_MAX = 500
const BULK_EMPLOYEES_MAX = 500
const BULK_RULE = `La lista puede tener de 1 a ${BULK_EMPLOYEES_MAX} empleados.`

const record = {
  full_name: nameText('El nombre', NAME_MAX),
  rfc: shortText('El RFC', TEXT_MAX),
  phone: shortText('El teléfono', TEXT_MAX),
  cellphone: shortText('El celular', TEXT_MAX),
  started_at: dayField('La fecha de ingreso'),
  job_position: nameText('El puesto', TEXT_MAX),
  department: nameText('El departamento', TEXT_MAX),
  branch_office: shortText('La sucursal', TEXT_MAX),
  profile_image: shortText('La imagen', TEXT_MAX),
  payroll_group: shortText('El grupo de nómina', TEXT_MAX),
  ended_at: dayOrNull('El último día'),
  // Left out, it stays as it is stored. Null removes it.
  paid_from: z.optional(paidDayOrNull('El primer día que se paga')),
  expected_version: expectedVersion,
  deactivate_user: optional(
    z.boolean({ error: 'La desactivación del usuario debe ser true o false.' }),
    false,
  ),
}

/**
 * Whether a part of a path has bytes that Hono has not decoded, because they are not valid UTF-8:
 * `%ED%A0%80`.
 */
const hasUndecodedBytes = (part: string): boolean =>
  part.match(/(?:%[\da-f]{2})+/gi)?.some((bytes) => {
    try {
      decodeURIComponent(bytes)
      return false
    } catch {
      return true
    }
  }) ?? false

export const EmployeePath = z.object({
  employee_id: textField('El número de empleado').check(
    z.refine((id) => !hasUndecodedBytes(id), {
      error: 'El número de empleado contiene caracteres no válidos.',
    }),
  ),
})

const OBJECT_RULE = 'El empleado debe ser un objeto.'

// The body does not set rules of pay such as `max_shift_hours`.
export const EmployeeBody = strictObject(record, OBJECT_RULE)

const idOfRow = textField('El número de empleado').check(
  z.refine((id) => id !== '', { error: missingMessage('El número de empleado') }),
)

export const BulkEmployeesBody = z.object({
  employees: listField(strictObject({ employee_id: idOfRow, ...record }, OBJECT_RULE), {
    max: BULK_EMPLOYEES_MAX,
    tooLong: BULK_RULE,
    empty: BULK_RULE,
    error: orMissing('La lista de empleados', 'Los empleados deben ser una lista.'),
  }),
  dry_run: optional(z.boolean({ error: 'La prueba debe ser true o false.' })),
})

export const EmployeesQuery = query({
  q: z.optional(textField('La búsqueda')),
  branch_office: z.optional(textField('La sucursal')),
  department: z.optional(textField('El departamento')),
  payroll_group: z.optional(textField('El grupo de nómina')),
  active: z.optional(trueOrFalse('Activo debe ser true o false.')),
  limit: z.optional(pageSizeField(LIMIT_MAX)),
  cursor: z.optional(cursorField(z.tuple([z.string(), z.string()]))),
})

export const ChangesQuery = query({
  subject: z.enum(CHANGE_SUBJECTS, {
    error: `Los cambios son de ${CHANGE_SUBJECTS.slice(0, -1).join(', ')} o ${CHANGE_SUBJECTS.at(-1)}.`,
  }),
  subject_id: z.optional(textField('El identificador')),
  after: z.optional(
    z.pipe(
      z
        .string({ error: 'El número del cambio debe ser entero.' })
        .check(z.regex(/^\d{1,15}$/, { error: 'El número del cambio debe ser entero, 0 o más.' })),
      z.transform(Number),
    ),
  ),
  limit: z.optional(pageSizeField(LIMIT_MAX)),
})
