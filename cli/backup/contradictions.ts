import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'drizzle-orm'
import { type Params, prepare } from '../../src/core/db/query.ts'
import { execute } from '../../src/core/db/run.ts'
import { log_events } from '../../src/core/tables/logs.ts'
import { equal } from '../../src/core/values/bytes.ts'
import { openCheckpoint, readVerifierKey } from '../../src/evidence/seal/checkpoint.ts'
import { GrowingTree, leafHash, splitHashes } from '../../src/evidence/seal/merkle.ts'
import { leafTextOf } from '../../src/evidence/seal/seal.ts'
import { selectStoredEvents } from '../../src/evidence/seal/sealed-events.queries.ts'
import {
  addTotals,
  type ClosingLine,
  hashesInOrder,
  hashOfClosing,
  hashOfPerson,
  TOTAL_NAMES,
  totalsOf,
  zeroTotals,
} from '../../src/payroll/closings/closing-lines.ts'
import { d1Of } from '../core/local-sqlite.ts'
import { CliError } from '../core/run-cli.ts'

/** The rules of the evidence are conditions that each copy of the database must meet. */

const ORPHANS = `SELECT rowid AS id, "table", parent, count(*) OVER () AS count
  FROM pragma_foreign_key_check LIMIT 1`

const CHANGED_LOGS = `SELECT l.id, count(*) OVER () AS count FROM attendance_logs AS l
  LEFT JOIN log_events AS e ON e.log_id = l.id AND e.event = 'recorded'
  WHERE (l.employee_id, l.kind, l.recorded_at, l.source)
    IS NOT (e.employee_id, e.kind, e.recorded_at, e.source)
  ORDER BY l.id LIMIT 1`

const TORN_LOGS = `SELECT l.id, count(*) OVER () AS count FROM attendance_logs AS l
  WHERE l.status IS NOT (SELECT to_status FROM log_events WHERE log_id = l.id ORDER BY id DESC LIMIT 1)
  ORDER BY l.id LIMIT 1`

const TORN_EVENTS = `SELECT id, count(*) OVER () AS count
  FROM (SELECT id, from_status, lag(to_status) OVER (PARTITION BY log_id ORDER BY id) AS status
    FROM log_events WHERE log_id IS NOT NULL)
  WHERE from_status IS NOT status ORDER BY id LIMIT 1`

const TORN_CLOSINGS = `SELECT id, count(*) OVER () AS count FROM closings AS c
  WHERE (completed_at IS NOT NULL) + (cancelled_at IS NOT NULL) <> (SELECT count(*) FROM log_events
    WHERE closing_id = c.id AND event IN ('closed', 'cancelled'))
  ORDER BY id LIMIT 1`

/** After such a number, a table takes no more rows, or rows whose ids JavaScript cannot tell apart. */
const LAST_NUMBERS = `SELECT name, count(*) OVER () AS count FROM sqlite_sequence
  WHERE typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ${2 ** 52}
  ORDER BY name LIMIT 1`

/** Runs a query for the rows that break a law. Returns one sentence about them, or none. */
const broken = (
  db: DatabaseSync,
  query: string,
  text: (row: Record<string, unknown>) => string,
): string[] => {
  const found = db.prepare(query).get()
  if (!found) return []
  const more = Number(found.count) - 1
  return [`${text(found)}${more > 0 ? `, and so ${more} more` : ''}`]
}

/**
 * Computes a closing's sums and hash from its stored lines. `changed` are the employees whose
 * stored hash is wrong.
 */
const sumClosing = (db: DatabaseSync, id: number) => {
  const select = db.prepare(
    `SELECT * FROM closing_lines WHERE closing_id = ? AND employee_id = ? ORDER BY day`,
  )
  const people = db.prepare('SELECT * FROM closing_people WHERE closing_id = ?')
  let totals = zeroTotals()
  let count = 0
  const hashes = new Map<string, string>()
  const changed: string[] = []
  for (const row of people.iterate(id)) {
    const employee = String(row.employee_id)
    const lines = select.all(id, employee) as unknown as ClosingLine[]
    const hash = hashOfPerson(lines)
    if (hash !== row.hash) changed.push(employee)
    if (lines.length > 0) hashes.set(employee, hash)
    const pending = Number(row.pending)
    const pending_of_period = Number(row.pending_of_period)
    totals = addTotals(totals, { ...totalsOf(lines), people: 1, pending, pending_of_period })
    count += lines.length
  }
  return { totals, count, changed, hash: hashOfClosing(hashesInOrder(hashes)) }
}

