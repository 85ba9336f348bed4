import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { first, firstOrFail, type Params, prepare, qb } from '../core/db/query.ts'
import { raise, raiseIf } from '../core/db/rules.ts'
import {
  closing_lines,
  closing_people,
  employees,
  log_events,
  log_seals,
  attendance_logs as logs,
  users,
} from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { hasAnyStatusAndKind } from '../core/db/shared-expressions.ts'
import { type ClosingLine, hashesInOrder } from '../payroll/closing-lines.ts'
import { lineColumns } from '../payroll/lines.queries.ts'
import { sealFields } from './evidence.queries.ts'
import { selectStoredEvents } from './sealed-events.queries.ts'

/** The requested person, the requested log, or both. At least one is not null. */
export interface EvidenceSubject {
  employee_id: string | null
  log_id: number | null
}

interface Caller {
  user_id: number
  /** The roles of ADMIN_ROLES, as a JSON array. */
  roles: string
  scope: Scope
}

const ownEmployee = (p: Params<Caller>) =>
  sql`(SELECT ${users.employee_id} FROM ${users} WHERE ${users.id} = ${p.user_id})`

const isAdministrator = (p: Params<Caller>) =>
  sql`(SELECT ${users.role} FROM ${users} WHERE ${users.id} = ${p.user_id})
    IN (SELECT value FROM json_each(${p.roles}))`

const logOf = (p: Params<EvidenceSubject>) => sql`(SELECT ${logs.employee_id} FROM ${logs}
  WHERE ${logs.id} = ${p.log_id}
    AND (${p.employee_id} IS NULL OR ${logs.employee_id} = ${p.employee_id}))`

/**
 * The id of the requested person, or of the log's employee. Null if the log does not exist, or is
 * not the requested person's.
 */
const personOf = (p: Params<EvidenceSubject>) =>
  sql`CASE WHEN ${p.log_id} IS NULL THEN ${p.employee_id} ELSE ${logOf(p)} END`

/**
 * Whether the requested log is in the scope. If no log is requested, whether the person's current
 * branch is: a file of the person has all signatures and agreements, with their words.
 */
const isWithinScope = (p: Params<Caller & EvidenceSubject>) => sql`CASE
  WHEN ${p.log_id} IS NOT NULL THEN EXISTS (SELECT 1 FROM ${logs}
    WHERE ${logs.id} = ${p.log_id} AND ${isInScope(logs.branch_office, p.scope)})
  ELSE EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person
      AND ${isInScope(employees.branch_office, p.scope)}) END`

/**
 * Whether the person is not the caller's own employee. Also true if the person or the caller's
 * employee is null, so that only administrators can find out which logs exist.
 */
const isSomebodyElse = sql`coalesce(person <> own, 1)`

/**
 * Raises unless the caller is the requested person, or an administrator who may see that person.
 */
const selectPerson = prepare((p: Params<Caller & EvidenceSubject>) =>
  qb
    .select({
      rule: raise(
        [sql`${isSomebodyElse} AND NOT coalesce(${isAdministrator(p)}, 0)`, 'FORBIDDEN'],
        [sql`person IS NULL`, 'LOG_NOT_FOUND'],
        [
          sql`${isSomebodyElse} AND NOT EXISTS (
            SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = person)`,
          'UNKNOWN_EMPLOYEE',
        ],
        [
          sql`${isSomebodyElse} AND NOT (${isWithinScope(p)})`,
          sql`iif(${p.log_id} IS NULL, 'error:UNKNOWN_EMPLOYEE', 'error:LOG_NOT_FOUND')`,
        ],
      ),
      employee_id: sql<string>`person`.as('employee_id'),
      isOwn: sql`NOT ${isSomebodyElse}`.mapWith(Boolean).as('is_own'),
      branch_office: sql<string>`coalesce((SELECT ${employees.branch_office} FROM ${employees}
        WHERE ${employees.employee_id} = person), '')`.as('branch_office'),
    })
    .from(sql`(SELECT ${personOf(p)} AS person, ${ownEmployee(p)} AS own)`),
)

