import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { D1 } from '../src/db/query.ts'
import { findCredentials } from '../src/db/users.ts'
import { importInto } from './import/run.ts'

/** Two users of the demo data; all of them have the same password. */
export const DEMO_ADMIN = 'ana.torres@demo.mx'
export const DEMO_EMPLOYEE = 'luis.mendoza@demo.mx'
export const DEMO_PASSWORD = 'checada-demo'

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_MS = 7 * DAY_MS

interface Demo {
  logs: { recorded_at: string }[]
}

/** The demo data, an import file, its logs moved by whole weeks up to the last one. */
const readDemo = (now: Date): Demo => {
  const demo: Demo = JSON.parse(readFileSync(join(import.meta.dirname, 'demo.json'), 'utf8'))
  const times = demo.logs.map((log) => Date.parse(log.recorded_at))
  const age = now.getTime() - Math.max(...times)
  const shift = Math.floor(age / WEEK_MS) * WEEK_MS
  const logs = demo.logs.map((log, i) => ({
    ...log,
    recorded_at: new Date((times[i] ?? 0) + shift).toISOString(),
  }))
  return { ...demo, logs }
}

const isEmpty = async (db: D1): Promise<boolean> => {
  const tables = ['users', 'clients', 'employees', 'modules', 'config_entries', 'attendance_logs']
  const anyRow = tables.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')
  return (await db.prepare(`SELECT ${anyRow} AS filled`).first('filled')) === 0
}

/** Whether the database has the demo's users. */
export const hasDemo = async (db: D1): Promise<boolean> =>
  (await findCredentials(db, DEMO_ADMIN)) !== undefined

/** One clock sends every day; the other is silent since three days, and has a lost punch. */
const loadSources = async (db: D1, now: Date): Promise<void> => {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const source = `INSERT INTO intake_sources (source, complete_until, last_seen_at)
    VALUES (?1, ?2, ?2)`
  const problem = `INSERT INTO intake_problems
      (source, source_id, employee_id, result, reason, first_at, last_at, count)
    VALUES ('reloj-sur', 'AX2:E-099:08:00:03', 'E-099', 'refused', 'unknown_employee', ?1, ?2, 3)`
  await db.batch([
    db.prepare(source).bind('reloj-norte', ago(0)),
    db.prepare(source).bind('reloj-sur', ago(3)),
    db.prepare(problem).bind(ago(5), ago(3)),
  ])
}

/** Loads the demo data into an empty database only. Returns whether it did. */
export const loadDemo = async (db: D1): Promise<boolean> => {
  if (!(await isEmpty(db))) return false
  const result = await importInto(db, readDemo(new Date()))
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  await loadSources(db, new Date())
  return true
}
