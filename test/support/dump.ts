import { env } from 'cloudflare:workers'

/** A database dump: the statements that create the database, as SQLite's shell writes them. */

const NOT_OURS = `name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
  AND name <> 'd1_migrations'`

/** Reads the tables, indexes and triggers of the schema, in the order of their creation. */
export const readSchema = async () => {
  const { results } = await env.DB.prepare(
    `SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND ${NOT_OURS} ORDER BY rowid`,
  ).all<{ type: string; name: string; tbl_name: string; sql: string }>()
  return results
}

/**
 * Reads the columns of every table. A required column has no default, so an INSERT must name it.
 */
export const readColumns = async () => {
  const { results } = await env.DB.prepare(
    `SELECT tables.name AS "table", columns.name AS "column",
      "notnull" AND dflt_value IS NULL AND NOT pk AS isRequired
    FROM (SELECT name FROM sqlite_master WHERE type = 'table' AND ${NOT_OURS}) AS tables,
      pragma_table_info(tables.name) AS columns
    ORDER BY tables.name, cid`,
  ).all<{ table: string; column: string; isRequired: 0 | 1 }>()
  return results
}

/** Dumps tables, rows, indexes and triggers in this order, so that no trigger runs for the rows. */
export const dumpDatabase = async (): Promise<string[]> => {
  const schema = await readSchema()
  const tables = schema.filter(({ type }) => type === 'table')
  const columnsOf = Map.groupBy(await readColumns(), ({ table }) => table)
  const rows: string[] = []
  for (const { name } of tables) {
    const names = (columnsOf.get(name) ?? []).map(({ column }) => column)
    const values = names.map((column) => `quote("${column}")`).join(` || ', ' || `)
    const { results } = await env.DB.prepare(`SELECT ${values} AS row FROM "${name}"`).all<{
      row: string
    }>()
    const list = names.map((column) => `"${column}"`).join(', ')
    rows.push(...results.map(({ row }) => `INSERT INTO "${name}" (${list}) VALUES (${row})`))
  }
  const rest = schema.filter(({ type }) => type !== 'table')
  return [...tables.map(({ sql }) => sql), ...rows, ...rest.map(({ sql }) => sql)]
}

/** Restores a dump in one transaction, since rows may come before the rows that they refer to. */
export const restoreDump = async (statements: readonly string[]): Promise<void> => {
  const all = ['PRAGMA defer_foreign_keys = ON', ...statements]
  await env.DB.batch(all.map((text) => env.DB.prepare(text)))
}
