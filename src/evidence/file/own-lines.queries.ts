import { inArray, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { type Params, prepare, qb, valuesOf } from '../../core/db/query.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { closing_lines, closing_people } from '../../core/tables/payroll.ts'
import { type ClosingLine, hashesInOrder } from '../../payroll/closings/closing-lines.ts'
import { lineColumns } from '../../payroll/closings/lines.queries.ts'
import { isOneOfPeople } from './file-events.queries.ts'

interface PeopleInClosings {
  /** The ids of the employees, as a JSON list. */
  people: string
  /** The ids of closings as a JSON list. */
  ids: string
}

const selectHashes = prepare((p: Params<PeopleInClosings>) =>
  qb
    .select({
      closing_id: closing_people.closing_id,
      employee_id: closing_people.employee_id,
      hash: closing_people.hash,
    })
    .from(closing_people)
    .where(
      sql`${inArray(closing_people.closing_id, valuesOf(p.ids))}
        AND EXISTS (SELECT 1 FROM ${closing_lines}
          WHERE ${closing_lines}.closing_id = ${closing_people}.closing_id
            AND ${closing_lines}.employee_id = ${closing_people}.employee_id)`,
    ),
)

const selectOwnLines = prepare((p: Params<PeopleInClosings & { scope: Scope }>) =>
  qb
    .select({ closing_id: closing_lines.closing_id, ...lineColumns })
    .from(closing_lines)
    .where(
      sql`${inArray(closing_lines.closing_id, valuesOf(p.ids))}
        AND ${isOneOfPeople(closing_lines.employee_id, p)}
        AND NOT EXISTS (SELECT 1 FROM ${closing_lines} AS line
          WHERE line.closing_id = ${closing_lines}.closing_id
            AND line.employee_id = ${closing_lines}.employee_id
            AND NOT ${isInScope('line.branch_office', p.scope)})`,
    )
    .orderBy(closing_lines.day),
)

/** The maximum number of closings of a query. Each has a hash of every person whom it paid. */
const CLOSINGS_PER_QUERY = 8

/**
 * Reads the lines of people in closings, and the hashes of everybody with lines in them, by the id
 * of the closing. The proof needs these hashes. Unless `isOwn`, a person's lines in a closing are
 * left out if one of them is outside the caller's scope, since only all of them have the sealed
 * hash.
 */
export const readOwnLines = async (
  db: AuthorizedDb,
  people: string,
  closingIds: readonly number[],
  isOwn: boolean,
) => {
  const byClosing = new Map<number, { hashes: string[]; lines: ClosingLine[] }>()
  for (let at = 0; at < closingIds.length; at += CLOSINGS_PER_QUERY) {
    const ids = JSON.stringify(closingIds.slice(at, at + CLOSINGS_PER_QUERY))
    const { hashes, lines } = await db.batch((scope) => ({
      hashes: selectHashes({ people, ids }),
      lines: selectOwnLines({ people, ids, scope: isOwn ? null : scope }),
    }))
    const hashesOf = Map.groupBy(hashes, ({ closing_id }) => closing_id)
    for (const [id, ownLines] of Map.groupBy(lines, ({ closing_id }) => closing_id)) {
      const everybody = (hashesOf.get(id) ?? []).map((row) => [row.employee_id, row.hash] as const)
      byClosing.set(id, { hashes: hashesInOrder(new Map(everybody)), lines: ownLines })
    }
  }
  return byClosing
}
