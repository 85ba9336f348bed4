import { isNull } from 'drizzle-orm'
import { type Params, prepare } from './query.ts'
import { raiseIf } from './raise.ts'
import { ownEmployeeId } from './shared-expressions.ts'

/** @throws DomainError NO_EMPLOYEE if the caller is linked to no employee */
export const requireOwnEmployee = prepare((p: Params<{ user_id: number }>) =>
  raiseIf([isNull(ownEmployeeId(p)), 'NO_EMPLOYEE']),
)
