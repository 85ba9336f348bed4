import { eq, type SQL, sql } from 'drizzle-orm'
import { type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { clocks } from '../core/tables/clocks.ts'

/** What each act on a clock asks first: whether the caller sees it, and which branch it is in. */

export const isUnknownClock = (p: Params<{ serial: string; scope: Scope }>): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${clocks} WHERE ${clocks.serial} = ${p.serial}
    AND ${isInScope(clocks.branch_office, p.scope)})`

/** Throws CLOCK_NOT_FOUND if the caller does not see the clock. */
export const requireClock = prepare((p: Params<{ serial: string; scope: Scope }>) =>
  raiseIf([isUnknownClock(p), 'CLOCK_NOT_FOUND']),
)

export const selectBranch = prepare((p: Params<{ serial: string }>) =>
  qb
    .select({ branch_office: clocks.branch_office })
    .from(clocks)
    .where(eq(clocks.serial, p.serial)),
)
