import type { D1 } from '../../src/core/db/query.ts'
import { EMPLOYEE_ROLE } from '../../src/session/can.ts'
import { readRows } from '../core/rows.ts'

interface Account {
  id: number
  email: string
  name: string
  role: string
  active: number
  employee_id: string | null
  /** The last employee to whom the user was linked. */
  last: string
}

const CHANGED = `people_changes AS row,
  json_each(iif(row.changes = '', '[]', row.changes)) AS change`

/** The users who are, or were once, linked to an employee. */
const SELECT_LINKED = `WITH links AS (
    SELECT row.id, CAST(row.subject_id AS INTEGER) AS user_id,
      change.value ->> 'before' AS before, change.value ->> 'after' AS after
    FROM ${CHANGED} WHERE row.subject = 'user' AND change.value ->> 'field' = 'employee_id')
  SELECT id, email, first_name || ' ' || last_name AS name, role, active, employee_id,
    (SELECT coalesce(after, before) FROM links WHERE user_id = u.id ORDER BY id DESC) AS last
  FROM users AS u WHERE employee_id = ?1
    OR id IN (SELECT user_id FROM links WHERE ?1 IN (before, after)) ORDER BY id`

/** The names of an employee, now and before. */
const SELECT_NAMES = `SELECT full_name AS name FROM employees WHERE employee_id = ?1
  UNION SELECT text.value FROM ${CHANGED},
    json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS text
  WHERE row.subject = 'employee' AND row.subject_id = ?1
    AND change.value ->> 'field' = 'full_name' AND text.value IS NOT NULL`

/** The names that a change took from users or gave to them. */
const SELECT_NAME_CHANGES = `SELECT row.id, group_concat(change.value ->> 'before', ' ') AS before,
    group_concat(change.value ->> 'after', ' ') AS after
  FROM ${CHANGED}
  WHERE row.subject = 'user' AND row.subject_id IN (SELECT CAST(value AS TEXT) FROM json_each(?))
    AND change.value ->> 'field' IN ('first_name', 'last_name') GROUP BY row.id`

const wordsOf = (name: string | null): string[] =>
  (name ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Finds the users who are, or were once, linked to an employee, and returns which ones are the
 * person's own.
 * A linked user is. One who is linked to nobody is too, if the person was the last one, the names
 * are the person's, and it is a user of the app or inactive. Any other may be somebody else who was
 * linked by mistake, such as an administrator, or somebody's who got the account later. Of those,
 * only the changes in which the user got or lost the person's name may be erased (`changeIds`).
 */
export const findLinkedAccounts = async (db: D1, employeeId: string) => {
  const names = await readRows<{ name: string }>(db, SELECT_NAMES, employeeId)
  const fullNames = names.map(({ name }) => wordsOf(name))
  const isPerson = (name: string | null, wordsMin = 1): boolean => {
    const words = wordsOf(name)
    return (
      words.length >= wordsMin && fullNames.some((full) => words.every((w) => full.includes(w)))
    )
  }
  const isOwn = ({ employee_id, last, name, role, active }: Account): boolean =>
    employee_id === employeeId ||
    (employee_id === null &&
      last === employeeId &&
      isPerson(name) &&
      (role === EMPLOYEE_ROLE || active === 0))
  const linked = await readRows<Account>(db, SELECT_LINKED, employeeId)
  const others = linked.filter((account) => !isOwn(account))
  // A user who has the same name now keeps every change of the user's own name.
  const renamed = others.filter(({ name }) => !isPerson(name)).map(({ id }) => id)
  type Named = { id: number; before: string | null; after: string | null }
  const rows = await readRows<Named>(db, SELECT_NAME_CHANGES, JSON.stringify(renamed))
  return {
    own: linked.filter(isOwn).map(({ id }) => id),
    others: others.map(({ id, email }) => ({ id, email })),
    // One word alone, such as a first name, may be another person's.
    changeIds: rows
      .filter(({ before, after }) => isPerson(before, 2) || isPerson(after, 2))
      .map(({ id }) => id),
  }
}
