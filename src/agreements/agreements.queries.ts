import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import {
  insertEventWithComment,
  isConfirmed,
  type PersonEvent,
  personEventRow,
} from '../core/db/person-events.queries.ts'
import { first, firstOrFail, insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { type Rule, raiseIf } from '../core/db/rules.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { ownEmployeeId } from '../core/db/shared-expressions.ts'
import { agreements } from '../core/tables/agreements.ts'
import { log_events } from '../core/tables/logs.ts'
import { employees } from '../core/tables/people.ts'
import { users } from '../core/tables/users.ts'
import type { SaltedComment } from '../core/values/salted-hash.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { comparable, isUnknownEmployee } from '../people/employees.queries.ts'
import type { AgreementText } from './agreement-hash.ts'

interface NewAgreement extends AgreementText {
  sha256: string
}

const insertAgreement = prepare((p: Params<NewAgreement & { user_id: number; at: string }>) =>
  insertSelect(agreements, {
    id: null,
    title: p.title,
    text: p.text,
    sha256: p.sha256,
    valid_from: p.valid_from,
    created_by: p.user_id,
    created_at: p.at,
  }).returning({ id: agreements.id, sha256: agreements.sha256 }),
)

const requireNew = prepare((p: Params<{ sha256: string }>) =>
  raiseIf([
    sql`EXISTS (SELECT 1 FROM ${agreements} WHERE ${agreements.sha256} = ${p.sha256})`,
    'AGREEMENT_EXISTS',
  ]),
)

/** @throws DomainError AGREEMENT_EXISTS if a stored agreement has this text, title and first day */
export const saveAgreement = async (db: AuthorizedDb, agreement: NewAgreement, at: string) => {
  const { saved } = await db.batchOfAllBranches({
    check: requireNew({ sha256: agreement.sha256 }),
    saved: firstOrFail(insertAgreement({ ...agreement, user_id: db.claims.userId, at })),
  })
  return saved
}

const agreedEvents = (employee: SQL, sha256: SQL, hows: SQL) =>
  sql`FROM ${log_events} INDEXED BY log_events_person
    WHERE ${log_events.employee_id} = ${employee} AND ${log_events.log_id} IS NULL
      AND ${log_events.event} = 'agreed' AND ${log_events.details} ->> 'agreement' = ${sha256}
      AND ${log_events.details} ->> 'how' IN ${hows}`

/**
 * The id of the event by which an employee agreed to a text. It is the first event in an app, or
 * else the event of the newest paper. Null if there is none, or if that paper is void.
 */
const agreedEventOf = (employee: SQL, sha256: SQL) => sql<number | null>`coalesce(
  (SELECT min(${log_events.id}) ${agreedEvents(employee, sha256, sql`('app')`)}),
  (SELECT iif(${log_events.details} ->> 'how' = 'paper', ${log_events.id}, NULL)
    ${agreedEvents(employee, sha256, sql`('paper', 'void')`)} ORDER BY ${log_events.id} DESC LIMIT 1))`

const shownFields = {
  id: agreements.id,
  title: agreements.title,
  text: agreements.text,
  sha256: agreements.sha256,
  valid_from: agreements.valid_from,
}

const acceptedAt = (employee: SQL) =>
  sql<string | null>`(SELECT accepted.created_at FROM ${log_events} AS accepted
    WHERE accepted.id = ${agreedEventOf(employee, sql`${agreements.sha256}`)})`

const selectCurrent = prepare((p: Params<{ user_id: number; today: string }>) =>
  qb
    .select({
      ...shownFields,
      accepted_at: acceptedAt(ownEmployeeId(p)).as('accepted_at'),
    })
    .from(agreements)
    .where(sql`${agreements.valid_from} <= ${p.today}`)
    .orderBy(desc(agreements.valid_from), desc(agreements.id))
    .limit(1),
)

/** The newest valid text, and when the caller agreed to it. Undefined if no text is valid. */
export const findCurrentAgreement = async (db: AuthorizedDb, now: Date) => {
  const { current } = await db.batch((_, zones) => {
    const today = companyDay(now, zones)
    return { current: first(selectCurrent({ user_id: db.claims.userId, today })) }
  })
  return current
}

const selectAgreements = prepare(() =>
  qb
    .select({ ...shownFields, created_at: agreements.created_at })
    .from(agreements)
    .orderBy(desc(agreements.valid_from), desc(agreements.id)),
)

/** All texts, the newest first. */
export const listAgreements = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches({ agreements: selectAgreements({}) })).agreements

