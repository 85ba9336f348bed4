/**
 * SQL that records what an import changes of employees and users, in the transaction of the write.
 * ?1 is the rows of the file as a JSON array, ?2 the time. A row is the `value` of json_each, and
 * `t` the stored one.
 */

const inFile = (column: string): string => `value ->> '$.${column}'`

const change = (field: string, before: string, after: string): string =>
  `',' || json_object('field', '${field}', 'before', ${before}, 'after', ${after})`

/** The columns that differ from the stored row; all of them if `isNew` holds. */
const changedColumns = (columns: readonly string[], isNew: string): string =>
  columns
    .map((column) => {
      const after = inFile(column)
      return `iif(${isNew} OR t.${column} IS NOT ${after}, ${change(column, `t.${column}`, after)}, '')`
    })
    .join(' || ')

const differs = (columns: readonly string[]): string =>
  columns.map((column) => `t.${column} IS NOT ${inFile(column)}`).join(' OR ')

/** The employee's branch, or both branches of a move. */
const BRANCHES = `iif(coalesce(t.branch_office, ${inFile('branch_office')}) = ${inFile('branch_office')},
      json_array(${inFile('branch_office')}), json_array(t.branch_office, ${inFile('branch_office')}))`

/** The changes are texts that begin with a comma. */
const record = (subject: 'employee' | 'user', id: string, changes: string, from: string): string =>
  `INSERT INTO people_changes (at, user_id, subject, subject_id, changes, branches)
  SELECT ?2, NULL, '${subject}', ${id}, '[' || substr(${changes}, 2) || ']',
    ${subject === 'employee' ? BRANCHES : 'NULL'}
  FROM json_each(?1) ${from} ORDER BY json_each.key`

/** Records new and changed employees. It runs before they are written. */
export const recordEmployees = (columns: readonly string[]): string =>
  record(
    'employee',
    inFile('employee_id'),
    changedColumns(columns, 't.employee_id IS NULL'),
    `LEFT JOIN employees AS t ON t.employee_id = ${inFile('employee_id')}
    WHERE t.employee_id IS NULL OR ${differs(columns)}`,
  )

const USER_ID = 'CAST(t.id AS TEXT)'
const STORED_USER = `JOIN users AS t ON t.email_key = ${inFile('email_key')}`
const PASSWORD_SET = change('password_set', 'NULL', '?2')

/** Records changes of stored users. It runs before they are written. ?3 is 1 to reset passwords. */
export const recordUsers = (columns: readonly string[]): string =>
  record(
    'user',
    USER_ID,
    `${changedColumns(columns, 'false')} || iif(?3, ${PASSWORD_SET}, '')`,
    `${STORED_USER} WHERE ?3 OR ${differs(columns)}`,
  )

/** Records new users. It runs after they are written: only they have the random salt of the row. */
export const recordNewUsers = (columns: readonly string[]): string =>
  record(
    'user',
    USER_ID,
    `${columns.map((column) => change(column, 'NULL', inFile(column))).join(' || ')} || ${PASSWORD_SET}`,
    `${STORED_USER} AND t.actor_salt = ${inFile('actor_salt')}`,
  )

/** Records the users that will lose their employee, who gets another user. */
export const RECORD_UNLINKED = record(
  'user',
  USER_ID,
  change('employee_id', 't.employee_id', 'NULL'),
  `${STORED_USER} WHERE t.employee_id IS NOT NULL
    AND t.employee_id IS NOT ${inFile('employee_id')}`,
)
