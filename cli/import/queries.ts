import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { D1 } from '../../src/core/db/query.ts'
import { toDomainError } from '../../src/core/db/rules.ts'
import { clients, config_entries, employees, modules, users } from '../../src/core/db/schema.ts'
import { FIRST_SERVICE_ID } from '../../src/core/log-values.ts'
import { type PeopleChange, recordChanges } from '../../src/people/people-changes.queries.ts'
import { inChunks } from '../core/chunks.ts'
import { readRows } from '../core/rows.ts'
import { ruleDiffers, ruleIsNew } from '../payroll/dated-rules.ts'
import { abortIf, SELECT_ADMINISTRATORS } from '../people/administrators.ts'
import type { StoredLog, StoredUser } from './file.ts'

/**
 * The SQL of the import. Each statement takes many rows as one JSON parameter and reads them with
 * json_each. That is about ten times as fast as binding each value.
 */

export const queryInChunks = async <Row>(
  values: readonly unknown[],
  query: (json: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const { json } of inChunks(values)) rows.push(...(await query(json)))
  return rows
}

interface Upsert {
  table: string
  key: string
  columns: readonly string[]
  /** The SET clause for an existing row. By default, it sets all columns from the file. */
  set?: string
}

const upsertText = ({ table, key, columns, set }: Upsert): string => {
  const values = columns.map((column) => `value ->> '$.${column}'`)
  const assignments = columns.filter((column) => column !== key).map((c) => `${c} = excluded.${c}`)
  return `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM json_each(?1) WHERE true
    ON CONFLICT (${key}) DO UPDATE SET ${set ?? assignments.join()}`
}

/** Columns that the database or the service sets, not the file. */
const EXCLUDED_COLUMNS = new Set(['id', 'version', 'scope_branches', 'sources'])

const importedColumns = (table: SQLiteTable): string[] =>
  Object.keys(getTableColumns(table)).filter((name) => !EXCLUDED_COLUMNS.has(name))

const USER_COLUMNS = importedColumns(users)

/** Internal columns. An import does not compare them. `USER_SET` updates two of these columns. */
const HIDDEN_COLUMNS = new Set([
  'email_key',
  'password_hash',
  'password_through',
  'token_version',
  'actor_hash',
  'actor_salt',
])

export const SHOWN_USER_COLUMNS = USER_COLUMNS.filter((name) => !HIDDEN_COLUMNS.has(name))

/** Existing users keep the password if the row has none. A `token_version` of 1 ends the tokens. */
const USER_SET = `${SHOWN_USER_COLUMNS.map((c) => `${c} = excluded.${c}`).join()},
  password_through = iif(excluded.password_hash = '', password_through, NULL),
  password_hash = iif(excluded.password_hash = '', password_hash, excluded.password_hash),
  token_version = token_version + excluded.token_version`

const TARGETS = {
  clients: { table: 'clients', key: 'code', columns: importedColumns(clients) },
  modules: { table: 'modules', key: 'slug', columns: importedColumns(modules) },
  config: { table: 'config_entries', key: 'key', columns: importedColumns(config_entries) },
  employees: { table: 'employees', key: 'employee_id', columns: importedColumns(employees) },
  users: { table: 'users', key: 'email_key', columns: USER_COLUMNS, set: USER_SET },
} satisfies Record<string, Upsert>

type Target = keyof typeof TARGETS

/** The number of rows that an import adds, changes and leaves unchanged. */
export interface Comparison {
  created: number
  changed: number
  kept: number
}

/** Counts the new, changed and unchanged rows of the file. A row is the `value` of json_each. */
const comparisonText = (from: string, isNew: string, differs: string): string =>
  `SELECT count(*) FILTER (WHERE ${isNew}) AS created,
    count(*) FILTER (WHERE NOT (${isNew}) AND (${differs})) AS changed,
    count(*) FILTER (WHERE NOT (${isNew}) AND NOT (${differs})) AS kept
  FROM json_each(?1) ${from}`

const rowComparisonText = (name: Target): string => {
  const { table, key, columns } = TARGETS[name]
  const differs = columns
    .filter((column) => !HIDDEN_COLUMNS.has(column))
    .map((column) => `t.${column} IS NOT value ->> '$.${column}'`)
  if (name === 'employees') differs.push(`(${ruleDiffers(name)})`)
  const join = `LEFT JOIN ${table} AS t ON t.${key} = value ->> '$.${key}'`
  return comparisonText(join, `t.${key} IS NULL`, differs.join(' OR '))
}

