import * as z from 'zod/mini'
import { ERRORS } from '../core/errors.ts'
import {
  dayField,
  idInPath,
  listField,
  missingMessage,
  optional,
  optionalText,
  requiredComment,
  requiredText,
  secretText,
  textField,
  trueOrFalse,
} from '../core/fields.schemas.ts'
import { COMMENT_MAX } from '../core/log-values.ts'
import { pageSizeField, query } from '../core/query-fields.schemas.ts'
import { logIdField } from '../logs/log-query.schemas.ts'
import { PASSWORD_MAX } from '../people/passwords.ts'

const format = z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' })

const by = z.optional(
  z.enum(['employee', 'week'], { error: 'El agrupamiento debe ser employee o week.' }),
)

export const HoursQuery = query({
  format,
  from: z.optional(dayField('La fecha inicial')),
  to: z.optional(dayField('La fecha final')),
  employee_id: z.optional(textField('El empleado')),
  department: z.optional(textField('El departamento')),
  branch_office: z.optional(textField('La sucursal')),
  payroll_group: z.optional(textField('El grupo de nómina')),
  by,
  preview: z.optional(trueOrFalse('La vista previa debe ser true o false.')),
  exceptions: z.optional(trueOrFalse('Las excepciones deben ser true o false.')),
  preview_rejected: z.optional(logIdField),
}).check(
  z.refine(({ by, preview_rejected }) => by === undefined || preview_rejected === undefined, {
    path: ['preview_rejected'],
    error: 'preview_rejected no se combina con by.',
  }),
)

const selection = {
  payroll_group: z.nullish(textField('El grupo de nómina')),
  employee_id: z.nullish(textField('El empleado')),
}

const isOneSelection = z.refine<{
  payroll_group?: string | null | undefined
  employee_id?: string | null | undefined
}>(({ payroll_group, employee_id }) => payroll_group == null || employee_id == null, {
  path: ['employee_id'],
  error: 'Di un grupo o una persona, no los dos.',
})

/**
 * zod drops the key `__proto__` of a record. So the opening under this key would be lost silently.
 */
const refuseProto = z.transform<Record<string, string>>((value, { issues }) => {
  if (Object.hasOwn(Object(value), '__proto__')) {
    const { message } = ERRORS.OPENING_OF_UNKNOWN_EMPLOYEE
    issues.push({ code: 'custom', input: value, message })
  }
  return value
})

const openings = z.pipe(
  refuseProto,
  z.record(z.string(), dayField('El primer día'), {
    error: 'Los primeros días deben ser un objeto: número de empleado y fecha.',
  }),
)

const confirmedSeconds = z.int({
  error: 'Los segundos que se confirman deben ser un número entero.',
})

const closingFields = {
  before: dayField('La fecha de cierre'),
  ...selection,
  from: z.nullish(dayField('El primer día')),
}

export const ClosingBody = z
  .object({
    ...closingFields,
    openings: z.nullish(openings),
    leave_pending: z.nullish(z.boolean({ error: 'Dejar pendientes debe ser true o false.' })),
    confirm_inverted: z.nullish(confirmedSeconds),
    comment: optionalText('El comentario', COMMENT_MAX),
  })
  .check(isOneSelection)

const parseObject = (value: string): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const previewFields = {
  before: dayField('La fecha de cierre'),
  payroll_group: z.optional(textField('El grupo de nómina')),
  employee_id: z.optional(textField('El empleado')),
  from: z.optional(dayField('El primer día')),
  openings: z.optional(
    z.pipe(
      z.pipe(
        z.string({ error: 'Los primeros días deben ser un objeto.' }),
        z.transform(parseObject),
      ),
      openings,
    ),
  ),
}

export const ClosingPreviewQuery = query(previewFields).check(isOneSelection)

export const ClosingPreviewLinesQuery = query({ ...previewFields, format, by }).check(
  isOneSelection,
)

export const ClosingLinesQuery = query({ format, by })

const INVALID_CURSOR = 'El cursor no es válido.'

export const ClosingsQuery = query({
  limit: z.optional(pageSizeField(100)),
  cursor: z.optional(
    z.pipe(
      z
        .string({ error: INVALID_CURSOR })
        .check(z.regex(/^[1-9]\d{0,14}$/, { error: INVALID_CURSOR })),
      z.transform(Number),
    ),
  ),
})

export const CancelBody = z.object({ comment: requiredComment })

const REVIEWS_MAX = 100

const reviewedEmployee = requiredText('El empleado')
const dayOfWork = dayField('El día').check(
  z.refine((text) => text >= '2000-01-01', { error: 'El día debe ser de 2000 o posterior.' }),
)

/** `day` selects the period of each group that contains this day. */
export const PayrollGroupsQuery = query({ day: z.optional(dayOfWork) })

/** One day of one person, or `days` of many people with one comment. */
export const ReviewBody = z
  .object({
    employee_id: optional(reviewedEmployee),
    day: optional(dayOfWork),
    confirm_seconds: z.nullish(confirmedSeconds),
    days: optional(
      listField(z.object({ employee_id: reviewedEmployee, day: dayOfWork }), {
        max: REVIEWS_MAX,
        tooLong: `Se pueden revisar ${REVIEWS_MAX} días a la vez como máximo.`,
        empty: 'La lista de días está vacía.',
        error: () => 'Los días deben ser una lista.',
      }),
    ),
    comment: optionalText('El comentario', COMMENT_MAX),
  })
  .check(
    z.superRefine((body, context) => {
      const fail = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message })
      if (body.days) {
        for (const field of ['employee_id', 'day', 'confirm_seconds'] as const) {
          if (body[field] != null) fail(field, 'No se combina con una lista de días.')
        }
      } else {
        if (body.employee_id === undefined) fail('employee_id', missingMessage('El empleado'))
        if (body.day === undefined) fail('day', missingMessage('El día'))
      }
    }),
  )

export const ClosingPath = z.object({
  id: idInPath('El identificador del cierre debe ser un número.'),
})

export const ObjectionPath = z.object({
  id: ClosingPath.shape.id,
  employee_id: textField('El número de empleado'),
})

export const OwnDaysQuery = query({
  from: z.optional(dayField('La fecha inicial')),
  to: z.optional(dayField('La fecha final')),
})

export const SignatureBody = z
  .object({
    hash: requiredText('La huella de los renglones'),
    agrees: z.boolean({ error: 'La conformidad debe ser true o false.' }),
    password: secretText('La contraseña', PASSWORD_MAX),
    comment: optionalText('El comentario', COMMENT_MAX),
  })
  .check(
    z.superRefine(({ agrees, comment }, { addIssue }) => {
      if (agrees || comment !== undefined) return
      addIssue({ code: 'custom', path: ['comment'], message: 'Di con qué no estás de acuerdo.' })
    }),
  )

export const AnswerBody = z.object({ comment: requiredComment })
