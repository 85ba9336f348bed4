import type { D1 } from '../../src/db/query.ts'

/**
 * Many rows at once: each statement takes one JSON parameter and spreads it with json_each, some ten
 * times as fast as bound values. For the operators' commands: the service itself never loads this.
 */

/** D1 takes at most 2 MB in one value. */
const CHUNK_BYTES = 1_000_000

/** Rows as JSON arrays of at most `CHUNK_BYTES` or so, with how many rows each one holds. */
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
    // At worst three bytes of UTF-8 for each UTF-16 unit.
    size += text.length * 3
  }
  if (texts.length > 0) yield { json: `[${texts.join()}]`, count: texts.length }
}

interface Upsert {
  table: string
  key: string
  columns: readonly string[]
  /** SQL that updates a row which exists; the default takes every column from the file. */
  set?: string
}

const upsertText = ({ table, key, columns, set }: Upsert): string => {
  const values = columns.map((column) => `value ->> '$.${column}'`)
  const taken = columns.filter((column) => column !== key).map((c) => `${c} = excluded.${c}`)
  return `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM json_each(?1) WHERE true
    ON CONFLICT (${key}) DO UPDATE SET ${set ?? taken.join()}`
}

const CLIENT_COLUMNS = ['code', 'name', 'status', 'url_base']
const MODULE_COLUMNS = ['slug', 'name', 'description', 'icon', 'enabled', 'enabled_app']
const CONFIG_COLUMNS = ['key', 'tipo', 'nombre', 'valor']
const EMPLOYEE_COLUMNS = [
  'employee_id',
  'full_name',
  'rfc',
  'phone',
  'cellphone',
  'started_at',
  'job_position',
  'department',
  'branch_office',
  'profile_image',
]
const USER_COLUMNS = [
  'email_key',
  'email',
  'password_hash',
  'first_name',
  'last_name',
  'mother_last_name',
  'role',
  'active',
  'external',
  'type_user',
  'status_user',
  'employee_id',
]
const LOG_COLUMNS = ['id', 'employee_id', 'kind', 'recorded_at', 'status']

const KEPT_BY_USER = new Set(['email_key', 'password_hash'])

/** Who exists keeps the password, unless it is reset; a reset or a deactivation ends every token. */
const USER_SET = `${USER_COLUMNS.filter((c) => !KEPT_BY_USER.has(c))
  .map((c) => `${c} = excluded.${c}`)
  .join()},
  password_hash = iif(?2, excluded.password_hash, password_hash),
  token_version = token_version + (?2 OR (active = 1 AND excluded.active = 0))`

/** A log that exists keeps its status, which changes through the audited endpoint alone. */
const LOG_SET = `employee_id = excluded.employee_id, kind = excluded.kind,
  recorded_at = excluded.recorded_at`

const TEXTS = {
  clients: upsertText({ table: 'clients', key: 'code', columns: CLIENT_COLUMNS }),
  modules: upsertText({ table: 'modules', key: 'slug', columns: MODULE_COLUMNS }),
  config: upsertText({ table: 'config_entries', key: 'key', columns: CONFIG_COLUMNS }),
  employees: upsertText({ table: 'employees', key: 'employee_id', columns: EMPLOYEE_COLUMNS }),
  logs: upsertText({ table: 'attendance_logs', key: 'id', columns: LOG_COLUMNS, set: LOG_SET }),
}

const USERS_TEXT = upsertText({
  table: 'users',
  key: 'email_key',
  columns: USER_COLUMNS,
  set: USER_SET,
})

/** Frees the employees that move from one user to another, so that no row meets its own past. */
const RELEASE_TEXT = `UPDATE users SET employee_id = NULL
  FROM json_each(?1) WHERE users.email_key = value ->> '$.email_key'
  AND users.employee_id IS NOT value ->> '$.employee_id'`

export const writeRows = (db: D1, list: keyof typeof TEXTS, json: string) =>
  db.prepare(TEXTS[list]).bind(json).run()

export const releaseEmployees = (db: D1, json: string) => db.prepare(RELEASE_TEXT).bind(json).run()

export const writeUsers = (db: D1, json: string, resetPasswords: boolean) =>
  db
    .prepare(USERS_TEXT)
    .bind(json, resetPasswords ? 1 : 0)
    .run()

/** Which of these employees are stored. */
export const storedEmployees = async (db: D1, ids: string): Promise<string[]> => {
  const text =
    'SELECT employee_id FROM employees WHERE employee_id IN (SELECT value FROM json_each(?))'
  return (await db.prepare(text).bind(ids).raw<[string]>()).flat()
}

/** Which users, by `email_key`, have these employees: [employee, user]. */
export const employeeHolders = (db: D1, ids: string) => {
  const text = `SELECT employee_id, email_key FROM users
    WHERE employee_id IN (SELECT value FROM json_each(?))`
  return db.prepare(text).bind(ids).raw<[string, string]>()
}

/** Which of these users, by `email_key`, are stored. */
export const storedUsers = async (db: D1, keys: string): Promise<string[]> => {
  const text = 'SELECT email_key FROM users WHERE email_key IN (SELECT value FROM json_each(?))'
  return (await db.prepare(text).bind(keys).raw<[string]>()).flat()
}
