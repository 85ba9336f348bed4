/**
 * Normalizes an e-mail address for comparison. The result is trimmed and in lower case, also beyond
 * ASCII.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Permissive on purpose: one @, something on both sides of it, and no spaces. */
export const isEmail = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email.trim())
