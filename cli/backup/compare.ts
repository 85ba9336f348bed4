import type { DatabaseSync } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'
import {
  type Cell,
  countRows,
  quoteName,
  type SchemaEntry,
  SELECT_SCHEMA,
  schemaOf,
} from './schema.ts'

const ROWS_PER_PAGE = 5000

/** The number of rows of each table, by its name. */
export type Counts = Map<string, number>

export const readSchema = (db: D1) => readRows<SchemaEntry>(db, SELECT_SCHEMA)

/** Counts the rows of all tables at one moment, in one transaction. */
export const readCounts = async (db: D1): Promise<Counts> => {
  const tables = (await readSchema(db)).filter(({ type }) => type === 'table')
  if (tables.length === 0) return new Map()
  const results = await db.batch<{ count: number }>(
    tables.map(({ name }) => db.prepare(`SELECT count(*) AS count FROM ${quoteName(name)}`)),
  )
  return new Map(tables.map(({ name }, i) => [name, results[i]?.results[0]?.count ?? 0]))
}

export const countsOf = (db: DatabaseSync): Counts =>
  new Map(schemaOf(db, ['table']).map(({ name }) => [name, countRows(db, name)]))

/** Blanks and the quotes of names make no difference. */
const normalized = ({ sql }: SchemaEntry): string => sql.replace(/["`]/g, '').replace(/\s+/g, ' ')

/** Lists what a schema lacks, has in another form, or has that is not expected. */
export const compareSchemas = (
  expected: readonly SchemaEntry[],
  found: readonly SchemaEntry[],
): string[] => {
  const keyOf = ({ type, name }: SchemaEntry) => `${type} ${name}`
  const [wanted, left] = [expected, found].map(
    (entries) => new Map(entries.map((entry) => [keyOf(entry), normalized(entry)])),
  ) as [Map<string, string>, Map<string, string>]
  const differences = [...wanted].flatMap(([key, sql]) => {
    const other = left.get(key)
    if (other === undefined) return [`lacks the ${key}`]
    return other === sql ? [] : [`differs in the ${key}`]
  })
  const more = [...left.keys()].filter((key) => !wanted.has(key))
  return [...differences, ...more.map((key) => `has the ${key} besides`)]
}

const AUDIT_PAGE = `SELECT * FROM log_events WHERE id > ?1 ORDER BY id LIMIT ${ROWS_PER_PAGE}`

/**
 * Lists the first difference between the copy's log_events and the same rows of the source. Rows of
 * log_events are never changed or deleted, so they must be equal.
 */
const compareAudits = async (
  source: D1,
  copy: DatabaseSync,
  onProgress: (compared: number) => void,
): Promise<string[]> => {
  const page = copy.prepare(AUDIT_PAGE)
  for (let last = 0, compared = 0; ; ) {
    const rows = page.all(last) as { [column: string]: Cell }[]
    const end = rows.at(-1)
    if (!end) return []
    const stored = await readRows(source, AUDIT_PAGE, last)
    if (JSON.stringify(rows) !== JSON.stringify(stored.slice(0, rows.length))) {
      return [`differs in log_events, between the ids ${last + 1} and ${end.id}`]
    }
    last = Number(end.id)
    compared += rows.length
    onProgress(compared)
  }
}

/**
 * Lists how a copy differs from its database. The database may be in use, so the number of rows of
 * a table must lie between the number before the copy was made and the current one. The schema and
 * the audit must be equal. The tables of `except` are not compared.
 */
export const compareWithSource = async (
  source: D1,
  copy: DatabaseSync,
  before: Counts,
  {
    except = [],
    onProgress = () => undefined,
  }: { except?: readonly string[]; onProgress?: (compared: number) => void } = {},
): Promise<string[]> => {
  const [schema, after] = [await readSchema(source), await readCounts(source)]
  const counts = countsOf(copy)
  const compared = ({ name }: { name: string }) => !except.includes(name)
  const wrong = [...after].filter(([table, now]) => {
    if (except.includes(table)) return false
    const [then, count] = [before.get(table) ?? 0, counts.get(table) ?? 0]
    return count < Math.min(then, now) || count > Math.max(then, now)
  })
  return [
    ...wrong.map(([table, now]) => `has ${counts.get(table) ?? 0} rows of ${now} in ${table}`),
    ...compareSchemas(schema.filter(compared), schemaOf(copy).filter(compared)),
    ...(await compareAudits(source, copy, onProgress)),
  ]
}

/** Lists how a restored database differs from the copy, in its rows and in its schema. */
export const compareRestored = (copy: DatabaseSync, restored: DatabaseSync): string[] => {
  copy.prepare('ATTACH ? AS restored').run(restored.location())
  const hasMore = (one: string, other: string, table: string): boolean =>
    copy
      .prepare(`SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${other}.${table} LIMIT 1`)
      .get() !== undefined
  const tables = [
    ...schemaOf(copy, ['table']).map(({ name }) => quoteName(name)),
    'sqlite_sequence',
  ]
  const different = tables.filter(
    (table) => hasMore('main', 'restored', table) || hasMore('restored', 'main', table),
  )
  copy.exec('DETACH restored')
  return [
    ...different.map((table) => `differs in ${table}`),
    ...compareSchemas(schemaOf(copy), schemaOf(restored)),
  ]
}
