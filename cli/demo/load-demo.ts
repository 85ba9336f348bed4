import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { D1 } from '../../src/core/db/query.ts'
import { FIRST_SERVICE_ID } from '../../src/core/values/log-values.ts'
import { addDays, DAY_MS } from '../../src/core/values/time-zone.ts'
import { makeClosing } from '../../src/payroll/closings/make-closing.ts'
import { periodOf } from '../../src/payroll/rules/calendar.ts'
import { hashPassword } from '../../src/session/passwords.ts'
import { actAs } from '../core/act-as.ts'
import { importInto } from '../import/run.ts'
import { DEMO_ADMIN, DEMO_PASSWORD, isEmpty } from './demo-data.ts'

const DEMO_MACHINE = 'reloj@demo.mx'
const WEEK_MS = 7 * DAY_MS

interface DemoLog {
  log_id?: number
  employee_id: string
  kind: string
  recorded_at: string
  status?: string
  source?: string
  source_id?: string
  /** The following fields are only of logs that an app has sent or a user has added. */
  received_at?: string
  /** The e-mail of the user. The log's source is `app:ID`, or `manual:ID` if there is a comment. */
  sent_by?: string
  comment?: string
}

interface DemoUser {
  password?: string
}

/**
 * Reads the demo's import file. An import would store that its logs arrived now, so SQL inserts the
 * logs instead.
 */
const readDemo = (): Record<string, unknown> & { logs: DemoLog[]; users: DemoUser[] } =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'demo.json'), 'utf8'))

/** Logs that arrive late: one from an offline phone, and one that a clock missed. */
const LATE_LOGS: DemoLog[] = [
  {
    employee_id: 'E-010',
    kind: 'salida',
    recorded_at: '2026-11-07T14:00:08-06:00',
    received_at: '2026-11-11T09:15:30-06:00',
    source_id: 'a7c7e0f2-53c1-4c0e-9f55-0d1f6f0c2b10',
    sent_by: 'jose.munoz@demo.mx',
  },
  {
    employee_id: 'E-011',
    kind: 'salida',
    recorded_at: '2026-11-14T17:00:00-06:00',
    received_at: '2026-11-16T09:20:00-06:00',
    source_id: '5c1d2b8e-8a3f-4d55-8c53-7f3e7a0e4d21',
    sent_by: DEMO_ADMIN,
    comment: 'El reloj no la registró; la confirmó su supervisora.',
  },
]

/** The closing of the group "semanal". It was made at `at`, and pays the week before `before`. */
const CLOSING = { before: '2026-11-09', at: '2026-11-10T10:02:00-06:00' }

/**
 * A log arrives seconds or minutes after it was recorded, or a day later if the phone was offline.
 */
const receivedAt = (recorded: number, index: number): number =>
  recorded + (index % 50 === 13 ? DAY_MS : 5_000 + ((index * 7_919) % 240_000))

/**
 * Returns how far to move the logs: whole weeks, in milliseconds. The newest moved log is less than
 * a week old.
 */
const shiftOf = (logs: readonly DemoLog[], now: number): number => {
  const last = Math.max(...logs.map((log) => Date.parse(log.recorded_at)))
  return Math.floor((now - last) / WEEK_MS) * WEEK_MS
}

/** Moves the dates of the logs, and sorts the logs by arrival. Logs without a number get one. */
const moveLogs = (logs: readonly DemoLog[], shift: number, now: number) => {
  const moveDay = (day: string) => new Date(Date.parse(day) + shift).toISOString().slice(0, 10)
  const moved = logs.map((log, index) => {
    const recorded = Date.parse(log.recorded_at)
    const received = log.received_at ? Date.parse(log.received_at) : receivedAt(recorded, index)
    return {
      ...log,
      ...(log.source && { sent_by: DEMO_MACHINE }),
      source_id: log.source_id?.replace(/\d{4}-\d\d-\d\d/, moveDay),
      recorded_at: new Date(recorded + shift).toISOString(),
      received_at: new Date(Math.min(received + shift, now)).toISOString(),
    }
  })
  let own = FIRST_SERVICE_ID
  return moved
    .sort((a, b) => a.received_at.localeCompare(b.received_at))
    .map((log) => ({ ...log, log_id: log.log_id ?? own++ }))
}

