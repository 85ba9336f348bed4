import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

interface Source {
  source: string
  retired_at: string | null
  label: string | null
}

export const listSources = (db: D1) =>
  readRows<Source>(
    db,
    `SELECT source, complete_until, last_seen_at, retired_at, label
    FROM intake_sources ORDER BY source`,
  )

/** Returns the ids of a source's open problems with this `source_id`. Null stands for any id. */
export const findProblems = async (db: D1, source: string, source_id: string | null) => {
  const text = `SELECT id FROM intake_problems
    WHERE source = ?1 AND source_id = coalesce(?2, source_id) AND dismissed_at IS NULL`
  return (await readRows<{ id: number }>(db, text, source, source_id)).map(({ id }) => id)
}
