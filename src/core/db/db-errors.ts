import { LoggableError } from '../loggable-error.ts'
import type { Rule } from './rules.ts'

/** An error that the database layer reports by a code, whatever was queried. */
export class DbError<Code extends string = string> extends LoggableError {
  override name = 'DbError'
  readonly code: Code

  constructor(code: Code, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** The caller's token is no longer valid, or the caller's role may not do this. */
export class AuthorizationError extends DbError<'UNAUTHENTICATED' | 'FORBIDDEN'> {
  override name = 'AuthorizationError'
}

/** A statement or a trigger has raised a rule: the batch was rolled back. */
export class RuleError extends DbError<Rule> {
  override name = 'RuleError'
}

/** The database was locked or overloaded: nothing was written, and the request can be repeated. */
export class DatabaseBusyError extends DbError<'DATABASE_BUSY'> {
  override name = 'DatabaseBusyError'
}

export type DbErrorCode = AuthorizationError['code'] | DatabaseBusyError['code']
