import { eq, isNotNull, ne, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/raise.ts'
import { insertSourceChange, jsonBoolean } from '../core/db/source-changes.queries.ts'
import { write } from '../core/db/text-query.ts'
import { clocks, unknown_clocks } from '../core/tables/clocks.ts'
import { intake_sources } from '../core/tables/intake.ts'
import { storedClock } from './clock-changes.queries.ts'
import { selectClock, startOf } from './clocks.queries.ts'
import { sourceOf } from './serial.ts'

/** Adds and changes clocks. */

export interface ClockWrite {
  serial: string
  label: string | null
  branch_office: string
  uses_keys: boolean
  from_day: string
  retired: boolean
  /** The version that was read. 0 for a new clock. */
  expected_version: number
  /** Whether a new clock may be one that has not called. */
  has_not_called: boolean
  at: string
}

type WriteParams = Omit<ClockWrite, 'uses_keys' | 'retired' | 'has_not_called'> & {
  source: string
  uses_keys: number
  retired_at: string | null
  has_not_called: number
  user_id: number
}

const requireWritable = prepare((p: Params<WriteParams>) =>
  qb
    .select({
      rule: raise(
        ['NOT is_new AND version = 0', 'CLOCK_NOT_FOUND'],
        ['is_new AND version > 0', 'CLOCK_EXISTS'],
        [ne(sql`version`, p.expected_version), 'CLOCK_MOVED'],
        ['is_new AND NOT may_be_added', 'CLOCK_NEVER_CALLED'],
      ),
    })
    .from(sql`(SELECT ${p.expected_version} = 0 AS is_new,
      coalesce(${storedClock('version', p)}, 0) AS version, ${p.has_not_called} OR EXISTS (
        SELECT 1 FROM ${unknown_clocks} WHERE serial = ${p.serial}) AS may_be_added)`),
)

/** A value that is stored of the clock's source. */
const storedSource = (value: string, p: Params<WriteParams>) =>
  sql`(SELECT ${sql.raw(value)} FROM ${intake_sources} WHERE source = ${p.source})`

const insertClockChange = prepare((p: Params<WriteParams>) =>
  insertSourceChange(p, {
    subject: 'clock',
    source: p.source,
    branch: p.branch_office,
    changes: {
      label: [storedSource('label', p), p.label],
      branch_office: [storedClock('branch_office', p), p.branch_office],
      uses_keys: [jsonBoolean(storedClock('uses_keys', p)), jsonBoolean(p.uses_keys)],
      from_day: [storedClock('from_day', p), p.from_day],
      retired: [
        jsonBoolean(storedSource('retired_at IS NOT NULL', p)),
        jsonBoolean(isNotNull(p.retired_at)),
      ],
    },
  }),
)

/**
 * In another branch its punches have another time and are of other people, also those that wait. With
 * an earlier first day the clock sends earlier days again, and is known until then no more than from
 * the new day on.
 */
const upsertClock = prepare((p: Params<WriteParams>) =>
  write(sql`INSERT INTO ${clocks} AS clock
      (serial, branch_office, uses_keys, from_day, added_by, unconfirmed)
    VALUES (${p.serial}, ${p.branch_office}, ${p.uses_keys}, ${p.from_day}, ${p.user_id},
      json_array(${p.user_id}))
    ON CONFLICT (serial) DO UPDATE SET
      confirmed_by = iif(excluded.branch_office <> clock.branch_office, NULL, clock.confirmed_by),
      unconfirmed = iif(excluded.branch_office <> clock.branch_office
          AND ${p.user_id} NOT IN (SELECT value FROM json_each(clock.unconfirmed)),
        json_insert(coalesce(clock.unconfirmed, '[]'), '$[#]', ${p.user_id}), clock.unconfirmed),
      branch_office = excluded.branch_office, uses_keys = excluded.uses_keys,
      from_day = excluded.from_day, resend = clock.resend OR excluded.from_day < clock.from_day,
      compared_change = -1, version = clock.version + 1`),
)

/**
 * Days before the first one are not kept, so that nothing of them is missing. A clock that is retired
 * already keeps its moment of retirement.
 */
const upsertSource = prepare((p: Params<WriteParams>) =>
  write(sql`INSERT INTO ${intake_sources} AS stored
      (source, complete_until, last_seen_at, retired_at, label)
    VALUES (${p.source}, iif(${p.has_not_called}, NULL, ${startOf(p.from_day)}), ${p.at},
      ${p.retired_at}, ${p.label})
    ON CONFLICT (source) DO UPDATE SET label = excluded.label,
      complete_until = iif(${storedClock('from_day', p)} > ${p.from_day},
        min(stored.complete_until, ${startOf(p.from_day)}), stored.complete_until),
      retired_at = iif(excluded.retired_at IS NULL, NULL,
        coalesce(stored.retired_at, excluded.retired_at))`),
)

const deleteUnknown = prepare((p: Params<{ serial: string }>) =>
  qb.delete(unknown_clocks).where(eq(unknown_clocks.serial, p.serial)),
)

/** @throws DomainError CLOCK_NOT_FOUND, CLOCK_EXISTS, CLOCK_MOVED or CLOCK_NEVER_CALLED */
export const saveClock = async (db: AuthorizedDb, write: ClockWrite) => {
  const { serial, uses_keys, retired, has_not_called, ...rest } = write
  const values = {
    ...rest,
    serial,
    source: sourceOf(serial),
    uses_keys: Number(uses_keys),
    retired_at: retired ? write.at : null,
    has_not_called: Number(has_not_called),
    user_id: db.claims.userId,
  }
  const { clock } = await db.batch(() => ({
    check: requireWritable(values),
    change: insertClockChange(values),
    // It compares the first day with the one that is still stored.
    source: upsertSource(values),
    saved: upsertClock(values),
    known: deleteUnknown({ serial }),
    clock: firstOrFail(selectClock({ serial, user_id: values.user_id, scope: null })),
  }))
  return clock
}
