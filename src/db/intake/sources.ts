import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/authorization.ts'
import { type Params, prepare, qb } from '../core/query.ts'
import { isInScope, type Scope } from '../core/scope.ts'
import { employee_sources, employees, intake_problems, intake_sources } from '../schema.ts'

/** Whether a source has recorded somebody of the scope, or has a problem there. */
export const servesScope = (scope: SQL): SQL => sql`(${scope} IS NULL
  OR EXISTS (SELECT 1 FROM ${employee_sources} AS es JOIN ${employees} AS e USING (employee_id)
    WHERE es.source = ${intake_sources}.source AND ${isInScope(sql`e.branch_office`, scope)})
  OR EXISTS (SELECT 1 FROM ${intake_problems} AS problem
    WHERE problem.source = ${intake_sources}.source
      AND ${isInScope(sql`problem.branch_office`, scope)}))`

const selectSources = prepare((p: Params<{ scope: Scope }>) =>
  qb
    .select({
      source: intake_sources.source,
      complete_until: intake_sources.complete_until,
      last_seen_at: intake_sources.last_seen_at,
    })
    .from(intake_sources)
    .where(sql`${intake_sources.retired_at} IS NULL AND ${servesScope(p.scope)}`)
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
 * Active sources, each with its problems, newest first. Callers with a scope see the sources that
 * serve it; problems of unknown employees are shown to callers without a scope only.
 */
export const listSources = async (db: AuthorizedDb) => {
  const [sources, problems] = await db.batch((scope) => [
    selectSources({ scope }),
    selectProblems({ scope }),
  ])
  const bySource = Map.groupBy(problems, ({ source }) => source)
  return sources.map((source) => ({
    ...source,
    problems: (bySource.get(source.source) ?? []).map(({ source: _, ...problem }) => problem),
  }))
}
