import type { D1 } from '../../src/db/query.ts'
import { hashPassword } from '../../src/domain/passwords.ts'
import { emailKey } from '../../src/shared/email.ts'
import {
  claimedTwice,
  type Fault,
  type ImportedUser,
  type ImportFile,
  readImport,
  unknownEmployees,
} from './file.ts'
import {
  employeeHolders,
  inChunks,
  releaseEmployees,
  storedEmployees,
  storedUsers,
  writeRows,
  writeUsers,
} from './queries.ts'

interface Options {
  /** Gives every user of the file the file's password, and ends that user's tokens. */
  resetPasswords?: boolean
  /** Told how many units of work are done, of how many. */
  onProgress?: (done: number, total: number) => void
}

export type Imported = { [List in keyof ImportFile]: number }
export type ImportResult = { faults: Fault[] } | { imported: Imported }

/** Derivations at a time: as many as Web Crypto has threads for. */
const HASHES_AT_ONCE = 4

const collect = async <Row>(
  values: readonly string[],
  ask: (json: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const { json } of inChunks(values)) rows.push(...(await ask(json)))
  return rows
}

/** What the file alone cannot tell: whom it speaks of, and who has an employee already. */
const faultsAgainst = async (db: D1, file: ImportFile): Promise<Fault[]> => {
  const spoken = new Set([...file.users, ...file.logs].flatMap((row) => row.employee_id ?? []))
  const held = file.users.flatMap((user) => user.employee_id ?? [])
  const stored = await collect([...spoken], (json) => storedEmployees(db, json))
  const holders = await collect(held, (json) => employeeHolders(db, json))
  return [...unknownEmployees(file, new Set(stored)), ...claimedTwice(file, new Map(holders))]
}

/** Users as stored, a few derivations at a time; who keeps the password needs none. */
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
 * Reads a whole import file and writes it: nothing at all where it has a fault. Every write is
 * idempotent, so an interrupted import is simply run again.
 */
export const importInto = async (
  db: D1,
  content: unknown,
  { resetPasswords = false, onProgress }: Options = {},
): Promise<ImportResult> => {
  const { file, faults } = readImport(content)
  if (!file || faults.length > 0) return { faults }
  const clashes = await faultsAgainst(db, file)
  if (clashes.length > 0) return { faults: clashes }

  const counts = Object.entries(file).map(([list, rows]) => [list, rows.length] as const)
  const rowCount = counts.reduce((sum, [, count]) => sum + count, 0)
  // A user is a hash and a row.
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
  const stored = new Set(await collect(keys, (json) => storedUsers(db, json)))
  const keeps = (user: ImportedUser) => !resetPasswords && stored.has(emailKey(user.email))
  const users = await hashUsers(file.users, keeps, advance)

  for (const list of ['clients', 'modules', 'config', 'employees'] as const) {
    await write(file[list], (json) => writeRows(db, list, json))
  }
  await write(users, (json) => releaseEmployees(db, json), false)
  await write(users, (json) => writeUsers(db, json, resetPasswords))
  const logs = file.logs.map(({ log_id: id, ...log }) => ({ id, ...log }))
  await write(logs, (json) => writeRows(db, 'logs', json))
  return { imported: Object.fromEntries(counts) as Imported }
}