const isUnknown = (id: SQL): Rule => [
  sql`NOT EXISTS (SELECT 1 FROM ${agreements} WHERE ${agreements.id} = ${id})`,
  'AGREEMENT_NOT_FOUND',
]

const hashOf = (id: SQL) =>
  sql`(SELECT ${agreements.sha256} FROM ${agreements} WHERE ${agreements.id} = ${id})`

const ofAgreement = (id: SQL, condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${agreements} WHERE ${agreements.id} = ${id} AND ${condition})`

interface Acceptance {
  id: number
  sha256: string
  employee_id: string
  user_id: number
  password_hash: string
  today: string
}

const requireAcceptable = prepare((p: Params<Acceptance>) =>
  raiseIf(
    isUnknown(p.id),
    [sql`NOT ${isConfirmed(p)}`, 'WRONG_PASSWORD'],
    [ofAgreement(p.id, sql`${agreements.sha256} <> ${p.sha256}`), 'AGREEMENT_CHANGED'],
    [ofAgreement(p.id, sql`${agreements.valid_from} > ${p.today}`), 'AGREEMENT_NOT_YET'],
  ),
)

const insertFirst = prepare((p: Params<PersonEvent & { sha256: string }>) =>
  insertSelect(
    log_events,
    personEventRow(p),
    sql`WHERE NOT EXISTS (SELECT 1 ${agreedEvents(p.employee_id, p.sha256, sql`('app')`)})`,
  ),
)

const selectInApp = prepare((p: Params<{ employee_id: string; sha256: string }>) =>
  qb
    .select({ accepted_at: log_events.created_at })
    .from(log_events)
    .where(
      sql`${log_events.id} = (SELECT min(${log_events.id})
        ${agreedEvents(p.employee_id, p.sha256, sql`('app')`)})`,
    ),
)

/**
 * Records that the caller's employee has agreed in an app, and returns the moment. If an earlier
 * agreement in an app is recorded, nothing is written, and its moment is returned.
 * @throws DomainError AGREEMENT_NOT_FOUND, WRONG_PASSWORD, AGREEMENT_CHANGED, AGREEMENT_NOT_YET
 */
export const acceptInApp = async (
  db: AuthorizedDb,
  acceptance: Omit<Acceptance, 'user_id' | 'today'>,
  { details, at }: { details: string; at: string },
): Promise<string> => {
  const { employee_id, sha256 } = acceptance
  const user_id = db.claims.userId
  const event = { event: 'agreed', employee_id, closing_id: null, user_id, at, details } as const
  const { accepted } = await db.batch((_, zones) => ({
    check: requireAcceptable({ ...acceptance, user_id, today: companyDay(new Date(at), zones) }),
    event: insertFirst({ ...event, sha256 }),
    accepted: first(selectInApp({ employee_id, sha256 })),
  }))
  return accepted?.accepted_at ?? at
}

interface Paper {
  id: number
  employee_id: string
  signed_on: string
  today: string
  user_id: number
  scope: Scope
}

const isOutside = (p: Params<Pick<Paper, 'employee_id' | 'scope'>>): Rule => [
  isUnknownEmployee(p),
  'UNKNOWN_EMPLOYEE',
]

const isOwn = (p: Params<Pick<Paper, 'employee_id' | 'user_id'>>): Rule => [
  sql`${ownEmployeeId(p)} = ${p.employee_id}`,
  'OWN_EMPLOYEE',
]

/** Whether a signed paper of this text is recorded for the person and is not void. */
const hasPaper = (p: Params<Pick<Paper, 'id' | 'employee_id'>>) =>
  sql`coalesce((SELECT ${log_events.details} ->> 'how'
    ${agreedEvents(p.employee_id, hashOf(p.id), sql`('paper', 'void')`)}
    ORDER BY ${log_events.id} DESC LIMIT 1), 'void') = 'paper'`

const requirePaper = prepare((p: Params<Paper>) =>
  raiseIf(
    isUnknown(p.id),
    isOutside(p),
    isOwn(p),
    [
      sql`${p.signed_on} > ${p.today} OR ${ofAgreement(p.id, sql`${agreements.valid_from} > ${p.signed_on}`)}`,
      'PAPER_DAY',
    ],
    [hasPaper(p), 'PAPER_EXISTS'],
  ),
)

const requireVoidable = prepare((p: Params<Omit<Paper, 'signed_on' | 'today'>>) =>
  raiseIf(isUnknown(p.id), isOutside(p), isOwn(p), [sql`NOT ${hasPaper(p)}`, 'PAPER_MISSING']),
)

const selectHash = prepare((p: Params<{ id: number }>) =>
  qb.select({ sha256: agreements.sha256 }).from(agreements).where(eq(agreements.id, p.id)),
)

/** The hash of the text with this id. Undefined if there is none. */
export const findAgreementHash = async (db: BatchDb, id: number): Promise<string | undefined> =>
  (await db.batchOfAllBranches({ hash: first(selectHash({ id })) })).hash?.sha256

interface RecordedPaper {
  id: number
  employee_id: string
  details: string
  words: SaltedComment
  now: Date
}

/**
 * Records a signed paper, or makes a recorded paper void.
 * @param signed_on the day on the paper; null to make the paper void
 * @throws DomainError AGREEMENT_NOT_FOUND, UNKNOWN_EMPLOYEE, OWN_EMPLOYEE, PAPER_DAY, PAPER_EXISTS,
 * PAPER_MISSING
 */
export const savePaperEvent = async (
  db: AuthorizedDb,
  signed_on: string | null,
  { id, employee_id, details, words, now }: RecordedPaper,
): Promise<void> => {
  const user_id = db.claims.userId
  const at = now.toISOString()
  await db.batch((scope, zones) => {
    const today = companyDay(new Date(at), zones)
    const subject = { id, employee_id, user_id, scope }
    return {
      check:
        signed_on === null
          ? requireVoidable(subject)
          : requirePaper({ ...subject, signed_on, today }),
      ...insertEventWithComment(
        { event: 'agreed', employee_id, closing_id: null, user_id, at, details },
        words,
      ),
    }
  })
}

interface PeopleFilter {
  id: number
  branch_office: string | null
  agreed: number | null
  after_name: string
  after_id: string
  limit: number
  today: string
  scope: Scope
}

const nameKey = comparable(sql`${employees.full_name}`)

/** Whether an employee is in the scope and the branch, and has not left. */
const isAsked = (p: Params<Pick<PeopleFilter, 'today' | 'scope' | 'branch_office'>>) =>
  sql`coalesce(${employees.ended_at}, ${p.today}) >= ${p.today}
    AND ${isInScope(employees.branch_office, p.scope)}
    AND (${p.branch_office} IS NULL OR ${employees.branch_office} = ${p.branch_office})`

const agreedEvent = (p: Params<{ id: number }>) =>
  agreedEventOf(sql`${employees.employee_id}`, hashOf(p.id))

const selectPeople = prepare((p: Params<PeopleFilter>) =>
  qb
    .select({
      name_key: sql<string>`${nameKey}`.as('name_key'),
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      branch_office: employees.branch_office,
      agreed_at: sql<string | null>`${log_events.created_at}`.as('agreed_at'),
      how: sql<'app' | 'paper' | null>`${log_events.details} ->> 'how'`.as('how'),
      has_user: sql`EXISTS (SELECT 1 FROM ${users}
        WHERE ${users.employee_id} = ${employees.employee_id} AND ${users.active} = 1)`
        .mapWith(Boolean)
        .as('has_user'),
    })
    .from(employees)
    .leftJoin(log_events, sql`${log_events.id} = ${agreedEvent(p)}`)
    .where(
      sql`${isAsked(p)} AND (${p.agreed} IS NULL OR (${log_events.id} IS NOT NULL) = ${p.agreed})
        AND (${nameKey}, ${employees.employee_id}) > (${p.after_name}, ${p.after_id})`,
    )
    .orderBy(nameKey, employees.employee_id)
    .limit(p.limit),
)

const selectCounts = prepare((p: Params<Omit<PeopleFilter, 'agreed' | 'limit'>>) =>
  qb
    .select({
      agreed: sql<number>`count(${agreedEvent(p)})`.as('agreed'),
      missing: sql<number>`count(*) - count(${agreedEvent(p)})`.as('missing'),
    })
    .from(employees)
    .where(isAsked(p)),
)

const requireKnown = prepare((p: Params<{ id: number }>) => raiseIf(isUnknown(p.id)))

/**
 * A page of the employees in the scope who have not left, sorted by name, with the moment when each
 * agreed to a text. The counts `agreed` and `missing` ignore the page and the filter `agreed`.
 * @throws DomainError AGREEMENT_NOT_FOUND
 */
export const listAgreementPeople = async (
  db: AuthorizedDb,
  filter: Omit<PeopleFilter, 'today' | 'scope'>,
  now: Date,
) => {
  const { people, counts } = await db.batch((scope, zones) => {
    const values = { ...filter, scope, today: companyDay(now, zones) }
    return {
      check: requireKnown({ id: filter.id }),
      people: selectPeople(values),
      counts: first(selectCounts(values)),
    }
  })
  return { people, agreed: counts?.agreed ?? 0, missing: counts?.missing ?? 0 }
}
