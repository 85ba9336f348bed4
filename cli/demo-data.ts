import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { D1 } from '../src/db/query.ts'
import { findCredentials } from '../src/db/users.ts'
import { FIRST_OWN_ID } from '../src/shared/log-values.ts'
import { importInto } from './import/run.ts'

/** Two users of the demo data; all of them have the same password. */
export const DEMO_ADMIN = 'ana.torres@demo.mx'
export const DEMO_EMPLOYEE = 'luis.mendoza@demo.mx'
export const DEMO_PASSWORD = 'checada-demo'
const DEMO_MACHINE = 'reloj@demo.mx'

const DAY_MS = 24 * 60 * 60 * 1000
const WEEK_MS = 7 * DAY_MS

interface DemoLog {
  log_id?: number
  employee_id: string
  kind: string
  recorded_at: string
  status?: string
  source?: string
  source_id?: string
}

/** An import file; its logs are inserted here, since an import's are received when it runs. */
type Demo = Record<string, unknown> & { logs: DemoLog[] }

const readDemo = (): Demo =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'demo.json'), 'utf8'))

/** Seconds to minutes after it was recorded; some a day, from a phone that was offline. */
const receivedAt = (recorded: number, index: number, now: number): string => {
  const delay = index % 50 === 13 ? DAY_MS : 5_000 + ((index * 7_919) % 240_000)
  return new Date(Math.min(recorded + delay, now)).toISOString()
}

/** Logs moved by whole weeks up to the last one, in the order of their arrival. */
const moveLogs = (logs: readonly DemoLog[], now: number) => {
  const times = logs.map((log) => Date.parse(log.recorded_at))
  const shift = Math.floor((now - Math.max(...times)) / WEEK_MS) * WEEK_MS
  const moveDay = (day: string) => new Date(Date.parse(day) + shift).toISOString().slice(0, 10)
  const moved = logs.map((log, index) => {
    const recorded = Date.parse(log.recorded_at) + shift
    return {
      ...log,
      source_id: log.source_id?.replace(/\d{4}-\d\d-\d\d/, moveDay),
      recorded_at: new Date(recorded).toISOString(),
      received_at: receivedAt(recorded, index, now),
    }
  })
  return moved.sort((a, b) => a.received_at.localeCompare(b.received_at))
}

/** As the intake stores them: the machine's user sent those of a clock. */
const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, status, source,
    source_id, recorded_by, created_at, updated_at)
  SELECT coalesce(value ->> '$.log_id', ${FIRST_OWN_ID - 1}
      + row_number() OVER (PARTITION BY value ->> '$.log_id' IS NULL ORDER BY key)),
    value ->> '$.employee_id', value ->> '$.kind', value ->> '$.recorded_at',
    coalesce(value ->> '$.status', 'pending'), coalesce(value ->> '$.source', ''),
    value ->> '$.source_id', iif(value ->> '$.source' IS NULL, NULL,
      (SELECT id FROM users WHERE email_key = '${DEMO_MACHINE}')),
    value ->> '$.received_at', value ->> '$.received_at'
  FROM json_each(?1) ORDER BY key`

const SEE_EMPLOYEES = `INSERT INTO employee_sources (employee_id, source, last_recorded_at)
  SELECT employee_id, source, max(recorded_at) FROM attendance_logs
  WHERE source <> '' GROUP BY employee_id, source`

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
    VALUES ('reloj-sur', ?1, 'E-099', 'refused', 'unknown_employee', ?2, ?3, 3)`
  await db.batch([
    db.prepare(source).bind('reloj-norte', ago(0)),
    db.prepare(source).bind('reloj-sur', ago(3)),
    db.prepare(problem).bind(`AX2:E-099:${ago(6).slice(0, 10)} 08:00:03`, ago(5), ago(3)),
  ])
}

/** Loads the demo data into an empty database only. Returns whether it did. */
export const loadDemo = async (db: D1): Promise<boolean> => {
  if (!(await isEmpty(db))) return false
  const { logs, ...others } = readDemo()
  const result = await importInto(db, others)
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  const now = new Date()
  await db.batch([
    db.prepare(INSERT_LOGS).bind(JSON.stringify(moveLogs(logs, now.getTime()))),
    db.prepare(SEE_EMPLOYEES),
  ])
  await loadSources(db, now)
  return true
}
