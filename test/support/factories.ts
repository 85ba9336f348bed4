import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { AuthorizedDb } from '../../src/core/db/authorization.ts'
import type { TokenClaims } from '../../src/core/db/caller.queries.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken } from '../../src/core/http/token.ts'
import { agreements } from '../../src/core/tables/agreements.ts'
import { clients, config_entries, modules } from '../../src/core/tables/clients.ts'
import {
  clock_numbers,
  clocks,
  unknown_clocks,
  waiting_punches,
} from '../../src/core/tables/clocks.ts'
import { branch_zones } from '../../src/core/tables/company.ts'
import { intake_problems, intake_sources } from '../../src/core/tables/intake.ts'
import { attendance_logs, log_comments, log_events } from '../../src/core/tables/logs.ts'
import { closings } from '../../src/core/tables/payroll.ts'
import { employees, payroll_groups } from '../../src/core/tables/people.ts'
import { invitations, users } from '../../src/core/tables/users.ts'
import { bytesOf, toHex } from '../../src/core/values/bytes.ts'
import { emailKey } from '../../src/core/values/email.ts'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { sha256 } from '../../src/core/values/sha256.ts'
import { PASSWORD, PASSWORD_HASH } from './populate.ts'

/** The tests' own database handle: plain Drizzle, without the service's queries. */
export const db = drizzle(env.DB)

type Row<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>

let count = 0
const next = () => ++count

export { PASSWORD, PASSWORD_HASH }

/** The same password in an older hash format. The next sign-in replaces it. */
export const OUTDATED_HASH =
  '$pbkdf2-sha512$r=1,i=1000$MDEyMzQ1Njc4OWFiY2RlZg$2Qpf3+dB6Nyo3qVkiw1cHy/y9XXnqSzBVj7sxA5GEW3ibsBGKwJxWN/JT2IFRGReQnvbaivlMjEUPb6ydioRhQ'

const firstOf = <T>(rows: T[]): T => {
  const [row] = rows
  if (row === undefined) throw new Error('INSERT returned no row.')
  return row
}

/**
 * Sets the first day that the service pays a group, by default the group of people without another
 * one. A group that is created later for an employee has the first day of that group.
 */
export const paysFrom = (pays_from: string | null, name = '') =>
  db
    .insert(payroll_groups)
    .values({ name, calendar: 'half month', pays_from })
    .onConflictDoUpdate({ target: payroll_groups.name, set: { pays_from } })

/** Adds a group unless it exists. */
export const aGroup = (name: string) =>
  db.run(sql`INSERT INTO ${payroll_groups} (name, calendar, pays_from)
    SELECT ${name}, 'half month', pays_from FROM ${payroll_groups} WHERE name = ''
    ON CONFLICT DO NOTHING`)

export const anEmployee = async (row: Row<typeof employees> = {}) => {
  const n = next()
  if (row.payroll_group) await aGroup(row.payroll_group)
  const values = {
    // All ids have the same length, so that they sort in the order of their creation.
    employee_id: `E-${String(n).padStart(6, '0')}`,
    full_name: `Empleada ${n}`,
    rfc: 'XAXX010101000',
    phone: '5555010101',
    cellphone: '5512340001',
    started_at: '2020-01-15',
    job_position: 'Cajera',
    department: 'Ventas',
    branch_office: 'Centro',
    profile_image: 'empleados/foto.jpg',
    ...row,
  }
  return firstOf(await db.insert(employees).values(values).returning())
}

/** The salt of all test users' actor hashes. */
export const ACTOR_SALT = '0123456789abcdef'.repeat(2)

export const aUser = async (row: Row<typeof users> = {}) => {
  const email = row.email ?? `persona${next()}@empresa.mx`
  const values = {
    email_key: emailKey(email),
    password_hash: PASSWORD_HASH,
    first_name: 'Ana',
    last_name: 'Torres',
    mother_last_name: 'Rivas',
    role: 'employee',
    active: 1,
    external: 0,
    type_user: 'interno',
    status_user: 'activo',
    actor_hash: saltedHash(ACTOR_SALT, emailKey(email)),
    actor_salt: ACTOR_SALT,
    ...row,
    email,
  }
  const user = firstOf(await db.insert(users).values(values).returning())
  const token = await tokenFor(user)
  return { ...user, token, claims: claimsOf(user, token) }
}

