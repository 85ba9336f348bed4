import { type SQL, sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { COMMENT_MAX, LOG_KINDS, LOG_STATUSES } from '../shared/log-values.ts'

/**
 * The data dictionary. Columns take the published contract's field names, and constraints enforce
 * the rules in the database as well. Every constraint is named after its table: SQLite's error text
 * carries that name, and nothing else shows which table of a batch failed.
 */

const id = () => integer().primaryKey({ autoIncrement: true })

/** A moment, kept in one form: UTC with milliseconds, `2026-11-02T14:00:00.000Z`. */
const moment = () => text().notNull()
const now = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`

const isMoment = (column: AnySQLiteColumn): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${column}) IS ${column}`

const isOneOf = (column: AnySQLiteColumn, values: readonly (string | number)[]): SQL =>
  sql`${column} IN (${sql.raw(values.map((v) => (typeof v === 'number' ? v : `'${v}'`)).join(', '))})`

const isFlag = (column: AnySQLiteColumn): SQL => isOneOf(column, [0, 1])

export const employees = sqliteTable(
  'employees',
  {
    employee_id: text().primaryKey(),
    full_name: text().notNull(),
    rfc: text().notNull(),
    phone: text().notNull(),
    cellphone: text().notNull(),
    started_at: text().notNull(),
    job_position: text().notNull(),
    department: text().notNull(),
    branch_office: text().notNull(),
    profile_image: text().notNull(),
  },
  (t) => [
    check('employees_employee_id', sql`${t.employee_id} <> ''`),
    check('employees_started_at', sql`date(${t.started_at}) IS ${t.started_at}`),
  ],
)

export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** The normalized address: trimmed and in lower case, beyond ASCII too. */
    email_key: text().notNull().unique('users_email_key_unique'),
    password_hash: text().notNull(),
    /** Incremented to end every token of the user at once. */
    token_version: integer().notNull().default(0),
    first_name: text().notNull(),
    last_name: text().notNull(),
    mother_last_name: text().notNull(),
    role: text().notNull(),
    active: integer().notNull().default(1),
    external: integer().notNull().default(0),
    type_user: text().notNull(),
    status_user: text().notNull(),
    employee_id: text()
      .unique('users_employee_id_unique')
      .references(() => employees.employee_id),
  },
  (t) => [
    check('users_email_key', sql`${t.email_key} LIKE '%_@_%'`),
    check('users_active', isFlag(t.active)),
    check('users_external', isFlag(t.external)),
  ],
)

/** Tokens ended one by one, by their `jti`. */
export const revoked_tokens = sqliteTable(
  'revoked_tokens',
  {
    jti: text().primaryKey(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    created_at: moment().default(now),
  },
  (t) => [
    index('revoked_tokens_user_id').on(t.user_id),
    check('revoked_tokens_created_at', isMoment(t.created_at)),
  ],
)

export const modules = sqliteTable(
  'modules',
  {
    id: id(),
    slug: text().notNull().unique('modules_slug_unique'),
    name: text().notNull(),
    description: text().notNull(),
    icon: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    enabled_app: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [
    index('modules_enabled_app').on(t.enabled_app),
    check('modules_enabled', isFlag(t.enabled)),
    check('modules_enabled_app', isFlag(t.enabled_app)),
  ],
)

export const clients = sqliteTable(
  'clients',
  {
    id: id(),
    code: text().notNull().unique('clients_code_unique'),
    name: text().notNull(),
    status: text().notNull(),
    url_base: text().notNull(),
  },
  (t) => [check('clients_code', sql`trim(${t.code}) <> ''`)],
)

export const config_entries = sqliteTable(
  'config_entries',
  {
    key: text().primaryKey(),
    tipo: text().notNull(),
    nombre: text().notNull(),
    valor: text().notNull(),
  },
  (t) => [check('config_entries_key', sql`${t.key} <> ''`)],
)

export const attendance_logs = sqliteTable(
  'attendance_logs',
  {
    id: id(),
    employee_id: text()
      .notNull()
      .references(() => employees.employee_id),
    kind: text({ enum: LOG_KINDS }).notNull(),
    recorded_at: moment(),
    status: text({ enum: LOG_STATUSES }).notNull().default('pending'),
    /** The employee's present branch and department: triggers keep these copies in sync. */
    branch_office: text().notNull().default(''),
    department: text().notNull().default(''),
    created_at: moment().default(now),
    updated_at: moment().default(now),
  },
  (t) => [
    // One index per combination of the non-enum filters; status and kind are scanned per value.
    // SQLite ends each index with the rowid, which is the id: pages are in the order of time and id.
    index('attendance_logs_all').on(t.status, t.kind, t.recorded_at),
    index('attendance_logs_employee').on(t.employee_id, t.status, t.kind, t.recorded_at),
    index('attendance_logs_branch').on(t.branch_office, t.status, t.kind, t.recorded_at),
    index('attendance_logs_department').on(t.department, t.status, t.kind, t.recorded_at),
    index('attendance_logs_branch_department').on(
      t.branch_office,
      t.department,
      t.status,
      t.kind,
      t.recorded_at,
    ),
    check('attendance_logs_kind', isOneOf(t.kind, LOG_KINDS)),
    check('attendance_logs_status', isOneOf(t.status, LOG_STATUSES)),
    check('attendance_logs_recorded_at', isMoment(t.recorded_at)),
    check('attendance_logs_created_at', isMoment(t.created_at)),
    check('attendance_logs_updated_at', isMoment(t.updated_at)),
  ],
)

export const log_comments = sqliteTable(
  'log_comments',
  {
    id: id(),
    log_id: integer()
      .notNull()
      .references(() => attendance_logs.id),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    comment: text().notNull(),
    created_at: moment(),
    updated_at: moment(),
  },
  (t) => [
    index('log_comments_log_id').on(t.log_id),
    check(
      'log_comments_comment',
      sql`length(${t.comment}) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)}`,
    ),
    check('log_comments_created_at', isMoment(t.created_at)),
    check('log_comments_updated_at', isMoment(t.updated_at)),
  ],
)

/** Who changed which status, and when. Append-only: triggers reject any other statement. */
export const log_audit = sqliteTable(
  'log_audit',
  {
    id: id(),
    log_id: integer()
      .notNull()
      .references(() => attendance_logs.id),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    from_status: text({ enum: LOG_STATUSES }).notNull(),
    to_status: text({ enum: LOG_STATUSES }).notNull(),
    comment_id: integer().references(() => log_comments.id),
    created_at: moment(),
  },
  (t) => [
    index('log_audit_log_id').on(t.log_id),
    check('log_audit_from_status', isOneOf(t.from_status, LOG_STATUSES)),
    check('log_audit_to_status', isOneOf(t.to_status, LOG_STATUSES)),
    check('log_audit_created_at', isMoment(t.created_at)),
  ],
)
