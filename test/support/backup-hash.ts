import { createHash } from 'node:crypto'

const END = '\n-- The whole backup'

/**
 * Writes the hash into the last line of a changed backup, as `backup` does.
 * @param added the number of statements that the change has added
 */
export const withHash = (sql: string, added = 0): string => {
  const end = sql.lastIndexOf(END) + 1
  const sha256 = createHash('sha256').update(sql.slice(0, end)).digest('hex')
  const lastLine = sql
    .slice(end)
    .replace(/\d+ statements/, (count) => `${Number.parseInt(count, 10) + added} statements`)
    .replace(/sha256 \w+/, `sha256 ${sha256}`)
  return sql.slice(0, end) + lastLine
}
