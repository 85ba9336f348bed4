import { sql } from 'drizzle-orm'
import { type Expression, expression, type Params } from '../core/db/query.ts'
import { type ChangedFields, insertSourceChange } from '../core/db/source-changes.queries.ts'
import { clocks } from '../core/tables/clocks.ts'

/** A value that is stored of a clock. */
export const storedClock = (value: Expression, p: Params<{ serial: string }>) =>
  sql`(SELECT ${expression(value)} FROM ${clocks} WHERE serial = ${p.serial})`

/** Records what somebody does with a clock that is stored. It must come before the act itself. */
export const insertClockAct = (
  p: Params<{ serial: string; user_id: number; at: string }>,
  changes: ChangedFields,
) =>
  insertSourceChange(p, {
    subject: 'clock',
    source: sql`'clock ' || lower(${p.serial})`,
    branch: storedClock('branch_office', p),
    changes,
  })
