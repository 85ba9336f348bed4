import { bytesOf, toHex } from '../core/bytes.ts'
import { sha256 } from '../core/sha256.ts'

interface EventLeaf {
  /** The user's `actor_hash`, or `import`. */
  actor: string
  /** The moment of the event: UTC with milliseconds. */
  at: string
  /** The number of the event among all events, from 1. */
  id: number
  /** A random text, so that nobody can find an event by hashing guesses. */
  salt: string
  user_id: number | null
}

/** A log was recorded or decided. */
export interface LogLeaf extends EventLeaf {
  event: 'recorded' | 'decided'
  /** The hash of the event's comment, or null if it has none. */
  comment: string | null
  employee_id: string
  from: string | null
  kind: string
  log_id: number
  recorded_at: string
  source: string
  to: string
}

/** A closing was made, for everybody, for a group or for one person. */
export interface ClosedLeaf extends EventLeaf {
  event: 'closed'
  /** The first day that stays open. */
  before: string
  closing_id: number
  employee_id: string | null
  /** The hash of the closing's lines. */
  lines: string
  payroll_group: string | null
}

export interface CancelledLeaf extends EventLeaf {
  event: 'cancelled'
  closing_id: number
}

/** The fields of an event that are sealed. */
export type Leaf = LogLeaf | ClosedLeaf | CancelledLeaf

const COMMON_KEYS = ['actor', 'at', 'event', 'id', 'salt', 'user_id', 'v']
const LOG_KEYS = ['comment', 'employee_id', 'from', 'kind', 'log_id', 'recorded_at', 'source', 'to']
const CLOSED_KEYS = ['before', 'closing_id', 'employee_id', 'lines', 'payroll_group']

/** The names of the sealed fields, sorted, for each kind of event. */
export const LEAF_NAMES: Record<Leaf['event'], string[]> = {
  recorded: [...COMMON_KEYS, ...LOG_KEYS].sort(),
  decided: [...COMMON_KEYS, ...LOG_KEYS].sort(),
  closed: [...COMMON_KEYS, ...CLOSED_KEYS].sort(),
  cancelled: [...COMMON_KEYS, 'closing_id'].sort(),
}

/**
 * The text of an event that is hashed: JSON by RFC 8785, with sorted names. JSON.stringify writes
 * this form because the values are only strings, whole numbers and null.
 */
export const leafText = (leaf: Leaf): string =>
  JSON.stringify({ ...leaf, v: 2 }, LEAF_NAMES[leaf.event])

/**
 * SHA-256 of a salt, a line feed and a text. It commits to the text without revealing it. Salts
 * must be 32 hexadecimal digits. Otherwise a different salt and text could give the same bytes.
 */
export const saltedHash = (salt: string, text: string): string =>
  toHex(sha256(bytesOf(`${salt}\n${text}`)))
