import type { D1 } from '../../src/db/query.ts'
import { hashPassword } from '../../src/domain/passwords.ts'
import { emailKey } from '../../src/shared/email.ts'
import {
  type ImportError,
  type ImportedUser,
  type ImportFile,
  parseImport,
  takenEmployees,
  unknownEmployees,
} from './file.ts'
import {
  findEmployees,
  findEmployeeUsers,
  findUsers,
  inChunks,
  unlinkEmployees,
  writeRows,
  writeUsers,
} from './queries.ts'

interface Options {
  /** Overwrites the passwords of existing users, and ends their tokens. */
  resetPasswords?: boolean
  /** Called with the number of steps done, and their total. */
  onProgress?: (done: number, total: number) => void
}

export type Imported = { [List in keyof ImportFile]: number }
export type ImportResult = { errors: ImportError[] } | { imported: Imported }

/** Password hashes at a time: as many as Web Crypto has threads for. */
const HASHES_AT_ONCE = 4

const queryInChunks = async <Row>(
  values: readonly string[],
  query: (json: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const { json } of inChunks(values)) rows.push(...(await query(json)))
  return rows
}

/** Checks against the database: unknown employees, and employees already linked to another user. */
const conflictsWith = async (db: D1, file: ImportFile): Promise<ImportError[]> => {
  const referenced = new Set([...file.users, ...file.logs].flatMap((row) => row.employee_id ?? []))
  const linked = file.users.flatMap((user) => user.employee_id ?? [])
  const stored = await queryInChunks([...referenced], (json) => findEmployees(db, json))
  const taken = await queryInChunks(linked, (json) => findEmployeeUsers(db, json))
  return [...unknownEmployees(file, new Set(stored)), ...takenEmployees(file, new Map(taken))]
}

/** Users as stored, hashed a few at a time; those who keep their password are not hashed. */
const hashUsers = async (
  users: readonly ImportedUser[],
  keeps: (user: ImportedUser) => boolean,
  advance: (count: number) => void,
) => {
  const toRow = async ({ password, password_hash, ...user }: ImportedUser, kept: boolean) => ({
    ...user,
    email_key: emailKey(user.email),
    password_hash: kept ? '' : (password_hash ?? (await hashPassword(password ?? ''))),
  })
  const rows = []
  for (let i = 0; i < users.length; i += HASHES_AT_ONCE) {
    const some = users.slice(i, i + HASHES_AT_ONCE)
    rows.push(...(await Promise.all(some.map((user) => toRow(user, keeps(user))))))
    advance(some.length)
  }
  return rows
}

const countProgress = (total: number, onProgress: Options['onProgress']) => {
  let done = 0
  return (count: number) => {
    done += count
    onProgress?.(done, total)
  }
}

/**
 * Validates a whole import file and writes it; a file with an error writes nothing. Every write is
 * idempotent, so an interrupted import can be run again.
 */
export const importInto = async (
  db: D1,
  content: unknown,
  { resetPasswords = false, onProgress }: Options = {},
): Promise<ImportResult> => {
  const { file, errors } = parseImport(content)
  if (!file || errors.length > 0) return { errors }
  const conflicts = await conflictsWith(db, file)
  if (conflicts.length > 0) return { errors: conflicts }

  const counts = Object.entries(file).map(([list, rows]) => [list, rows.length] as const)
  const rowCount = counts.reduce((sum, [, count]) => sum + count, 0)
  // A user counts twice: the hash and the row.
  const advance = countProgress(rowCount + file.users.length, onProgress)
  const write = async (
    rows: readonly unknown[],
    writeChunk: (json: string) => Promise<unknown>,
    counted = true,
  ) => {
    for (const { json, count } of inChunks(rows)) {
      await writeChunk(json)
      if (counted) advance(count)
    }
  }

  const keys = file.users.map((user) => emailKey(user.email))
  const stored = new Set(await queryInChunks(keys, (json) => findUsers(db, json)))
  const keeps = (user: ImportedUser) => !resetPasswords && stored.has(emailKey(user.email))
  const users = await hashUsers(file.users, keeps, advance)

  for (const list of ['clients', 'modules', 'config', 'employees'] as const) {
    await write(file[list], (json) => writeRows(db, list, json))
  }
  await write(users, (json) => unlinkEmployees(db, json), false)
  await write(users, (json) => writeUsers(db, json, resetPasswords))
  const logs = file.logs.map(({ log_id: id, ...log }) => ({ id, ...log }))
  await write(logs, (json) => writeRows(db, 'logs', json))
  return { imported: Object.fromEntries(counts) as Imported }
}
