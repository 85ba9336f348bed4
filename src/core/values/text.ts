/** Whether D1 stores a text unchanged. It must be well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Whether a text has only white space. For text that people read, use `isInvisible`. */
export const isBlank = (text: string): boolean => text.trim() === ''

/**
 * Invisible characters except spaces. They are control characters (including tabs and line breaks),
 * characters that fonts may ignore by Unicode (such as zero-width spaces, direction marks and soft
 * hyphens), and a few letters and symbols with an empty glyph.
 */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1D159}\uFFF9-\uFFFB]/gu

export const isInvisible = (text: string): boolean => isBlank(text.replace(SHOWS_NOTHING, ' '))

/** Whether a text has an invisible character that is not a space. Tabs and line breaks count. */
export const hasHiddenCharacter = (text: string): boolean =>
  text.replace(SHOWS_NOTHING, '') !== text

/** The number of code points, which SQLite's length() counts too. An emoji may have several. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * The name by which a source is stored and compared. Variants of a letter, letter case, outer
 * spaces and invisible characters make no difference.
 */
export const sourceKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(SHOWS_NOTHING, '').normalize('NFKC').trim()

/** The name of a source that is a clock which connects by itself begins so. */
export const CLOCK_PREFIX = 'clock '

/**
 * Only the service's own sources, such as `app:12`, have a colon in their name. Only clocks that
 * connect by themselves begin with `clock `.
 */
export const isReservedSource = (name: string): boolean => {
  const key = sourceKey(name)
  return key.includes(':') || key.startsWith(CLOCK_PREFIX)
}
