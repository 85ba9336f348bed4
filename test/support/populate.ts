import type { D1 } from '../../src/core/db/query.ts'

/** The number of logs, clients and users in the smallest database. */
export const SMALLEST_SIZE = 100

/** The password of all test users. They share its hash too, because hashing takes 80 ms. */
export const PASSWORD = 'correcta caballo batería grapa'
export const PASSWORD_HASH =
  '$pbkdf2-sha512$r=3,i=70000$fWxxAn7hUyyKKCKEQ2KtDA$UrJ1przjwdYqaM4kIw39ai1mBV9hBZS6ND0P0gDGthDIi20Y66lKTWiaqqfDfyVrN9c48LVAaNIyE9KAL6e6mg'

/** With more rows, a batch could take longer than 30 seconds, which is the limit of D1. */
const ROWS_PER_STATEMENT = 100_000

/** A table of the numbers from `?1` to `?2`. */
const NUMBERS = 'WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)'

const STAFF = [
  `${NUMBERS} INSERT INTO employees (employee_id, full_name, rfc, phone, cellphone,
     started_at, job_position, department, branch_office, profile_image)
     SELECT printf('P-%d', i), printf('Empleada %d', i),
     'XAXX010101000', '5555010101', '5512340001', '2020-01-15', 'Cajera',
     CASE WHEN i % 2 THEN 'Ventas' ELSE 'Almacén' END,
     CASE WHEN i % 3 THEN 'Norte' ELSE 'Sur' END, 'empleados/foto.jpg' FROM n`,
  `${NUMBERS} INSERT INTO modules (slug, name, description, icon, enabled, enabled_app)
     SELECT printf('poblado-%d', i), printf('Módulo %d', i), 'Registro de entradas y salidas',
     'fa-solid fa-clock', 1, 1 FROM n WHERE i <= 6`,
  `${NUMBERS} INSERT INTO config_entries
     SELECT printf('clave-%d', i), 'archivo', 'Logotipo', 'config/logo.png' FROM n`,
]

/** User 1 is an administrator. Users 1 to `SMALLEST_SIZE` have an employee. */
const USERS = `${NUMBERS} INSERT INTO users (email, email_key, password_hash, first_name, last_name,
     mother_last_name, role, type_user, status_user, employee_id, actor_hash, actor_salt)
     SELECT printf('u%d@empresa.mx', i), printf('u%d@empresa.mx', i),
     CASE i WHEN 1 THEN '${PASSWORD_HASH}' ELSE 'x' END, 'Ana', 'Torres', 'Rivas',
     CASE i WHEN 1 THEN 'admin' ELSE 'employee' END, 'interno', 'activo',
     CASE WHEN i <= ${SMALLEST_SIZE} THEN printf('P-%d', i) END, printf('%064d', i), 'sal' FROM n`

const growing = (now: string) => [
  USERS,
  `${NUMBERS} INSERT INTO clients (code, name, status, url_base)
     SELECT printf('C-%d', i), 'Comercial del Centro', 'activo', 'https://centro.example.com' FROM n`,
  `${NUMBERS} INSERT INTO attendance_logs
     (employee_id, kind, recorded_at, status, branch_office, department, created_at, updated_at)
     SELECT e.employee_id, CASE i % 5 WHEN 0 THEN 'checada' WHEN 1 THEN 'entrada' WHEN 3 THEN 'entrada' ELSE 'salida' END,
     strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 10, 'unixepoch'),
     CASE i % 3 WHEN 0 THEN 'pending' WHEN 1 THEN 'approved' ELSE 'rejected' END,
     e.branch_office, e.department, '${now}', '${now}'
     FROM n JOIN employees e ON e.employee_id = printf('P-%d', i % ${SMALLEST_SIZE} + 1)`,
]

/** A fortnight of approved days with four logs each, for people who are paid from its first day on. */
const FORTNIGHT = [
  `UPDATE payroll_groups SET pays_from = '2026-01-05'`,
  `INSERT INTO attendance_logs
     (employee_id, kind, recorded_at, status, branch_office, department, created_at, updated_at)
     SELECT e.employee_id, CASE punch.value WHEN 14 THEN 'entrada' WHEN 19 THEN 'salida'
         WHEN 20 THEN 'entrada' ELSE 'salida' END,
       strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-05', day.value || ' days', punch.value || ' hours'),
       'approved', e.branch_office, e.department, '2026-01-18T00:00:00.000Z', '2026-01-18T00:00:00.000Z'
     FROM employees e, json_each('[0,1,2,3,4,7,8,9,10,11]') AS day,
       json_each('[14,19,20,23]') AS punch`,
]

/** Adds an administrator and people who worked a fortnight, from 2026-01-05 on. */
export const populatePeople = async (db: D1, people: number): Promise<void> => {
  await db.batch([
    ...STAFF.map((text) => db.prepare(text).bind(1, people)),
    db.prepare(USERS).bind(1, 1),
    ...FORTNIGHT.map((text) => db.prepare(text)),
  ])
}

export const POPULATED_USERS = { admin: 1, employee: 2 }

/**
 * Adds logs, clients and users up to the number `to`. The database has `from` of each already. If
 * `from` is 0, it also adds the employees.
 */
export const populate = async (db: D1, from: number, to: number): Promise<void> => {
  if (from === 0) {
    await db.batch(STAFF.map((text) => db.prepare(text).bind(1, SMALLEST_SIZE)))
  }
  for (let start = from; start < to; start += ROWS_PER_STATEMENT) {
    const end = Math.min(start + ROWS_PER_STATEMENT, to)
    const statements = growing(new Date().toISOString())
    await db.batch(statements.map((text) => db.prepare(text).bind(start + 1, end)))
  }
}
