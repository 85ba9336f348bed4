import type { Context, ErrorHandler } from 'hono'
import { DomainError, ERRORS } from '../errors.ts'
import type { AppEnv } from './context.ts'
import { withCode } from './contract.ts'
import { ERRORS_MAX, type FailureShape, failure, invalidInput } from './envelope.ts'

/** After a passing error, such as of a busy database. */
export const RETRY_SECONDS = '1'

export const errorResponse = (
  c: Context,
  { code, details, text, fieldErrors, current }: DomainError,
  shape: FailureShape = failure,
) => {
  const entry = ERRORS[code]
  if (entry.status === 401) c.header('WWW-Authenticate', 'Bearer')
  if (entry.status === 503) c.header('Retry-After', RETRY_SECONDS)
  const named = fieldErrors ?? ('field' in entry ? { [entry.field]: [text] } : undefined)
  const errors = named && Object.fromEntries(Object.entries(named).slice(0, ERRORS_MAX))
  const body = entry.status === 422 && errors ? invalidInput(errors, shape) : shape(text, errors)
  const coded = withCode(c, body, code, details)
  return c.json(current ? { ...coded, current } : coded, entry.status)
}

/** Turns a thrown error into a response. An unknown error becomes a 500 without details. */
export const handleError: ErrorHandler<AppEnv> = (thrown, c) => {
  const error = thrown instanceof DomainError ? thrown : new DomainError('INTERNAL_ERROR')
  const shape = error.code === 'UNAUTHENTICATED' ? c.get('unauthenticatedShape') : undefined
  return errorResponse(c, error, shape)
}
