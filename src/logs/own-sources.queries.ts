import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm'
import { type Params, prepare, qb, valuesOf } from '../core/db/query.ts'
import { raise } from '../core/db/raise.ts'
import { columns, flag } from '../core/db/text-query.ts'
import { users } from '../core/tables/users.ts'

/**
 * Conditions for users, such as machines, that may send logs only for some sources. Such a user
 * reads only the logs of these sources, unless the user's role reads the logs of all sources.
 */

interface SentSource {
  user_id: number
  source: string
}

/** Throws unless the caller may send logs for a source. */
export const requireSource = prepare((p: Params<SentSource>) =>
  qb
    .select({
      rule: raise([
        sql`${users.sources} IS NOT NULL AND ${p.source} NOT IN ${valuesOf(users.sources)}`,
        'FOREIGN_SOURCE',
      ]),
    })
    .from(users)
    .where(eq(users.id, p.user_id)),
)

export interface SourceReader {
  user_id: number
  /** The roles that see every source, as a JSON list. */
  all_sources_roles: string
}

/** The sources that the caller sees, as a JSON list. Null for all sources. */
const visibleSources = (p: Params<SourceReader>): SQL => sql`(SELECT ${users.sources} FROM ${users}
  WHERE ${users.id} = ${p.user_id}
    AND ${users.role} NOT IN ${valuesOf(p.all_sources_roles)})`

/** Whether the caller sees only certain sources. */
export const selectSourceLimit = prepare((p: Params<SourceReader>) =>
  qb
    .select(columns({ limited: flag }))
    .from(sql`(SELECT ${visibleSources(p)} IS NOT NULL AS limited)`),
)

export const seesSource = (source: AnyColumn, p: Params<SourceReader>): SQL =>
  sql`(${visibleSources(p)} IS NULL
    OR ${source} IN ${valuesOf(visibleSources(p))})`
