import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import type { BatchDb } from '../../core/db/batch-db.ts'
import { firstOrFail, type Params, prepare, qb } from '../../core/db/query.ts'
import { raise, raiseIf } from '../../core/db/rules.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind } from '../../core/db/shared-expressions.ts'
import { log_seals } from '../../core/tables/evidence.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { closing_lines, closing_people } from '../../core/tables/payroll.ts'
import { employees } from '../../core/tables/people.ts'
import { users } from '../../core/tables/users.ts'
import { type ClosingLine, hashesInOrder } from '../../payroll/closings/closing-lines.ts'
import { lineColumns } from '../../payroll/closings/lines.queries.ts'
import { selectStoredEvents } from '../seal/sealed-events.queries.ts'
import { sealFields, selectEnd } from './evidence.queries.ts'

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

interface BranchPeople {
  branch_office: string
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  /** Employees with ids greater than `after` are read. */
  after: string
  limit: number
}

const branchPeople = (p: Params<BranchPeople>, limit: SQLWrapper = p.limit) =>
  sql`(SELECT DISTINCT ${logs.employee_id} AS employee_id
    FROM ${logs} INDEXED BY attendance_logs_branch
    WHERE ${logs.branch_office} = ${p.branch_office} AND ${hasAnyStatusAndKind}
      AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before}
      AND ${logs.employee_id} > ${p.after}
    ORDER BY ${logs.employee_id} LIMIT ${limit}) AS person`

const requireBranch = prepare((p: Params<Caller & BranchPeople>) =>
  raiseIf(
    [sql`NOT ${isAdministrator(p)}`, 'FORBIDDEN'],
    [
      sql`${p.scope} IS NOT NULL AND (NOT ${isInScope(p.branch_office, p.scope)}
        OR EXISTS (SELECT 1 FROM ${branchPeople(p)} LEFT JOIN ${employees}
          ON ${employees.employee_id} = person.employee_id
          WHERE NOT ${isInScope(employees.branch_office, p.scope)}))`,
      'EVIDENCE_OUT_OF_SCOPE',
    ],
    [sql`NOT EXISTS (SELECT 1 FROM ${branchPeople(p)})`, 'NOBODY_IN_PERIOD'],
  ),
)

const selectBranchPeople = prepare((p: Params<BranchPeople>) =>
  qb
    .select({ employee_id: sql<string>`person.employee_id`.as('person_id') })
    .from(branchPeople(p, sql`${p.limit} + 1`)),
)

/**
 * Reads the ids of people who have logs of a branch in a period, in ascending order, and one more
 * than the limit if there are more.
 * @throws DomainError FORBIDDEN unless the caller is an administrator
 * @throws DomainError EVIDENCE_OUT_OF_SCOPE if the branch or one of the people is not in the
 * caller's scope; NOBODY_IN_PERIOD
 */
export const readBranchPeople = async (
  db: AuthorizedDb,
  branch: BranchPeople,
  adminRoles: readonly string[],
) => {
  const caller = { user_id: db.claims.userId, roles: JSON.stringify(adminRoles) }
  const { people } = await db.batch((scope) => ({
    check: requireBranch({ ...caller, ...branch, scope }),
    people: selectBranchPeople(branch),
  }))
  return people.map(({ employee_id }) => employee_id)
}

interface FileContents {
  /** The ids of the employees, as a JSON list. */
  people: string
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  /** The days of the period. Both are included. */
  fromDay: string
  toDay: string
}

const isOneOfPeople = (employee_id: SQLWrapper, p: Params<{ people: string }>) =>
  sql`${employee_id} IN (SELECT value FROM json_each(${p.people}))`

// The indexes of events and of logs are named. Otherwise SQLite reads all events in the order of
// their ids.
const ranges = (p: Params<FileContents>) => sql`(SELECT ${log_events.employee_id} AS person_id,
    min(${log_events.id}) AS first_id, max(${log_events.id}) AS last_id
  FROM ${log_events} INDEXED BY log_events_log_id
  WHERE ${log_events.log_id} IN (SELECT ${logs.id} FROM ${logs} INDEXED BY attendance_logs_employee
      WHERE ${isOneOfPeople(logs.employee_id, p)} AND ${hasAnyStatusAndKind}
        AND ${logs.recorded_at} >= ${p.from} AND ${logs.recorded_at} < ${p.before})
  GROUP BY ${log_events.employee_id}) AS of_period`

/**
 * The events of the people's logs from each person's first event to the last event of a log of the
 * period. The events of other logs between them are included, so that `previous` shows that no event
 * is missing.
 */
const eventsOfLogs = (p: Params<FileContents>) => sql`${ranges(p)}
  CROSS JOIN ${log_events} INDEXED BY log_events_employee_id
    ON ${log_events.employee_id} = of_period.person_id AND ${log_events.log_id} IS NOT NULL
      AND ${log_events.id} BETWEEN of_period.first_id AND of_period.last_id`

const idFields = {
  id: sql<number>`${log_events.id}`.as('event_id'),
  employee_id: sql<string | null>`${log_events.employee_id}`.as('event_employee_id'),
}

const selectIdsOfLogs = prepare((p: Params<FileContents>) =>
  qb.select(idFields).from(eventsOfLogs(p)),
)

const selectIdsOfLog = prepare((p: Params<FileContents>) =>
  qb
    .select(idFields)
    .from(sql`${log_events} INDEXED BY log_events_log_id`)
    .where(sql`${log_events.log_id} = ${p.log_id}`)
    .orderBy(log_events.id),
)