/**
 * Reads the requested person.
 * @throws DomainError FORBIDDEN if the caller is neither that person nor an administrator
 * @throws DomainError LOG_NOT_FOUND or UNKNOWN_EMPLOYEE
 */
export const readPerson = async (
  db: AuthorizedDb,
  subject: EvidenceSubject,
  adminRoles: readonly string[],
) => {
  const caller = { user_id: db.claims.userId, roles: JSON.stringify(adminRoles) }
  const { person } = await db.batch((scope) => ({
    person: firstOrFail(selectPerson({ ...caller, ...subject, scope })),
  }))
  return person
}

interface PersonLogs {
  employee_id: string
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  until: number
}

// The indexes of events and of logs are named. Otherwise SQLite reads all events in the order of
// their ids.
const eventsOfLogs = sql`${log_events} INDEXED BY log_events_log_id`

const isOfLogs = (p: Params<PersonLogs>) =>
  sql`${log_events.log_id} IN (SELECT ${logs.id} FROM ${logs} INDEXED BY attendance_logs_employee
      WHERE ${logs.employee_id} = ${p.employee_id}
        AND ${hasAnyStatusAndKind}
        AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
        AND (${p.log_id} IS NULL OR ${logs.id} = ${p.log_id}))
    AND ${log_events.id} <= ${p.until}`

const selectRange = prepare((p: Params<PersonLogs>) =>
  qb
    .select({
      first: sql<number | null>`min(${log_events.id})`.as('first_id'),
      last: sql<number | null>`max(${log_events.id})`.as('last_id'),
    })
    .from(eventsOfLogs)
    .where(isOfLogs(p)),
)

const selectEventsOfLog = prepare((p: Params<PersonLogs>) =>
  selectStoredEvents(isOfLogs(p), eventsOfLogs),
)

/** Reads the events of the requested log. `readPerson` has checked the caller's scope. */
export const readEventsOfLog = async (db: BatchDb, logs: PersonLogs) =>
  (await db.batchOfAllBranches({ events: selectEventsOfLog(logs) })).events

/**
 * Reads the ids of the first and the last event of a period's logs. Both are null if there are no
 * events.
 */
export const readRange = async (db: BatchDb, logs: PersonLogs) =>
  (await db.batchOfAllBranches({ range: first(selectRange(logs)) })).range ?? {
    first: null,
    last: null,
  }

interface PersonEvents {
  employee_id: string
  /** Events with ids greater than `after`, up to and including `until`, are read. */
  after: number
  until: number
  limit: number
}

const isOnPage = (p: Params<PersonEvents>) =>
  sql`${log_events.employee_id} = ${p.employee_id} AND ${log_events.log_id} IS NOT NULL
    AND ${log_events.id} > ${p.after} AND ${log_events.id} <= ${p.until}`

const eventsOfPerson = sql`${log_events} INDEXED BY log_events_employee_id`

const selectEvents = prepare((p: Params<PersonEvents>) =>
  selectStoredEvents(isOnPage(p), eventsOfPerson).limit(p.limit),
)

const requireScope = prepare((p: Params<PersonEvents & { scope: Scope }>) =>
  raiseIf([
    sql`${p.scope} IS NOT NULL AND EXISTS (SELECT 1 FROM ${eventsOfPerson}
      JOIN ${logs} ON ${logs.id} = ${log_events.log_id}
      WHERE ${isOnPage(p)} AND NOT ${isInScope(logs.branch_office, p.scope)})`,
    'EVIDENCE_OUT_OF_SCOPE',
  ]),
)

/**
 * Reads a page of the events of all of a person's logs.
 * @throws DomainError EVIDENCE_OUT_OF_SCOPE unless the person is the caller, or all logs up to
 * `until` are in the caller's scope
 */
