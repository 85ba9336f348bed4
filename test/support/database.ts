import { type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { forgetDatabase } from '../../src/core/db/d1.ts'

/** A filled database that a released version has written, with that version's responses. */
export interface ReleasedDatabase {
  version: string
  migrations: string[]
  statements: string[]
  responses: Record<string, unknown>
  /** The faults of the database's evidence. It contains an invalid time stamp. */
  faults: string[]
}

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[]
      /** The version that is being released, or '' if none is. */
      RELEASE: string
      RELEASED: ReleasedDatabase[]
    }
  }
}

const RESETS_MAX = 20

/** Whether the database was used after its migration. */
let isUsed = true

/** Whether the database has only the rows of its migrations, since nothing has used it yet. */
export const isUnused = (): boolean => !isUsed

/** Wraps a method of the database so that each call sets `isUsed`. */
const noteUse = <Name extends 'prepare' | 'batch' | 'exec' | 'withSession'>(name: Name) => {
  const original = env.DB[name] as (...values: unknown[]) => unknown
  Object.defineProperty(env.DB, name, {
    configurable: true,
    writable: true,
    value: (...values: unknown[]) => {
      isUsed = true
      return original.apply(env.DB, values)
    },
  })
}
for (const name of ['prepare', 'batch', 'exec', 'withSession'] as const) noteUse(name)

const migrate = () => {
  const queries = env.MIGRATIONS.flatMap((migration) => migration.queries)
  const names = env.MIGRATIONS.map(({ name }) => `('${name}')`)
  const applied = [
    'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)',
    `INSERT INTO d1_migrations (name) VALUES ${names}`,
  ]
  return env.DB.batch([...applied, ...queries].map((query) => env.DB.prepare(query)))
}

/** Creates a new, migrated database with no other rows than those of the migrations, and resets the rate limits. */
export const resetDatabase = async (): Promise<void> => {
  // The service must not use its cached users and zones of the previous database.
  forgetDatabase(env.DB)
  for (let resets = 1; ; resets++) {
    await reset()
    try {
      await migrate()
      break
    } catch (error) {
      // Between two test files, a reset sometimes runs too early and leaves the old tables.
      if (resets === RESETS_MAX) throw error
    }
  }
  isUsed = false
}

const SCHEMA = `(SELECT group_concat(name || coalesce(sql, '')) FROM (
  SELECT name, sql FROM sqlite_master ORDER BY name))`

/**
 * If a table has more rows, deleting them takes longer than creating a new database, because of the
 * foreign keys.
 */
const MANY_ROWS = 500
const TABLES = ['attendance_logs', 'log_events', 'log_comments', 'employees', 'users', 'clients']
const HAS_MANY_ROWS = TABLES.map(
  (table) => `EXISTS (SELECT 1 FROM ${table} LIMIT 1 OFFSET ${MANY_ROWS})`,
).join(' OR ')

/** The rows that the migrations add. */
const MIGRATED_ROWS = [
  "INSERT INTO payroll_groups (name, calendar) VALUES ('', 'half month')",
  'INSERT INTO company (id) VALUES (1)',
  "INSERT INTO branch_zones (time_zone) VALUES ('America/Mexico_City')",
  'INSERT INTO employee_shifts (max_shift_hours) VALUES (16)',
  // The migrations add their rows before the triggers that record events.
  'DELETE FROM log_events',
  "DELETE FROM sqlite_sequence WHERE name = 'log_events'",
]

/**
 * Prepares the statements that empty every table. They drop the triggers that forbid deletions and
 * create them again. The first statement fails if the schema has changed or there are many rows.
 */
const prepareEmptying = async () => {
  const { results } = await env.DB.prepare(
    `SELECT type, name, sql, ${SCHEMA} AS schema FROM sqlite_master
     WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  ).all<{ type: string; name: string; sql: string; schema: string }>()
  const triggers = results.filter(({ type, sql }) => type === 'trigger' && /\bDELETE\b/.test(sql))
  const rows = results.filter(({ type, name }) => type === 'table' && name !== 'd1_migrations')
  const texts = [
    // SQLite has no RAISE outside triggers: an invalid path aborts the batch.
    `SELECT json_extract('{}', iif(${SCHEMA} = ? AND NOT (${HAS_MANY_ROWS}), '$', 'no'))`,
    'PRAGMA defer_foreign_keys = on',
    ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
    ...rows.map(({ name }) => `DELETE FROM ${name}`),
    'DELETE FROM sqlite_sequence',
    ...MIGRATED_ROWS,
    ...triggers.map(({ sql }) => sql),
  ]
  const [check, ...rest] = texts.map((text) => env.DB.prepare(text))
  return check ? [check.bind(results[0]?.schema), ...rest] : []
}

let emptying: D1PreparedStatement[] | undefined

/**
 * Empties the database if it was used. Creates a new database if emptying fails. Emptying takes a
 * sixth of the time that the migrations take.
 */
export const resetUsedDatabase = async (): Promise<void> => {
  if (!isUsed) return
  forgetDatabase(env.DB)
  if (emptying) {
    const isEmpty = await env.DB.batch(emptying).then(
      () => true,
      () => false,
    )
    isUsed = !isEmpty
    if (isEmpty) return
  }
  await resetDatabase()
  emptying = await prepareEmptying()
  isUsed = false
}
