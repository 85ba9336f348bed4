import { createHash } from 'node:crypto'

/** Writes the hash into the last line of a changed backup, as `backup` does. */
export const withHash = (sql: string): string => {
  const end = sql.lastIndexOf('\n-- The whole backup') + 1
  const sha256 = createHash('sha256').update(sql.slice(0, end)).digest('hex')
  return sql.slice(0, end) + sql.slice(end).replace(/sha256 \w+/, `sha256 ${sha256}`)
}
