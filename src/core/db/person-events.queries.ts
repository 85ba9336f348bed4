import { sql } from 'drizzle-orm'
import { statements } from '../tables/agreements.ts'
import { randomSalt } from '../tables/columns.ts'
import { log_events } from '../tables/logs.ts'
import { users } from '../tables/users.ts'
import type { EvidenceEvent } from '../values/log-values.ts'
import type { SaltedComment } from '../values/salted-hash.ts'
import { type ColumnValues, insertSelect, literal, type Params, prepare } from './query.ts'

export interface PersonEvent {
  event: Extract<EvidenceEvent, 'agreed' | 'signed' | 'answered' | 'shown'>
  employee_id: string
  /** Null unless the event is a signature. */
  closing_id: number | null
  user_id: number
  at: string
  /** JSON of the fields that depend on the kind of event. */
  details: string
}

type Values = Pick<
  ColumnValues<typeof log_events>,
  'event' | 'employee_id' | 'closing_id' | 'user_id' | 'details'
>

/** The row of an event of a person, for `insertSelect`. */
export const personEventRow = (p: Values & Params<{ at: string }>) => ({
  id: null,
  event: p.event,
  log_id: null,
  closing_id: p.closing_id,
  user_id: p.user_id,
  from_status: null,
  to_status: null,
  comment_id: null,
  created_at: p.at,
  employee_id: p.employee_id,
  kind: null,
  recorded_at: null,
  source: null,
  actor: sql`(SELECT ${users.actor_hash} FROM ${users} WHERE ${users.id} = ${literal(p.user_id)})`,
  salt: randomSalt,
  details: p.details,
})

const insertPersonEvent = prepare((p: Params<PersonEvent>) =>
  insertSelect(log_events, personEventRow(p)),
)

/** Adds the comment of the event that the same batch has just added, unless `text` is null. */
const insertEventComment = prepare((p: Params<SaltedComment>) =>
  insertSelect(
    statements,
    { event_id: sql`(SELECT max(id) FROM ${log_events})`, text: p.text, salt: p.salt },
    sql`WHERE ${p.text} IS NOT NULL`,
  ),
)

/** The statements that add an agreement, a signature or an answer to the evidence, with its comment. */
export const insertEventWithComment = (event: PersonEvent, comment: SaltedComment) => ({
  event: insertPersonEvent(event),
  comment: insertEventComment(comment),
})

interface Confirmed {
  user_id: number
  employee_id: string
  password_hash: string
}

/** Whether the caller is still this employee, with the password that was checked. */
export const isConfirmed = (p: Params<Confirmed>) =>
  sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${p.user_id}
    AND ${users.employee_id} = ${p.employee_id} AND ${users.password_hash} = ${p.password_hash})`
