/**
 * Who the demo's users are, and what is known of demo data without loading it: that imports most of
 * the service, which takes most of a second.
 */
import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

/** The e-mails of two demo users, and the password of all demo users except the machine. */
export const DEMO_ADMIN = 'ana.torres@demo.mx'
export const DEMO_EMPLOYEE = 'luis.mendoza@demo.mx'
export const DEMO_PASSWORD = 'checada-demo'
export const DEMO_CODE = 'DEMO-2026'

/** The variables that differ while the demo is served: its employees may check in and ask. */
export const DEMO_VARS = { EMPLOYEE_CLOCK_IN: 'on', EMPLOYEE_REQUESTS: 'on' }

export const isEmpty = async (db: D1): Promise<boolean> => {
  const tables = ['users', 'clients', 'employees', 'modules', 'config_entries', 'attendance_logs']
  const anyRow = tables.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')
  const [row] = await readRows<{ filled: number }>(db, `SELECT ${anyRow} AS filled`)
  return row?.filled === 0
}

export const hasDemo = async (db: D1): Promise<boolean> =>
  (await readRows(db, 'SELECT 1 FROM users WHERE email_key = ?', DEMO_ADMIN)).length > 0

const ANSWER_MS = 1_000

const answers = (origin: string): Promise<boolean> =>
  fetch(`${origin}/health`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    () => true,
    () => false,
  )

/**
 * Makes the demo's code lead apps to the service that runs, and returns where it leads. While
 * another start still serves the same data, the code goes on leading there, unless `always`.
 */
export const setDemoOrigin = async (
  db: D1,
  origin: string,
  { always }: { always: boolean },
): Promise<string> => {
  const select = 'SELECT url_base FROM clients WHERE code = ?'
  const [stored] = await readRows<{ url_base: string }>(db, select, DEMO_CODE)
  const isOther = stored !== undefined && stored.url_base !== origin
  if (isOther && !always && (await answers(stored.url_base))) return stored.url_base
  await readRows(db, 'UPDATE clients SET url_base = ?2 WHERE code = ?1', DEMO_CODE, origin)
  return origin
}
