import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { isInScope, type Scope } from '../core/scope.ts'
import { intake_problems, intake_sources } from '../schema.ts'

const selectSources = prepare(() =>
  qb
    .select({
      source: intake_sources.source,
      complete_until: intake_sources.complete_until,
      last_seen_at: intake_sources.last_seen_at,
    })
    .from(intake_sources)
    .where(sql`${intake_sources.retired_at} IS NULL`)
    .orderBy(intake_sources.source),
)

const selectProblems = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      source: intake_problems.source,
      result: intake_problems.result,
      reason: intake_problems.reason,
      employee_id: intake_problems.employee_id,
      source_id: intake_problems.source_id,
      first_at: intake_problems.first_at,
      last_at: intake_problems.last_at,
      count: intake_problems.count,
    })
    .from(intake_problems)
    .where(isInScope(intake_problems.branch_office, p.scope))
    .orderBy(sql`${intake_problems.last_at} DESC, ${intake_problems.id} DESC`),
)

/**
 * Active sources, each with its problems, newest first. Problems of unknown employees are shown to
 * callers without a scope only.
 */
export const listSources = async (db: AuthorizedDb) => {
  const [sources, problems] = await db.batch((scope) => [
    selectSources({}),
    selectProblems({ scope }),
  ])
  const bySource = Map.groupBy(problems, ({ source }) => source)
  return sources.map((source) => ({
    ...source,
    problems: (bySource.get(source.source) ?? []).map(({ source: _, ...problem }) => problem),
  }))
}
