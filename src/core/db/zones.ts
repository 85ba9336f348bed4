import { sql } from 'drizzle-orm'
import { branch_zones } from '../tables/company.ts'
import { type Zones, zonesFrom } from '../values/time-zone.ts'
import type { StoredZones } from './d1.ts'
import { prepare, qb } from './query.ts'
import { columns, number, orNull, text } from './text-query.ts'

/**
 * The id of the newest rule. The table only grows, so this id shows whether remembered zones are up
 * to date.
 */
export const zonesVersion = sql<number>`coalesce((SELECT max(id) FROM ${branch_zones}), 0)`

/** The rules in force. If two rules have the same branch and day, the newer one is in force. */
export const zoneRules = sql`SELECT branch_office, valid_from, time_zone, max(id) AS id
  FROM ${branch_zones} GROUP BY branch_office, valid_from`

/** The rules in force, in the order of their days. Each row also has the newest id of all rules. */
export const selectZoneRules = prepare(() =>
  qb
    .select(
      columns({ branch_office: orNull(text), valid_from: text, time_zone: text, version: number }),
    )
    .from(sql`(SELECT rule.*, ${zonesVersion} AS version FROM (${zoneRules}) AS rule)`)
    .orderBy(({ valid_from }) => valid_from),
)

const zonesCache = new WeakMap<StoredZones, Zones>()

export const zonesOf = (stored: StoredZones): Zones => {
  const zones = zonesCache.get(stored) ?? zonesFrom(stored.rules)
  zonesCache.set(stored, zones)
  return zones
}
