import { bytesOf, toHex } from '../core/bytes.ts'
import { sha256 } from '../core/sha256.ts'

interface EventLeaf {
  /** The user's `actor_hash`, or `import`. */
  actor: string
  /** When it happened. */
  at: string
  /** Its number in the record, from 1. */
  id: number
  /** Random, so that nobody finds a neighbour's event by trying. */
  salt: string
  user_id: number | null
}

/** An event of a log. */
export interface LogLeaf extends EventLeaf {
  event: 'recorded' | 'decided'
  /** The hash of its comment. */
  comment: string | null
  employee_id: string
  from: string | null
  kind: string
  log_id: number
  recorded_at: string
  source: string
  to: string
}

/** A closing: of everybody, of a group or of one person. */
export interface ClosedLeaf extends EventLeaf {
  event: 'closed'
  /** The first day that stays open. */
  before: string
  closing_id: number
  employee_id: string | null
  /** The hash of its lines. */
  lines: string
  payroll_group: string | null
}

export interface CancelledLeaf extends EventLeaf {
  event: 'cancelled'
  closing_id: number
}

/** An event as it is sealed. */
export type Leaf = LogLeaf | ClosedLeaf | CancelledLeaf

const EVERY = ['actor', 'at', 'event', 'id', 'salt', 'user_id', 'v']
const LOG = ['comment', 'employee_id', 'from', 'kind', 'log_id', 'recorded_at', 'source', 'to']
const CLOSED = ['before', 'closing_id', 'employee_id', 'lines', 'payroll_group']

/** The names that are sealed of each kind of event, sorted. */
export const LEAF_NAMES: Record<Leaf['event'], string[]> = {
  recorded: [...EVERY, ...LOG].sort(),
  decided: [...EVERY, ...LOG].sort(),
  closed: [...EVERY, ...CLOSED].sort(),
  cancelled: [...EVERY, 'closing_id'].sort(),
}

/**
 * The bytes of an event, as text: JSON by RFC 8785, its names sorted, with texts, whole numbers and
 * null only, for which JSON.stringify writes just that.
 */
export const leafText = (leaf: Leaf): string =>
  JSON.stringify({ ...leaf, v: 2 }, LEAF_NAMES[leaf.event])

/**
 * SHA-256 of a salt, a line feed and a text: binds the text, and shows nothing of it. Salts are 32
 * hexadecimal digits; with others, the border between salt and text could be moved.
 */
export const saltedHash = (salt: string, text: string): string =>
  toHex(sha256(bytesOf(`${salt}\n${text}`)))
