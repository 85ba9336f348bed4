import * as z from 'zod/mini'
import {
  dayField,
  idAsText,
  optional,
  optionalText,
  requiredComment,
  strictObject,
  textField,
} from '../../core/values/fields.schemas.ts'
import { COMMENT_MAX } from '../../core/values/log-values.ts'
import { pageSizeField, query } from '../../core/values/query-fields.schemas.ts'
import { by, confirmedSeconds, fileFields, onlyWithCsv } from '../hours/hours.schemas.ts'

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

export const ClosingsQuery = query({
  limit: z.optional(pageSizeField(100)),
  cursor: z.optional(idAsText('El cursor no es válido.')),
})

export const CancelBody = z.object({ comment: requiredComment })

export const ClosingPath = z.object({
  id: idAsText('El identificador del cierre debe ser un número.'),
})
