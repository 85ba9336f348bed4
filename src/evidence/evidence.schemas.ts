import * as z from 'zod/mini'
import { textField, trueOrFalse } from '../core/fields.schemas.ts'
import { momentField, query } from '../core/query-fields.schemas.ts'
import { logIdField } from '../logs/log-query.schemas.ts'

export const EvidenceQuery = query({
  employee_id: z.optional(textField('El empleado')),
  log_id: z.optional(logIdField),
  from: z.optional(momentField('La fecha inicial')),
  to: z.optional(momentField('La fecha final')),
  comments: z.optional(trueOrFalse('Los comentarios deben ser true o false.')),
}).check(
  z.superRefine(({ employee_id, log_id, from, to }, { addIssue }) => {
    if (employee_id !== undefined || log_id !== undefined) return
    const message = 'Un periodo necesita un empleado o una checada.'
    if (from !== undefined) addIssue({ code: 'custom', path: ['from'], message })
    if (to !== undefined) addIssue({ code: 'custom', path: ['to'], message })
  }),
)
