import type { ErrorCode } from '../../src/core/errors.ts'

/**
 * The ids of the active administrators of all branches who can sign in. Parameter ?2 has the roles
 * of ADMIN_ROLES, as a JSON list.
 */
export const SELECT_ADMINISTRATORS = `SELECT id FROM users WHERE active = 1
  AND scope_branches IS NULL AND password_hash <> '' AND machine = 0
  AND role IN (SELECT value FROM json_each(?2))`

/** A query that aborts its batch with the code if the condition is true, as `raiseIf` does. */
export const abortIf = (condition: string, code: ErrorCode): string =>
  `SELECT json_extract('{}', iif(${condition}, 'error:${code}', '$'))`
