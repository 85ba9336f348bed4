import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { D1 } from '../../src/core/db/query.ts'
import { clients, config_entries, modules } from '../../src/core/tables/clients.ts'
import { FIRST_SERVICE_ID } from '../../src/core/values/log-values.ts'
import { createActor } from '../../src/users/actor.ts'
import { inChunks } from '../core/chunks.ts'
import { readRows } from '../core/rows.ts'
import type { StoredLog } from './file.ts'

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

/** The number of rows that an import adds, changes and leaves unchanged. */
export interface Comparison {
  created: number
  changed: number
  kept: number
}

/** How the import compares a list with what is stored, and writes it. `json` has its rows. */
interface ListWriter {
  compare(db: D1, json: string): Promise<Comparison>
  write(db: D1, json: string): Promise<unknown>
}

/** Counts the new, changed and unchanged rows of the file. A row is the `value` of json_each. */
const comparer =
  (from: string, isNew: string, differs: string): ListWriter['compare'] =>
  async (db, json) => {
    const text = `SELECT count(*) FILTER (WHERE ${isNew}) AS created,
        count(*) FILTER (WHERE NOT (${isNew}) AND (${differs})) AS changed,
        count(*) FILTER (WHERE NOT (${isNew}) AND NOT (${differs})) AS kept
      FROM json_each(?1) ${from}`
    const [row] = await readRows<Comparison>(db, text, json)
    return row ?? { created: 0, changed: 0, kept: 0 }
  }

/** Writes the rows of a list to one table, whose columns are the fields of the list. */
const tableWriter = (table: SQLiteTable, key: string): ListWriter => {
  const name = getTableName(table)
  const columns = Object.keys(getTableColumns(table)).filter((column) => column !== 'id')
  const values = columns.map((column) => `value ->> '$.${column}'`)
  const others = columns.filter((column) => column !== key)
  const upsert = `INSERT INTO ${name} (${columns.join()}) SELECT ${values.join()}
    FROM json_each(?1) WHERE true
    ON CONFLICT (${key}) DO UPDATE SET ${others.map((c) => `${c} = excluded.${c}`).join()}`
  return {
    compare: comparer(
      `LEFT JOIN ${name} AS t ON t.${key} = value ->> '$.${key}'`,
      `t.${key} IS NULL`,
      others.map((column) => `t.${column} IS NOT value ->> '$.${column}'`).join(' OR '),
    ),
    write: (db, json) => db.prepare(upsert).bind(json).run(),
  }
}

/** The lists that are written row by row, without rules of their own. */
export const LIST_WRITERS = {
  clients: tableWriter(clients, 'code'),
  modules: tableWriter(modules, 'slug'),
  config: tableWriter(config_entries, 'key'),
} satisfies Record<string, ListWriter>

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

const IMPORTER = 'import@invalid'

/**
 * The user who stands for the unknown reviewers of imported decisions. This user cannot sign in.
 */
const INSERT_IMPORTER = `INSERT INTO users (email, email_key, password_hash, first_name, last_name,
    mother_last_name, role, active, type_user, status_user, actor_hash, actor_salt)
  VALUES (?1, ?1, '', 'Importación', '', '', 'import', 0, '', '', ?2, ?3)
  ON CONFLICT (email_key) DO NOTHING`

const INSERT_DECISIONS = `INSERT INTO log_events (event, log_id, user_id, from_status, to_status,
    created_at, employee_id, kind, recorded_at, source, actor)
  SELECT 'decided', l.id, importer.id, l.status, value ->> '$.status', ?2, l.employee_id, l.kind,
    l.recorded_at, l.source, importer.actor_hash
  FROM json_each(?1) JOIN attendance_logs AS l ON l.id = value ->> '$.id'
    JOIN users AS importer ON importer.email_key = ?3
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
export const decideLogs = (db: D1, json: string, at: Date) => {
  const { actor_hash, actor_salt } = createActor(IMPORTER)
  return db.batch([
    db.prepare(INSERT_IMPORTER).bind(IMPORTER, actor_hash, actor_salt),
    db.prepare(INSERT_DECISIONS).bind(json, at.toISOString(), IMPORTER),
    db.prepare(UPDATE_DECIDED).bind(json, at.toISOString()),
  ])
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

/** Finds the indexes of rows that decide a log which an active closing locks. */
export const findLockedRows = (db: D1, rows: string) =>
  readRows<{ key: number }>(
    db,
    `SELECT DISTINCT row.key FROM json_each(?1) AS row
    JOIN closing_people AS p ON p.employee_id = row.value ->> '$.employee_id'
      AND p.lock_at > row.value ->> '$.recorded_at'
    JOIN closings AS c ON c.id = p.closing_id
    WHERE c.completed_at IS NOT NULL AND c.cancelled_at IS NULL
    ORDER BY row.key`,
    rows,
  )

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
