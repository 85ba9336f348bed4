import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { D1 } from '../../src/core/db/query.ts'
import { clients, config_entries, employees, modules, users } from '../../src/core/db/schema.ts'
import { FIRST_OWN_ID } from '../../src/core/log-values.ts'
import { readRows } from '../core/rows.ts'
import { ruleDiffers, ruleIsNew } from './dated-rules.ts'
import type { StoredLog } from './file.ts'

/**
 * The import's statements. Each takes many rows as one JSON parameter and reads it with json_each,
 * about ten times as fast as bound values.
 */

/** Small enough that a running service waits little for each write; D1 takes 2 MB at most. */
const CHUNK_BYTES = 200_000

/** Rows as JSON arrays of about `CHUNK_BYTES` at most, with the number of rows in each. */
export function* inChunks(rows: Iterable<unknown>): Generator<{ json: string; count: number }> {
  let texts: string[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    const bytes = Buffer.byteLength(text)
    if (size + bytes > CHUNK_BYTES && texts.length > 0) {
      yield { json: `[${texts.join()}]`, count: texts.length }
      texts = []
      size = 0
    }
    texts.push(text)
    size += bytes
  }
  if (texts.length > 0) yield { json: `[${texts.join()}]`, count: texts.length }
}

interface Upsert {
  table: string
  key: string
  columns: readonly string[]
  /** The SET clause for a row that exists; by default every column comes from the file. */
  set?: string
}

const upsertText = ({ table, key, columns, set }: Upsert): string => {
  const values = columns.map((column) => `value ->> '$.${column}'`)
  const assignments = columns.filter((column) => column !== key).map((c) => `${c} = excluded.${c}`)
  return `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM json_each(?1) WHERE true
    ON CONFLICT (${key}) DO UPDATE SET ${set ?? assignments.join()}`
}

/** Columns that the database or the service sets. */
const NOT_IMPORTED = new Set(['id', 'token_version', 'scope_branches', 'sources'])

const importedColumns = (table: SQLiteTable): string[] =>
  Object.keys(getTableColumns(table)).filter((name) => !NOT_IMPORTED.has(name))

const USER_COLUMNS = importedColumns(users)

/** What an existing user keeps. */
const NOT_OVERWRITTEN = new Set(['email_key', 'password_hash', 'actor_hash', 'actor_salt'])

/** Existing users keep their password unless it is reset; resets and deactivations end tokens. */
const USER_SET = `${USER_COLUMNS.filter((c) => !NOT_OVERWRITTEN.has(c))
  .map((c) => `${c} = excluded.${c}`)
  .join()},
  password_hash = iif(?2, excluded.password_hash, password_hash),
  token_version = token_version + (?2 OR (active = 1 AND excluded.active = 0))`

const TARGETS = {
  clients: { table: 'clients', key: 'code', columns: importedColumns(clients) },
  modules: { table: 'modules', key: 'slug', columns: importedColumns(modules) },
  config: { table: 'config_entries', key: 'key', columns: importedColumns(config_entries) },
  employees: { table: 'employees', key: 'employee_id', columns: importedColumns(employees) },
  users: { table: 'users', key: 'email_key', columns: USER_COLUMNS, set: USER_SET },
} satisfies Record<string, Upsert>

type Target = keyof typeof TARGETS

/** How many rows an import adds, changes and leaves as they are. */
export interface Comparison {
  created: number
  changed: number
  kept: number
}

/** Counts the rows of the file, as json_each's `value`, by what an import would do with them. */
const comparisonText = (from: string, isNew: string, differs: string): string =>
  `SELECT count(*) FILTER (WHERE ${isNew}) AS created,
    count(*) FILTER (WHERE NOT (${isNew}) AND (${differs})) AS changed,
    count(*) FILTER (WHERE NOT (${isNew}) AND NOT (${differs})) AS kept
  FROM json_each(?1) ${from}`