export const readPersonEvents = async (db: AuthorizedDb, page: PersonEvents, isOwn: boolean) => {
  const { events } = await db.batch((scope) => ({
    check: requireScope({ ...page, scope: isOwn ? null : scope }),
    events: selectEvents(page),
  }))
  return events
}

const selectOtherEvents = prepare((p: Params<{ employee_id: string; until: number }>) =>
  selectStoredEvents(
    sql`${log_events.employee_id} = ${p.employee_id} AND ${log_events.log_id} IS NULL
      AND ${log_events.id} <= ${p.until}`,
    sql`${log_events} INDEXED BY log_events_person`,
  ),
)

/** Reads the person's agreements, signatures, answers, longest shifts and access events. */
export const readEventsWithoutLog = async (db: BatchDb, employee_id: string, until: number) =>
  (await db.batchOfAllBranches({ events: selectOtherEvents({ employee_id, until }) })).events

interface PersonClosings {
  employee_id: string
  /** The days of the period. Both are included. */
  fromDay: string
  toDay: string
  until: number
}

const paidIn = (p: Params<PersonClosings>) =>
  sql`SELECT paid.closing_id FROM ${closing_lines} AS paid INDEXED BY closing_lines_employee_id
    WHERE paid.employee_id = ${p.employee_id} AND paid.day BETWEEN ${p.fromDay} AND ${p.toDay}`

const selectPaidClosings = prepare((p: Params<PersonClosings>) =>
  qb
    .select({ id: sql<number>`paid.closing_id`.as('paid_closing_id') })
    .from(sql`(SELECT DISTINCT closing_id FROM (${paidIn(p)})) AS paid`),
)

const selectClosingEvents = prepare((p: Params<PersonClosings>) =>
  selectStoredEvents(
    sql`${log_events.closing_id} IN (
        ${paidIn(p)}
        UNION SELECT signed.closing_id FROM ${log_events} AS signed INDEXED BY log_events_person
          WHERE signed.employee_id = ${p.employee_id} AND signed.log_id IS NULL
            AND signed.event = 'signed')
      AND ${log_events.employee_id} IS NULL AND ${log_events.id} <= ${p.until}`,
    sql`${log_events} INDEXED BY log_events_closing_id`,
  ),
)

/**
 * Reads the events of the closings that paid the person on one of these days or that they signed,
 * and the ids of those that paid.
 */
export const readClosingEvents = async (db: BatchDb, query: PersonClosings) => {
  const { events, paid } = await db.batchOfAllBranches({
    events: selectClosingEvents(query),
    paid: selectPaidClosings(query),
  })
  return { events, paidIds: paid.map(({ id }) => id) }
}

interface PersonInClosings {
  employee_id: string
  /** The ids of closings as a JSON list. */
  ids: string
}

const isOfClosings = (closing_id: SQL, p: Params<PersonInClosings>) =>
  sql`${closing_id} IN (SELECT value FROM json_each(${p.ids}))`

const selectHashes = prepare((p: Params<PersonInClosings>) =>
  qb
    .select({
      closing_id: closing_people.closing_id,
      employee_id: closing_people.employee_id,
      hash: closing_people.hash,
    })
    .from(closing_people)
    .where(
      sql`${isOfClosings(sql`${closing_people.closing_id}`, p)}
        AND EXISTS (SELECT 1 FROM ${closing_lines}
          WHERE ${closing_lines}.closing_id = ${closing_people}.closing_id
            AND ${closing_lines}.employee_id = ${closing_people}.employee_id)`,
    ),
)

