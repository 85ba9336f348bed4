import type { D1 } from '../../src/core/db/query.ts'
import { raisedText } from '../../src/core/db/raise.ts'

/** The number is small, so that a running service does not wait long for a statement. */
const LOGS_PER_STATEMENT = 5_000

/** A person has two logs per working day for a year. */
const LOGS_PER_PERSON = 500

/** Adds ?1 employees in branches and departments of different sizes. */
const INSERT_PEOPLE = `
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
  INSERT OR IGNORE INTO employees (employee_id, full_name, rfc, phone, cellphone, started_at,
    job_position, department, branch_office, profile_image)
  SELECT printf('D-%06d', i),
    json_extract('["Ana","Luis","Sofía","Héctor","Itzel","Óscar","Lucía","Íñigo"]', printf('$[%d]', i % 8))
      || ' ' || json_extract('["Torres","Núñez","Mendoza","Peña","Salas","Zúñiga","Ibarra"]', printf('$[%d]', i % 7))
      || ' ' || json_extract('["Rivas","Vega","Cruz","Luna","Díaz"]', printf('$[%d]', i % 5)),
    'XAXX010101000', printf('55%08d', i), printf('56%08d', i),
    date('2015-01-01', printf('+%d days', i * 37 % 3650)), 'Auxiliar',
    json_extract('["Ventas","Almacén","Operaciones","Sistemas"]', printf('$[%d]', (i * i) % 4)),
    json_extract('["Centro","Norte","Sur","Oriente","Poniente"]', printf('$[%d]', min(i % 9, 4))),
    ''
  FROM n`

/**
 * Inserts the logs with the numbers ?1 to ?2 - 1. The employee varies fastest, then entrada and
 * salida, then the working day, backwards in time. If ?5 is 1, all logs older than a week are
 * approved.
 */
const INSERT_LOGS = `
  WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1),
    day(i, person, leaving, ago) AS (
      SELECT i, i % ?3 + 1, i / ?3 % 2, (i / ?3 / 2) / 5 * 7 + (i / ?3 / 2) % 5 FROM n)
  INSERT INTO attendance_logs (employee_id, branch_office, department, kind,
    recorded_at, status, created_at, updated_at)
  SELECT e.employee_id, e.branch_office, e.department, iif(leaving, 'salida', 'entrada'),
    strftime('%Y-%m-%dT%H:%M:%S.000Z', ?4 - ago * 86400 + iif(leaving, 32400, 0)
      + abs(random()) % 2400 - 1200, 'unixepoch'),
    CASE WHEN ago < 7 THEN 'pending' WHEN ?5 THEN 'approved' WHEN abs(random()) % 50 = 0 THEN 'pending'
      WHEN abs(random()) % 15 = 0 THEN 'rejected' ELSE 'approved' END,
    ?6, ?6
  FROM day JOIN employees AS e ON e.employee_id = printf('D-%06d', person)`

/** Returns the latest Friday at nine in the morning in central Mexico, in seconds. */
const lastFriday = (now: Date): number => {
  const friday = new Date(now)
  friday.setUTCDate(friday.getUTCDate() - ((friday.getUTCDay() + 2) % 7))
  return Math.floor(friday.setUTCHours(15, 0, 0, 0) / 1000)
}

/** Fails on purpose, so that the whole batch is rolled back. */
const UNDO = `SELECT json_extract('{}', 'demo:UNDO')`

const peopleOf = (logs: number): number => Math.max(1, Math.ceil(logs / LOGS_PER_PERSON))

/** Whether a closing locks any of the days for which this number of logs would be generated. */
export const isAnyDayLocked = async (db: D1, logs: number): Promise<boolean> => {
  const people = peopleOf(logs)
  // The oldest day of each person is enough. A closing that locks a day also locks all earlier
  // days.
  const from = Math.max(0, logs - 2 * people)
  const now = new Date()
  const statements = [
    db.prepare(INSERT_PEOPLE).bind(people),
    db.prepare(INSERT_LOGS).bind(from, logs, people, lastFriday(now), 1, now.toISOString()),
    db.prepare(UNDO),
  ]
  const error: unknown = await db.batch(statements).catch((reason: unknown) => reason)
  if (raisedText(error, 'log:CLOSED') !== undefined) return true
  if (raisedText(error, 'demo:UNDO') === undefined) throw error
  return false
}

/** Adds generated logs, the newest first. Calls `onProgress` with the number added so far. */
export const addLogs = async (
  db: D1,
  logs: number,
  onProgress: (added: number) => void,
): Promise<void> => {
  const now = new Date()
  const [people, last] = [peopleOf(logs), lastFriday(now)]
  await db.prepare(INSERT_PEOPLE).bind(people).run()
  for (let from = 0; from < logs; from += LOGS_PER_STATEMENT) {
    const to = Math.min(from + LOGS_PER_STATEMENT, logs)
    await db.prepare(INSERT_LOGS).bind(from, to, people, last, 0, now.toISOString()).run()
    onProgress(to)
  }
}
