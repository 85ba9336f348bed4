import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { bytesOf } from '../core/input-file.ts'
import { printable } from '../core/printable.ts'
import {
  columnsOf,
  entryOf,
  MIGRATIONS_TABLE,
  quoteName,
  rowsOf,
  type SchemaEntry,
  schemaOf,
  tablesOf,
} from './schema.ts'
import { readValues, writeValues } from './sql-values.ts'

/**
 * A backup is SQL, compressed with gzip. Each statement ends at the end of a line. The last line
 * has the number of statements and the hash of all lines before it, so a file that was cut between
 * two statements, or in which a value was changed, is rejected.
 */
const lastLine = (statements: number, hash: string): string =>
  `-- The whole backup: ${statements} statements, sha256 ${hash}.`

const DEFER_KEYS = 'PRAGMA defer_foreign_keys=TRUE;'
const CLEAR_SEQUENCE = 'DELETE FROM sqlite_sequence;'

/** How each statement of a backup begins. */
const BEGINS = /^(PRAGMA|CREATE|INSERT|DELETE) /

/** A trigger contains statements that end with `;`, so only `END;` completes it. */
const completes = (line: string, isTrigger: boolean): boolean =>
  isTrigger ? /\bEND;$/i.test(line) : line.endsWith(';')

const TOO_LONG = 'it has a line that is longer than any row.'
const NOT_TEXT = 'it has bytes that are not text in UTF-8.'
const GROWS = 'it is compressed, and becomes more than 100 times as large.'
const STATEMENT_MAX = 16 * 1024 * 1024

interface Statement {
  text: string
  /** The line where it begins, from 1. */
  line: number
}

const refuse = ({ text, line }: Statement): never => {
  const start = printable(text.slice(0, 60))
  throw new Error(`its line ${line} is no statement of a backup: ${start}`)
}

/** Reads the statements of a file. With `isBackup`, fails if the file is not a whole backup. */
async function* statementsIn(path: string, { isBackup }: { isBackup: boolean }) {
  const hash = createHash('sha256')
  let statement = ''
  let last: string | undefined
  let [count, lines, start, isTrigger] = [0, 0, 1, false]
  const texts = textOf(bytesOf(path, GROWS), NOT_TEXT)
  for await (const line of linesOf(texts, TOO_LONG)) {
    if (last !== undefined) hash.update(`${last}\n`)
    last = line
    lines++
    if (statement === '' && line.startsWith('-- ')) continue
    if (statement === '') {
      start = lines
      isTrigger = /^CREATE TRIGGER/i.test(line)
      if (isBackup && !BEGINS.test(line)) refuse({ text: line, line: lines })
    }
    statement += statement === '' ? line : `\n${line}`
    if (statement.length > STATEMENT_MAX) throw new Error(TOO_LONG)
    if (!completes(line, isTrigger)) continue
    yield { text: statement, line: start } satisfies Statement
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
}

/**
 * Runs the statements of wrangler's export of our own database, in one transaction. The statements
 * of a backup are never run: `loadBackup` reads their values.
 */
export const loadExport = async (db: DatabaseSync, path: string): Promise<void> => {
  db.exec('BEGIN')
  for await (const { text } of statementsIn(path, { isBackup: false })) db.exec(text)
  db.exec('COMMIT')
}

/** The start of an INSERT up to its values, and the name of the table. */
const INSERT = /^(INSERT INTO "(\w+)" \((?:"\w+",)*"\w+"\) VALUES \()/

interface Insert {
  head: string
  table: string
  values: NonNullable<ReturnType<typeof readValues>>
}

const readInsert = (statement: Statement): Insert | undefined => {
  const [, head, table] = INSERT.exec(statement.text) ?? []
  if (head === undefined || table === undefined) return undefined
  const values = readValues(statement.text, head.length)
  return values ? { head, table, values } : refuse(statement)
}

/** The schema and the migrations that a backup says it has. */
export interface BackupContent {
  schema: SchemaEntry[]
  migrations: string[]
}

/**
 * Reads a whole backup without running or writing anything.
 * @throws Error with the reason, if it is cut or changed, or has anything that no backup has
 */
export const readBackup = async (path: string): Promise<BackupContent> => {
  const schema: SchemaEntry[] = []
  const migrations: string[] = []
  for await (const statement of statementsIn(path, { isBackup: true })) {
    const { text } = statement
    const insert = readInsert(statement)
    if (insert?.table === MIGRATIONS_TABLE) migrations.push(String(insert.values[1]))
    if (insert || text === DEFER_KEYS || text === CLEAR_SEQUENCE) continue
    schema.push(entryOf(text.slice(0, -1)) ?? refuse(statement))
  }
  return { schema, migrations }
}

const insertHead = (db: DatabaseSync, table: string): string => {
  const columns = columnsOf(db, table).map(({ name }) => quoteName(name))
  return `INSERT INTO ${quoteName(table)} (${columns.join()}) VALUES (`
}

/** Prepares the INSERT of a table. Fails if the statement names other columns than the table has. */
const prepareInsert = (db: DatabaseSync, { head, table, values }: Insert, line: number) => {
  if (head !== insertHead(db, table)) {
    throw new Error(`its line ${line} is a row of other columns than ${table} has.`)
  }
  return db.prepare(`${head}${values.map(() => '?').join()})`)
}

/**
 * Builds a database from a backup in one transaction: the given schema, and the rows of the file.
 * Triggers are created after the rows, since triggers would reject some rows or add others.
 */
export const loadBackup = async (
  db: DatabaseSync,
  path: string,
  schema: readonly SchemaEntry[],
): Promise<void> => {
  const create = (isTable: boolean) => {
    for (const { type, sql } of schema) if ((type === 'table') === isTable) db.exec(sql)
  }
  const inserts = new Map<string, { statement: StatementSync; columns: number }>()
  db.exec(`BEGIN; ${DEFER_KEYS}`)
  create(true)
  for await (const statement of statementsIn(path, { isBackup: true })) {
    if (statement.text === CLEAR_SEQUENCE) db.exec(CLEAR_SEQUENCE)
    const insert = readInsert(statement)
    if (!insert) continue
    const { head, values } = insert
    const known = inserts.get(head) ?? {
      statement: prepareInsert(db, insert, statement.line),
      columns: values.length,
    }
    inserts.set(head, known)
    if (values.length !== known.columns) refuse(statement)
    known.statement.run(...values)
  }
  create(false)
  db.exec('COMMIT')
}

function* dataOf(db: DatabaseSync, table: string): Generator<string> {
  const head = insertHead(db, table)
  for (const row of rowsOf(db, table)) yield `${head}${writeValues(row)});`
}

/** Returns statements that rebuild a database: tables before rows, parents before children. */
function* statementsOf(db: DatabaseSync): Generator<string> {
  const tables = tablesOf(db)
  yield DEFER_KEYS
  for (const { sql } of tables) yield `${sql};`
  for (const { name } of tables) yield* dataOf(db, name)
  yield CLEAR_SEQUENCE
  yield* dataOf(db, 'sqlite_sequence')
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
