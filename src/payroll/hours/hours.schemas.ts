import * as z from 'zod/mini'
import {
  dayField,
  dayOfWork,
  listField,
  missingMessage,
  optional,
  optionalText,
  requiredText,
  textField,
  trueOrFalse,
} from '../../core/values/fields.schemas.ts'
import { COMMENT_MAX } from '../../core/values/log-values.ts'
import { query } from '../../core/values/query-fields.schemas.ts'
import { logIdField } from '../../logs/log-query.schemas.ts'
import { LogIds } from '../../logs/log-status.schemas.ts'

const format = z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' })

const headers = z.optional(z.enum(['es'], { error: 'Los encabezados deben ser es.' }))

const ids = z.optional(
  z.enum(['plain', 'spreadsheet'], { error: 'ids debe ser plain o spreadsheet.' }),
)

/** The fields of a file in a query. */
export const fileFields = { format, headers, ids }

type FileQuery = { format: string } & { [name in 'headers' | 'ids']?: string | undefined }

export const onlyWithCsv = (['headers', 'ids'] as const).map((name) =>
  z.refine<FileQuery>((query) => query[name] === undefined || query.format === 'csv', {
    path: [name],
    error: `${name} solo se combina con csv.`,
  }),
)

export const by = z.optional(
  z.enum(['employee', 'week'], { error: 'El agrupamiento debe ser employee o week.' }),
)

export const HoursQuery = query({
  ...fileFields,
  from: z.optional(dayField('La fecha inicial')),
  to: z.optional(dayField('La fecha final')),
  employee_id: z.optional(textField('El empleado')),
  department: z.optional(textField('El departamento')),
  branch_office: z.optional(textField('La sucursal')),
  payroll_group: z.optional(textField('El grupo de nómina')),
  by,
  preview: z.optional(trueOrFalse('La vista previa debe ser true o false.')),
  exceptions: z.optional(trueOrFalse('Las excepciones deben ser true o false.')),
  working: z.optional(trueOrFalse('working debe ser true o false.')),
  preview_rejected: z.optional(logIdField),
}).check(
  ...onlyWithCsv,
  z.refine(({ by, working }) => by === undefined || !working, {
    path: ['working'],
    error: 'working no se combina con by.',
  }),
  z.refine(({ by, preview_rejected }) => by === undefined || preview_rejected === undefined, {
    path: ['preview_rejected'],
    error: 'preview_rejected no se combina con by.',
  }),
)

export const confirmedSeconds = z.int({
  error: 'Los segundos que se confirman deben ser un número entero.',
})

const REVIEWS_MAX = 100

const reviewedEmployee = requiredText('El empleado')

/** One day of one person, or `days` of many people with one comment. */
export const ReviewBody = z
  .object({
    employee_id: optional(reviewedEmployee),
    day: optional(dayOfWork),
    confirm_seconds: z.nullish(confirmedSeconds),
    approve_log_ids: optional(LogIds),
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
        const ofOneDay = ['employee_id', 'day', 'confirm_seconds', 'approve_log_ids'] as const
        for (const field of ofOneDay) {
          if (body[field] != null) fail(field, 'No se combina con una lista de días.')
        }
      } else {
        if (body.employee_id === undefined) fail('employee_id', missingMessage('El empleado'))
        if (body.day === undefined) fail('day', missingMessage('El día'))
      }
    }),
  )
