import * as z from 'zod/mini'
import {
  dayField,
  optionalText,
  requiredComment,
  requiredText,
  secretText,
  textField,
} from '../../core/values/fields.schemas.ts'
import { COMMENT_MAX } from '../../core/values/log-values.ts'
import { pageSizeField, query } from '../../core/values/query-fields.schemas.ts'
import { PASSWORD_MAX } from '../../session/passwords.ts'
import { ClosingPath } from '../closings/closings.schemas.ts'

const { id } = ClosingPath.shape

export const CardPath = z.object({ id })

export const ObjectionPath = z.object({
  id,
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
  after: z.optional(id),
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
