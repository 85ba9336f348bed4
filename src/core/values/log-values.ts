/** Values and limits of stored fields. */

export const LOG_STATUSES = ['pending', 'approved', 'rejected'] as const
export type LogStatus = (typeof LOG_STATUSES)[number]

/** `checada` is for time clocks that do not distinguish entrada from salida. */
export const LOG_KINDS = ['entrada', 'salida', 'checada'] as const
export type LogKind = (typeof LOG_KINDS)[number]

export const LOG_EVENTS = ['recorded', 'decided'] as const
export type LogEvent = (typeof LOG_EVENTS)[number]

/** The events of logs and of closings. */
export const FIRST_EVENTS = [...LOG_EVENTS, 'closed', 'cancelled'] as const

/**
 * The events of a person, except events of logs and rules. `access` is a change of who can sign in
 * as the person.
 */
export const PERSON_EVENTS = ['agreed', 'signed', 'answered', 'access'] as const

/**
 * All events. `ruled` sets a longest shift, a time zone or the number of a person at a clock, or
 * changes a clock, another source or the company. `shown` says that somebody downloaded the
 * evidence of a person, whom only its details name: so it is not among the person's own events.
 */
export const EVIDENCE_EVENTS = [...FIRST_EVENTS, ...PERSON_EVENTS, 'ruled', 'shown'] as const
export type EvidenceEvent = (typeof EVIDENCE_EVENTS)[number]

/**
 * The first log id that the service assigns. The legacy API assigned the lower ids. All ids fit
 * into 32 bits.
 */
export const FIRST_SERVICE_ID = 1_000_000_000

/** The maximum length of a source's name, and of a log's `source_id`, in code points. */
export const SOURCE_MAX = 100

/** The maximum length of a comment in Unicode code points, which SQLite's length() counts too. */
export const COMMENT_MAX = 500

/** What a row of `people_changes` is about. */
export const PEOPLE_SUBJECTS = ['employee', 'user', 'payroll_group'] as const

/** What a change is about whose only record is a sealed event. */
export const SOURCE_SUBJECTS = ['clock', 'source', 'company'] as const

export const CHANGE_SUBJECTS = [...PEOPLE_SUBJECTS, ...SOURCE_SUBJECTS] as const

/** Why a punch of a clock is no log yet. */
export const WAIT_REASONS = ['number', 'branch', 'own', 'future', 'too_old', 'time'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]
