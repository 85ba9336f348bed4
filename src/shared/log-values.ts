/** The values that an attendance log may have (contract, section 2). */

export const LOG_STATUSES = ['pending', 'approved', 'rejected'] as const
export type LogStatus = (typeof LOG_STATUSES)[number]

export const LOG_KINDS = ['entrada', 'salida'] as const
export type LogKind = (typeof LOG_KINDS)[number]

/** The longest comment, in Unicode code points; SQLite's length() counts the same. */
export const COMMENT_MAX = 500