/** Comments are inserted before the logs, since a trigger copies them to the logs' events. */
const INSERT_COMMENTS = `INSERT INTO log_comments (log_id, user_id, comment, created_at, updated_at)
  SELECT value ->> '$.log_id', u.id, value ->> '$.comment', value ->> '$.received_at',
    value ->> '$.received_at'
  FROM json_each(?1) JOIN users AS u ON u.email_key = value ->> '$.sent_by'
  WHERE value ->> '$.comment' IS NOT NULL`

const INSERT_LOGS = `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, status, source,
    source_id, recorded_by, comment_id, created_at, updated_at)
  SELECT value ->> '$.log_id', value ->> '$.employee_id', value ->> '$.kind',
    value ->> '$.recorded_at', coalesce(value ->> '$.status', 'pending'),
    coalesce(value ->> '$.source', iif(c.id IS NULL, 'app:', 'manual:') || u.id, ''),
    value ->> '$.source_id', u.id, c.id, value ->> '$.received_at', value ->> '$.received_at'
  FROM json_each(?1) LEFT JOIN users AS u ON u.email_key = value ->> '$.sent_by'
    LEFT JOIN log_comments AS c ON c.log_id = value ->> '$.log_id'
  ORDER BY key`

const INSERT_SOURCES = `INSERT INTO employee_sources (employee_id, source, last_recorded_at)
  SELECT employee_id, source, max(recorded_at) FROM attendance_logs
  WHERE source LIKE 'reloj-%' GROUP BY employee_id, source`

/**
 * Adds two clocks. One has sent today. The other has sent nothing for three days, and has a
 * problem.
 */
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

/** The groups, which are paid from the week before a day on. */
const groupsPaidFrom = (before: string) => {
  const monday = addDays(before, -7)
  return [
    { payroll_group: '', calendar: 'half month', pays_from: periodOf('half month', monday).from },
    { payroll_group: 'semanal', calendar: 'week monday', pays_from: monday },
  ]
}

/** Closes the first week of the group "semanal", with some logs still pending. */
const closeWeek = async (db: D1, before: string, now: Date): Promise<void> => {
  const admin = await actAs(db, DEMO_ADMIN)
  const request = {
    before,
    payroll_group: 'semanal',
    employee_id: null,
    comment: 'Semana pagada; quedan checadas por aclarar.',
    leave_pending: true,
    confirm_early: true,
    confirm_inverted: 0,
    expected_seconds: null,
  }
  await makeClosing(admin, request, now)
}

/** Everybody knows the password, so that one hash of it serves all: each takes a tenth of a second. */
const withHash = async (users: DemoUser[]) => {
  const password_hash = await hashPassword(DEMO_PASSWORD)
  return users.map(({ password, ...user }) => (password ? { ...user, password_hash } : user))
}

/** Loads the demo data if the database is empty. Otherwise returns false. */
export const loadDemo = async (db: D1): Promise<boolean> => {
  if (!(await isEmpty(db))) return false
  const { logs, users, ...others } = readDemo()
  const now = new Date()
  const shift = shiftOf(logs, now.getTime())
  const moved = (text: string) => new Date(Date.parse(text) + shift)
  const closedAt = moved(CLOSING.at)
  const before = moved(CLOSING.before).toISOString().slice(0, 10)
  const result = await importInto(db, {
    ...others,
    users: await withHash(users),
    payroll_groups: groupsPaidFrom(before),
  })
  if ('errors' in result) throw new Error(result.errors.join('\n'))
  const insert = (some: ReturnType<typeof moveLogs>) => {
    const json = JSON.stringify(some)
    return db.batch([db.prepare(INSERT_COMMENTS).bind(json), db.prepare(INSERT_LOGS).bind(json)])
  }
  const all = moveLogs([...logs, ...LATE_LOGS], shift, now.getTime())
  const isLate = ({ received_at }: { received_at: string }) => received_at > closedAt.toISOString()
  await insert(all.filter((log) => !isLate(log)))
  await closeWeek(db, before, closedAt)
  await insert(all.filter(isLate))
  await db.prepare(INSERT_SOURCES).run()
  await loadSources(db, now)
  return true
}
