/**
 * Normalizes an e-mail address for comparison. The result is trimmed and in lower case, also beyond
 * ASCII.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Accepts any text without spaces that has one @ between other characters. */
export const isEmail = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email.trim())
