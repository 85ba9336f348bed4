import { inArray, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../core/db/authorization.ts'
import type { BatchDb } from '../../core/db/batch-db.ts'
import {
  type Expression,
  expression,
  firstOrFail,
  type Params,
  prepare,
  qb,
  valuesOf,
} from '../../core/db/query.ts'
import { raiseIf } from '../../core/db/raise.ts'
import { isInScope, type Scope } from '../../core/db/scope.ts'
import { hasAnyStatusAndKind } from '../../core/db/shared-expressions.ts'
import { columns, number, orNull, text } from '../../core/db/text-query.ts'
import { log_events, attendance_logs as logs } from '../../core/tables/logs.ts'
import { closing_lines } from '../../core/tables/payroll.ts'
import { selectStoredEvents } from '../seal/sealed-events.queries.ts'
import { selectEnd } from './evidence.queries.ts'

export const isOneOfPeople = (employee_id: Expression, p: Params<{ people: string }>) =>
  sql`${expression(employee_id)} IN ${valuesOf(p.people)}`

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

/** The id of an event, with the employee whom it is of. Null for an event of a closing or source. */
export interface FileEvent {
  id: number
  employee_id: string | null
}

/** The ids of the events that the rest of a statement finds. */
const idsOf = (found: SQL) =>
  qb
    .select(columns({ id: number, employee_id: orNull(text) }))
    .from(
      sql`(SELECT ${log_events.id} AS id, ${log_events.employee_id} AS employee_id FROM ${found})`,
    )

const selectIdsOfLogs = prepare((p: Params<FileContents>) => idsOf(eventsOfLogs(p)))

const selectIdsOfLog = prepare((p: Params<FileContents>) =>
  idsOf(sql`${log_events} INDEXED BY log_events_log_id
    WHERE ${log_events.log_id} = ${p.log_id} ORDER BY ${log_events.id}`),
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
  idsOf(sql`${log_events} INDEXED BY log_events_person
    WHERE ${isOneOfPeople(log_events.employee_id, p)} AND ${log_events.log_id} IS NULL`),
)

/** The changes of the clocks and other sources of the people's logs. */
const selectIdsOfSources = prepare((p: Params<FileContents>) =>
  idsOf(sql`${log_events} INDEXED BY log_events_source
    WHERE ${log_events.event} = 'ruled' AND ${log_events.source} IS NOT NULL
      AND ${log_events.source} <> '' AND ${log_events.source} IN (
        SELECT ${log_events.source} FROM ${eventsOfLogs(p)})`),
)

const paidIn = (p: Params<FileContents>) =>
  sql`SELECT paid.closing_id FROM ${closing_lines} AS paid INDEXED BY closing_lines_employee_id
    WHERE ${isOneOfPeople('paid.employee_id', p)} AND paid.day BETWEEN ${p.fromDay} AND ${p.toDay}`

const selectPaidClosings = prepare((p: Params<FileContents>) =>
  qb
    .select(columns({ id: number }))
    .from(sql`(SELECT DISTINCT closing_id AS id FROM (${paidIn(p)}))`),
)

/** The events of the closings that paid one of the people in the period or that one of them signed. */
const selectIdsOfClosings = prepare((p: Params<FileContents>) =>
  idsOf(sql`${log_events} INDEXED BY log_events_closing_id
    WHERE ${log_events.closing_id} IN (
        ${paidIn(p)}
        UNION SELECT signed.closing_id FROM ${log_events} AS signed INDEXED BY log_events_person
          WHERE ${isOneOfPeople('signed.employee_id', p)} AND signed.log_id IS NULL
            AND signed.event = 'signed')
      AND ${log_events.employee_id} IS NULL`),
)

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
  selectStoredEvents(inArray(log_events.id, valuesOf(p.ids))),
)

const EVENTS_PER_QUERY = 2_000

/** Reads the events with these ascending ids, one after another. */
export async function* readEventsByIds(db: BatchDb, ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += EVENTS_PER_QUERY) {
    const page = JSON.stringify(ids.slice(at, at + EVENTS_PER_QUERY))
    yield* (await db.batchOfAllBranches({ events: selectEventsByIds({ ids: page }) })).events
  }
}