const claimsOf = (user: { id: number; token_version: number }, token: string): TokenClaims => ({
  userId: user.id,
  version: user.token_version,
  jti: JSON.parse(atob(token.split('.')[1] ?? '')).jti as string,
})

/** The database handle of a request that only administrators may send, with this user's token. */
export const adminDb = ({ claims }: { claims: TokenClaims }) =>
  new AuthorizedDb(env.DB, claims, ['admin'])

/** The scope of a user who sees only some branches. */
export const inBranches = (...branches: string[]) => JSON.stringify(branches)

export const anAdmin = (row: Row<typeof users> = {}) => aUser({ role: 'admin', ...row })

/** A token that the service's own code has signed. */
export const tokenFor = (
  { id, token_version, machine = false }: { id: number; token_version: number; machine?: boolean },
  issuedAt = new Date(),
) => issueToken({ id, tokenVersion: token_version }, readSettings(env), issuedAt, { machine })

/** A log. A trigger copies its branch and department from the employee, not from `row`. */
export const aLog = async (row: Row<typeof attendance_logs> = {}) => {
  const employee_id = row.employee_id ?? (await anEmployee()).employee_id
  const created_at = row.created_at ?? new Date().toISOString()
  const values = {
    kind: 'entrada' as const,
    recorded_at: '2026-11-02T14:00:00.000Z',
    created_at,
    updated_at: created_at,
    ...row,
    employee_id,
  }
  // RETURNING lacks the columns that triggers write, so the row is read again.
  const { id } = firstOf(await db.insert(attendance_logs).values(values).returning())
  return firstOf(await db.select().from(attendance_logs).where(eq(attendance_logs.id, id)))
}

export const aLogOf = async (
  employee: Row<typeof employees>,
  row: Row<typeof attendance_logs> = {},
) => aLog({ employee_id: (await anEmployee(employee)).employee_id, ...row })

/**
 * The zone of a branch, or of the company if the branch is null, valid from the beginning unless the
 * row has a date.
 */
export const aZone = async (
  row: Pick<Row<typeof branch_zones>, 'valid_from'> & {
    branch_office: string | null
    time_zone: string
  },
) => firstOf(await db.insert(branch_zones).values(row).returning())

/** An open invitation of a user. `token` is the token in the invitation's link. */
export const anInvitation = (user_id: number, token: string, invited_by = user_id) =>
  db.insert(invitations).values({
    user_id,
    token_hash: toHex(sha256(bytesOf(token))),
    expires_at: '2099-01-01T00:00:00.000Z',
    invited_by,
  })

/** A source and a refused log that it sent. */
export const aProblem = async (row: Row<typeof intake_problems> = {}) => {
  const at = '2026-11-02T14:00:00.000Z'
  const values = {
    source: 'reloj',
    source_id: `${next()}`,
    employee_id: 'E-nadie',
    result: 'refused' as const,
    reason: 'future',
    first_at: at,
    last_at: at,
    ...row,
  }
  const source = { source: values.source, last_seen_at: at }
  await db.insert(intake_sources).values(source).onConflictDoNothing()
  return firstOf(await db.insert(intake_problems).values(values).returning())
}

/** A clock of the branch Centro that connects by itself. Its people press no keys. */
export const aClock = async (row: Row<typeof clocks> & { serial: string }) => {
  const values = { branch_office: 'Centro', uses_keys: 0, from_day: '2026-10-01', ...row }
  const source = `clock ${values.serial.toLowerCase()}`
  await db.insert(intake_sources).values({ source, last_seen_at: '2026-11-02T14:00:00.000Z' })
  return firstOf(await db.insert(clocks).values(values).returning())
}

