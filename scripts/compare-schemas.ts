import { DatabaseSync } from 'node:sqlite'

/** What a schema consists of, each part as a text: columns, checks, foreign keys and indexes. */
const partsOf = (statements: readonly string[]): Set<string> => {
  const db = new DatabaseSync(':memory:')
  for (const statement of statements) db.exec(statement)
  const rows = (text: string) => db.prepare(text).all() as Record<string, string | number | null>[]
  const parts = new Set<string>()
  const tables = rows(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  )
  for (const { name, sql } of tables) {
    const add = (part: string) => parts.add(`${name}: ${part}`)
    for (const column of rows(`SELECT * FROM pragma_table_info('${name}')`)) {
      const { name: columnName, type, notnull, dflt_value, pk } = column
      const isRequired = notnull ? ' NOT NULL' : ''
      const key = pk ? ` PRIMARY KEY ${pk}` : ''
      add(`column ${columnName} ${type}${isRequired}${key} DEFAULT ${dflt_value ?? 'NULL'}`)
    }
    for (const { table, from, to, on_delete } of rows(
      `SELECT * FROM pragma_foreign_key_list('${name}')`,
    )) {
      add(`foreign key ${from} → ${table}.${to} ON DELETE ${on_delete}`)
    }
    for (const check of checksIn(plain(String(sql), String(name)))) add(check)
  }
  const indexes = rows(
    `SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
  )
  for (const { tbl_name, sql } of indexes) {
    parts.add(`${tbl_name}: ${plain(String(sql), String(tbl_name))}`)
  }
  db.close()
  return parts
}

/** SQL without quotes, comments and the table's own name before a column. */
const plain = (sql: string, table: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/["`]/g, '')
    .replaceAll(`${table}.`, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')

/** The named checks of a table, each with its condition. */
const checksIn = (sql: string): string[] =>
  [...sql.matchAll(/CONSTRAINT (\w+) CHECK ?\(/gi)].map(({ 0: head, 1: name, index }) => {
    const start = index + head.length
    let end = start
    for (let depth = 1; depth > 0 && end < sql.length; end++) {
      if (sql[end] === '(') depth++
      if (sql[end] === ')') depth--
    }
    return `check ${name}(${sql.slice(start, end - 1)})`
  })

/**
 * What only one of two schemas has: the one that migrations build, and the one that is declared.
 * Triggers are in migrations alone; `test/core/migrations.test.ts` looks after them.
 */
export const compareSchemas = (
  migrations: readonly string[],
  declared: readonly string[],
): string[] => {
  const [built, wanted] = [partsOf(migrations), partsOf(declared)]
  return [
    ...[...wanted].filter((part) => !built.has(part)).map((part) => `No migration has ${part}`),
    ...[...built].filter((part) => !wanted.has(part)).map((part) => `The schema lacks ${part}`),
  ]
}
