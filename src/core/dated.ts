import { isDate } from './time-zone.ts'

/**
 * A value that changes on local days. Each entry is valid from its day until the next entry's day.
 * The first entry has '' instead of a day.
 */
export type Dated<Value> = readonly (readonly [from: string, value: Value])[]

export const valueOn = <Value>(dated: Dated<Value>, day: string): Value =>
  (dated.findLast(([from]) => from <= day) ?? (dated[0] as Dated<Value>[number]))[1]

/**
 * Parses a value, and later values with their first days: `16, 12 from 2026-12-01`. Returns
 * undefined if a value or a day is invalid, or the days are not in order.
 */
export const parseDated = <Value>(
  text: string,
  parseValue: (word: string) => Value | undefined,
): Dated<Value> | undefined => {
  const entries: [from: string, value: Value][] = []
  for (const item of text.split(',')) {
    const [, word = '', from = ''] = /^(.*?)(?:\s+from\s+(\S+))?$/.exec(item.trim()) ?? []
    const value = parseValue(word)
    const last = entries.at(-1)
    const isInOrder = last ? isDate(from) && from > last[0] : from === ''
    if (value === undefined || !isInOrder) return undefined
    entries.push([from, value])
  }
  return entries
}

/** Formats dated values as text that `parseDated` can read. */
export const datedText = (dated: Dated<number | string>): string =>
  dated.map(([from, value]) => (from ? `${value} from ${from}` : `${value}`)).join(', ')
