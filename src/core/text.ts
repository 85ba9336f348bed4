/** Whether D1 stores a text byte for byte: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Whether a text has only blanks. For text that people read, see `isInvisible`. */
export const isBlank = (text: string): boolean => text.trim() === ''

/**
 * Characters that show nothing, and are no blanks to `trim`: those that Unicode lets a font ignore,
 * such as zero-width spaces, marks of direction and soft hyphens; control characters; and letters
 * and signs whose picture is empty.
 */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1D159}\uFFF9-\uFFFB]/gu

/** Whether a text has no visible character. */
export const isInvisible = (text: string): boolean => isBlank(text.replace(SHOWS_NOTHING, ' '))

/** Counts like SQLite's length(): an emoji of one code point is one. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * The name by which a source is stored and compared: other forms of a letter, capitals, blanks
 * around it and what nobody can see make no other source.
 */
export const sourceKey = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replace(SHOWS_NOTHING, '').normalize('NFKC').trim()

/** Sources of logs that the service writes itself: nobody else may use these names. */
export const isOwnSource = (name: string): boolean => /^(app|manual):/.test(sourceKey(name))
