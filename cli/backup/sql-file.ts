import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { linesOf } from '../../sdk/evidence/lines.ts'
import { type Cell, columnsOf, quoteName, rowsOf, schemaOf, tablesOf } from './schema.ts'

/**
 * A backup is SQL, compressed with gzip. Each statement ends at the end of a line. The last line
 * has the number of statements and the hash of all lines before it, so a file that was cut between
 * two statements, or in which a value was changed, is rejected.
 */
const lastLine = (statements: number, hash: string): string =>
  `-- The whole backup: ${statements} statements, sha256 ${hash}.`

/** A trigger contains statements that end with `;`, so only `END;` completes it. */
const isComplete = (statement: string): boolean =>
  /^CREATE TRIGGER/i.test(statement) ? /\bEND;$/i.test(statement) : statement.endsWith(';')

/**
 * Runs the statements of a file in one transaction. With `isBackup`, fails if the file is not a
 * whole backup.
 */
export const loadSql = async (
  db: DatabaseSync,
  path: string,
  { isBackup = false } = {},
): Promise<void> => {
  const file = createReadStream(path)
  const bytes = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  file.on('error', (error) => bytes.destroy(error))
  db.exec('BEGIN')
  const hash = createHash('sha256')
  let statement = ''
  let last: string | undefined
  let count = 0
  for await (const line of linesOf(bytes.setEncoding('utf8'))) {
    if (last !== undefined) hash.update(`${last}\n`)
    last = line
    if (statement === '' && line.startsWith('-- ')) continue
    statement += statement === '' ? line : `\n${line}`
    if (!isComplete(statement)) continue
    db.exec(statement)
    count++
    statement = ''
  }
  if (statement.trim() !== '') throw new Error('it ends in the middle of a statement.')
  if (isBackup && last !== lastLine(count, hash.digest('hex'))) {
    throw new Error(
      last?.startsWith(lastLine(count, '').slice(0, -1))
        ? 'its content was changed after it was written (its sha256 differs).'
        : `its end is missing, after ${count} statements.`,
    )
  }
  db.exec('COMMIT')
}

/** Text with control characters is written as JSON, since a line feed would split a statement. */
const CONTROL_CHARACTER = /\p{Cc}/u

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

const toSql = (value: Cell): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return `X'${Buffer.from(value).toString('hex')}'`
  return CONTROL_CHARACTER.test(value) ? `${quote(JSON.stringify(value))} ->> '$'` : quote(value)
}

function* dataOf(db: DatabaseSync, table: string): Generator<string> {
  const columns = columnsOf(db, table).map(({ name }) => quoteName(name))
  for (const row of rowsOf(db, table)) {
    yield `INSERT INTO ${quoteName(table)} (${columns.join()}) VALUES (${row.map(toSql).join()});`
  }
}

/** Returns statements that rebuild a database: tables before rows, parents before children. */
function* statementsOf(db: DatabaseSync): Generator<string> {
  const tables = tablesOf(db)
  yield 'PRAGMA defer_foreign_keys=TRUE;'
  for (const { sql } of tables) yield `${sql};`
  for (const { name } of tables) yield* dataOf(db, name)
  yield 'DELETE FROM sqlite_sequence;'
  yield* dataOf(db, 'sqlite_sequence')
  // Triggers are created after the rows, since triggers would reject some rows or add others.
  for (const { sql } of schemaOf(db, ['index', 'trigger'])) yield `${sql};`
}

/** Writes a database to a new file, compressed with gzip. Fails if the file exists. */
export const writeSql = async (db: DatabaseSync, path: string): Promise<void> => {
  const lines = statementsOf(db)
  const hash = createHash('sha256')
  const chunks = function* () {
    let chunk = ''
    let count = 0
    for (const line of lines) {
      count++
      chunk += `${line}\n`
      if (chunk.length < 65_536) continue
      hash.update(chunk)
      yield chunk
      chunk = ''
    }
    yield `${chunk}${lastLine(count, hash.update(chunk).digest('hex'))}\n`
  }
  // Only the owner can read the file, which contains personal data and password hashes.
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  await pipeline(Readable.from(chunks()), createGzip(), file)
}