const rowComparisonText = (name: Target): string => {
  const { table, key, columns } = TARGETS[name]
  const differs = columns
    .filter((column) => !NOT_OVERWRITTEN.has(column))
    .map((column) => `t.${column} IS NOT value ->> '$.${column}'`)
  if (name === 'employees') differs.push(`(${ruleDiffers(name)})`)
  const join = `LEFT JOIN ${table} AS t ON t.${key} = value ->> '$.${key}'`
  return comparisonText(join, `t.${key} IS NULL`, differs.join(' OR '))
}

/** Compares rows, as they would be written, with what is stored. */
export const compareRows = async (
  db: D1,
  name: Target | 'branches',
  json: string,
): Promise<Comparison> => {
  const text =
    name === 'branches'
      ? comparisonText('', ruleIsNew(name), ruleDiffers(name))
      : rowComparisonText(name)
  const [row] = await readRows<Comparison>(db, text, json)
  return row ?? { created: 0, changed: 0, kept: 0 }
}

/** Whether a row of the file is stored as a log. */
const IS_STORED = `(EXISTS (SELECT 1 FROM attendance_logs WHERE id = value ->> '$.log_id') OR
  EXISTS (SELECT 1 FROM attendance_logs
    WHERE source = value ->> '$.source' AND source_id = value ->> '$.source_id'))`

/** The copies of the employee's columns are given, which saves the trigger an update. */
const insertLogs = (id: string): string =>
  `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, status, source, source_id,
     branch_office, department)
   SELECT ${id}, e.employee_id, value ->> '$.kind', value ->> '$.recorded_at',
     value ->> '$.status', coalesce(value ->> '$.source', ''), value ->> '$.source_id',
     e.branch_office, e.department
   FROM json_each(?1) JOIN employees AS e ON e.employee_id = value ->> '$.employee_id'
   WHERE NOT ${IS_STORED}`

const INSERT_NUMBERED = insertLogs("value ->> '$.log_id'")

const INSERT_BY_SOURCE = insertLogs(
  `max(${FIRST_OWN_ID} - 1, coalesce((SELECT max(id) FROM attendance_logs), 0))
    + row_number() OVER (ORDER BY json_each.key)`,
)

/** Inserts logs that have a number, unless they are stored. */
export const insertNumberedLogs = (db: D1, json: string) =>
  db.prepare(INSERT_NUMBERED).bind(json).run()

/** Inserts logs that the service numbers, unless they are stored. */
export const insertSourceLogs = (db: D1, json: string) =>
  db.prepare(INSERT_BY_SOURCE).bind(json).run()

/** Who decided is known over there only, and a decision needs a user: this one never signs in. */
const INSERT_IMPORTER = `INSERT INTO users (email, email_key, password_hash, first_name, last_name,
    mother_last_name, role, active, type_user, status_user, actor_hash, actor_salt)
  VALUES ('import@invalid', 'import@invalid', '', 'Importación', '', '', 'import', 0, '', '',
    'import', '') ON CONFLICT (email_key) DO NOTHING`

const INSERT_DECISIONS = `INSERT INTO log_events (event, log_id, user_id, from_status, to_status,
    created_at, employee_id, kind, recorded_at, source, actor)
  SELECT 'decided', l.id, (SELECT id FROM users WHERE email_key = 'import@invalid'), l.status,
    value ->> '$.status', ?2, l.employee_id, l.kind, l.recorded_at, l.source, 'import'
  FROM json_each(?1) JOIN attendance_logs AS l ON l.id = value ->> '$.id'
  WHERE l.status = 'pending'
    AND NOT EXISTS (SELECT 1 FROM log_events WHERE log_id = l.id AND event = 'decided')`

/** Only those whose decision was inserted before: somebody may have decided meanwhile. */
const UPDATE_DECIDED = `UPDATE attendance_logs SET status = value ->> '$.status', updated_at = ?2
  FROM json_each(?1) WHERE attendance_logs.id = value ->> '$.id'
    AND attendance_logs.status = 'pending' AND value ->> '$.status' = (SELECT to_status
      FROM log_events WHERE log_id = attendance_logs.id ORDER BY id DESC LIMIT 1)`

