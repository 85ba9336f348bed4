import { eq, sql } from 'drizzle-orm'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { intake_problems, intake_sources } from '../../src/core/db/schema.ts'

const selectSources = prepare(() => qb.select().from(intake_sources).orderBy(intake_sources.source))

const retire = prepare((p: Params<{ source: string; at: string }>) =>
  qb
    .update(intake_sources)
    .set({ retired_at: p.at })
    .where(eq(intake_sources.source, p.source))
    .returning({ source: intake_sources.source }),
)

const label = prepare((p: Params<{ source: string; label: string | null }>) =>
  qb
    .update(intake_sources)
    .set({ label: p.label })
    .where(eq(intake_sources.source, p.source))
    .returning({ source: intake_sources.source }),
)

const dismiss = prepare(
  (p: Params<{ source: string; source_id: string | null; reason: string; at: string }>) =>
    qb
      .update(intake_problems)
      .set({ dismissed_at: p.at, dismissed_reason: p.reason })
      .where(
        sql`${intake_problems.source} = ${p.source} AND ${intake_problems.dismissed_at} IS NULL
          AND ${intake_problems.source_id} = coalesce(${p.source_id}, ${intake_problems.source_id})`,
      )
      .returning({ id: intake_problems.id }),
)

export const listSources = (db: D1) => execute(db, selectSources({}))

/** Returns whether the source exists. */
export const retireSource = async (db: D1, source: string, at: Date): Promise<boolean> =>
  (await execute(db, retire({ source, at: at.toISOString() }))).length > 0

/** Returns whether the source exists. */
export const labelSource = async (db: D1, source: string, text: string | null): Promise<boolean> =>
  (await execute(db, label({ source, label: text }))).length > 0

/**
 * Dismisses the open problems of a source with one id, or all where it is null: they are not shown while
 * the source goes on sending the same. Returns how many.
 */
export const dismissProblems = async (
  db: D1,
  problem: { source: string; source_id: string | null; reason: string },
  at: Date,
): Promise<number> => (await execute(db, dismiss({ ...problem, at: at.toISOString() }))).length
