import { type SQL, sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  blob,
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import {
  COMMENT_MAX,
  EVIDENCE_EVENTS,
  FIRST_EVENTS,
  LOG_EVENTS,
  LOG_KINDS,
  LOG_STATUSES,
  PEOPLE_SUBJECTS,
  PERSON_EVENTS,
  WAIT_REASONS,
} from '../values/log-values.ts'

/**
 * The data dictionary. Columns have the field names of the published contract, and constraints
 * enforce the rules of the contract. The name of every constraint begins with its table's name,
 * because only SQLite's error text shows which table of a batch failed.
 */

const id = () => integer().primaryKey({ autoIncrement: true })

/** A moment, always stored as UTC with milliseconds: `2026-11-02T14:00:00.000Z`. */
const moment = () => text().notNull()
const now = sql`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`

const isMoment = (column: AnySQLiteColumn): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${column}) IS ${column}`

export const isOneOf = (column: AnySQLiteColumn, values: readonly (string | number)[]): SQL =>
  sql`${column} IN (${sql.raw(values.map((v) => (typeof v === 'number' ? v : `'${v}'`)).join(', '))})`

/** Whether `closing`, an alias of `closings`, is active: completed and not cancelled. */
export const isActiveClosing = sql`closing.completed_at IS NOT NULL AND closing.cancelled_at IS NULL`

/** 16 random bytes as 32 hexadecimal digits. */
export const randomSalt = sql`(lower(hex(randomblob(16))))`

const reference = (column: () => AnySQLiteColumn) => integer().notNull().references(column)
const employeeId = () =>
  text()
    .notNull()
    .references(() => employees.employee_id)

const isFlag = (column: AnySQLiteColumn): SQL => isOneOf(column, [0, 1])

/**
 * The groups in which people are paid. The group '' is for people without another group. No group is
 * deleted.
 */
export const payroll_groups = sqliteTable(
  'payroll_groups',
  {
    name: text().primaryKey(),
    /** Such as `week monday`, `half month`, `month` or `14 days 2026-01-05`. */
    calendar: text().notNull(),
    /** The first day that this service pays the group. Null until somebody sets it. */
    pays_from: text(),
    /** Incremented with each change, so that nobody overwrites a change unseen. */
    version: integer().notNull().default(1),
  },
  (t) => [check('payroll_groups_pays_from', sql`date(${t.pays_from}) IS ${t.pays_from}`)],
)

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
    payroll_group: text()
      .notNull()
      .default('')
      .references(() => payroll_groups.name),
    /** The last day of work, which may lie ahead; null if none is known. */
    ended_at: text(),
    /**
     * The first day that this service pays the person, in place of the first day of the group and of
     * work. Null for most people.
     */
    paid_from: text(),
    /** Incremented by a trigger with each change, so that nobody overwrites a change unseen. */
    version: integer().notNull().default(1),
  },
  (t) => [
    index('employees_payroll_group').on(t.payroll_group),
    check('employees_employee_id', sql`${t.employee_id} <> ''`),
    check('employees_started_at', sql`date(${t.started_at}) IS ${t.started_at}`),
    check('employees_ended_at', sql`date(${t.ended_at}) IS ${t.ended_at}`),
    check('employees_paid_from', sql`date(${t.paid_from}) IS ${t.paid_from}`),
  ],
)

export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** The normalized e-mail address: trimmed and in lower case, also beyond ASCII. */
    email_key: text().notNull().unique('users_email_key_unique'),
    password_hash: text().notNull(),
    /** Incremented to end all tokens of the user. */
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
    /**
     * SHA-256 of actor_salt, a line feed and email_key. It identifies the user in events without
     * showing the e-mail address.
     */
    actor_hash: text().notNull(),
    actor_salt: text().notNull(),
    /** A JSON list of the branches whose people and logs the user sees. Null for all branches. */
    scope_branches: text(),
    /**
     * A JSON list of the keys of the sources that the user may send logs for. Null for any source.
     */
    sources: text(),
    /**
     * The user whose link set the password. Null if there is none, or if an operator set it. There
     * is no foreign key, since this user may be the newer one: a backup has users by their ids.
     */
    password_through: integer(),
    /** Whether the user is a machine, which has tokens but no password. */
    machine: integer({ mode: 'boolean' }).notNull().default(false),
    /** Incremented by a trigger with each change, so that nobody overwrites a change unseen. */
    version: integer().notNull().default(1),
  },
  (t) => [
    check('users_email_key', sql`${t.email_key} LIKE '%_@_%'`),
    check('users_active', isFlag(t.active)),
    check('users_external', isFlag(t.external)),
    check(
      'users_scope_branches',
      sql`${t.scope_branches} IS NULL OR (json_valid(${t.scope_branches})
        AND json_type(${t.scope_branches}) = 'array' AND json_array_length(${t.scope_branches}) > 0)`,
    ),
    check(
      'users_sources',
      sql`${t.sources} IS NULL OR (json_valid(${t.sources})
        AND json_type(${t.sources}) = 'array' AND json_array_length(${t.sources}) > 0)`,
    ),
  ],
)

/**
 * The changes of employees, users and payroll groups. Append-only, but `changes` becomes '' when the person is
 * forgotten.
 */
export const people_changes = sqliteTable(
  'people_changes',
  {
    id: id(),
    at: moment(),
    /** Null for an operator's command. */
    user_id: integer().references(() => users.id),
    subject: text({ enum: PEOPLE_SUBJECTS }).notNull(),
    /** The id of the employee or of the user as text, or the name of the group. */
    subject_id: text().notNull(),
    /** A JSON list of `{field, before, after}`. */
    changes: text().notNull(),
    /** A JSON list of the employee's branch, or of both branches of a move. Null for others. */
    branches: text(),
  },
  (t) => [
    index('people_changes_subject').on(t.subject, t.subject_id),
    check('people_changes_at', isMoment(t.at)),
    check('people_changes_subject', isOneOf(t.subject, PEOPLE_SUBJECTS)),
    check('people_changes_changes', sql`${t.changes} = '' OR json_valid(${t.changes})`),
    // In SQLite 3.40, json_valid(NULL) is 0.
    check('people_changes_branches', sql`${t.branches} IS NULL OR json_valid(${t.branches})`),
  ],
)

/**
 * The links with which users set their passwords. A new link of a user replaces the older link, and
 * a used link is deleted.
 */
export const invitations = sqliteTable(
  'invitations',
  {
    user_id: integer()
      .primaryKey()
      .references(() => users.id),
    /** SHA-256 of the link's token, in hexadecimal. */
    token_hash: text().notNull().unique('invitations_token_hash_unique'),
    expires_at: moment(),
    /** The user who made the link. A foreign key would need an index. */
    invited_by: integer().notNull(),
  },
  (t) => [check('invitations_expires_at', isMoment(t.expires_at))],
)

/** The company's name, in one row. */
export const company = sqliteTable(
  'company',
  {
    id: integer().primaryKey(),
    name: text().notNull().default(''),
    /** Incremented with each change, so that nobody overwrites a change unseen. */
    version: integer().notNull().default(1),
  },
  (t) => [check('company_id', sql`${t.id} = 1`)],
)

/**
 * The time zones of branches. Each row applies from a local day on. The rows without a branch are
 * the company's, for branches without a row. The table is append-only. If two rows have the same
 * branch and day, the newer row applies.
 */
export const branch_zones = sqliteTable(
  'branch_zones',
  {
    id: id(),
    branch_office: text(),
    /** The first local day. '' if the branch always had the zone. */
    valid_from: text().notNull().default(''),
    time_zone: text().notNull(),
    /** Null for an import, and for the row that the migrations add. */
    user_id: integer().references(() => users.id),
    created_at: moment().default(now),
  },
  (t) => [
    check(
      'branch_zones_valid_from',
      sql`${t.valid_from} = '' OR date(${t.valid_from}) IS ${t.valid_from}`,
    ),
    check('branch_zones_created_at', isMoment(t.created_at)),
  ],
)

/** The tokens that were ended individually, by their `jti`. */
export const revoked_tokens = sqliteTable(
  'revoked_tokens',
  {
    jti: text().primaryKey(),
    user_id: reference(() => users.id),
    created_at: moment().default(now),
    /**
     * The second in which the token ends by itself; the row is then of no use. Null if the token
     * names none: the row stays, since only it keeps the token from working.
     */
    exp: integer(),
  },
  (t) => [
    index('revoked_tokens_user_id').on(t.user_id),
    index('revoked_tokens_exp').on(t.exp).where(sql`exp IS NOT NULL`),
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
    employee_id: employeeId(),
    kind: text({ enum: LOG_KINDS }).notNull(),
    recorded_at: moment(),
    status: text({ enum: LOG_STATUSES }).notNull().default('pending'),
    /**
     * The sender: a time clock, or an app (`app:7`) or person (`manual:7`, `request:7`) with the
     * user's id. '' for an imported log without a source.
     */
    source: text().notNull().default(''),
    /** The log's id at the source. Null if the log has an id of the legacy API. */
    source_id: text(),
    /**
     * The branch and department of the employee when the log arrives. Both columns never change
     * afterwards.
     */
    branch_office: text().notNull().default(''),
    department: text().notNull().default(''),
    /** The user who sent the log. Null for an operator's import. */
    recorded_by: integer().references(() => users.id),
    /**
     * The comment of a log that a person added by hand or asked for. There is no foreign key,
     * because the comment already refers to the log.
     */
    comment_id: integer(),
    /** The time of arrival. */
    created_at: moment().default(now),
    updated_at: moment().default(now),
  },
  (t) => [
    // One index for each combination of branch and department, and one for the employee. Each
    // status and kind is scanned on its own. SQLite ends each index with the rowid, which is the
    // id, so pages are sorted by time and id.
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
    uniqueIndex('attendance_logs_source')
      .on(t.source, t.source_id)
      .where(sql`${t.source_id} IS NOT NULL`),
    check('attendance_logs_kind', isOneOf(t.kind, LOG_KINDS)),
    check('attendance_logs_status', isOneOf(t.status, LOG_STATUSES)),
    check('attendance_logs_recorded_at', isMoment(t.recorded_at)),
    check('attendance_logs_created_at', isMoment(t.created_at)),
    check('attendance_logs_updated_at', isMoment(t.updated_at)),
  ],
)

/** Append-only, except that a comment may be erased together with its salt. */
export const log_comments = sqliteTable(
  'log_comments',
  {
    id: id(),
    log_id: reference(() => attendance_logs.id),
    user_id: reference(() => users.id),
    comment: text().notNull(),
    /** 16 random bytes, so that the comment cannot be guessed from its hash. */
    salt: text().notNull().default(randomSalt),
    created_at: moment(),
    updated_at: moment(),
  },
  (t) => [
    index('log_comments_log_id').on(t.log_id),
    check(
      'log_comments_comment',
      sql`(length(${t.comment}) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)} AND length(${t.salt}) = 32)
        OR (${t.comment} = '' AND ${t.salt} = '')`,
    ),
    check('log_comments_created_at', isMoment(t.created_at)),
    check('log_comments_updated_at', isMoment(t.updated_at)),
  ],
)

/**
 * The audit record: events of logs, closings, people and rules. Triggers on other tables add
 * `recorded`, `closed`, `cancelled`, `access` and `ruled`. An event of a log stores the values of
 * the log at that time. Append-only: triggers reject updates and deletes.
 */
export const log_events = sqliteTable(
  'log_events',
  {
    id: id(),
    event: text({ enum: EVIDENCE_EVENTS }).notNull(),
    /** Null unless it is an event of a log. */
    log_id: integer().references(() => attendance_logs.id),
    /** Null unless it is an event of a closing, or a signature of the lines of a closing. */
    closing_id: integer().references((): AnySQLiteColumn => closings.id),
    /** Null for an operator's import or command. */
    user_id: integer().references(() => users.id),
    /** The status before the decision. Null unless the event is `decided`. */
    from_status: text({ enum: LOG_STATUSES }),
    to_status: text({ enum: LOG_STATUSES }),
    comment_id: integer().references(() => log_comments.id),
    created_at: moment(),
    employee_id: text(),
    kind: text({ enum: LOG_KINDS }),
    recorded_at: text(),
    /** The log's source, or the source that was changed. '' for the company. Else null. */
    source: text(),
    /** The user's `actor_hash`, `import` for an imported log, or `operator` for a command. */
    actor: text().notNull(),
    salt: text().notNull().default(randomSalt),
    /** JSON of the fields that depend on the kind of event. */
    details: text(),
  },
  (t) => [
    index('log_events_log_id').on(t.log_id),
    // Finds the events of a person after a given id, such as the events since a closing or a
    // review.
    index('log_events_employee_id').on(t.employee_id),
    // Finds the events of a closing, including its signatures. The events of logs are not in this
    // index.
    index('log_events_closing_id').on(t.closing_id).where(sql`closing_id IS NOT NULL`),
    // Finds a person's events that are not of logs. A person has a few of them each month.
    index('log_events_person')
      .on(t.employee_id)
      .where(sql`log_id IS NULL AND employee_id IS NOT NULL`),
    // Finds the downloads of a user since a moment.
    index('log_events_shown').on(t.user_id, t.created_at).where(sql`event = 'shown'`),
    // Finds the objections, of which there are few.
    index('log_events_objections')
      .on(t.id)
      .where(sql`event = 'signed' AND details ->> 'agrees' = 0`),
    // Finds the changes of clocks and of other sources, and of the company, of which there are few.
    index('log_events_source').on(t.source).where(sql`event = 'ruled' AND source IS NOT NULL`),
    check('log_events_event', isOneOf(t.event, EVIDENCE_EVENTS)),
    check(
      'log_events_about',
      sql`CASE WHEN ${isOneOf(t.event, LOG_EVENTS)}
        THEN ${t.closing_id} IS NULL AND ${t.log_id} IS NOT NULL AND ${t.to_status} IS NOT NULL
          AND ${t.employee_id} IS NOT NULL AND ${t.kind} IS NOT NULL AND ${t.recorded_at} IS NOT NULL
          AND ${t.source} IS NOT NULL
        ELSE ${t.log_id} IS NULL
          AND (${t.closing_id} IS NOT NULL) = (${t.event} IN ('closed', 'cancelled', 'signed'))
          AND (${t.employee_id} IS NOT NULL OR NOT ${isOneOf(t.event, PERSON_EVENTS)}) END`,
    ),
    check(
      'log_events_from_status',
      sql`(${t.from_status} IS NOT NULL) = (${t.event} = 'decided')
        AND (${t.from_status} IS NULL OR ${isOneOf(t.from_status, LOG_STATUSES)})`,
    ),
    check(
      'log_events_to_status',
      sql`${t.to_status} IS NULL OR ${isOneOf(t.to_status, LOG_STATUSES)}`,
    ),
    check(
      'log_events_user_id',
      sql`${t.event} IN ('recorded', 'access', 'ruled') OR ${t.user_id} IS NOT NULL`,
    ),
    check('log_events_salt', sql`length(${t.salt}) = 32`),
    check(
      'log_events_details',
      sql`CASE WHEN ${isOneOf(t.event, FIRST_EVENTS)}
        THEN ${t.details} IS NULL
        ELSE coalesce(json_valid(${t.details}), 0) END`,
    ),
    check('log_events_created_at', isMoment(t.created_at)),
  ],
)

/** The texts that people agree to. Append-only: after a new text, everybody is asked again. */
export const agreements = sqliteTable(
  'agreements',
  {
    id: id(),
    title: text().notNull(),
    text: text().notNull(),
    /** SHA-256 of the title, the first day and the text, joined by line feeds. */
    sha256: text().notNull().unique('agreements_sha256_unique'),
    /** The first local day on which the text is valid. */
    valid_from: text().notNull(),
    created_by: reference(() => users.id),
    created_at: moment(),
  },
  (t) => [
    check('agreements_valid_from', sql`date(${t.valid_from}) IS ${t.valid_from}`),
    check('agreements_sha256', sql`length(${t.sha256}) = 64`),
    check('agreements_created_at', isMoment(t.created_at)),
  ],
)

/**
 * The comments of agreements, signatures and answers. Their events contain only the hashes.
 * Append-only, except that a comment may be erased together with its salt.
 */
export const statements = sqliteTable(
  'statements',
  {
    event_id: integer()
      .primaryKey()
      .references(() => log_events.id),
    text: text().notNull(),
    salt: text().notNull(),
  },
  (t) => [
    check(
      'statements_text',
      sql`(length(${t.text}) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)} AND length(${t.salt}) = 32)
        OR (${t.text} = '' AND ${t.salt} = '')`,
    ),
  ],
)

/**
 * The senders of logs, except apps and people. A source is a time clock, or a program that reads
 * several clocks.
 */
export const intake_sources = sqliteTable(
  'intake_sources',
  {
    source: text().primaryKey(),
    /** The source has sent all logs from before this moment. */
    complete_until: text(),
    last_seen_at: moment(),
    /**
     * The moment of retirement. Retired sources are listed separately, and it does not matter
     * whether they have sent all logs.
     */
    retired_at: text(),
    /** A readable name, such as the place of the clock. */
    label: text(),
  },
  (t) => [
    check('intake_sources_complete_until', isMoment(t.complete_until)),
    check('intake_sources_last_seen_at', isMoment(t.last_seen_at)),
    check('intake_sources_retired_at', isMoment(t.retired_at)),
  ],
)

/**
 * Items of a source that were refused or that differ from the stored log. Dismissed problems are
 * kept but not shown.
 */
export const intake_problems = sqliteTable(
  'intake_problems',
  {
    id: id(),
    source: text().notNull(),
    /**
     * The item's `source_id`, or its `log_id` as text. '' if neither can be read, or if the problem
     * is about all logs of the employee.
     */
    source_id: text().notNull(),
    employee_id: text().notNull(),
    /** The employee's branch, for users with a scope. Null if the employee is unknown. */
    branch_office: text(),
    result: text({ enum: ['created', 'differs', 'refused'] }).notNull(),
    reason: text(),
    first_at: moment(),
    last_at: moment(),
    count: integer().notNull().default(1),
    dismissed_at: text(),
    dismissed_reason: text(),
    /** More about the reason, such as the name of the first invalid field. */
    detail: text(),
  },
  (t) => [
    uniqueIndex('intake_problems_item').on(t.source, t.source_id, t.employee_id),
    index('intake_problems_last_at').on(t.last_at),
    check('intake_problems_dismissed_at', isMoment(t.dismissed_at)),
    check(
      'intake_problems_dismissed_reason',
      sql`(${t.dismissed_at} IS NULL) = (${t.dismissed_reason} IS NULL)
        AND coalesce(length(${t.dismissed_reason}), 1) BETWEEN 1 AND ${sql.raw(`${COMMENT_MAX}`)}`,
    ),
  ],
)

/** The sources that have sent logs of each employee, with the time of the last log. */
export const employee_sources = sqliteTable(
  'employee_sources',
  {
    employee_id: employeeId(),
    source: text().notNull(),
    last_recorded_at: moment(),
  },
  (t) => [primaryKey({ columns: [t.employee_id, t.source] })],
)

/**
 * Wall clocks that send their punches by themselves. Each is also a source, whose name is `clock` and
 * the serial number in lower case. The source has the clock's label and its retirement.
 */
export const clocks = sqliteTable(
  'clocks',
  {
    /** The serial number in upper case. */
    serial: text().primaryKey(),
    /** The clock's punches have the local time of this branch. */
    branch_office: text().notNull(),
    /** Whether people press a key that says entrada or salida. */
    uses_keys: integer().notNull(),
    /** Punches of earlier local days are not kept. */
    from_day: text().notNull(),
    version: integer().notNull().default(1),
    /** The `Stamp` of the last punches that were stored completely, to be returned to the clock. */
    stamp: text(),
    /** 1 if the clock must send earlier days again, until it has been told so. */
    resend: integer().notNull().default(0),
    /** When punches began to arrive that have not been stored yet. Null if there are none. */
    receiving_since: text(),
    /** The address from which the clock calls. Another one replaces it after ten silent minutes. */
    address: text(),
    /**
     * The address that is the clock's own: the first one from which it has called, or the one that
     * somebody has said. What comes from any other is bounded. Null if the clock has not called.
     */
    own_address: text(),
    /** Who has said the address. Null if it was the first one. */
    own_address_by: integer().references(() => users.id),
    /** The last stored call from this address. */
    called_at: text(),
    /** The address from which punches have been stored last. */
    sent_from: text(),
    /** The newest change of people when waiting punches were last compared with them. -1: none. */
    compared_change: integer().notNull().default(0),
    /** How many seconds the clock is ahead. Negative if it is behind. Null until it is measured. */
    seconds_off: integer(),
    /** Null for a clock of version 2.0, which counts as confirmed. */
    added_by: integer().references(() => users.id),
    /** Who confirmed the clock last. Null until then, and again once it is moved. */
    confirmed_by: integer().references(() => users.id),
    /**
     * A JSON list of the users who have added or moved the clock since somebody else confirmed it.
     * Its logs count as theirs. Null if there is nothing to confirm.
     */
    unconfirmed: text(),
  },
  (t) => [
    check('clocks_serial', sql`${t.serial} <> ''`),
    check('clocks_uses_keys', isFlag(t.uses_keys)),
    check('clocks_resend', isFlag(t.resend)),
    check('clocks_from_day', sql`date(${t.from_day}) IS ${t.from_day}`),
    check('clocks_receiving_since', isMoment(t.receiving_since)),
    check('clocks_called_at', isMoment(t.called_at)),
  ],
)

/** Clocks that have called and that nobody has added. */
export const unknown_clocks = sqliteTable(
  'unknown_clocks',
  {
    serial: text().primaryKey(),
    first_at: moment(),
    last_at: moment(),
    address: text().notNull(),
  },
  (t) => [
    check('unknown_clocks_first_at', isMoment(t.first_at)),
    check('unknown_clocks_last_at', isMoment(t.last_at)),
  ],
)

/**
 * Whose number a clock sends. The newest row of the clock and the number applies, from a local day
 * on. Rows without a clock are for all clocks.
 */
export const clock_numbers = sqliteTable(
  'clock_numbers',
  {
    id: id(),
    /** '' for all clocks. */
    serial: text().notNull(),
    number: text().notNull(),
    employee_id: employeeId(),
    /** The first local day. '' if the number was always the employee's. */
    valid_from: text().notNull().default(''),
    /** Null if the number was found, because it is like the employee's id. */
    user_id: integer().references(() => users.id),
    created_at: moment(),
    /** 1 until somebody else than the user confirms it. The number's logs count as the user's. */
    unconfirmed: integer().notNull().default(0),
  },
  (t) => [
    index('clock_numbers_number').on(t.number, t.serial),
    check(
      'clock_numbers_valid_from',
      sql`${t.valid_from} = '' OR date(${t.valid_from}) IS ${t.valid_from}`,
    ),
    check('clock_numbers_created_at', isMoment(t.created_at)),
  ],
)

/** Punches that have become no log yet. Dismissed ones are kept, so that they never wait again. */
export const waiting_punches = sqliteTable(
  'waiting_punches',
  {
    serial: text()
      .notNull()
      .references(() => clocks.serial),
    number: text().notNull(),
    /** The time as the clock wrote it. */
    local_at: text().notNull(),
    kind: text({ enum: LOG_KINDS }).notNull(),
    /** The moment (UTC). Null if the time cannot be one. */
    recorded_at: text(),
    /**
     * Why it waits: nobody is known to have the number, the employee is of another branch or has
     * uploaded the file, or its time is in the future, too old or none.
     */
    reason: text({ enum: WAIT_REASONS }).notNull(),
    arrived_at: moment(),
    /** Who uploaded it. Null if the clock sent it. */
    user_id: integer().references(() => users.id),
    /** Whether it came from another address while the clock also called from its own. */
    other_network: integer().notNull().default(0),
    /** 1 if the person had more punches on this day than a day has. Its `reason` is then `time`. */
    over_bound: integer().notNull().default(0),
    dismissed_at: text(),
    dismissed_by: integer().references(() => users.id),
    dismissed_reason: text(),
  },
  (t) => [
    primaryKey({ columns: [t.serial, t.number, t.local_at] }),
    check('waiting_punches_kind', isOneOf(t.kind, LOG_KINDS)),
    check('waiting_punches_reason', isOneOf(t.reason, WAIT_REASONS)),
    check('waiting_punches_recorded_at', isMoment(t.recorded_at)),
    check('waiting_punches_arrived_at', isMoment(t.arrived_at)),
    check('waiting_punches_other_network', isFlag(t.other_network)),
    check('waiting_punches_dismissed_at', isMoment(t.dismissed_at)),
    check(
      'waiting_punches_dismissed',
      sql`(${t.dismissed_at} IS NULL) = (${t.dismissed_by} IS NULL)
        AND (${t.dismissed_at} IS NULL) = (${t.dismissed_reason} IS NULL)`,
    ),
  ],
)

/**
 * Punches that were stored from another address than the clock's own. They are counted, so that
 * whoever knows a serial number cannot store any number of them.
 */
export const elsewhere_punches = sqliteTable(
  'elsewhere_punches',
  {
    serial: text()
      .notNull()
      .references(() => clocks.serial),
    /** The local day. '' for punches whose time cannot be. */
    day: text().notNull(),
    number: text().notNull(),
    local_at: text().notNull(),
    /** The day of its arrival (UTC). */
    arrived_on: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.serial, t.day, t.number, t.local_at] }),
    index('elsewhere_punches_arrived').on(t.serial, t.arrived_on),
  ],
)

/** Logs that a clock sent from another address while it also called from its own. */
export const other_network_logs = sqliteTable('other_network_logs', {
  log_id: integer()
    .primaryKey()
    .references(() => attendance_logs.id),
})

/** The longest shift of a person, valid from a local day on. Without an employee, everybody's. */
export const employee_shifts = sqliteTable(
  'employee_shifts',
  {
    id: id(),
    employee_id: text().references(() => employees.employee_id),
    /** The first local day. '' if the longest shift was always valid. */
    valid_from: text().notNull().default(''),
    max_shift_hours: integer().notNull(),
    /** Null for an import, and for the row that the migrations add. */
    user_id: integer().references(() => users.id),
    created_at: moment().default(now),
  },
  (t) => [
    index('employee_shifts_employee_id').on(t.employee_id),
    check(
      'employee_shifts_valid_from',
      sql`${t.valid_from} = '' OR date(${t.valid_from}) IS ${t.valid_from}`,
    ),
    check('employee_shifts_max_shift_hours', sql`${t.max_shift_hours} BETWEEN 1 AND 36`),
    check('employee_shifts_created_at', isMoment(t.created_at)),
  ],
)

/**
 * A closing pays people the days until the day `before`, which is not included, and stores lines
 * for these days. It is active from its completion until it is cancelled. Triggers allow only one
 * completion and one cancellation. Here and in reviews, a comment about one person becomes '' when
 * the person is forgotten.
 */
export const closings = sqliteTable(
  'closings',
  {
    id: id(),
    /** The first local day that the closing does not pay. */
    before: text().notNull(),
    /** The selected group or employee. The closing pays everyone if both are null. */
    payroll_group: text(),
    employee_id: text().references(() => employees.employee_id),
    user_id: reference(() => users.id),
    comment: text(),
    /** A random text. A restored database may give an id again, but never with the same token. */
    token: text().notNull(),
    /**
     * The id of the newest event when the closing began. If a log has a later event, the next
     * closing counts the days around the log again.
     */
    last_event_id: integer().notNull(),
    /**
     * The state when the closing began: the id of the newest closing, and the number of
     * cancellations. The closing fails if one of these numbers changes before it is completed.
     */
    closings_before: integer().notNull(),
    cancellations_before: integer().notNull(),
    created_at: moment(),
    completed_at: text(),
    /** The totals are null until the closing is completed. */
    people: integer(),
    days: integer(),
    period_seconds: integer(),
    added_seconds: integer(),
    deducted_seconds: integer(),
    held_seconds: integer(),
    exceptions_left: integer(),
    pending: integer(),
    pending_of_period: integer(),
    /** A JSON list of the sources that had not sent all logs. */
    unsynced: text(),
    /** The hash of the lines, which sdk/evidence/FORMAT.md describes. */
    hash: text(),
    cancelled_at: text(),
    cancelled_by: integer().references(() => users.id),
    cancel_comment: text(),
    /** The id of the newest completed closing when this closing was cancelled. */
    cancelled_after: integer(),
  },
  (t) => [
    // Each closing looks for unfinished closings. There are none, or one.
    index('closings_unfinished').on(t.id).where(sql`${t.completed_at} IS NULL`),
    check('closings_before', sql`date(${t.before}) IS ${t.before}`),
    check('closings_selection', sql`${t.payroll_group} IS NULL OR ${t.employee_id} IS NULL`),
    check('closings_comment', sql`length(${t.comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`),
    check(
      'closings_cancel_comment',
      sql`length(${t.cancel_comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`,
    ),
    check('closings_hash', sql`(${t.hash} IS NULL) = (${t.completed_at} IS NULL)`),
    check('closings_cancelled_at', sql`(${t.cancelled_at} IS NULL) = (${t.cancelled_by} IS NULL)`),
    check('closings_created_at', isMoment(t.created_at)),
  ],
)

/** The people of a closing, including people without a line. The table has no names of people. */
export const closing_people = sqliteTable(
  'closing_people',
  {
    closing_id: reference(() => closings.id),
    employee_id: employeeId(),
    payroll_group: text().notNull(),
    branch_office: text().notNull(),
    /** The person's first day when the closing was made: the first day that the service pays. */
    first_day: text().notNull(),
    /** The first day that this closing was the first to pay. Null if it only corrects other days. */
    from_day: text(),
    /** The moment when the paid days end in the person's branch. */
    end_at: moment(),
    /**
     * Logs recorded before this moment are locked, if they were decided when the closing began. It
     * is the end of the paid days, or just after the last exit if that is later.
     */
    lock_at: moment(),
    pending: integer().notNull(),
    pending_of_period: integer().notNull(),
    /** SHA-256 of the person's lines. */
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.closing_id, t.employee_id] }),
    index('closing_people_employee_id').on(t.employee_id, t.lock_at),
    // Finds the earliest day that was paid to a person.
    index('closing_people_from_day').on(t.employee_id, t.from_day),
    check('closing_people_end_at', isMoment(t.end_at)),
    check('closing_people_lock_at', isMoment(t.lock_at)),
    check('closing_people_hash', sql`length(${t.hash}) = 64`),
  ],
)

/**
 * The lines of closings. Each line pays one day of a person: the hours of the day minus the hours
 * that active closings have already paid for the day. If a pending log can still change the day, the
 * line deducts nothing, and pays only the pairs that no decision can change.
 */
export const closing_lines = sqliteTable(
  'closing_lines',
  {
    closing_id: integer().notNull(),
    employee_id: text().notNull(),
    day: text().notNull(),
    of_period: integer().notNull(),
    department: text().notNull(),
    branch_office: text().notNull(),
    first_in: text(),
    last_out: text(),
    pairs: integer().notNull(),
    worked_seconds: integer(),
    paid_before_seconds: integer().notNull(),
    difference_seconds: integer().notNull(),
    previous_closing_id: integer(),
    held_seconds: integer().notNull(),
    held_by: integer(),
    detail: text().notNull(),
    /** The exceptions, separated by spaces. */
    exceptions: text().notNull(),
    notices: text().notNull(),
    /**
     * 1 for a day of the period with an exception that nobody had reviewed, else 0. If `pendientes`
     * is the only exception, it counts only if a person added one of the day's logs.
     */
    needs_look: integer().notNull(),
    /**
     * The pairs of the day as JSON, and the logs of which one was too many. They are not sealed. Null
     * in closings that version 2.0.0 made.
     */
    spans: text({ mode: 'json' }),
    extra_log_ids: text({ mode: 'json' }),
  },
  (t) => [
    primaryKey({ columns: [t.closing_id, t.employee_id, t.day] }),
    foreignKey({
      name: 'closing_lines_person',
      columns: [t.closing_id, t.employee_id],
      foreignColumns: [closing_people.closing_id, closing_people.employee_id],
    }),
    index('closing_lines_employee_id').on(t.employee_id, t.day),
    check(
      'closing_lines_difference',
      sql`coalesce(${t.worked_seconds}, 0) = ${t.paid_before_seconds} + ${t.difference_seconds}`,
    ),
  ],
)

/**
 * Days that somebody has reviewed. A review is valid until a log of the day gets another event. With
 * `confirmed_seconds` it is also valid only while the day pays these seconds.
 */
export const day_reviews = sqliteTable(
  'day_reviews',
  {
    id: id(),
    employee_id: employeeId(),
    day: text().notNull(),
    comment: text(),
    /** The seconds that the user has confirmed, as a `posible_desfase` needs it. */
    confirmed_seconds: integer(),
    user_id: reference(() => users.id),
    last_event_id: integer().notNull(),
    created_at: moment(),
  },
  (t) => [
    index('day_reviews_employee_id').on(t.employee_id, t.day),
    check('day_reviews_day', sql`date(${t.day}) IS ${t.day}`),
    check('day_reviews_comment', sql`length(${t.comment}) <= ${sql.raw(`${COMMENT_MAX}`)}`),
    check('day_reviews_created_at', isMoment(t.created_at)),
  ],
)

/** The hashes of erased comments. Sealed events contain them, so they must be kept. Append-only. */
export const erased_comments = sqliteTable(
  'erased_comments',
  {
    comment_id: integer()
      .primaryKey()
      .references(() => log_comments.id),
    /** SHA-256 of the salt, a line feed and the text. */
    hash: text().notNull(),
    erased_at: moment(),
  },
  (t) => [
    check('erased_comments_hash', sql`length(${t.hash}) = 64`),
    check('erased_comments_erased_at', isMoment(t.erased_at)),
  ],
)

/** The seals of events. Together they form a Merkle tree that only grows. Append-only. */
export const log_seals = sqliteTable(
  'log_seals',
  {
    id: id(),
    /** The number of events sealed so far. */
    size: integer().notNull().unique('log_seals_size_unique'),
    /** The id of the last sealed event. */
    last_event_id: integer().notNull().unique('log_seals_last_event_id_unique'),
    created_at: moment(),
    /** The public key that verifies the checkpoint. */
    verifier_key: text().notNull(),
    /** The signed head of the tree. */
    checkpoint: text().notNull(),
    /** The tree's edge: the roots of its perfect subtrees, 32 bytes each. */
    edge: blob({ mode: 'buffer' }).notNull(),
    /** The hashes of the events of this seal, 32 bytes each. */
    leaves: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [
    check(
      'log_seals_leaves',
      sql`length(${t.leaves}) BETWEEN 32 AND ${t.size} * 32 AND length(${t.leaves}) % 32 = 0`,
    ),
    check('log_seals_created_at', isMoment(t.created_at)),
  ],
)

/** Time stamps of checkpoints (RFC 3161), issued by an external authority. Append-only. */
export const log_seal_tokens = sqliteTable(
  'log_seal_tokens',
  {
    id: id(),
    seal_id: reference(() => log_seals.id),
    token: blob({ mode: 'buffer' }).notNull(),
    created_at: moment(),
  },
  (t) => [
    index('log_seal_tokens_seal_id').on(t.seal_id),
    check('log_seal_tokens_created_at', isMoment(t.created_at)),
  ],
)

/**
 * How far the decisions have been sent to NOTIFY_URL. It has one row, which the first run or a
 * command adds. Its lease keeps two runs from sending the same message.
 */
export const notify_state = sqliteTable(
  'notify_state',
  {
    id: integer().primaryKey(),
    /** The receiver has all decisions up to this event. */
    last_event_id: integer().notNull(),
    /** The last event of the message that is being sent. It stays the same in all retries. */
    message_end: integer(),
    /** The id of the run that is sending. Null if no run is sending. */
    lease: text(),
    lease_until: text(),
    /** How many times the message has failed. */
    failures: integer().notNull().default(0),
    /** The reason of the last failure. */
    error: text(),
    next_try_at: text(),
    sent_at: text(),
  },
  (t) => [
    check('notify_state_id', sql`${t.id} = 1`),
    check('notify_state_message_end', sql`${t.message_end} > ${t.last_event_id}`),
    check('notify_state_failures', sql`${t.failures} >= 0`),
    check(
      'notify_state_lease',
      sql`${t.lease} IS NULL OR (${t.lease_until} IS NOT NULL AND ${t.message_end} IS NOT NULL)`,
    ),
    check('notify_state_lease_until', isMoment(t.lease_until)),
    check('notify_state_next_try_at', isMoment(t.next_try_at)),
    check('notify_state_sent_at', isMoment(t.sent_at)),
  ],
)

/**
 * The phones that get push messages: the subscriptions that browsers made (RFC 8030). A phone
 * belongs to one session. Triggers delete its row with the token, and when all tokens of the user
 * end or the user gets another employee.
 */
export const push_subscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The address to which messages are sent. The next user of a phone takes it over. */
    endpoint: text().primaryKey(),
    /** The browser's public key and its secret, in base64url (RFC 8291, section 3.1). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    user_id: reference(() => users.id),
    /** The token of the session, and the seconds in which it was issued and ends by itself. */
    jti: text().notNull(),
    iat: integer().notNull(),
    exp: integer(),
    /** Where the phone reached this service, such as `https://checada.example.com`. */
    origin: text().notNull(),
    /** When the user first said yes on this phone. Earlier news is not sent to it. */
    created_at: moment(),
    /** The event that the next message is about. Null if there is nothing to send. */
    news_event_id: integer().references(() => log_events.id),
  },
  (t) => [
    index('push_subscriptions_user_id').on(t.user_id),
    index('push_subscriptions_jti').on(t.jti),
    index('push_subscriptions_news').on(t.news_event_id).where(sql`news_event_id IS NOT NULL`),
    check('push_subscriptions_created_at', isMoment(t.created_at)),
  ],
)

/** How far the events have been searched for news of phones. It has one row. */
export const push_state = sqliteTable(
  'push_state',
  {
    id: integer().primaryKey(),
    last_event_id: integer().notNull(),
    /** When a push service last accepted a message. */
    sent_at: text(),
    /** Why a message of the last run was not accepted, such as `HTTP 403`. Null if all were. */
    error: text(),
  },
  (t) => [
    check('push_state_id', sql`${t.id} = 1`),
    check('push_state_sent_at', isMoment(t.sent_at)),
  ],
)
