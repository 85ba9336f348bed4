/**
 * Changes of zones, each with the release of the zone data that brought it: the offset in hours of a
 * moment that an older release gets wrong or a zone that it lacks. The oldest comes first.
 */
const CHANGES = [
  ['2022g', 'America/Ciudad_Juarez', '2023-01-15T12:00:00Z', -7],
  ['2023d', 'Antarctica/Vostok', '2024-01-15T12:00:00Z', 5],
  ['2025b', 'America/Coyhaique', '2025-07-15T12:00:00Z', -3],
  ['2026b', 'America/Vancouver', '2026-12-15T12:00:00Z', -7],
] as const

export type OffsetOf = (zone: string, moment: Date) => number | undefined

/** The offset in hours by the data of this runtime. Undefined if it lacks the zone. */
const offsetOf: OffsetOf = (timeZone, moment) => {
  try {
    const formatter = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    const name = formatter.formatToParts(moment).find(({ type }) => type === 'timeZoneName')
    return Number(/GMT([+-]\d\d)/.exec(name?.value ?? '')?.[1] ?? 0)
  } catch {
    return undefined
  }
}

/**
 * The newest release of the zone data whose change this runtime knows, and so do all older ones. Null
 * if it knows none.
 */
export const newestRelease = (offset: OffsetOf = offsetOf): string | null => {
  let newest: string | null = null
  for (const [release, zone, moment, hours] of CHANGES) {
    if (offset(zone, new Date(moment)) !== hours) break
    newest = release
  }
  return newest
}

let known: string | null | undefined

/** The release of this runtime. An isolate finds it once, when it is first asked. */
export const zoneData = (): string | null => {
  known = known === undefined ? newestRelease() : known
  return known
}
