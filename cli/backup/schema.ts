import type { DatabaseSync } from 'node:sqlite'

export type Cell = string | number | null | Uint8Array

export interface SchemaEntry {
  type: string
  name: string
  sql: string
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Selects the tables, indexes and triggers in order of creation, except SQLite's and D1's own. */
export const SELECT_SCHEMA = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
  ORDER BY rowid`

/** Returns the entries of the given types, in the order of the types. The default is all types. */
export const schemaOf = (
  db: DatabaseSync,
  types: readonly string[] = ['table', 'index', 'trigger'],
): SchemaEntry[] => {
  const entries = db.prepare(SELECT_SCHEMA).all() as unknown as SchemaEntry[]
  return types.flatMap((type) => entries.filter((entry) => entry.type === type))
}

const CREATE = /^CREATE (TABLE|(?:UNIQUE )?INDEX|TRIGGER) (?:"(\w+)"|`(\w+)`|(\w+))/

/** Returns the entry that a CREATE statement makes, without `;`. Undefined for another statement. */
export const entryOf = (sql: string): SchemaEntry | undefined => {
  const [, type, ...names] = CREATE.exec(sql) ?? []
  const name = names.find((found) => found !== undefined)
  return type && name ? { type: type.split(' ').at(-1)?.toLowerCase() ?? '', name, sql } : undefined
}

interface Column {
  name: string
  type: string
  /** The column's position in the primary key, from 1. It is 0 if the key does not include it. */
  pk: number
}

export const columnsOf = (db: DatabaseSync, table: string): Column[] =>
  db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(table) as unknown as Column[]

/** A restore writes to this table last. Most commands refuse a database where it is empty. */
export const MIGRATIONS_TABLE = 'd1_migrations'

/** Returns the tables, each one after the tables that it references, and the migrations last. */
export const tablesOf = (db: DatabaseSync): SchemaEntry[] => {
  const tables = schemaOf(db, ['table'])
  const parents = db.prepare('SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)')
  const sorted: SchemaEntry[] = []
  const visited = new Set<SchemaEntry>()
  const visit = (table: SchemaEntry) => {
    if (visited.has(table)) return
    visited.add(table)
    for (const parent of parents.all(table.name)) {
      const found = tables.find(({ name }) => name === parent.name)
      if (found) visit(found)
    }
    sorted.push(table)
  }
  tables.forEach(visit)
  const isLast = ({ name }: SchemaEntry) => Number(name === MIGRATIONS_TABLE)
  return sorted.sort((a, b) => isLast(a) - isLast(b))
}

/** Returns each row of a table as an array, in the order of the columns. */
export const rowsOf = (db: DatabaseSync, table: string): IterableIterator<Cell[]> => {
  const query = db.prepare(`SELECT * FROM ${quoteName(table)}`)
  query.setReturnArrays(true)
  return query.iterate() as unknown as IterableIterator<Cell[]>
}

export const countRows = (db: DatabaseSync, table: string): number =>
  Number(db.prepare(`SELECT count(*) AS count FROM ${quoteName(table)}`).get()?.count)