/** Compares rows, in the form in which they would be written, with the stored rows. */
export const compareWithStored = async (
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

/** Whether the log of a row is stored, by its number, or by its source and its id at the source. */
const IS_STORED = `(EXISTS (SELECT 1 FROM attendance_logs WHERE id = value ->> '$.log_id') OR
  EXISTS (SELECT 1 FROM attendance_logs
    WHERE source = value ->> '$.source' AND source_id = value ->> '$.source_id'))`

/** Copies the employee's branch and department here, so that the trigger need not update them. */
const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, status, source,
    source_id, branch_office, department, created_at, updated_at)
  SELECT coalesce(value ->> '$.log_id',
      max(${FIRST_SERVICE_ID} - 1, coalesce((SELECT max(id) FROM attendance_logs), 0))
        + row_number() OVER (PARTITION BY value ->> '$.log_id' IS NULL ORDER BY json_each.key)),
    e.employee_id, value ->> '$.kind', value ->> '$.recorded_at', value ->> '$.status',
    coalesce(value ->> '$.source', ''), value ->> '$.source_id', e.branch_office, e.department,
    ?2, ?2
  FROM json_each(?1) JOIN employees AS e ON e.employee_id = value ->> '$.employee_id'
  WHERE NOT ${IS_STORED}`

/** Inserts logs, except those already stored. Logs without a number get one. */
export const insertLogs = (db: D1, json: string, now: Date) =>
  db.prepare(INSERT_LOGS).bind(json, now.toISOString()).run()

/**
 * The user who stands for the unknown reviewers of imported decisions. This user cannot sign in.
 */
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

/**
 * Sets the status only if the log's last event sets the same status. Somebody else may have decided
 * in the meantime.
 */
const UPDATE_DECIDED = `UPDATE attendance_logs SET status = value ->> '$.status', updated_at = ?2
  FROM json_each(?1) WHERE attendance_logs.id = value ->> '$.id'
    AND attendance_logs.status = 'pending' AND value ->> '$.status' = (SELECT to_status
      FROM log_events WHERE log_id = attendance_logs.id ORDER BY id DESC LIMIT 1)`

/** Applies the file's decisions to pending logs that nobody has decided in this service. */
export const decideLogs = (db: D1, json: string, at: Date) =>
  db.batch([
    db.prepare(INSERT_IMPORTER),
    db.prepare(INSERT_DECISIONS).bind(json, at.toISOString()),
    db.prepare(UPDATE_DECIDED).bind(json, at.toISOString()),
  ])

export const writeRows = (db: D1, name: Exclude<Target, 'employees' | 'users'>, json: string) =>
  db.prepare(upsertText(TARGETS[name])).bind(json).run()

/**
 * The import makes each row from the stored user. This query aborts the transaction if the version
 * or the password of the stored user has changed since then.
 */
const REQUIRE_UNCHANGED = abortIf(
  `EXISTS (SELECT 1 FROM json_each(?1)
    LEFT JOIN users ON users.email_key = value ->> '$.email_key'
    WHERE coalesce(users.version, 0) <> value ->> '$.version'
      OR coalesce(users.password_hash, '') <> value ->> '$.stored_hash')`,
  'USER_MOVED',
)

/**
 * Unlinks users from their employees before other users are linked to these employees, since
 * `employee_id` is unique.
 */
const UNLINK_TEXT = `UPDATE users SET employee_id = NULL, token_version = token_version + 1
  WHERE email_key IN (SELECT value ->> '$.email_key' FROM json_each(?1))`

/** The administrators are those after the import, which may have changed the author of a link. */
const CLEAR_PASSWORDS = `UPDATE users SET password_hash = '', password_through = NULL
  WHERE email_key IN (SELECT value ->> '$.email_key' FROM json_each(?1)
    WHERE value ->> '$.clears_password' OR (value ->> '$.widens'
      AND users.password_through IS NOT NULL AND users.password_through NOT IN (${SELECT_ADMINISTRATORS})))`

/** Aborts if the import takes the last administrator away, as another change may have meanwhile. */
const REQUIRE_ADMINISTRATOR = abortIf(
  `?1 AND NOT EXISTS (${SELECT_ADMINISTRATORS})`,
  'LAST_ADMINISTRATOR',
)

const END_INVITATIONS = `DELETE FROM invitations WHERE user_id IN (SELECT users.id
  FROM json_each(?1) JOIN users ON users.email_key = value ->> '$.email_key'
  WHERE value ->> '$.token_version' = 1)`

/** A user as the import writes it, and the changes to record. */
export interface UserWrite {
  email_key: string
  /** 1 to end the tokens and the invitation of a stored user. Otherwise 0. */
  token_version: number
  /** Whether the stored password is cleared. */
  clears_password: boolean
  /** Whether the user gets more power, so that only a trusted password may stay. */
  widens: boolean
  version: number
  /** The hash that was read. */
  stored_hash: string
  changes: readonly PeopleChange[]
}

interface UsersWrite {
  unlink?: boolean
  at: Date
  /** The administrators' roles. */
  roles: readonly string[]
  /** Whether an administrator is stored. If so, the import must leave one. */
  hasAdministrator: boolean
}

/** Writes users and records their changes. With `unlink`, only unlinks the users from employees. */
export const writeUsers = async (
  db: D1,
  writes: readonly UserWrite[],
  { unlink = false, at, roles, hasAdministrator }: UsersWrite,
): Promise<void> => {
  const json = JSON.stringify(writes)
  const adminRoles = JSON.stringify(roles)
  const changes = writes.flatMap((write) => write.changes)
  const record = recordChanges(changes, at.toISOString(), null)
  await db
    .batch([
      db.prepare(REQUIRE_UNCHANGED).bind(json),
      db.prepare(unlink ? UNLINK_TEXT : upsertText(TARGETS.users)).bind(json),
      db.prepare(CLEAR_PASSWORDS).bind(json, adminRoles),
      db.prepare(END_INVITATIONS).bind(json),
      db.prepare(REQUIRE_ADMINISTRATOR).bind(Number(hasAdministrator), adminRoles),
      record.bind(db),
    ])
    .catch((error) => {
      throw toDomainError(error)
    })
}

interface StoredEmployee {
  employee_id: string
  payroll_group: string
  ended_at: string | null
  version: number
}

export const findEmployeeIds = async (db: D1): Promise<string[]> =>
  (await readRows<StoredEmployee>(db, 'SELECT employee_id FROM employees')).map(
    ({ employee_id }) => employee_id,
  )

/** Finds employees by their ids, given as a JSON array. */
export const findEmployees = (db: D1, ids: string) =>
  readRows<StoredEmployee>(
    db,
    `SELECT employee_id, payroll_group, ended_at, version FROM employees
    WHERE employee_id IN (SELECT value FROM json_each(?))`,
    ids,
  )

/** Finds the users of the given employees, as [employee_id, email_key]. */
export const findEmployeeUsers = (db: D1, ids: string) => {
  const text = `SELECT employee_id, email_key FROM users
    WHERE employee_id IN (SELECT value FROM json_each(?))`
  return db.prepare(text).bind(ids).raw<[string, string]>()
}

/**
 * Finds users by `email_key`. The keys and the administrators' roles are given as JSON arrays. A
 * password is trusted as in `findUserForChange`.
 */
export const findUsers = async (db: D1, keys: string, roles: string): Promise<StoredUser[]> => {
  const text = `SELECT ${SHOWN_USER_COLUMNS.join()}, email_key, password_hash, scope_branches, version,
      password_hash = '' OR password_through IS NULL OR password_through IN (${SELECT_ADMINISTRATORS})
        AS is_trusted
    FROM users WHERE email_key IN (SELECT value FROM json_each(?1))`
  type Row = Omit<StoredUser, 'machine' | 'scope_branches' | 'is_trusted'> &
    Record<'machine' | 'is_trusted', number> & { scope_branches: string | null }
  const rows = await readRows<Row>(db, text, keys, roles)
  return rows.map((row) => ({
    ...row,
    machine: row.machine === 1,
    is_trusted: row.is_trusted === 1,
    scope_branches: JSON.parse(row.scope_branches ?? 'null'),
  }))
}

/** Returns the email_key of each user who administers all branches and has a password. */
export const findAdministrators = async (db: D1, roles: readonly string[]): Promise<string[]> => {
  const text = `SELECT email_key FROM users WHERE id IN (${SELECT_ADMINISTRATORS}) AND ?1`
  return (await db.prepare(text).bind(1, JSON.stringify(roles)).raw<[string]>()).flat()
}

/** Finds the indexes of rows that decide a log which an active closing locks. */
export const findLockedRows = (db: D1, rows: string) =>
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

/** Finds the indexes of rows whose source has never sent anything. */
/** Finds stored logs. Each key is a log's number or [source, source_id]. */
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
