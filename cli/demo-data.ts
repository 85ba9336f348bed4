import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { D1 } from '../src/db/query.ts'
import { findCredentials } from '../src/db/users.ts'
import { importInto } from './import/run.ts'

/** Two users of the demo data; all of them have the same password. */
export const DEMO_ADMIN = 'ana.torres@demo.mx'
export const DEMO_EMPLOYEE = 'luis.mendoza@demo.mx'
export const DEMO_PASSWORD = 'checada-demo'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

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

/** Loads the demo data into an empty database only. Returns whether it did. */
export const loadDemo = async (db: D1): Promise<boolean> => {
  if (!(await isEmpty(db))) return false
  const result = await importInto(db, readDemo(new Date()))
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  return true
}
