import { knownHeadings } from './sheet-columns.ts'

/** Reads a pasted sheet or a CSV file. Every cell stays a text, so that leading zeros stay too. */

export type Table = string[][]

/** The second half of code page 850, with which old programs in Mexico write files. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const fromCp850 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : CP850[byte - 128])).join('')

const fromWindows = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes)

/** The bytes that windows-1252 reads as a text. Undefined if it has other characters. */
const windowsBytes = (text: string): Uint8Array | undefined => {
  const all = fromWindows(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const bytes = Array.from(text, (letter) => all.indexOf(letter))
  return bytes.includes(-1) ? undefined : Uint8Array.from(bytes)
}

/** Characters that are no part of a Spanish text, such as those of a text in another encoding. */
const STRANGE = /[^\p{ASCII}áéíóúüñÁÉÍÓÚÜÑçÇàèìòùâêîôûäëïöªº°¿¡«»–—‘’“”…]/gu

const strangeIn = (content: string): number =>
  (content.match(STRANGE)?.length ?? 0) + (content.match(/\p{L}[¿¡«»ªº]\p{L}/gu)?.length ?? 0)

const fromUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether every second byte is zero, as in UTF-16 of western texts. */
const hasZeros = (bytes: Uint8Array, first: 0 | 1): boolean =>
  bytes.length > 1 && bytes.subarray(0, 64).every((byte, i) => i % 2 !== first || byte === 0)

/**
 * Decodes UTF-8 and UTF-16, or else windows-1252 (CSV of Excel in Mexico) or code page 850: the one
 * whose text has fewer characters that no Spanish text has.
 */
export const decodeFile = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || hasZeros(bytes, 1)) {
    return new TextDecoder('utf-16le').decode(bytes)
  }
  if ((first === 0xfe && second === 0xff) || hasZeros(bytes, 0)) {
    return new TextDecoder('utf-16be').decode(bytes)
  }
  const utf8 = fromUtf8(bytes)
  if (utf8 !== undefined) return utf8
  const [windows, old] = [fromWindows(bytes), fromCp850(bytes)]
  return strangeIn(old) < strangeIn(windows) ? old : windows
}

/** A letter that a program has lost, or that was read in another encoding, such as `Ã±`. */
const DAMAGE = /[\ufffd\u0080-\u009f‚¤„¥£¢]|Ã[\u0080-\u00bf\u0152-\u2122]|Â[\u00a0-\u00bf]/u

/**
 * Whether letters of a text are damaged, and the text as it probably was: `María` for `MarÃ­a`, and
 * `José Ñúñez` for `Jos‚ ¥£¤ez`. The text is empty if its letters are lost.
 */
export const damageIn = (content: string): { probably: string } | undefined => {
  if (!DAMAGE.test(content)) return undefined
  const decode = (part: string, from: (bytes: Uint8Array) => string | undefined) => {
    const bytes = windowsBytes(part)
    return (bytes && from(bytes)) ?? part
  }
  // Two bytes of UTF-8 were read as two letters.
  const joined = content.replace(/[ÃÂ]./gu, (pair) => decode(pair, fromUtf8))
  const repaired = DAMAGE.test(joined) ? decode(content, fromCp850) : joined
  return { probably: strangeIn(repaired) === 0 ? repaired : '' }
}

/** Whether a file is a workbook, which only a spreadsheet program can read. */
export const isWorkbook = ([first, second]: Uint8Array): boolean =>
  (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)

const DELIMITERS = ['\t', ';', ',', '|']

/** The number of rows at the top that may have the headings. A title may be above the headings. */
export const HEAD_ROWS_MAX = 10

/**
 * Returns the delimiter of the line with the most known headings. Without headings, it is the one
 * that is most frequent in the first line, or a tab if the line has one, as in copied cells.
 */
const delimiterOf = (content: string): string => {
  const lines = content.split(/\r\n|\r|\n/, HEAD_ROWS_MAX)
  const headingsWith = (delimiter: string) =>
    Math.max(...lines.map((line) => knownHeadings(line.replaceAll('"', '').split(delimiter))))
  const [best = ','] = [...DELIMITERS].sort((a, b) => headingsWith(b) - headingsWith(a))
  if (headingsWith(best) > 1) return best
  const [head = ''] = lines
  if (head.includes('\t')) return '\t'
  const countIn = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '|'].sort((a, b) => countIn(b) - countIn(a))[0] ?? ','
}

/** Returns the cells of each row. Empty rows are kept, except at the end, to keep row numbers. */
export const parseTable = async (text: string): Promise<Table> => {
  const { default: papaparse } = await import('papaparse')
  const delimiter = delimiterOf(text)
  const parsed = papaparse.parse<string[]>(text, { delimiter })
  const isBroken = delimiter === '\t' && parsed.errors.some(({ type }) => type === 'Quotes')
  // Some spreadsheets do not escape a quote at the beginning of a copied cell. Then all quotes are
  // read as plain text.
  const { data } = isBroken
    ? papaparse.parse<string[]>(text, { delimiter, quoteChar: '\0' })
    : parsed
  while (data.length > 0 && data.at(-1)?.every((cell) => cell.trim() === '')) data.pop()
  return data
}