const selectOwnLines = prepare((p: Params<PersonInClosings & { scope: Scope }>) =>
  qb
    .select({ closing_id: closing_lines.closing_id, ...lineColumns })
    .from(closing_lines)
    .where(
      sql`${isOfClosings(sql`${closing_lines.closing_id}`, p)}
        AND ${closing_lines.employee_id} = ${p.employee_id}
        AND NOT EXISTS (SELECT 1 FROM ${closing_lines} AS line
          WHERE line.closing_id = ${closing_lines}.closing_id AND line.employee_id = ${p.employee_id}
            AND NOT ${isInScope(sql`line.branch_office`, p.scope)})`,
    )
    .orderBy(closing_lines.day),
)

/** The maximum number of closings of a query. Each has a hash of every person whom it paid. */
const CLOSINGS_PER_QUERY = 8

/**
 * Reads a person's lines in closings, and the hashes of all people with lines in them, by the id of
 * the closing. The proof needs these hashes. Unless `isOwn`, a closing is left out if one of the
 * lines is outside the caller's scope, since only all of them have the sealed hash.
 */
export const readOwnLines = async (
  db: AuthorizedDb,
  employee_id: string,
  closingIds: readonly number[],
  isOwn: boolean,
) => {
  const byClosing = new Map<number, { hashes: string[]; lines: ClosingLine[] }>()
  for (let at = 0; at < closingIds.length; at += CLOSINGS_PER_QUERY) {
    const ids = JSON.stringify(closingIds.slice(at, at + CLOSINGS_PER_QUERY))
    const { hashes, lines } = await db.batch((scope) => ({
      hashes: selectHashes({ employee_id, ids }),
      lines: selectOwnLines({ employee_id, ids, scope: isOwn ? null : scope }),
    }))
    const hashesOf = Map.groupBy(hashes, ({ closing_id }) => closing_id)
    for (const [id, ownLines] of Map.groupBy(lines, ({ closing_id }) => closing_id)) {
      const people = (hashesOf.get(id) ?? []).map((row) => [row.employee_id, row.hash] as const)
      byClosing.set(id, { hashes: hashesInOrder(new Map(people)), lines: ownLines })
    }
  }
  return byClosing
}

const selectBoundaries = prepare((p: Params<{ id: number; until: number }>) =>
  qb
    .select({
      id: log_seals.id,
      size: log_seals.size,
      last_event_id: log_seals.last_event_id,
      created_at: log_seals.created_at,
      verifier_key: log_seals.verifier_key,
    })
    .from(log_seals)
    .where(sql`${log_seals.last_event_id} BETWEEN ${p.id} AND ${p.until}`)
    .orderBy(log_seals.last_event_id),
)

/** Lists the seals from the seal that has event `id` to the seal that ends with event `until`. */
export const listSealEnds = async (db: BatchDb, id: number, until: number) =>
  (await db.batchOfAllBranches({ ends: selectBoundaries({ id, until }) })).ends

export type SealEnd = Awaited<ReturnType<typeof listSealEnds>>[number]

// The earlier seal ends where the leaves of this seal begin. The prefix `log_seals.` is written
// out, because Drizzle omits it in a query of one table, and SQLite would then take the columns of
// the subquery.
const edgeBefore = sql<string>`coalesce((SELECT hex(earlier.edge) FROM ${log_seals} AS earlier
  WHERE earlier.size = ${log_seals}.size - length(${log_seals}.leaves) / 32), '')`

const selectSealRange = prepare((p: Params<{ from: number; until: number }>) =>
  qb
    .select({
      ...sealFields,
      edge: sql<string>`hex(${log_seals.edge})`.as('edge_hex'),
      edge_before: edgeBefore.as('edge_before_hex'),
    })
    .from(log_seals)
    .where(sql`${log_seals.size} BETWEEN ${p.from} AND ${p.until}`)
    .orderBy(log_seals.size),
)

/** Reads the seals that end between these sizes, both included, with the edges for proofs. */
export const readSealRange = async (db: BatchDb, from: number, until: number) =>
  (await db.batchOfAllBranches({ seals: selectSealRange({ from, until }) })).seals

export type SealWithEdges = Awaited<ReturnType<typeof readSealRange>>[number]