/** Compares the sums and the hashes of each completed closing with its lines. */
const findBrokenClosings = (db: DatabaseSync): string[] => {
  const closings = db.prepare('SELECT * FROM closings WHERE completed_at IS NOT NULL').all()
  const counted = db.prepare('SELECT count(*) AS count FROM closing_lines WHERE closing_id = ?')
  return closings.flatMap((closing) => {
    const id = Number(closing.id)
    const { totals, count, changed, hash } = sumClosing(db, id)
    const wrong = TOTAL_NAMES.find((name) => closing[name] !== totals[name])
    if (wrong) return [`closing ${id} has ${closing[wrong]} ${wrong}, its lines ${totals[wrong]}`]
    if (changed.length > 0) return [`the lines of ${changed[0]} in closing ${id} lack their hash`]
    const isWhole = counted.get(id)?.count === count && closing.hash === hash
    return isWhole ? [] : [`closing ${id} lacks the hash of its lines`]
  })
}

const selectEvents = prepare((p: Params<{ after: number; until: number }>) =>
  selectStoredEvents(sql`${log_events.id} > ${p.after} AND ${log_events.id} <= ${p.until}`),
)

/**
 * Checks each seal against its events, the seals before it, and its signature. Returns a sentence
 * about the first fault, or none.
 */
const findBrokenSeal = async (
  db: DatabaseSync,
  onProgress: (events: number) => void,
): Promise<string[]> => {
  const d1 = d1Of(db)
  const tree = new GrowingTree()
  let after = 0
  for (const seal of db.prepare('SELECT * FROM log_seals ORDER BY size').iterate()) {
    const until = Number(seal.last_event_id)
    const leaves = splitHashes(new Uint8Array(seal.leaves as Uint8Array))
    const events = await execute(d1, selectEvents({ after, until }))
    const changed = events.find((event, i) => {
      const leaf = leaves[i]
      return !leaf || !equal(leafHash(leafTextOf(event)), leaf)
    })
    if (changed) return [`event ${changed.id} is not as seal ${seal.id} has it`]
    for (const leaf of leaves) tree.add(leaf)
    const key = await readVerifierKey(String(seal.verifier_key))
    const checkpoint = await openCheckpoint(String(seal.checkpoint), key ? [key] : [])
    const isSigned = checkpoint?.size === tree.size && equal(checkpoint.root, tree.root)
    if (events.length !== leaves.length || seal.size !== tree.size || !isSigned) {
      return [`seal ${seal.id} is not of its events`]
    }
    after = until
    onProgress(tree.size)
  }
  return []
}

export const findContradictions = async (
  db: DatabaseSync,
  onProgress: (events: number) => void = () => undefined,
): Promise<string[]> => [
  ...broken(
    db,
    ORPHANS,
    ({ id, table, parent }) => `row ${id} of ${table} names a row that is missing in ${parent}`,
  ),
  ...broken(db, LAST_NUMBERS, ({ name }) => `the last number of ${name} cannot be one`),
  ...broken(db, CHANGED_LOGS, ({ id }) => `log ${id} is not as its first event has it`),
  ...broken(db, TORN_LOGS, ({ id }) => `log ${id} does not have the status of its last event`),
  ...broken(db, TORN_EVENTS, ({ id }) => `event ${id} does not begin where the one before it ends`),
  ...broken(db, TORN_CLOSINGS, ({ id }) => `closing ${id} lacks its events`),
  ...findBrokenClosings(db),
  ...(await findBrokenSeal(db, onProgress)),
]

export const requireNoContradictions = (contradictions: readonly string[], what: string): void => {
  if (contradictions.length === 0) return
  throw new CliError(
    `${what} contradicts itself, so it was not written: ${contradictions.join('; ')}.`,
  )
}
