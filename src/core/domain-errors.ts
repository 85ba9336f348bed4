import { LoggableError } from './loggable-error.ts'

/** The codes of domain errors; `src/core/http/error-responses.ts` gives each its status and message. */
export type ErrorCode =
  | 'LEGACY_DOWN'
  | 'WRONG_CREDENTIALS'
  | 'USER_INACTIVE'
  | 'WRONG_CURRENT_PASSWORD'
  | 'SAME_PASSWORD'
  | 'NO_MODULES'
  | 'CLIENT_NOT_FOUND'
  | 'CLIENT_INACTIVE'
  | 'CONFIG_NOT_FOUND'
  | 'LOG_NOT_FOUND'
  | 'UNKNOWN_LOG_ID'
  | 'PERIOD_REVERSED'
  | 'PERIOD_TOO_LONG'
  | 'NO_SEAL_KEY'
  | 'NOTHING_SEALED'
  | 'NO_EMPLOYEE'
  | 'UNKNOWN_EMPLOYEE'
  | 'FOREIGN_SOURCE'
  | 'TIME_AHEAD'
  | 'TIME_TOO_OLD'
  | 'COMPLETE_UNTIL_AHEAD'
  | 'UNKNOWN_PAYROLL_GROUP'
  | 'CLOSING_NOT_FOUND'
  | 'CLOSING_CANCELLED'
  | 'CLOSING_OUTDATED'
  | 'CLOSING_AHEAD'
  | 'CLOSING_TAKES_NOBODY'
  | 'CLOSING_BEFORE_LOGS'
  | 'TOO_MANY_PEOPLE'
  | 'OPENINGS_MISSING'
  | 'OPENING_EXISTS'
  | 'OPENING_AFTER_CLOSING'
  | 'PENDING_LOGS'
  | 'LOG_CLOSED'
  | 'OWN_LOG'
  | 'COMMENT_REQUIRED'
  | 'STATUS_MOVED'
  | 'COMMENT_NOT_SAVED'
  | 'STATUS_NOT_SAVED'

export interface ErrorDetails extends ErrorOptions {
  /** The logs that the error is about. */
  logIds?: number[]
  /** The invalid fields, where they are not the code's default; set by the routes. */
  fields?: string[]
  /** The log whose status is not the expected one, with its current status. */
  log?: { id: number; status: string }
  /** How many days a period may have. */
  days?: number
  /** How many logs, or people, are in the way. */
  count?: number
  /** How many of the logs are of the period. */
  ofPeriod?: number
  /** The person that the error is about. */
  employeeId?: string
  /** Logs that a closing locks. */
  locked?: number[]
  /** All logs whose status is not the expected one. */
  moved?: { id: number; status: string }[]
  /** Messages by field, where each field has its own; set by the routes. */
  errors?: Record<string, string[]>
}

export class DomainError extends LoggableError {
  override name = 'DomainError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(code, details)
    this.code = code
    this.details = details
  }
}
