import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Params } from '../core/db/query.ts'
import { changesOfFields, insertSourceChange } from '../core/db/source-changes.queries.ts'
import { clocks } from '../core/tables/clocks.ts'

/** A value that is stored of a clock. */
export const storedClock = (value: SQLWrapper, p: Params<{ serial: string }>): SQL =>
  sql`(SELECT ${value} FROM ${clocks} WHERE ${clocks.serial} = ${p.serial})`

/** Records what somebody does with a clock that is stored. It must come before the act itself. */
export const insertClockAct = (
  p: Params<{ serial: string; user_id: number; at: string }>,
  fields: Parameters<typeof changesOfFields>[0],
) =>
  insertSourceChange(p, {
    subject: 'clock',
    source: sql`'clock ' || lower(${p.serial})`,
    branch: storedClock(clocks.branch_office, p),
    changes: changesOfFields(fields),
  })
