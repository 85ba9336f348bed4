/** Normalizes an address for comparison: trimmed and in lower case, beyond ASCII too. */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Permissive on purpose: one @, something on both sides, no blanks. */
export const isEmail = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email.trim())
