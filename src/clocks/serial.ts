import { CLOCK_PREFIX } from '../core/values/text.ts'

/** A clock is known by its serial number, which stands on its sticker. */

const SERIAL = /^[A-Z0-9_-]{1,50}$/

/** The serial number in upper case. Undefined if it cannot be one. */
export const serialOf = (text: string): string | undefined => {
  const serial = text.trim().toUpperCase()
  return SERIAL.test(serial) ? serial : undefined
}

/** The name of the clock's source: `clock hxpush21`. */
export const sourceOf = (serial: string): string => `${CLOCK_PREFIX}${serial.toLowerCase()}`

const HIDDEN = '····'

/**
 * The serial number without its last four characters, which whoever adds the clock reads from the
 * sticker.
 */
export const hideEnd = (serial: string): string => `${serial.slice(0, -HIDDEN.length)}${HIDDEN}`
