import { eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { fieldsOf, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import {
  changesOfFields,
  insertSourceChange,
  jsonBoolean,
} from '../core/db/source-changes.queries.ts'
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

const requireWritable = prepare((p: Params<WriteParams>) => {
  const isNew = sql`${p.expected_version} = 0`
  const version = sql`coalesce(${storedClock(clocks.version, p)}, 0)`
  const hasCalled = sql`EXISTS (SELECT 1 FROM ${unknown_clocks} WHERE serial = ${p.serial})`
  return raiseIf(
    [sql`NOT ${isNew} AND ${version} = 0`, 'CLOCK_NOT_FOUND'],
    [sql`${isNew} AND ${version} > 0`, 'CLOCK_EXISTS'],
    [sql`${version} <> ${p.expected_version}`, 'CLOCK_MOVED'],
    [sql`${isNew} AND NOT ${p.has_not_called} AND NOT ${hasCalled}`, 'CLOCK_NEVER_CALLED'],
  )
})

/** A value that is stored of the clock's source. */
const storedSource = (value: SQL, p: Params<WriteParams>) =>
  sql`(SELECT ${value} FROM ${intake_sources} WHERE source = ${p.source})`

const insertClockChange = prepare((p: Params<WriteParams>) => {
  const branch = storedClock(clocks.branch_office, p)
  const usesKeys = jsonBoolean(storedClock(clocks.uses_keys, p))
  const retired = jsonBoolean(storedSource(sql`retired_at IS NOT NULL`, p))
  return insertSourceChange(p, {
    subject: 'clock',
    source: p.source,
    branch: p.branch_office,
    changes: changesOfFields([
      { field: 'label', before: storedSource(sql`label`, p), after: p.label },
      { field: 'branch_office', before: branch, after: p.branch_office },
      { field: 'uses_keys', before: usesKeys, after: jsonBoolean(p.uses_keys) },
      { field: 'from_day', before: storedClock(clocks.from_day, p), after: p.from_day },
      { field: 'retired', before: retired, after: jsonBoolean(sql`${p.retired_at} IS NOT NULL`) },
    ]),
  })
})

const upsertClock = prepare((p: Params<WriteParams>) =>
  qb
    .insert(clocks)
    .values({
      serial: p.serial,
      branch_office: p.branch_office,
      uses_keys: p.uses_keys,
      from_day: p.from_day,
      added_by: p.user_id,
      unconfirmed: sql`json_array(${p.user_id})`,
    })
    .onConflictDoUpdate({
      target: clocks.serial,
      set: {
        // In another branch its punches have another time and are of other people.
        confirmed_by: sql`iif(excluded.branch_office <> ${clocks.branch_office}, NULL,
          ${clocks.confirmed_by})`,
        unconfirmed: sql`iif(excluded.branch_office <> ${clocks.branch_office} AND ${p.user_id} NOT IN (
            SELECT value FROM json_each(${clocks.unconfirmed})),
          json_insert(coalesce(${clocks.unconfirmed}, '[]'), '$[#]', ${p.user_id}),
          ${clocks.unconfirmed})`,
        ...fieldsOf('excluded', 'branch_office', 'uses_keys', 'from_day'),
        // The clock sends earlier days again, and is known until then no more than from the new day on.
        resend: sql`${clocks.resend} OR excluded.from_day < ${clocks.from_day}`,
        // The waiting punches may be of people of the new branch.
        compared_change: sql`-1`,
        version: sql`${clocks.version} + 1`,
      },
    }),
)

const lowersFirstDay = (p: Params<WriteParams>): SQL =>
  sql`${storedClock(clocks.from_day, p)} > ${p.from_day}`

/** A clock that is retired already keeps its moment of retirement. */
const upsertSource = prepare((p: Params<WriteParams>) =>
  qb
    .insert(intake_sources)
    .values({
      source: p.source,
      // Earlier days are not kept, so that nothing of them is missing.
      complete_until: sql`iif(${p.has_not_called}, NULL, ${startOf(p.from_day)})`,
      last_seen_at: p.at,
      retired_at: p.retired_at,
      label: p.label,
    })
    .onConflictDoUpdate({
      target: intake_sources.source,
      set: {
        label: sql`excluded.label`,
        complete_until: sql`iif(${lowersFirstDay(p)}, min(${intake_sources.complete_until},
          ${startOf(p.from_day)}), ${intake_sources.complete_until})`,
        retired_at: sql`iif(excluded.retired_at IS NULL, NULL,
          coalesce(${intake_sources.retired_at}, excluded.retired_at))`,
      },
    }),
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
