import type { D1 } from '../../src/core/db/query.ts'
import { toDomainError } from '../../src/core/db/raise.ts'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { inChunks } from '../core/chunks.ts'
import { readRows } from '../core/rows.ts'
import { findLinkedAccounts } from '../users/accounts.ts'
import { requireOtherAdministrator } from '../users/administrators.ts'

/**
 * The number of years for which an employer keeps records after an employee leaves. The law
 * requires fewer.
 */
const YEARS_KEPT = 5

/** An employee who was deleted still has rows in `people_changes`. */
const SELECT_LAST_DAY = `SELECT coalesce(e.ended_at,
    (SELECT max(recorded_at) FROM attendance_logs WHERE employee_id = id.value), e.started_at,
    (SELECT max(at) FROM people_changes
      WHERE subject = 'employee' AND subject_id = id.value)) AS last
  FROM json_each(json_array(?)) AS id LEFT JOIN employees AS e ON e.employee_id = id.value`

/**
 * Returns the first date on which an employee may be forgotten, or undefined if the employee never
 * existed.
 */
export const findForgettableFrom = async (
  db: D1,
  employeeId: string,
): Promise<Date | undefined> => {
  const [row] = await readRows<{ last: string | null }>(db, SELECT_LAST_DAY, employeeId)
  if (!row?.last) return undefined
  const date = new Date(row.last)
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_KEPT)
  return date
}

const SELECT_COMMENTS = `SELECT c.id, c.comment, c.salt FROM log_comments AS c
  JOIN attendance_logs AS l ON l.id = c.log_id
  WHERE l.employee_id = ? AND c.comment <> ''`

const KEEP_HASHES = `INSERT INTO erased_comments (comment_id, hash, erased_at)
  SELECT value ->> '$.id', value ->> '$.hash', ?2 FROM json_each(?1)
  WHERE NOT EXISTS (SELECT 1 FROM erased_comments WHERE comment_id = value ->> '$.id')`

const ERASE_COMMENTS = `UPDATE log_comments SET comment = '', salt = '', updated_at = ?2
  WHERE id IN (SELECT value ->> '$.id' FROM json_each(?1))`

const ERASE_EMPLOYEE = `UPDATE employees SET full_name = '', rfc = '', phone = '', cellphone = '',
  profile_image = '' WHERE employee_id = ?`

// The new e-mail is unique, and the new hash matches no password. Without the salt, nobody can find
// out which user a hash in the events belongs to.
const ERASE_USER = `UPDATE users SET email = 'forgotten-' || id || '@invalid',
  email_key = 'forgotten-' || id || '@invalid', password_hash = '', first_name = '', last_name = '',
  mother_last_name = '', active = 0, token_version = token_version + 1, actor_salt = ''
  WHERE id IN (SELECT value FROM json_each(?))`

const ERASE_INVITATION = `DELETE FROM invitations
  WHERE user_id IN (SELECT value FROM json_each(?))`

/** The hashes of the words are in the events, so the evidence still verifies. */
const ERASE_STATEMENTS = `UPDATE statements SET text = '', salt = '' WHERE text <> '' AND event_id IN (
  SELECT id FROM log_events WHERE employee_id = ? AND log_id IS NULL)`

const ERASE_CHANGES = `UPDATE people_changes SET changes = '' WHERE changes <> '' AND (
  subject = 'employee' AND subject_id = ?1
  OR subject = 'user' AND subject_id IN (SELECT CAST(value AS TEXT) FROM json_each(?2))
  OR id IN (SELECT value FROM json_each(?3)))`

/** The comments of acts on one person. Those of a group or of everybody stay. */
const ERASE_ACT_COMMENTS = [
  'closings.comment',
  'closings.cancel_comment',
  'day_reviews.comment',
].map((name) => {
  const [table, column] = name.split('.')
  return `UPDATE ${table} SET ${column} = '' WHERE ${column} <> '' AND employee_id = ?
    RETURNING 1`
})

/**
 * Erases the data that identifies a person, the person's accounts, the comments on that person's
 * logs and on acts on that one person, and the words of the person's agreements, signatures and
 * answers. The hashes of comments and words stay, so that the evidence still verifies. Ids, times,
 * statuses and events also stay. Returns the number of erased comments.
 * @throws DomainError LAST_ADMINISTRATOR if nobody else administers all branches
 */
export const forgetEmployee = async (
  db: D1,
  employeeId: string,
  { now, adminRoles }: { now: Date; adminRoles: readonly string[] },
): Promise<number> => {
  type Comment = { id: number; comment: string; salt: string }
  const comments = await readRows<Comment>(db, SELECT_COMMENTS, employeeId)
  const hashes = comments.map(({ id, comment, salt }) => ({ id, hash: saltedHash(salt, comment) }))
  const at = now.toISOString()
  const erasures = [...inChunks(hashes)].flatMap(({ json }) => [
    db.prepare(KEEP_HASHES).bind(json, at),
    db.prepare(ERASE_COMMENTS).bind(json, at),
  ])
  const { own, changeIds } = await findLinkedAccounts(db, employeeId)
  const users = JSON.stringify(own)
  const statements = [
    requireOtherAdministrator({ users, admin_roles: JSON.stringify(adminRoles) }).bind(db),
    ...ERASE_ACT_COMMENTS.map((text) => db.prepare(text).bind(employeeId)),
    ...erasures,
    db.prepare(ERASE_STATEMENTS).bind(employeeId),
    db.prepare(ERASE_CHANGES).bind(employeeId, users, JSON.stringify(changeIds)),
    db.prepare(ERASE_INVITATION).bind(users),
    db.prepare(ERASE_USER).bind(users),
    db.prepare(ERASE_EMPLOYEE).bind(employeeId),
  ]
  const results = await db.batch(statements).catch((error) => {
    throw toDomainError(error)
  })
  const ofActs = results.slice(1, 1 + ERASE_ACT_COMMENTS.length)
  return hashes.length + ofActs.flatMap((result) => result.results).length
}
