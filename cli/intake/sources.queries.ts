import type { D1 } from '../../src/core/db/query.ts'
import { changeRows, readRows } from '../core/rows.ts'

export const listSources = (db: D1) =>
  readRows<{ source: string }>(
    db,
    `SELECT source, complete_until, last_seen_at, retired_at, label
    FROM intake_sources ORDER BY source`,
  )

/** Returns whether the source exists. */
export const retireSource = async (db: D1, source: string, at: Date): Promise<boolean> => {
  const text = 'UPDATE intake_sources SET retired_at = ?2 WHERE source = ?1 RETURNING source'
  return (await changeRows(db, text, source, at.toISOString())) > 0
}

/** Returns whether the source exists. */
export const labelSource = async (
  db: D1,
  source: string,
  label: string | null,
): Promise<boolean> => {
  const text = 'UPDATE intake_sources SET label = ?2 WHERE source = ?1 RETURNING source'
  return (await changeRows(db, text, source, label)) > 0
}

/**
 * Dismisses the open problems of a source: those with one id, or all if the id is null. They
 * appear again only if their result or reason changes. Returns the number of dismissed problems.
 */
export const dismissProblems = (
  db: D1,
  { source, source_id, reason }: { source: string; source_id: string | null; reason: string },
  at: Date,
): Promise<number> => {
  const text = `UPDATE intake_problems SET dismissed_at = ?4, dismissed_reason = ?3
    WHERE source = ?1 AND source_id = coalesce(?2, source_id) AND dismissed_at IS NULL
    RETURNING id`
  return changeRows(db, text, source, source_id, reason, at.toISOString())
}
