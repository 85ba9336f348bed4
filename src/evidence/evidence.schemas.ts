import * as z from 'zod/mini'
import { textField, trueOrFalse } from '../core/fields.schemas.ts'
import { cursorField, encodeCursor, momentField, query } from '../core/query-fields.schemas.ts'
import { logIdField } from '../logs/log-query.schemas.ts'

const PeopleCursor = z.tuple([z.string()])

/** The cursor of the file after the one whose last employee has this id. */
export const peopleCursor = (employee_id: string) => encodeCursor([employee_id])

/** The parameters that others need, and those that exclude each other. */
const PROBLEMS = {
  period: 'Un periodo necesita un empleado, una checada o una sucursal.',
  branch: 'Pide una sucursal, un empleado o una checada.',
  days: 'La evidencia de una sucursal necesita el primer y el último día.',
  cursor: 'El cursor no es válido.',
}

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
    const require = (isRight: boolean, path: string, message: string) =>
      isRight || addIssue({ code: 'custom', path: [path], message })
    const isOfPerson = employee_id !== undefined || log_id !== undefined
    const isOfBranch = branch_office !== undefined
    const isWhole = !isOfPerson && !isOfBranch
    require(!(isOfPerson && isOfBranch), 'branch_office', PROBLEMS.branch)
    require(!isOfBranch || from !== undefined, 'from', PROBLEMS.days)
    require(!isOfBranch || to !== undefined, 'to', PROBLEMS.days)
    require(!isWhole || from === undefined, 'from', PROBLEMS.period)
    require(!isWhole || to === undefined, 'to', PROBLEMS.period)
    require(isOfBranch || cursor === undefined, 'cursor', PROBLEMS.cursor)
  }),
)
