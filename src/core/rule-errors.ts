import { RuleError } from './db/db-errors.ts'
import type { Rule } from './db/rules.ts'
import { DomainError, type ErrorCode } from './domain-errors.ts'

/** The domain error of each rule that statements and triggers raise. */
const DOMAIN_ERRORS: Record<Rule, ErrorCode> = {
  'log:UNKNOWN': 'UNKNOWN_LOG_ID',
  'log:OWN': 'OWN_LOG',
  'log:MOVED': 'STATUS_MOVED',
  'log:CLOSED': 'LOG_CLOSED',
  'employee:UNKNOWN': 'UNKNOWN_EMPLOYEE',
  'employee:OWN': 'OWN_LOG',
  'user:NO_EMPLOYEE': 'NO_EMPLOYEE',
  'closing:UNKNOWN': 'CLOSING_NOT_FOUND',
  'closing:CANCELLED': 'CLOSING_CANCELLED',
  'closing:OUTDATED': 'CLOSING_OUTDATED',
  'source:FOREIGN': 'FOREIGN_SOURCE',
  'evidence:LOG': 'LOG_NOT_FOUND',
  'evidence:EMPLOYEE': 'UNKNOWN_EMPLOYEE',
}

/** For `.catch()`: throws the domain error of a rule that was raised, and any other error as it is. */
export const throwDomainError = (error: unknown): never => {
  if (!(error instanceof RuleError)) throw error
  throw new DomainError(DOMAIN_ERRORS[error.code], { cause: error })
}
