import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { LOG_KINDS, WAIT_REASONS } from '../values/log-values.ts'
import { id, isDay, isDayOrAlways, isFlag, isMoment, isOneOf, moment } from './columns.ts'
import { attendance_logs } from './logs.ts'
import { employeeId } from './people.ts'
import { users } from './users.ts'

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
    check('clocks_from_day', isDay(t.from_day)),
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
    check('clock_numbers_valid_from', isDayOrAlways(t.valid_from)),
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
