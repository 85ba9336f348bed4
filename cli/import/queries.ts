import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { D1 } from '../../src/db/query.ts'
import { clients, config_entries, employees, modules, users } from '../../src/db/schema.ts'

/**
 * The import's statements. Each takes many rows as one JSON parameter and reads it with json_each,
 * about ten times as fast as bound values.
 */

/** D1 takes at most 2 MB in one value. */
const CHUNK_BYTES = 1_000_000

/** Rows as JSON arrays of about `CHUNK_BYTES` at most, with the number of rows in each. */
export function* inChunks(rows: readonly unknown[]): Generator<{ json: string; count: number }> {
  let texts: string[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (size + text.length * 3 > CHUNK_BYTES && texts.length > 0) {
      yield { json: `[${texts.join()}]`, count: texts.length }
      texts = []
      size = 0
    }
    texts.push(text)
    // At most three bytes of UTF-8 for each UTF-16 unit.
    size += text.length * 3
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
const NOT_IMPORTED = new Set(['id', 'token_version'])

const importedColumns = (table: SQLiteTable): string[] =>
  Object.keys(getTableColumns(table)).filter((name) => !NOT_IMPORTED.has(name))

const USER_COLUMNS = importedColumns(users)
/** The file gives the log's id; triggers set the copies of the employee's columns. */
const LOG_COLUMNS = ['id', 'employee_id', 'kind', 'recorded_at', 'status']

const NOT_OVERWRITTEN = new Set(['email_key', 'password_hash'])

/** Existing users keep their password unless it is reset; resets and deactivations end tokens. */
const USER_SET = `${USER_COLUMNS.filter((c) => !NOT_OVERWRITTEN.has(c))
  .map((c) => `${c} = excluded.${c}`)
  .join()},
  password_hash = iif(?2, excluded.password_hash, password_hash),
  token_version = token_version + (?2 OR (active = 1 AND excluded.active = 0))`

/** Existing logs keep their status, which only the audited endpoint changes. */
const LOG_SET = `employee_id = excluded.employee_id, kind = excluded.kind,
  recorded_at = excluded.recorded_at`

const TEXTS = {
  clients: upsertText({ table: 'clients', key: 'code', columns: importedColumns(clients) }),
  modules: upsertText({ table: 'modules', key: 'slug', columns: importedColumns(modules) }),
  config: upsertText({
    table: 'config_entries',
    key: 'key',
    columns: importedColumns(config_entries),
  }),
  employees: upsertText({
    table: 'employees',
    key: 'employee_id',
    columns: importedColumns(employees),
  }),
  logs: upsertText({ table: 'attendance_logs', key: 'id', columns: LOG_COLUMNS, set: LOG_SET }),
}

const USERS_TEXT = upsertText({
  table: 'users',
  key: 'email_key',
  columns: USER_COLUMNS,
  set: USER_SET,
})

/** Unlinks employees that move between users first, to avoid a UNIQUE violation mid-statement. */
const UNLINK_TEXT = `UPDATE users SET employee_id = NULL
  FROM json_each(?1) WHERE users.email_key = value ->> '$.email_key'
  AND users.employee_id IS NOT value ->> '$.employee_id'`

export const writeRows = (db: D1, list: keyof typeof TEXTS, json: string) =>
  db.prepare(TEXTS[list]).bind(json).run()

export const unlinkEmployees = (db: D1, json: string) => db.prepare(UNLINK_TEXT).bind(json).run()

export const writeUsers = (db: D1, json: string, resetPasswords: boolean) =>
  db
    .prepare(USERS_TEXT)
    .bind(json, resetPasswords ? 1 : 0)
    .run()

/** Which of these employees exist. */
export const findEmployees = async (db: D1, ids: string): Promise<string[]> => {
  const text =
    'SELECT employee_id FROM employees WHERE employee_id IN (SELECT value FROM json_each(?))'
  return (await db.prepare(text).bind(ids).raw<[string]>()).flat()
}

/** The users that these employees are linked to: [employee_id, email_key]. */
export const findEmployeeUsers = (db: D1, ids: string) => {
  const text = `SELECT employee_id, email_key FROM users
    WHERE employee_id IN (SELECT value FROM json_each(?))`
  return db.prepare(text).bind(ids).raw<[string, string]>()
}

/** Which of these users exist, by `email_key`. */
export const findUsers = async (db: D1, keys: string): Promise<string[]> => {
  const text = 'SELECT email_key FROM users WHERE email_key IN (SELECT value FROM json_each(?))'
  return (await db.prepare(text).bind(keys).raw<[string]>()).flat()
}
