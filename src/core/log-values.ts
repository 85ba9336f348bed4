/** The values that an attendance log may have (contract, section 2). */

export const LOG_STATUSES = ['pending', 'approved', 'rejected'] as const
export type LogStatus = (typeof LOG_STATUSES)[number]

/** `checada` where a time clock does not distinguish entrada from salida. */
export const LOG_KINDS = ['entrada', 'salida', 'checada'] as const
export type LogKind = (typeof LOG_KINDS)[number]

/** The events of a log. */
export const LOG_EVENTS = ['recorded', 'decided'] as const
export type LogEvent = (typeof LOG_EVENTS)[number]

/** The events of the whole record: those of logs, and of closings. */
export const RECORD_EVENTS = [...LOG_EVENTS, 'closed', 'cancelled'] as const
export type RecordEvent = (typeof RECORD_EVENTS)[number]

/** Ids from here on are this service's own; the legacy API's stay below. It fits 32 bits. */
export const FIRST_OWN_ID = 1_000_000_000

/** The longest name of a source, and of an id there, in code points. */
export const SOURCE_MAX = 100

/** The longest comment, in Unicode code points; SQLite's length() counts the same. */
export const COMMENT_MAX = 500
