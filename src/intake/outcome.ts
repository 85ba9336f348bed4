import { FIRST_SERVICE_ID, type LogKind } from '../core/values/log-values.ts'

/** What becomes of a log that is sent. The database says only what it has of it. */

/**
 * Why a log is not stored. `invalid`, `future` and `too_old` are found before the database is read,
 * but the detail `forbidden_id` of `invalid` by the query.
 */
export type Refusal = 'invalid' | 'future' | 'too_old' | 'unknown_employee' | 'other_branch'

/** The name of a field is the detail of `invalid`, and `near:` with an id of `unknown_employee`. */
export type RefusalDetail = 'forbidden_id' | 'ended' | 'clock' | FieldName | `near:${string}`

/** The id in a detail that begins with `near:`. Null in any other detail. */
export const nearOf = (detail: string | null): string | null =>
  detail?.startsWith('near:') ? detail.slice('near:'.length) : null

/** A log of a request. An invalid log has only its ids, or no ids if these cannot be read. */
export interface SentLog {
  source_id: string | null
  /** The log's id in the legacy API. */
  log_id: number | null
  /** Null in an invalid log, and if the log is for the caller's own employee. */
  employee_id: string | null
  kind: LogKind | null
  /** UTC with milliseconds. */
  recorded_at: string | null
  /** The offset that was sent with the time, such as `-06:00`. Null for `Z`. */
  offset: string | null
  /** What is wrong with an invalid log: the first wrong field, or the phone's clock. */
  wrong: FieldName | 'clock' | null
}

type FieldName = keyof Omit<SentLog, 'wrong' | 'offset'>

/** A sent log with the reason to refuse it, if that is known before the database is queried. */
export interface CheckedLog extends SentLog {
  reason: Refusal | null
}

export interface IntakeResult {
  /** Null if the log was refused. */
  log_id: number | null
  result: 'created' | 'known' | 'differs' | 'refused'
  reason?: Refusal
  detail?: RefusalDetail
  /** The id that an unknown employee's id resembles. */
  near?: string
}

/** What the database has of an item, after the new ones were inserted. */
export interface ItemFacts {
  /** The log with the item's id. */
  stored_id: number | null
  /**
   * The log that says the same: with the item's id, or of the same second. Null if the item is
   * refused for another reason than its time. One that is stored may have any time, because it may
   * have been imported.
   */
  accepted_id: number | null
  /** The first reason why the item would not be stored. */
  refusal: Refusal | null
  detail: RefusalDetail | null
}

/** @param isNew whether this request has stored the log with this id */
export const outcomeOf = (
  { stored_id, accepted_id, refusal, detail }: ItemFacts,
  isNew: (id: number) => boolean,
): IntakeResult => {
  if (accepted_id !== null) {
    // A new log of the same second, but of another id, is of another item.
    const isCreated = accepted_id === stored_id && isNew(accepted_id)
    return { log_id: accepted_id, result: isCreated ? 'created' : 'known' }
  }
  if (refusal === null) return { log_id: stored_id, result: 'differs' }
  const near = nearOf(detail)
  return {
    log_id: null,
    result: 'refused',
    reason: refusal,
    ...(detail && { detail }),
    ...(near !== null && { near }),
  }
}

const isSameId = (a: SentLog, b: SentLog): boolean =>
  a.log_id === b.log_id && a.source_id === b.source_id

/** The results if all items were inserted. The new ids ascend in the order of the items. */
const allCreated = (items: readonly CheckedLog[], created: readonly number[]): IntakeResult[] => {
  const serviceIds = created.filter((id) => id >= FIRST_SERVICE_ID).sort((a, b) => b - a)
  return items.map(({ log_id }) => ({
    log_id: log_id ?? serviceIds.pop() ?? null,
    result: 'created',
  }))
}

/** The result of each item, in the order sent. Of equal items, only the first is `created`. */
export const resultsOf = (
  items: readonly CheckedLog[],
  { created, facts }: { created: readonly number[]; facts: readonly ItemFacts[] },
): IntakeResult[] => {
  if (created.length === items.length) return allCreated(items, created)
  const unclaimed = new Set(created)
  const results: IntakeResult[] = []
  for (const [index, item] of items.entries()) {
    const ofItem = facts[index]
    if (!ofItem) throw new Error(`Nothing is known of item ${index}.`)
    const outcome = outcomeOf(ofItem, (id) => unclaimed.delete(id))
    // If no stored log has this id, an earlier item of the request has it.
    const first = items.findIndex((one) => isSameId(one, item))
    const isOfEarlier = outcome.result === 'differs' && outcome.log_id === null
    results.push(isOfEarlier ? { ...outcome, log_id: results[first]?.log_id ?? null } : outcome)
  }
  return results
}
