/** Formats the fields of CSV files, and keeps spreadsheets from running formulas in them. */

/** A value in a row of a file. Only NDJSON files have objects. */
export type Value = string | number | boolean | null | object | readonly (string | number)[]

/**
 * A text that a spreadsheet may run as a formula. The formula may begin with a full-width sign, or
 * after characters that spreadsheets skip.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/**
 * Finds formulas inside a text, in the places where some spreadsheets begin a new cell because they
 * do not separate cells by commas.
 */
const FORMULA_IN_CELL = /(?<=[;\t\r\n])(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/gu

/** Adds a quote before each formula, so that spreadsheets do not run it (OWASP, CSV Injection). */
const escapeFormulas = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(FORMULA_IN_CELL, "'")

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Formats a CSV field (RFC 4180). The items of a list are separated by spaces. */
export const formatField = (value: Value): string => {
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(Array.isArray(value) ? value.join(' ') : String(value ?? ''))
  return /[",;\t\r\n]/.test(text) ? quoted(text) : text
}

/** An id that a spreadsheet takes for a number, a date or a formula: `00007`, `1E5`, `3-4`. */
const SPOILED_ID = /^0\d|^\d+E\d+$|^\d{12,}$|^\d+[-/]\d|^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/iu

/** Formats an id for a spreadsheet, which shows it unchanged: `00007` becomes `="00007"`. */
export const formatId = (id: string): string =>
  SPOILED_ID.test(id) ? quoted(`=${quoted(id)}`) : formatField(id)

export const BYTE_ORDER_MARK = '\ufeff'
