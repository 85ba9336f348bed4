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
  FORBIDDEN: 'The user of --as must not be limited to branches.',
  DATABASE_BUSY: 'The database is busy. Try again.',
  DATABASE_FULL: 'The database, or its disk, is full: nothing was written. docs/operations.md.',
  PERIOD_REVERSED: 'The last day is before the first.',
  UNKNOWN_EMPLOYEE: 'No employee has that id.',
  EMPLOYEE_NOT_FOUND: 'No employee has that id.',
  NEW_EMPLOYEE_ID: 'A new id has 1 to 50 visible characters, and no blanks before or after them.',
  EMPLOYEE_MOVED: 'Somebody else changed the employee meanwhile: nothing was changed. Try again.',
  PAID_AFTER_END: ({ id, day }) =>
    `Closing ${id} has paid ${day}, which is later: unlock and correct such days first.`,
  EMAIL_TAKEN: 'That user exists already.',
  EMPLOYEE_LINKED: 'Another user has that employee.',
  USER_MOVED: 'Somebody else changed the user meanwhile: nothing was changed. Try again.',
  LAST_ADMINISTRATOR:
    'Nobody else who has a password administers all branches: add somebody with that role first.',
  UNKNOWN_ROLE:
    'No setting names that role. Add it to the file of the installation, or correct it (what npm start gets by --var is not seen).',
  MACHINE_ROLE: 'A machine has a role of INTAKE_ROLES or PEOPLE_ROLES, and of no other setting.',
  MACHINE_EMPLOYEE: 'A machine is not an employee.',
  MACHINE_HAS_NO_PASSWORD: 'A machine has no password: npm run user -- token EMAIL.',
  NOT_A_MACHINE: 'The machine is not active: npm run user -- activate EMAIL.',
  UNKNOWN_PAYROLL_GROUP: 'No payroll group has that name.',
  CLOSING_NOT_FOUND: 'No closing has that number.',
  CLOSING_CANCELLED: 'The closing is cancelled already.',
  CLOSING_OUTDATED:
    'Somebody else closed, cancelled or unlocked meanwhile: nothing was closed. Try again.',
  CLOSING_AHEAD: 'The first day that stays open can be tomorrow at most.',
  CLOSING_TAKES_NOBODY: 'The closing takes nobody: look at the day and at who is taken.',
  CLOSING_BEFORE_LOGS: 'Nobody of this closing has logs before that day.',
  FROM_AFTER_CLOSING: 'The day of --from must be before the first day that stays open.',
  OPENING_AFTER_CLOSING: 'The day of --opening must be before the first day that stays open.',
  OPENING_OF_UNKNOWN_EMPLOYEE: '--opening names an employee whom the closing does not take.',
  OWN_DAYS: 'FORBID_SELF_APPROVAL: nobody unlocks days of their own.',
  RULES_CHANGED: ({ setting, paid, text }) =>
    `Days are paid with ${setting} = ${paid}, and would now count otherwise. Set ${setting} = ${text}.`,
  ALREADY_CLOSED: ({ id, until, by }) =>
    `Closing ${id} of ${by} has paid these days, until ${until}. There is nothing more to pay.`,
  TOO_MANY_PEOPLE: ({ count }) => `A closing takes ${count} people at most: close by --group.`,
  OPENINGS_MISSING: ({ count }) =>
    `The first day that is paid here is missing, people: ${count}. \`preview\` lists them; --opening ID=DAY says one, --from DAY all.`,
  OPENING_EXISTS: ({ employeeId }) =>
    `${employeeId} has a first day already. Leave it out, or move it to an earlier day: \`opening\`.`,
  PENDING_LOGS: ({ count, ofPeriod }) =>
    `Logs pending before that day: ${count}, ${ofPeriod} of the period. --leave-pending closes all the same.`,
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