/** Decides pending logs that nobody has decided here, as events of the import. */
export const decideLogs = (db: D1, json: string, at: Date) =>
  db.batch([
    db.prepare(INSERT_IMPORTER),
    db.prepare(INSERT_DECISIONS).bind(json, at.toISOString()),
    db.prepare(UPDATE_DECIDED).bind(json, at.toISOString()),
  ])

/** Unlinks employees that move between users first, to avoid a UNIQUE violation mid-statement. */
const UNLINK_TEXT = `UPDATE users SET employee_id = NULL
  FROM json_each(?1) WHERE users.email_key = value ->> '$.email_key'
  AND users.employee_id IS NOT value ->> '$.employee_id'`

export const writeRows = (db: D1, name: Exclude<Target, 'users'>, json: string) =>
  db.prepare(upsertText(TARGETS[name])).bind(json).run()

export const unlinkEmployees = (db: D1, json: string) => db.prepare(UNLINK_TEXT).bind(json).run()

export const writeUsers = (db: D1, json: string, resetPasswords: boolean) =>
  db
    .prepare(upsertText(TARGETS.users))
    .bind(json, resetPasswords ? 1 : 0)
    .run()

interface StoredEmployee {
  employee_id: string
  payroll_group: string
  ended_at: string | null
}

/** Those of these employees who exist. */
export const findEmployees = (db: D1, ids: string) =>
  readRows<StoredEmployee>(
    db,
    `SELECT employee_id, payroll_group, ended_at FROM employees
    WHERE employee_id IN (SELECT value FROM json_each(?))`,
    ids,
  )

/** The users that these employees are linked to: [employee_id, email_key]. */
export const findEmployeeUsers = (db: D1, ids: string) => {
  const text = `SELECT employee_id, email_key FROM users
    WHERE employee_id IN (SELECT value FROM json_each(?))`
  return db.prepare(text).bind(ids).raw<[string, string]>()
}

/** Those of these users who exist: [email_key, password_hash]. */
export const findUsers = (db: D1, keys: string) => {
  const text = `SELECT email_key, password_hash FROM users
    WHERE email_key IN (SELECT value FROM json_each(?))`
  return db.prepare(text).bind(keys).raw<[string, string]>()
}

/** The email_key of each active user who has one of these roles. */
export const findReviewers = async (db: D1, roles: readonly string[]): Promise<string[]> => {
  const text = `SELECT email_key FROM users
    WHERE active = 1 AND role IN (SELECT value FROM json_each(?))`
  return (await db.prepare(text).bind(JSON.stringify(roles)).raw<[string]>()).flat()
}

/** Which of these rows, new decided logs, lie before their person's lock in an active closing. */
export const findClosed = (db: D1, rows: string) =>
  readRows<{ key: number }>(
    db,
    `SELECT DISTINCT row.key FROM json_each(?1) AS row
    JOIN closing_people AS p ON p.employee_id = row.value ->> '$.employee_id'
      AND p.lock_at > row.value ->> '$.recorded_at'
    JOIN closings AS c ON c.id = p.closing_id
    WHERE c.completed_at IS NOT NULL AND c.cancelled_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM unlock_people AS u JOIN unlocks ON unlocks.id = u.unlock_id
      WHERE u.employee_id = p.employee_id AND u.until_at > row.value ->> '$.recorded_at'
        AND u.from_at <= row.value ->> '$.recorded_at' AND unlocks.closings_before >= c.id)
    ORDER BY row.key`,
    rows,
  )

/** These logs as they are stored; each is found by its number or by [source, source_id]. */
export const findStoredLogs = (db: D1, keys: string) =>
  readRows<StoredLog>(
    db,
    `SELECT l.id, l.source, l.source_id, l.employee_id, l.kind, l.recorded_at, l.status,
      EXISTS (SELECT 1 FROM log_events WHERE log_id = l.id AND event = 'decided') AS is_decided
    FROM json_each(?1) JOIN attendance_logs AS l ON l.id = CASE json_each.type
      WHEN 'integer' THEN value
      ELSE (SELECT id FROM attendance_logs
        WHERE source = value ->> '$[0]' AND source_id = value ->> '$[1]') END`,
    keys,
  )
