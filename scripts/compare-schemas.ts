import { DatabaseSync } from 'node:sqlite'

/** Returns the columns, checks, foreign keys and indexes of a schema, each as a text. */
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
      const required = column.notnull ? ' NOT NULL' : ''
      const key = column.pk ? ` PRIMARY KEY ${column.pk}` : ''
      const rest = `${column.type}${required}${key} DEFAULT ${column.dflt_value ?? 'NULL'}`
      add(`column ${column.name} ${rest}`)
    }
    for (const key of rows(`SELECT * FROM pragma_foreign_key_list('${name}')`)) {
      add(`foreign key ${key.from} → ${key.table}.${key.to} ON DELETE ${key.on_delete}`)
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

/** Returns SQL without quotes, comments, extra blanks, and the table's name before its columns. */
const plain = (sql: string, table: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/["`]/g, '')
    .replaceAll(`${table}.`, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')

/** Returns the named checks of a table with their conditions. */
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
 * Lists the parts that only the schema of the migrations or only the declared schema has. Triggers
 * are not compared, since they are only in migrations. `test/core/migrations.test.ts` tests them.
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
