import * as z from 'zod/mini'
import {
  dayField,
  expectedVersion,
  idInPath,
  listField,
  missingMessage,
  optional,
  optionalText,
  paidDayOrNull,
  requiredComment,
  requiredText,
  secretText,
  shortText,
  strictObject,
  textField,
  trueOrFalse,
} from '../core/values/fields.schemas.ts'
import { COMMENT_MAX } from '../core/values/log-values.ts'
import { pageSizeField, query } from '../core/values/query-fields.schemas.ts'
import { TEXT_MAX } from '../core/values/text-limits.ts'
import { logIdField } from '../logs/log-query.schemas.ts'
import { LogIds } from '../logs/log-status.schemas.ts'
import { PASSWORD_MAX } from '../session/passwords.ts'
import { parseCalendar } from './rules/calendar.ts'
import { isGroupName } from './rules/groups.ts'

const format = z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' })

const headers = z.optional(z.enum(['es'], { error: 'Los encabezados deben ser es.' }))

const ids = z.optional(
  z.enum(['plain', 'spreadsheet'], { error: 'ids debe ser plain o spreadsheet.' }),
)

const fileFields = { format, headers, ids }

type FileQuery = { format: string } & { [name in 'headers' | 'ids']?: string | undefined }

const onlyWithCsv = (['headers', 'ids'] as const).map((name) =>
  z.refine<FileQuery>((query) => query[name] === undefined || query.format === 'csv', {
    path: [name],
    error: `${name} solo se combina con csv.`,
  }),
)

const by = z.optional(
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

/** Everybody unless a group or a person is given. */
const selection = {
  payroll_group: optional(textField('El grupo de nómina'), null),
  employee_id: optional(textField('El empleado'), null),
}

const isOneSelection = z.refine<{
  payroll_group: string | null
  employee_id: string | null
}>(({ payroll_group, employee_id }) => payroll_group === null || employee_id === null, {
  path: ['employee_id'],
  error: 'Di un grupo o una persona, no los dos.',
})

const confirmedSeconds = z.int({
  error: 'Los segundos que se confirman deben ser un número entero.',
})

export const ClosingBody = strictObject(
  {
    before: dayField('La fecha de cierre'),
    ...selection,
    leave_pending: optional(z.boolean({ error: 'Dejar pendientes debe ser true o false.' }), false),
    confirm_inverted: optional(confirmedSeconds, 0),
    confirm_early: optional(
      z.boolean({ error: 'La confirmación de cerrar antes debe ser true o false.' }),
      true,
    ),
    expected_seconds: optional(
      z.int({ error: 'Los segundos que se esperan deben ser un número entero.' }),
      null,
    ),
    comment: optionalText('El comentario', COMMENT_MAX),
  },
  'El cierre debe ser un objeto.',
).check(isOneSelection)

/** A text of a query. It is null if the query does not have it. */
const textOrNull = (name: string) =>
  z.pipe(
    z.optional(textField(name)),
    z.transform((value) => value ?? null),
  )

const previewFields = {
  before: dayField('La fecha de cierre'),
  payroll_group: textOrNull('El grupo de nómina'),
  employee_id: textOrNull('El empleado'),
}

export const ClosingPreviewQuery = query(previewFields).check(isOneSelection)

export const ClosingPreviewLinesQuery = query({ ...previewFields, ...fileFields, by }).check(
  isOneSelection,
  ...onlyWithCsv,
)

export const ClosingLinesQuery = query({ ...fileFields, by }).check(...onlyWithCsv)

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

const groupName = shortText('El grupo de nómina', TEXT_MAX).check(
  z.refine(isGroupName, {
    error: 'El nombre de un grupo no lleva espacios al principio ni al final, ni nada invisible.',
  }),
)

const CALENDAR_RULE =
  'El calendario debe ser «week monday» (o el día en que empieza la semana), «half month», «month» o «14 days 2026-01-05».'

export const PayrollGroupBody = strictObject(
  {
    payroll_group: groupName,
    calendar: shortText('El calendario', TEXT_MAX).check(
      z.refine((text) => parseCalendar(text) !== undefined, { error: CALENDAR_RULE }),
    ),
    pays_from: paidDayOrNull('El primer día'),
    expected_version: expectedVersion,
  },
  'El grupo debe ser un objeto.',
)

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
  limit: z.optional(pageSizeField(31)),
  after: z.optional(dayField('El último día leído')),
})

export const OwnClosingsQuery = query({
  limit: z.optional(pageSizeField(100)),
  after: z.optional(ClosingPath.shape.id),
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
