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
const FORMULA_IN_CELL = /[;\t\r\n](?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/gu

/** Adds a quote before each formula, so that spreadsheets do not run it (OWASP, CSV Injection). */
const escapeFormulas = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(FORMULA_IN_CELL, "$&'")

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Formats a CSV field (RFC 4180). The items of a list are separated by spaces. */
export const formatField = (value: Value): string => {
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(Array.isArray(value) ? value.join(' ') : String(value ?? ''))
  return /[",;\t\r\n]/.test(text) ? quoted(text) : text
}

const MONTHS =
  'ene(ro)?|feb(rero|ruary)?|mar(zo|ch)?|abr(il)?|mayo?|jun(io|e)?|jul(io|y)?|ago(sto)?|sept?(iembre|ember)?|oct(ubre|ober)?|nov(iembre|ember)?|dic(iembre)?|jan(uary)?|apr(il)?|aug(ust)?|dec(ember)?'

/** The texts that a spreadsheet takes for something else, and saves in another form. */
const SPOILED: readonly RegExp[] = [
  // A number, date or time: `00007`, `5.10`, `1/2`, `8:30`, `3-4A`. A short whole number stays.
  /^(?!\d{1,11}$)[\d\s.,:/()$%-]*\d[\d\s.,:/()$%-]*$|^\d+[-/]\d/,
  /^0\d/,
  // `1E5`
  /^[\d.]+E[+-]?\d+$/i,
  // `8 am`
  /^\d[\d:]*\s*[ap]\.?\s?m\.?$/i,
  // `3-ene`, `mar 1`
  new RegExp(`^(?=.*\\d)(\\d+\\W*(de )?)?(${MONTHS})\\.?(\\W*(de )?\\d+)*$`, 'i'),
  /^(true|false|verdadero|falso)$/i,
  // A formula.
  /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u,
]

/** Formats a text for a spreadsheet, which then keeps it: `00007` becomes `="00007"`. */
export const formatForSpreadsheet = (text: string): string =>
  SPOILED.some((form) => form.test(text)) ? quoted(`=${quoted(text)}`) : formatField(text)

/**
 * Returns one text for all texts that a spreadsheet takes for the same number or time: `7` for
 * `00007` and `7.0`, `5.1` for `5.10`, `100000` for `1E5`, `8:30` for `08:30:00`. Other texts stay.
 */
export const afterSpreadsheet = (text: string): string => {
  const [, time] = /^0*(\d{1,2}:\d\d(?::\d\d)?)$/.exec(text) ?? []
  if (time) return time.replace(/(:\d\d):00$/, '$1')
  // Long whole numbers stay exact.
  if (/^\+?\d+$/.test(text)) return text.replace(/^\+?0*(?=\d)/, '')
  return /^\+?(\d+\.?\d*|\.\d+)(E\+?\d+)?$/i.test(text) ? String(Number(text)) : text
}

export const BYTE_ORDER_MARK = '\ufeff'
