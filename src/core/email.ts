/**
 * Normalizes an address so that addresses can be compared: trimmed and in lower case, also beyond
 * ASCII.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Permissive on purpose: one @, something on both sides of it, and no spaces. */
export const isEmail = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email.trim())
