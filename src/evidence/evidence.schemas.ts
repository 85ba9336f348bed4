import * as z from 'zod/mini'
import { textField, trueOrFalse } from '../core/values/fields.schemas.ts'
import {
  cursorField,
  encodeCursor,
  momentField,
  query,
} from '../core/values/query-fields.schemas.ts'
import { logIdField } from '../logs/log-query.schemas.ts'

const PeopleCursor = z.tuple([z.string()])

/** The cursor of the file after the one whose last employee has this id. */
export const peopleCursor = (employee_id: string) => encodeCursor([employee_id])

const PROBLEM = 'Pide un empleado, una checada, o una sucursal con el primer y el último día.'

export const EvidenceQuery = query({
  employee_id: z.optional(textField('El empleado')),
  log_id: z.optional(logIdField),
  branch_office: z.optional(textField('La sucursal')),
  from: z.optional(momentField('La fecha inicial')),
  to: z.optional(momentField('La fecha final')),
  comments: z.optional(trueOrFalse('Los comentarios deben ser true o false.')),
  cursor: z.optional(cursorField(PeopleCursor)),
}).check(
  z.superRefine(({ employee_id, log_id, branch_office, from, to, cursor }, { addIssue }) => {
    const isOfPerson = employee_id !== undefined || log_id !== undefined
    const isOfBranch = branch_office !== undefined
    // A person or a log may have a period, a branch must have one, and the whole evidence has none.
    const isWrongDay = (day: string | undefined) =>
      !isOfPerson && isOfBranch !== (day !== undefined)
    const isWrong = {
      branch_office: isOfPerson && isOfBranch,
      from: isWrongDay(from),
      to: isWrongDay(to),
      cursor: cursor !== undefined && !isOfBranch,
    }
    for (const [name, wrong] of Object.entries(isWrong)) {
      if (wrong) addIssue({ code: 'custom', path: [name], message: PROBLEM })
    }
  }),
)
