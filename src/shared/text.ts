/** Whether D1 stores a text byte for byte: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const isBlank = (text: string): boolean => text.trim() === ''

/** Counts like SQLite's length(): an emoji of one code point is one. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}
