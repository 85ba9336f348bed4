import { bytesOf, toHex } from './bytes.ts'
import { sha256 } from './sha256.ts'

/** An event as it is sealed. */
export interface Leaf {
  /** The user's `actor_hash`, or `import`. */
  actor: string
  /** When it happened. */
  at: string
  /** The hash of its comment. */
  comment: string | null
  employee_id: string
  event: string
  from: string | null
  /** Its number in the record, from 1. */
  id: number
  kind: string
  log_id: number
  recorded_at: string
  /** Random, so that nobody finds a neighbour's event by trying. */
  salt: string
  source: string
  to: string
  user_id: number | null
}

/**
 * The bytes of an event, as text: JSON by RFC 8785, its names sorted, with texts, whole numbers and
 * null only, for which JSON.stringify writes just that.
 */
export const leafText = (leaf: Leaf): string =>
  JSON.stringify({
    actor: leaf.actor,
    at: leaf.at,
    comment: leaf.comment,
    employee_id: leaf.employee_id,
    event: leaf.event,
    from: leaf.from,
    id: leaf.id,
    kind: leaf.kind,
    log_id: leaf.log_id,
    recorded_at: leaf.recorded_at,
    salt: leaf.salt,
    source: leaf.source,
    to: leaf.to,
    user_id: leaf.user_id,
    v: 1,
  })

/** SHA-256 of a salt, a line feed and a text: binds the text, and shows nothing of it. */
export const saltedHash = (salt: string, text: string): string =>
  toHex(sha256(bytesOf(`${salt}\n${text}`)))
