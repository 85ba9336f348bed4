import { bytesOf, toHex } from '../../core/values/bytes.ts'
import { SOURCE_SUBJECTS } from '../../core/values/log-values.ts'
import { sha256 } from '../../core/values/sha256.ts'

export const LEAF_VERSION = 1

/**
 * The version of the files. From version 2 on, a file may have rules of clocks, of other sources and
 * of the company.
 */
export const FILE_VERSION = 2

interface EventLeaf {
  /** The user's `actor_hash`, `import` for an imported log, or `operator` for a command. */
  actor: string
  /** The moment of the event: UTC with milliseconds. */
  at: string
  /** The number of the event among all events, from 1. */
  id: number
  /**
   * The id of the newest earlier event of the same employee. Null for the employee's first event,
   * for events of closings and branches, and for `shown`, which it never names.
   */
  previous: number | null
  /**
   * The id of the newest earlier event of the same employee that is not of a log: access,
   * agreement, signature, answer or longest shift. Null where `previous` is null.
   */
  statement: number | null
  /** A random text, so that nobody can find an event by hashing guesses. */
  salt: string
  user_id: number | null
  v: typeof LEAF_VERSION
}

export interface LogLeaf extends EventLeaf {
  event: 'recorded' | 'decided'
  /** The branch of the log. */
  branch: string
  /** The hash of the event's comment. Null if the event has no comment. */
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
  /** The first day that the closing does not pay. */
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

/** A person agreed to a text, in an app or on paper, or a wrong paper was made void. */
export interface AgreedLeaf extends EventLeaf {
  event: 'agreed'
  /** The hash of the text. */
  agreement: string
  comment: string | null
  employee_id: string
  /** SHA-256 of the scan of the paper. Null unless `how` is `paper`. */
  file: string | null
  how: 'app' | 'paper' | 'void'
  /** The day on the paper. Null unless `how` is `paper`. */
  signed_on: string | null
}

/** A person signed their own lines of a closing, or objected to them. */
export interface SignedLeaf extends EventLeaf {
  event: 'signed'
  /** 1 if the person agrees, 0 for an objection. */
  agrees: 0 | 1
  closing_id: number
  comment: string | null
  employee_id: string
  /** The hash of the person's lines in the closing. */
  own_lines: string
}

export interface AnsweredLeaf extends EventLeaf {
  event: 'answered'
  comment: string | null
  employee_id: string
  /** The id of the event of the objection. */
  signature: number
}

/** A change of who can sign in as the person: an invitation, a password, or a change of user. */
export interface AccessLeaf extends EventLeaf {
  event: 'access'
  /** The id of the user. */
  account: number
  employee_id: string
  /** The id of the event of the link that set the password. Null if no link did. */
  through: number | null
  what: 'invited' | 'password_set' | 'linked' | 'unlinked'
}

/**
 * From a day on: the longest shift of a person, or of everybody (`employee_id` null), the time zone
 * of a branch, or of the company (`branch` null), or the number that a clock has for a person. Or a
 * change of a clock (`branch` is its branch), of another source, or of the company.
 */
export interface RuledLeaf extends EventLeaf {
  event: 'ruled'
  branch: string | null
  employee_id: string | null
  rule: 'shift' | 'zone' | 'number' | (typeof SOURCE_SUBJECTS)[number]
  /** The first local day. Null if it always applied. */
  valid_from: string | null
  value: string
}

/**
 * Somebody downloaded the person's evidence, alone or with the evidence of other people. In the
 * downloaded file, it is the last event of this person and of closings.
 */
export interface ShownLeaf extends EventLeaf {
  event: 'shown'
  /** The period of the file, as in its first line. */
  before: string
  employee_id: string
  /** The number of the other events of this person and of closings in the file. */
  events: number
  from: string
  /** SHA-256 of the ids of these events, ascending, each followed by a line feed. */
  ids: string
  log_id: number | null
  /** SHA-256 of the ids of all employees of the file, ascending, each followed by a line feed. */
  people: string
}

/** The fields of an event that are sealed. */
export type Leaf =
  | LogLeaf
  | ClosedLeaf
  | CancelledLeaf
  | AgreedLeaf
  | SignedLeaf
  | AnsweredLeaf
  | AccessLeaf
  | RuledLeaf
  | ShownLeaf

/** The hash of ids of events or of employees, ascending, each followed by a line feed. */
export const hashOfIds = (ids: readonly (number | string)[]): string =>
  toHex(sha256(bytesOf(ids.map((id) => `${id}\n`).join(''))))

/** Whether the event changes a clock, another source or the company. */
export const isSourceRule = (leaf: Leaf): leaf is RuledLeaf =>
  leaf.event === 'ruled' && (SOURCE_SUBJECTS as readonly string[]).includes(leaf.rule)

/** The source that a rule changes: its value up to the last tab. '' for the company. */
export const sourceOfRule = ({ value }: RuledLeaf): string =>
  value.slice(0, Math.max(value.lastIndexOf('\t'), 0))

export const isLogLeaf = (leaf: Leaf): leaf is LogLeaf =>
  leaf.event === 'recorded' || leaf.event === 'decided'

const LOG_KEYS = [
  ...['branch', 'comment', 'employee_id', 'from', 'kind', 'log_id', 'recorded_at', 'source', 'to'],
]

/** The fields of each kind of event besides the common ones. */
const KIND_KEYS: Record<Leaf['event'], string[]> = {
  recorded: LOG_KEYS,
  decided: LOG_KEYS,
  closed: ['before', 'closing_id', 'employee_id', 'lines', 'payroll_group'],
  cancelled: ['closing_id'],
  agreed: ['agreement', 'comment', 'employee_id', 'file', 'how', 'signed_on'],
  signed: ['agrees', 'closing_id', 'comment', 'employee_id', 'own_lines'],
  answered: ['comment', 'employee_id', 'signature'],
  access: ['account', 'employee_id', 'through', 'what'],
  ruled: ['branch', 'employee_id', 'rule', 'valid_from', 'value'],
  shown: ['before', 'employee_id', 'events', 'from', 'ids', 'log_id', 'people'],
}

const COMMON_KEYS = ['actor', 'at', 'event', 'id', 'previous', 'salt', 'statement', 'user_id', 'v']

/** The names of the sealed fields of each kind of event, sorted. */
export const SEALED_EVENT_FIELDS: ReadonlyMap<unknown, string[]> = new Map(
  Object.entries(KIND_KEYS).map(([event, names]) => [event, [...COMMON_KEYS, ...names].sort()]),
)

/**
 * The text that is hashed for an event: JSON by RFC 8785, with sorted names. JSON.stringify writes
 * this form because the values are only strings, whole numbers and null.
 */
export const leafText = (leaf: Leaf): string =>
  JSON.stringify(leaf, SEALED_EVENT_FIELDS.get(leaf.event))

/**
 * The employee of the events that `previous` and `statement` name. Null for events of closings and
 * branches and for `shown`, which name none.
 */
export const followedEmployee = (leaf: Leaf): string | null =>
  leaf.event === 'closed' || leaf.event === 'cancelled' || leaf.event === 'shown'
    ? null
    : leaf.employee_id
