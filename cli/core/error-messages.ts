import type { ERRORS, ErrorCode } from '../../src/core/errors.ts'

type Messages = {
  [Code in ErrorCode]?: (typeof ERRORS)[Code]['message'] extends (details: infer Details) => string
    ? (details: Details) => string
    : string
}

/**
 * The English messages for operators. For other codes, operators get the service's Spanish message.
 */
const MESSAGES: Messages = {
  DATABASE_BUSY: 'The database is busy. Try again.',
  DATABASE_FULL: 'The database, or its disk, is full: nothing was written. docs/operations.md.',
  UNKNOWN_EMPLOYEE: 'No employee has that id.',
  EMPLOYEE_NOT_FOUND: 'No employee has that id.',
  NEW_EMPLOYEE_ID: 'A new id has 1 to 50 visible characters, and no blanks before or after them.',
  EMPLOYEE_MOVED: 'Somebody else changed the employee meanwhile: nothing was changed. Try again.',
  UNKNOWN_PAYROLL_GROUP: ({ payroll_group }) => `There is no payroll group ${payroll_group}.`,
  PAID_AFTER_END: ({ closing_id, day }) =>
    `Closing ${closing_id} has paid ${day}, which is later: correct such days first.`,
  EMAIL_TAKEN: 'That user exists already.',
  EMPLOYEE_LINKED: 'Another user has that employee.',
  USER_MOVED: 'Somebody else changed the user meanwhile: nothing was changed. Try again.',
  LAST_ADMINISTRATOR:
    'Nobody else who has a password administers all branches: add such a user first.',
  UNKNOWN_ROLE: (known) =>
    `No setting names that role. They name: ${known?.roles.join(', ')}. --var, or the file of the installation, may name another.`,
  MACHINE_EMPLOYEE: 'A machine is not an employee.',
  MACHINE_HAS_NO_PASSWORD: 'A machine has no password, and signs in with a token.',
}

/** Returns the message that an operator gets for an error, or for one of the faults in an error. */
export const operatorMessage = ({
  code,
  details,
  text,
}: {
  code: ErrorCode
  details?: unknown
  text: string
}): string => {
  const message = MESSAGES[code] as string | ((details: unknown) => string) | undefined
  return typeof message === 'function' ? message(details) : (message ?? text)
}
