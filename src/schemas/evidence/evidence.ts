import * as z from 'zod/mini'
import { text, trueOrFalse } from '../core/fields.ts'
import { moment, query } from '../logs/log-query.ts'

const LOG_ID = 'La checada debe ser un número entero positivo.'

export const EvidenceQuery = query({
  employee_id: z.optional(text('El empleado')),
  log_id: z.optional(
    z.pipe(
      z.string({ error: LOG_ID }).check(z.regex(/^[1-9]\d{0,15}$/, { error: LOG_ID })),
      z.transform(Number).check(z.refine(Number.isSafeInteger, { error: LOG_ID })),
    ),
  ),
  from: z.optional(moment('La fecha inicial')),
  to: z.optional(moment('La fecha final')),
  comments: z.optional(trueOrFalse('Los comentarios deben ser true o false.')),
}).check(
  z.superRefine(({ employee_id, log_id, from, to }, { addIssue }) => {
    if (employee_id !== undefined || log_id !== undefined) return
    const message = 'Un periodo necesita un empleado o una checada.'
    if (from !== undefined) addIssue({ code: 'custom', path: ['from'], message })
    if (to !== undefined) addIssue({ code: 'custom', path: ['to'], message })
  }),
)
