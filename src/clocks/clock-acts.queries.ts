import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { write } from '../core/db/text-query.ts'
import { clocks, elsewhere_punches } from '../core/tables/clocks.ts'
import { attendance_logs as logs } from '../core/tables/logs.ts'
import { isOwnLog } from '../logs/deciding.queries.ts'
import { insertClockAct, storedClock } from './clock-changes.queries.ts'
import { requireClock } from './clock-in-scope.queries.ts'
import { selectClock } from './clocks.queries.ts'
import { sourceOf } from './serial.ts'

/** What whoever decides does with a clock of which somebody else has made use. */

interface Said {
  serial: string
  address: string
  user_id: number
  at: string
}

/** Nobody has said the address that the service has taken for the clock's. */
const insertAddressChange = prepare((p: Params<Said>) =>
  insertClockAct(p, {
    address: [storedClock('iif(own_address_by IS NULL, NULL, own_address)', p), p.address],
  }),
)

/** What was only counted, because it seemed to come from elsewhere, the clock sends again. */
const setAddress = prepare((p: Params<Said>) =>
  write(sql`UPDATE ${clocks} SET own_address = ${p.address}, own_address_by = ${p.user_id},
      resend = resend OR own_address IS NOT ${p.address}
    WHERE serial = ${p.serial}`),
)

/**
 * Says which address is the clock's. No other one replaces it, and what comes from any other is
 * marked. If it is another one than before, the clock sends all again that it has kept.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const saveAddress = async (
  db: AuthorizedDb,
  serial: string,
  { address, at }: Pick<Said, 'address' | 'at'>,
) => {
  const user_id = db.claims.userId
  const { clock } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    change: insertAddressChange({ serial, address, user_id, at }),
    saved: setAddress({ serial, address, user_id, at }),
    clock: firstOrFail(selectClock({ serial, user_id, scope })),
  }))
  return clock
}

interface Rejected {
  serial: string
  source: string
  /** The local days as the clock wrote them, the last one included. */
  from: string
  to: string
  /** 1 for those from another address than the clock's own. */
  elsewhere: number
  /** 1 to leave out those that the caller may not decide. */
  without_own: number
  user_id: number
  scope: Scope
}

/** The id of a log ends with the local time. */
const isRejectable = (p: Params<Rejected>) => {
  const day = sql`substr(${logs.source_id}, -19, 10)`
  return sql`${logs.source} = ${p.source} AND ${logs.status} = 'pending'
    AND ${day} BETWEEN ${p.from} AND ${p.to}
    AND (NOT ${p.elsewhere} OR EXISTS (SELECT 1 FROM ${elsewhere_punches} AS stored
      WHERE stored.serial = ${p.serial} AND stored.day IN (${day}, '')
        AND ${logs.source_id} = stored.number || ' ' || stored.local_at))
    AND NOT (${p.without_own} AND ${isOwnLog(p)}) AND ${isInScope(logs.branch_office, p.scope)}`
}

/** One call rejects at most this many. */
const REJECTED_MAX = 1_000

const selectRejectable = prepare((p: Params<Rejected>) =>
  qb
    .select({ id: logs.id, total: sql<number>`count(*) OVER ()` })
    .from(logs)
    .where(isRejectable(p))
    .orderBy(logs.id)
    .limit(REJECTED_MAX),
)

type Period = Pick<Rejected, 'serial' | 'from' | 'to'> & {
  elsewhere: boolean
  without_own: boolean
}

/**
 * The pending logs of a clock in a period, the oldest first, and how many there are altogether.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const listRejectable = async (db: AuthorizedDb, period: Period) => {
  const { serial } = period
  const values = {
    ...period,
    source: sourceOf(serial),
    elsewhere: Number(period.elsewhere),
    without_own: Number(period.without_own),
    user_id: db.claims.userId,
  }
  const { found } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    found: selectRejectable({ ...values, scope }),
  }))
  return { ids: found.map(({ id }) => id), total: found[0]?.total ?? 0 }
}
