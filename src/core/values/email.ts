import { isStorable } from './text.ts'

/**
 * Normalizes an e-mail address for comparison. The result is trimmed and in lower case, also beyond
 * ASCII.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase()

/** Accepts any text without spaces that has one @ between other characters. */
export const isEmail = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email.trim())

/** The domain of the addresses of employees without one. No mail is ever sent to it (RFC 2606). */
export const NO_ADDRESS_DOMAIN = '@sin-correo.invalid'

/**
 * The employee number in an address of this domain, as it was typed. Null in any other address. Our
 * page sends it percent-encoded, since a number may have spaces.
 */
export const numberOf = (email: string): string | null => {
  const text = email.trim()
  if (!text.toLowerCase().endsWith(NO_ADDRESS_DOMAIN)) return null
  const sent = text.slice(0, -NO_ADDRESS_DOMAIN.length)
  try {
    const number = decodeURIComponent(sent)
    return isStorable(number) ? number : sent
  } catch {
    return sent
  }
}