/** A punch of the number 317, which nobody is known to have. */
export const aWaitingPunch = async (row: Row<typeof waiting_punches> & { serial: string }) => {
  const values = {
    number: '317',
    local_at: '2026-11-02 08:00:00',
    kind: 'checada' as const,
    recorded_at: '2026-11-02T14:00:00.000Z',
    reason: 'number' as const,
    arrived_at: '2026-11-02T14:00:05.000Z',
    ...row,
  }
  return firstOf(await db.insert(waiting_punches).values(values).returning())
}

/** The number 4 of a clock, which is an employee's. */
export const aNumber = async (
  row: Row<typeof clock_numbers> & { serial: string; employee_id: string },
) => {
  const values = { number: '4', created_at: '2026-11-02T14:00:00.000Z', ...row }
  return firstOf(await db.insert(clock_numbers).values(values).returning())
}

export const anUnknownClock = async (row: Row<typeof unknown_clocks> & { serial: string }) => {
  const at = '2026-11-02T14:00:00.000Z'
  const values = { first_at: at, last_at: at, address: '203.0.113.7', ...row }
  return firstOf(await db.insert(unknown_clocks).values(values).returning())
}

/** Inserts pending logs of one employee, a hundred per second of recorded time. */
export const insertLogs = (employee_id: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO attendance_logs (employee_id, kind, recorded_at, created_at, updated_at)
     SELECT ?1, CASE WHEN i % 2 THEN 'entrada' ELSE 'salida' END,
       strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 100, 'unixepoch'), ?3, ?3 FROM n`,
  )
    .bind(employee_id, count, new Date().toISOString())
    .run()

export const anEmployeeWithLogs = async (count: number): Promise<string> => {
  const { employee_id } = await anEmployee()
  await insertLogs(employee_id, count)
  return employee_id
}

/** A completed closing of the people in `taken`. With `hasLines`, each of them has one line. */
export const aClosing = async ({
  taken = [],
  hasLines = false,
  ...row
}: Row<typeof closings> & { user_id: number; taken?: readonly string[]; hasLines?: boolean }) => {
  const values = {
    before: '2025-01-01',
    token: crypto.randomUUID(),
    last_event_id: 0,
    closings_before: 0,
    cancellations_before: 0,
    created_at: '2025-01-02T06:00:00.000Z',
    ...row,
  }
  const { id } = firstOf(await db.insert(closings).values(values).returning())
  for (const employee_id of taken) {
    await env.DB.prepare(
      `INSERT INTO closing_people (closing_id, employee_id, payroll_group, branch_office, first_day,
         from_day, end_at, lock_at, pending, pending_of_period, hash)
       SELECT ?1, employee_id, payroll_group, branch_office, '2024-12-16', '2024-12-16', ?3, ?3,
         0, 0, ?4
       FROM employees WHERE employee_id = ?2`,
    )
      .bind(id, employee_id, values.created_at, '0'.repeat(64))
      .run()
    if (!hasLines) continue
    await env.DB.prepare(
      `INSERT INTO closing_lines (closing_id, employee_id, day, of_period, department, branch_office,
         pairs, worked_seconds, paid_before_seconds, difference_seconds, held_seconds, detail,
         exceptions, notices, needs_look)
       SELECT ?1, employee_id, '2024-12-20', 1, department, branch_office, 1, 28800, 0, 28800, 0,
         '08:00–16:00', '', '', 0 FROM employees WHERE employee_id = ?2`,
    )
      .bind(id, employee_id)
      .run()
  }
  const totals = {
    ...{ people: 0, days: 0, period_seconds: 0, added_seconds: 0, deducted_seconds: 0 },
    ...{ held_seconds: 0, exceptions_left: 0, pending: 0, pending_of_period: 0, unsynced: '[]' },
  }
  const completed = { ...totals, hash: '0'.repeat(64), completed_at: values.created_at }
  return firstOf(await db.update(closings).set(completed).where(eq(closings.id, id)).returning())
}

const TEXT = { title: 'Registro electrónico', valid_from: '2026-01-01', text: 'Acordamos.\nFin.' }

export const AGREEMENT = {
  ...TEXT,
  sha256: toHex(sha256(bytesOf(`${TEXT.title}\n${TEXT.valid_from}\n${TEXT.text}`))),
}

export const anAgreement = async (created_by: number, row: Row<typeof agreements> = {}) => {
  const values = { ...AGREEMENT, created_by, created_at: '2026-01-01T06:00:00.000Z', ...row }
  return firstOf(await db.insert(agreements).values(values).returning())
}

/** Records that somebody has signed AGREEMENT on paper. */
export const aPaper = async (user_id: number, employee_id: string) => {
  const paper = { how: 'paper', file: 'f'.repeat(64), signed_on: TEXT.valid_from, comment: null }
  const details = JSON.stringify({ agreement: AGREEMENT.sha256, ...paper })
  const at = '2026-01-02T06:00:00.000Z'
  const event = {
    event: 'agreed' as const,
    employee_id,
    user_id,
    created_at: at,
    actor: 'x',
    details,
  }
  return firstOf(await db.insert(log_events).values(event).returning())
}

/** Records that a person objects to a closing. `aClosing` must have made it with `hasLines`. */
export const anObjection = async (
  closing_id: number,
  person: { employee_id: string; user_id: number },
) => {
  const details = { agrees: 0, comment: 'd'.repeat(64), own_lines: '0'.repeat(64) }
  const at = '2025-01-03T06:00:00.000Z'
  const signed = { event: 'signed' as const, closing_id, created_at: at, actor: 'x' }
  const values = { ...signed, ...person, details: JSON.stringify(details) }
  return firstOf(await db.insert(log_events).values(values).returning())
}

export const aClient = async (row: Row<typeof clients> = {}) => {
  const values = {
    code: `CLIENTE-${next()}`,
    name: 'Comercial del Centro',
    status: 'activo',
    url_base: 'https://centro.example.com',
    ...row,
  }
  return firstOf(await db.insert(clients).values(values).returning())
}

export const aModule = async (row: Row<typeof modules> = {}) => {
  const n = next()
  const values = {
    slug: `modulo-${n}`,
    name: `Módulo ${n}`,
    description: 'Registro de entradas y salidas',
    icon: 'fa-solid fa-clock',
    enabled: true,
    enabled_app: true,
    ...row,
  }
  return firstOf(await db.insert(modules).values(values).returning())
}

export const aConfigEntry = async (row: Row<typeof config_entries> = {}) => {
  const values = {
    key: `clave_${next()}`,
    tipo: 'archivo',
    nombre: 'Logotipo',
    valor: 'config/logo.png',
    ...row,
  }
  return firstOf(await db.insert(config_entries).values(values).returning())
}

export const allComments = () => db.select().from(log_comments).orderBy(log_comments.id)

/** Reads the status changes of all logs, without the events of their arrival. */
export const allDecisions = async () => {
  const rows = await db
    .select()
    .from(log_events)
    .where(eq(log_events.event, 'decided'))
    .orderBy(log_events.id)
  return rows.map(({ closing_id: _, ...row }) => ({
    ...row,
    log_id: row.log_id ?? 0,
    to_status: row.to_status ?? ('' as never),
  }))
}

export const allLogs = () => db.select().from(attendance_logs).orderBy(attendance_logs.id)

/** Reads all rows of all tables, so that a test sees anything that a request has changed. */
export const allRows = async () => {
  const { results: tables } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table'
       AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
       AND name <> 'd1_migrations'`,
  ).all<{ name: string }>()
  const selects = tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`))
  const results = await env.DB.batch<Record<string, unknown>>(selects)
  return Object.fromEntries(tables.map(({ name }, i) => [name, results[i]?.results ?? []]))
}

/** Makes every INSERT and UPDATE of a table fail with an error text. */
export const failWritesTo = async (table: string, text = `${table} writes fail`) => {
  for (const event of ['INSERT', 'UPDATE']) {
    await env.DB.prepare(
      `CREATE TRIGGER fail_${table}_${event} BEFORE ${event} ON ${table}
       BEGIN SELECT RAISE(ABORT, '${text}'); END`,
    ).run()
  }
}

/** Makes every query of a table fail, by renaming the table. */
export const hideTable = async (table: string) => {
  await env.DB.prepare(`ALTER TABLE ${table} RENAME TO hidden_${table}`).run()
}
