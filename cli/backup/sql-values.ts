import type { Cell } from './schema.ts'

/** The values of an INSERT, as a backup writes them: literals only, so that none runs anything. */

/** Text with control characters is written as JSON, since a line feed would split a statement. */
const CONTROL_CHARACTER = /\p{Cc}/u
const FROM_JSON = " ->> '$'"

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

const toSql = (value: Cell): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return `X'${Buffer.from(value).toString('hex')}'`
  return CONTROL_CHARACTER.test(value) ? quote(JSON.stringify(value)) + FROM_JSON : quote(value)
}

export const writeValues = (cells: readonly Cell[]): string => cells.map(toSql).join()

const NULL_OR_NUMBER = /NULL|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/y
const BLOB = /X'((?:[0-9a-f]{2})*)'/y

/** A value to bind. SQLite would store a `number` as REAL, so whole numbers are of type `bigint`. */
export type Bound = null | string | number | bigint | Uint8Array

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

const numberOf = (text: string): Bound | undefined => {
  if (!/^-?\d+$/.test(text)) return Number(text)
  const whole = BigInt(text)
  return whole >= INT64.min && whole <= INT64.max ? whole : undefined
}

const parseJsonText = (json: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the end of the text literal that begins at `start`, or -1. */
const endOfText = (sql: string, start: number): number => {
  for (let at = start + 1; ; at += 2) {
    at = sql.indexOf("'", at)
    if (at < 0 || sql[at + 1] !== "'") return at
  }
}

/** Reads the value at `start`. Returns undefined if no backup writes a value in that way. */
const readValue = (sql: string, start: number): { value: Bound; end: number } | undefined => {
  if (sql[start] === "'") {
    const last = endOfText(sql, start)
    if (last < 0) return undefined
    const text = sql.slice(start + 1, last).replaceAll("''", "'")
    if (!sql.startsWith(FROM_JSON, last + 1)) return { value: text, end: last + 1 }
    const value = parseJsonText(text)
    return value === undefined ? undefined : { value, end: last + 1 + FROM_JSON.length }
  }
  BLOB.lastIndex = start
  const blob = BLOB.exec(sql)
  if (blob) return { value: Buffer.from(blob[1] ?? '', 'hex'), end: BLOB.lastIndex }
  NULL_OR_NUMBER.lastIndex = start
  const [text] = NULL_OR_NUMBER.exec(sql) ?? []
  if (text === undefined) return undefined
  const value = text === 'NULL' ? null : numberOf(text)
  return value === undefined ? undefined : { value, end: NULL_OR_NUMBER.lastIndex }
}

/** Reads values from `start` to the end of the statement, `);`. Undefined for anything else. */
export const readValues = (sql: string, start: number): Bound[] | undefined => {
  const values: Bound[] = []
  for (let at = start; ; at++) {
    const read = readValue(sql, at)
    if (!read) return undefined
    values.push(read.value)
    at = read.end
    if (sql[at] !== ',') return sql.slice(at) === ');' ? values : undefined
  }
}
