/** Characters that could control a terminal, change the order of a line, or hide in it. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFEFF]/gu

/** Returns a text of a file or database for a line on a terminal, without control characters. */
export const printable = (text: string): string => text.replace(CONTROLS, '�')

/** Like `printable`, for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
