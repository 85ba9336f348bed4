import { sql } from 'drizzle-orm'
import { branchZones, type ZoneRule, type Zones } from '../time-zone.ts'
import { prepare, qb } from './query.ts'
import { branch_zones } from './schema.ts'

/** The id of the newest rule: the table only grows, so it tells whether a memory is up to date. */
export const zonesVersion = sql<number>`coalesce((SELECT max(id) FROM ${branch_zones}), 0)`

/** The rules in force: of two for the same branch and day, the newer one. */
export const zoneRules = sql`SELECT branch_office, valid_from, time_zone, max(id) AS id
  FROM ${branch_zones} GROUP BY branch_office, valid_from`

/** The rules in force, in the order of their days; each with the newest id of all. */
export const selectZoneRules = prepare(() =>
  qb
    .select({
      branch_office: sql<string>`branch_office`.as('branch_office'),
      valid_from: sql<string>`valid_from`.as('valid_from'),
      time_zone: sql<string>`time_zone`.as('time_zone'),
      version: zonesVersion.as('version'),
    })
    .from(sql`(${zoneRules})`)
    .orderBy(sql`valid_from`),
)

export interface StoredZones {
  version: number
  rules: readonly ZoneRule[]
}

export const NO_ZONES: StoredZones = { version: 0, rules: [] }

const parsed = new WeakMap<StoredZones, Map<string, Zones>>()

/** The zones of all branches, where those without a rule have a zone of this name. */
export const zonesOf = (stored: StoredZones, defaultName: string): Zones => {
  const byDefault = parsed.get(stored) ?? new Map<string, Zones>()
  parsed.set(stored, byDefault)
  const zones = byDefault.get(defaultName) ?? branchZones(stored.rules, defaultName)
  byDefault.set(defaultName, zones)
  return zones
}
