import { and, eq, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { firstOrFail, type Params, prepare, qb, valuesOf } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { clockOfSource } from '../core/db/shared-expressions.ts'
import { insertSourceChange, jsonBoolean } from '../core/db/source-changes.queries.ts'
import { clocks } from '../core/tables/clocks.ts'
import { employee_sources, intake_problems, intake_sources } from '../core/tables/intake.ts'
import { employees } from '../core/tables/people.ts'
import { localAt } from '../core/values/time-zone.ts'
import { type SourceReader, seesSource } from '../logs/own-sources.queries.ts'
import { nearOf } from './outcome.ts'

/**
 * Whether a source is a clock of a branch in the scope, has sent logs of an employee in the scope, or
 * has a problem in a branch of the scope.
 */
export const servesScope = (scope: SQL): SQL => sql`(${scope} IS NULL
  OR ${clockOfSource('branch_office')} IN ${valuesOf(scope)}
  OR EXISTS (SELECT 1 FROM ${employee_sources} AS es JOIN ${employees} AS e USING (employee_id)
    WHERE es.source = ${intake_sources}.source AND ${isInScope('e.branch_office', scope)})
  OR EXISTS (SELECT 1 FROM ${intake_problems} AS problem
    WHERE problem.source = ${intake_sources}.source
      AND ${isInScope('problem.branch_office', scope)}))`

const sourceFields = {
  source: intake_sources.source,
  label: intake_sources.label,
  complete_until: intake_sources.complete_until,
  last_seen_at: intake_sources.last_seen_at,
}

type ListedSources = SourceReader & { scope: Scope; retired: number }

const selectSources = prepare((p: Params<ListedSources>) =>
  qb
    .select({ ...sourceFields, clock_branch: clockOfSource('branch_office').as('clock_branch') })
    .from(intake_sources)
    .where(
      sql`(${intake_sources.retired_at} IS NOT NULL) = ${p.retired} AND ${servesScope(p.scope)}
        AND ${seesSource(intake_sources.source, p)}`,
    )
    .orderBy(intake_sources.source),
)

/** The maximum number of problems that are shown for each source. */
const PROBLEMS_SHOWN = 100

const openProblems = (p: Params<SourceReader & { scope: Scope }>) =>
  qb
    .select({
      id: intake_problems.id,
      source: intake_problems.source,
      result: intake_problems.result,
      reason: intake_problems.reason,
      detail: intake_problems.detail,
      employee_id: intake_problems.employee_id,
      source_id: intake_problems.source_id,
      first_at: intake_problems.first_at,
      last_at: intake_problems.last_at,
      count: intake_problems.count,
      total: sql<number>`count(*) OVER (PARTITION BY source)`.as('total'),
      position: sql<number>`row_number() OVER (
        PARTITION BY source ORDER BY last_at DESC, id DESC)`.as('position'),
    })
    .from(intake_problems)
    .where(
      and(
        isNull(intake_problems.dismissed_at),
        isInScope(intake_problems.branch_office, p.scope),
        seesSource(intake_problems.source, p),
      ),
    )
    .as('problem')

const selectProblems = prepare((p: Params<SourceReader & { scope: Scope }>) => {
  const problem = openProblems(p)
  return qb
    .select()
    .from(problem)
    .where(lte(problem.position, PROBLEMS_SHOWN))
    .orderBy(({ position }) => position)
})

/**
 * Lists the active sources, or the retired sources. Each source has its newest open problems and
 * the number of all its open problems. Callers with one of `allSourcesRoles` see all sources; other
 * callers see the sources that they may send logs for. Callers with a scope see only the sources
 * that serve the scope (`servesScope`), and no problems of unknown employees.
 */
export const listSources = async (
  db: AuthorizedDb,
  allSourcesRoles: readonly string[],
  { retired = false } = {},
) => {
  const all_sources_roles = JSON.stringify(allSourcesRoles)
  const reader = { user_id: db.claims.userId, all_sources_roles }
  const { sources, problems } = await db.batch((scope) => ({
    sources: selectSources({ ...reader, scope, retired: Number(retired) }),
    problems: selectProblems({ ...reader, scope }),
  }))
  const bySource = Map.groupBy(problems, ({ source }) => source)
  const zones = db.zones()
  return sources.map(({ clock_branch, ...source }) => {
    const shown = bySource.get(source.source) ?? []
    const { complete_until, last_seen_at } = source
    const local = (moment: string) => localAt(moment, clock_branch ?? '', zones)
    return {
      ...source,
      complete_until_local_at: complete_until && local(complete_until),
      last_seen_local_at: local(last_seen_at),
      problem_count: shown[0]?.total ?? 0,
      problems: shown.map(({ source: _, total: __, position: ___, ...problem }) => ({
        ...problem,
        near: nearOf(problem.detail),
      })),
    }
  })
}

const requireSource = prepare((p: Params<{ source: string }>) =>
  raiseIf(
    [
      sql`NOT EXISTS (SELECT 1 FROM ${intake_sources} WHERE source = ${p.source})`,
      'SOURCE_NOT_FOUND',
    ],
    [sql`${p.source} GLOB 'clock *'`, 'SOURCE_IS_CLOCK'],
  ),
)

interface SourceUpdate {
  source: string
  label: string | null
  /** The moment of retirement. Null if the source is to be active. */
  retired_at: string | null
  at: string
}

const stored = (value: string, p: Params<{ source: string }>) =>
  sql`(SELECT ${sql.raw(value)} FROM ${intake_sources} WHERE source = ${p.source})`

const insertChange = prepare((p: Params<SourceUpdate & { user_id: number }>) =>
  insertSourceChange(p, {
    subject: 'source',
    source: p.source,
    branch: null,
    changes: {
      label: [stored('label', p), p.label],
      retired: [
        jsonBoolean(stored('retired_at IS NOT NULL', p)),
        jsonBoolean(isNotNull(p.retired_at)),
      ],
    },
  }),
)

/** A source that is already retired keeps its moment of retirement. */
const updateSource = prepare((p: Params<SourceUpdate>) =>
  qb
    .update(intake_sources)
    .set({
      label: p.label,
      retired_at: sql`iif(${p.retired_at} IS NULL, NULL, coalesce(${intake_sources.retired_at}, ${p.retired_at}))`,
    })
    .where(eq(intake_sources.source, p.source))
    .returning({ ...sourceFields, retired_at: intake_sources.retired_at }),
)

/** @throws DomainError SOURCE_NOT_FOUND, or SOURCE_IS_CLOCK for a clock that connects by itself */
export const replaceSource = async (db: AuthorizedDb, update: SourceUpdate) => {
  const { source } = await db.batchOfAllBranches({
    check: requireSource({ source: update.source }),
    change: insertChange({ ...update, user_id: db.claims.userId }),
    source: firstOrFail(updateSource(update)),
  })
  const { retired_at, ...shown } = source
  return { ...shown, retired: retired_at !== null }
}

interface Dismissal {
  source: string
  id: number
  reason: string
  at: string
}

const requireProblem = prepare((p: Params<Dismissal>) =>
  raiseIf([
    sql`NOT EXISTS (SELECT 1 FROM ${intake_problems}
      WHERE id = ${p.id} AND source = ${p.source} AND dismissed_at IS NULL)`,
    'PROBLEM_NOT_FOUND',
  ]),
)

/** Whose problem it is: a clock's is a change of the clock. */
const insertDismissal = prepare((p: Params<Dismissal & { user_id: number }>) =>
  insertSourceChange(p, {
    subject: sql`iif(${p.source} GLOB 'clock *', 'clock', 'source')`,
    source: p.source,
    branch: sql`(SELECT branch_office FROM ${clocks} WHERE 'clock ' || lower(serial) = ${p.source})`,
    changes: {
      dismissed_problem: [
        null,
        sql`(SELECT coalesce(reason, result) FROM ${intake_problems} WHERE id = ${p.id})`,
      ],
    },
  }),
)

const updateProblem = prepare((p: Params<Dismissal>) =>
  qb
    .update(intake_problems)
    .set({ dismissed_at: p.at, dismissed_reason: p.reason })
    .where(eq(intake_problems.id, p.id)),
)

/**
 * Stops showing an open problem. It appears again only if its result or reason changes.
 * @throws DomainError PROBLEM_NOT_FOUND
 */
export const dismissProblem = async (db: AuthorizedDb, dismissal: Dismissal): Promise<void> => {
  await db.batchOfAllBranches({
    check: requireProblem(dismissal),
    change: insertDismissal({ ...dismissal, user_id: db.claims.userId }),
    problem: updateProblem(dismissal),
  })
}
