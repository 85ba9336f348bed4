import type { Context } from 'hono'
import type { FailureCode } from '../errors.ts'

/**
 * The paths of the contract's six endpoints, as the document writes them. Their answers have exactly
 * the fields of the contract, so their failures have no code.
 */
export const CONTRACT_PATHS = [
  '/auth/login',
  '/auth/me',
  '/v2/clients/modules_enabled',
  '/v2/clients/validate-code',
  '/v2/clients/config/{config}',
  '/v2/incidents/change_log_status',
]

/** A path may end with a slash. */
const IS_OF_CONTRACT = new RegExp(
  `^/api(${CONTRACT_PATHS.join('|').replace('{config}', '[^/]+')})/?$`,
)

/**
 * Adds the code and the details of a failure to its body, except on the contract's paths. The log
 * line has the code of each failure.
 */
export const withCode = <Body extends object>(
  c: Pick<Context, 'req'>,
  body: Body,
  code: FailureCode,
  details?: unknown,
) => {
  ;(c as Context).set('failureCode', code)
  if (IS_OF_CONTRACT.test(c.req.path)) return body
  return { ...body, code, ...(details !== undefined && { details }) }
}
