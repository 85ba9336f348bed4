import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isDay } from './columns.ts'

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
  (t) => [check('payroll_groups_pays_from', isDay(t.pays_from))],
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
    check('employees_started_at', isDay(t.started_at)),
    check('employees_ended_at', isDay(t.ended_at)),
    check('employees_paid_from', isDay(t.paid_from)),
  ],
)

/** An employee's id, as other tables refer to it. */
export const employeeId = () =>
  text()
    .notNull()
    .references(() => employees.employee_id)
