import type { DatabaseSync } from 'node:sqlite'
import { countRows } from './schema.ts'

const SELECT_SIZES = `SELECT tbl_name AS "table", size.name, pgsize AS bytes
  FROM dbstat AS size JOIN sqlite_schema AS entry
    ON entry.name = size.name AND entry.type IN ('table', 'index')
  WHERE aggregate = TRUE ORDER BY size.name <> tbl_name, bytes DESC`

interface Size {
  table: string
  name: string
  bytes: number
}

const shown = (value: number): string => value.toLocaleString('en')

const line = (name: string, bytes: string, rows: string, each: string): string =>
  `${bytes.padStart(15)}${rows.padStart(13)}${each.padStart(11)}  ${name}`

const sum = (sizes: readonly Size[]): number => sizes.reduce((all, { bytes }) => all + bytes, 0)

/**
 * Returns a line for a table together with its indexes. If the table has indexes, a line for the
 * table alone and a line for each index follow.
 */
const linesOfTable = (sizes: readonly Size[], name: string, rows: number): string[] => {
  const each = (bytes: number) => shown(Math.round(bytes / rows))
  const all = sum(sizes)
  const parts = sizes.length > 1 ? sizes : []
  return [
    line(name, shown(all), shown(rows), each(all)),
    ...parts.map((one) => line(`- ${one.name}`, shown(one.bytes), '', each(one.bytes))),
  ]
}

/** Lists the sizes of tables and indexes, the largest table first. Omits tables without rows. */
export const sizesText = (db: DatabaseSync): string => {
  const sizes = db.prepare(SELECT_SIZES).all() as unknown as Size[]
  const tables = [...Map.groupBy(sizes, ({ table }) => table)]
    .map(([name, own]) => ({ name, own, rows: countRows(db, name) }))
    .sort((a, b) => sum(b.own) - sum(a.own))
  const filled = tables.filter(({ rows }) => rows > 0)
  const logs = tables.find(({ name }) => name === 'attendance_logs')?.rows ?? 0
  const perLog = logs > 0 ? `: ${shown(Math.round(sum(sizes) / logs))} for each log` : ''
  return [
    line('table with its indexes, and each of them', 'bytes', 'rows', 'per row'),
    ...filled.flatMap(({ name, own, rows }) => linesOfTable(own, name, rows)),
    `All tables and indexes take ${shown(sum(sizes))} bytes${perLog}.`,
  ].join('\n')
}
