import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, isDayOrAlways, isMoment, moment, now } from './columns.ts'
import { users } from './users.ts'

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
    check('branch_zones_valid_from', isDayOrAlways(t.valid_from)),
    check('branch_zones_created_at', isMoment(t.created_at)),
  ],
)