const requireScope = prepare((p: Params<FileContents & { scope: Scope }>) =>
  raiseIf([
    sql`${p.scope} IS NOT NULL AND EXISTS (SELECT 1 FROM ${eventsOfLogs(p)}
      JOIN ${logs} ON ${logs.id} = ${log_events.log_id}
      WHERE NOT ${isInScope(logs.branch_office, p.scope)})`,
    'EVIDENCE_OUT_OF_SCOPE',
  ]),
)

/** Agreements, signatures, answers, longest shifts and access events. */
const selectIdsOfStatements = prepare((p: Params<FileContents>) =>
  qb
    .select(idFields)
    .from(sql`${log_events} INDEXED BY log_events_person`)
    .where(sql`${isOneOfPeople(log_events.employee_id, p)} AND ${log_events.log_id} IS NULL`),
)

/** The changes of the clocks and other sources of the people's logs. */
const selectIdsOfSources = prepare((p: Params<FileContents>) =>
  qb
    .select(idFields)
    .from(sql`${log_events} INDEXED BY log_events_source`)
    .where(
      sql`${log_events.event} = 'ruled' AND ${log_events.source} IS NOT NULL
        AND ${log_events.source} <> '' AND ${log_events.source} IN (
          SELECT ${log_events.source} FROM ${eventsOfLogs(p)})`,
    ),
)

const paidIn = (p: Params<FileContents>) =>
  sql`SELECT paid.closing_id FROM ${closing_lines} AS paid INDEXED BY closing_lines_employee_id
    WHERE ${isOneOfPeople(sql`paid.employee_id`, p)} AND paid.day BETWEEN ${p.fromDay} AND ${p.toDay}`

const selectPaidClosings = prepare((p: Params<FileContents>) =>
  qb
    .select({ id: sql<number>`paid.closing_id`.as('paid_closing_id') })
    .from(sql`(SELECT DISTINCT closing_id FROM (${paidIn(p)})) AS paid`),
)

/** The events of the closings that paid one of the people in the period or that one of them signed. */
const selectIdsOfClosings = prepare((p: Params<FileContents>) =>
  qb
    .select(idFields)
    .from(sql`${log_events} INDEXED BY log_events_closing_id`)
    .where(
      sql`${log_events.closing_id} IN (
          ${paidIn(p)}
          UNION SELECT signed.closing_id FROM ${log_events} AS signed INDEXED BY log_events_person
            WHERE ${isOneOfPeople(sql`signed.employee_id`, p)} AND signed.log_id IS NULL
              AND signed.event = 'signed')
        AND ${log_events.employee_id} IS NULL`,
    ),
)

/** The id of an event, with the employee whom it is of. Null for an event of a closing or source. */
export interface FileEvent {
  id: number
  employee_id: string | null
}

/**
 * Reads the ids of the events of a file in ascending order, the ids of the closings that paid the
 * people in the period, and the id of the newest of all events.
 * @throws DomainError EVIDENCE_OUT_OF_SCOPE unless all logs of the file are in the caller's scope,
 * or the person is the caller. `readPerson` has checked the scope of a file of one log
 */
export const readFileEvents = async (
  db: AuthorizedDb,
  contents: FileContents,
  isOwn: boolean,
): Promise<{ events: FileEvent[]; paidIds: number[]; last_id: number }> => {
  if (contents.log_id !== null) {
    const { events, end } = await db.batchOfAllBranches({
      events: selectIdsOfLog(contents),
      end: firstOrFail(selectEnd({})),
    })
    return { events, paidIds: [], last_id: end.last_id }
  }
  const { logs, statements, closings, sources, paid, end } = await db.batch((scope) => ({
    check: requireScope({ ...contents, scope: isOwn ? null : scope }),
    logs: selectIdsOfLogs(contents),
    statements: selectIdsOfStatements(contents),
    closings: selectIdsOfClosings(contents),
    sources: selectIdsOfSources(contents),
    paid: selectPaidClosings(contents),
    end: firstOrFail(selectEnd({})),
  }))
  const events = [...logs, ...statements, ...closings, ...sources].toSorted((a, b) => a.id - b.id)
  return { events, paidIds: paid.map(({ id }) => id), last_id: end.last_id }
}

const selectEventsByIds = prepare((p: Params<{ ids: string }>) =>
  selectStoredEvents(sql`${log_events.id} IN (SELECT value FROM json_each(${p.ids}))`),
)

const EVENTS_PER_QUERY = 2_000

/** Reads the events with these ascending ids, one after another. */
export async function* readEventsByIds(db: BatchDb, ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += EVENTS_PER_QUERY) {
    const page = JSON.stringify(ids.slice(at, at + EVENTS_PER_QUERY))
    yield* (await db.batchOfAllBranches({ events: selectEventsByIds({ ids: page }) })).events
  }
}

interface PeopleInClosings {
  /** The ids of the employees, as a JSON list. */
  people: string
  /** The ids of closings as a JSON list. */
  ids: string
}

const isOfClosings = (closing_id: SQL, p: Params<PeopleInClosings>) =>
  sql`${closing_id} IN (SELECT value FROM json_each(${p.ids}))`

const selectHashes = prepare((p: Params<PeopleInClosings>) =>
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

const selectOwnLines = prepare((p: Params<PeopleInClosings & { scope: Scope }>) =>
  qb
    .select({ closing_id: closing_lines.closing_id, ...lineColumns })
    .from(closing_lines)
    .where(
      sql`${isOfClosings(sql`${closing_lines.closing_id}`, p)}
        AND ${isOneOfPeople(closing_lines.employee_id, p)}
        AND NOT EXISTS (SELECT 1 FROM ${closing_lines} AS line
          WHERE line.closing_id = ${closing_lines}.closing_id
            AND line.employee_id = ${closing_lines}.employee_id
            AND NOT ${isInScope(sql`line.branch_office`, p.scope)})`,
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
