import { setTimeout as sleep } from 'node:timers/promises'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/email.ts'
import { isNewSourceName } from '../../src/core/text.ts'
import { createActor } from '../../src/people/actor.ts'
import { isNewId } from '../../src/people/employee-records.ts'
import { hashPassword } from '../../src/people/passwords.ts'
import { findPaidRules, insertRules } from './dated-rules.ts'
import {
  changedLogs,
  differentPasswords,
  differentStatuses,
  type ImportedUser,
  type ImportFile,
  type ListName,
  logKey,
  noReviewers,
  type ParsedFile,
  type PlacedRow,
  parseImport,
  type StoredLog,
  similarIds,
  suspiciousValues,
  takenEmployees,
  unknownEmployees,
} from './file.ts'
import {
  type Comparison,
  compareRows,
  decideLogs,
  findClosed,
  findEmployeeIds,
  findEmployees,
  findEmployeeUsers,
  findNewEmployees,
  findNewSources,
  findReviewers,
  findStoredLogs,
  findUsers,
  inChunks,
  insertNumberedLogs,
  insertSourceLogs,
  unlinkEmployees,
  writeEmployees,
  writeRows,
  writeUsers,
} from './queries.ts'

interface Options {
  /** Overwrites the passwords of existing users, and ends their tokens. */
  resetPasswords?: boolean
  /** Applies the file's decisions to pending logs that nobody has decided in this service. */
  updatePending?: boolean
  /** Compares the file with the database, and writes nothing. */
  dryRun?: boolean
  /** The roles that may review logs. There is a warning if no user has one of them. */
  reviewRoles?: readonly string[]
  onProgress?: (done: number, total: number) => void
}

interface Imported {
  imported: Record<ListName, Comparison>
  /** Messages about valid values that look like mistakes. */
  warnings: string[]
  /** Messages about stored values that differ from the file and stay unchanged. */
  kept: string[]
}

/** The number of passwords to hash at a time, which is the number of Web Crypto's threads. */
const HASHES_AT_ONCE = 4

/** The pause after each write, in which a running service can use the local database. */
const PAUSE_MS = 5

const rowsOf = <Row>(list: readonly PlacedRow<Row>[]): Row[] => list.map(({ row }) => row)

const queryInChunks = async <Row>(
  values: readonly unknown[],
  query: (json: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const { json } of inChunks(values)) rows.push(...(await query(json)))
  return rows
}

/** A file may refer to a log by its number, or by its id at its source if it has one. */
const storedKeys = ({ id, source, source_id }: StoredLog): string[] => [
  logKey({ log_id: id }),
  ...(source_id === null ? [] : [logKey({ source, source_id })]),
]

/** Finds the file's logs that are already stored, by their keys. */
const findLogs = async (db: D1, { logs }: ImportFile): Promise<Map<string, StoredLog>> => {
  const keys = rowsOf(logs).map((row) => row.log_id ?? [row.source, row.source_id])
  const stored = await queryInChunks(keys, (json) => findStoredLogs(db, json))
  return new Map(stored.flatMap((log) => storedKeys(log).map((key) => [key, log])))
}

/** Returns an error for each row that a query finds. The query returns the row's index as `key`. */
const findErrors = async <Found extends { key: number }>(
  rows: readonly PlacedRow<unknown>[],
  findWrong: (json: string) => Promise<Found[]>,
  messageOf: (found: Found) => string,
): Promise<string[]> => {
  const errors: string[] = []
  let done = 0
  for (const { json, count } of inChunks(rowsOf(rows))) {
    for (const found of await findWrong(json)) {
      errors.push(`${rows[done + found.key]?.place}.${messageOf(found)}`)
    }
    done += count
  }
  return errors
}

const NEW_SOURCE_RULE =
  'a new one has letters of one script, digits, blanks and . _ - / # ( ) : and does not look like ' +
  'app:, manual: or request:'

const NEW_ID_RULE = 'a new id has 1 to 50 visible characters, and no blanks before or after them'

/** Returns errors of rows that conflict with stored employees, users, logs or closings. */
const findConflicts = async (
  db: D1,
  parsed: ParsedFile,
  storedLogs: ReadonlyMap<string, StoredLog>,
): Promise<string[]> => {
  const { file } = parsed
  const { branches, employees, users, logs } = file
  const linked = rowsOf(users).flatMap(({ employee_id }) => employee_id ?? [])
  const referenced = new Set([...linked, ...rowsOf(logs).map(({ employee_id }) => employee_id)])
  const known = await queryInChunks([...referenced], (json) => findEmployees(db, json))
  const taken = await queryInChunks(linked, (json) => findEmployeeUsers(db, json))
  const decided = logs.filter(({ row }) => row.status !== 'pending' && !storedLogs.has(logKey(row)))
  const oddlyNamed = logs.filter(
    ({ row }) =>
      row.source !== undefined && !isNewSourceName(row.source) && !storedLogs.has(logKey(row)),
  )
  const paid = ({ paid_before }: { paid_before: string }) =>
    `may not change days before ${paid_before}, which are paid`
  // Stored ids are compared byte for byte, whatever they are.
  const unusualIds = employees.filter(({ row }) => !isNewId(row.employee_id))
  return [
    ...unknownEmployees(parsed, new Set(known.map(({ employee_id }) => employee_id))),
    ...takenEmployees(file, new Map(taken)),
    ...changedLogs(file, storedLogs),
    ...(await findErrors(
      oddlyNamed,
      (json) => findNewSources(db, json),
      () => `source: ${NEW_SOURCE_RULE}`,
    )),
    // A trigger also rejects these logs, for closings that are stored after this check.
    ...(await findErrors(
      decided,
      (json) => findClosed(db, json),
      () => 'status: decides a log of a closed period',
    )),
    ...(await findErrors(
      unusualIds,
      (json) => findNewEmployees(db, json),
      () => `employee_id: ${NEW_ID_RULE}`,
    )),
    ...(await findErrors(
      branches,
      (json) => findPaidRules(db, 'branches', json),
      (found) => `valid_from: ${paid(found)}`,
    )),
    ...(await findErrors(
      employees,
      (json) => findPaidRules(db, 'employees', json),
      (found) => `max_shift_hours: ${paid(found)}`,
    )),
  ]
}

/** Makes the rows of users. Hashes a few passwords at a time, but none that will not be stored. */
const hashUsers = async (
  users: readonly ImportedUser[],
  keeps: (user: ImportedUser) => boolean,
  advance: (count: number) => void,
) => {
  const toRow = async (imported: ImportedUser) => {
    const { password, password_hash, ...user } = imported
    const email_key = emailKey(user.email)
    const hash = async () => password_hash ?? (await hashPassword(password ?? ''))
    const kept = keeps(imported)
    return {
      ...user,
      email_key,
      ...createActor(email_key),
      password_hash: kept ? '' : await hash(),
    }
  }
  const rows = []
  for (let i = 0; i < users.length; i += HASHES_AT_ONCE) {
    const some = users.slice(i, i + HASHES_AT_ONCE)
    rows.push(...(await Promise.all(some.map(toRow))))
    advance(some.length)
  }
  return rows
}

/** Fills in the stored group and last day of employees if the file leaves them out. */
const fillEmployees = async (db: D1, { employees }: ImportFile): Promise<void> => {
  const partial = rowsOf(employees).filter(
    ({ payroll_group, ended_at }) => payroll_group === undefined || ended_at === undefined,
  )
  const ids = partial.map(({ employee_id }) => employee_id)
  const found = await queryInChunks(ids, (json) => findEmployees(db, json))
  const stored = new Map(found.map((row) => [row.employee_id, row]))
  for (const row of partial) {
    const known = stored.get(row.employee_id)
    row.payroll_group ??= known?.payroll_group ?? ''
    if (row.ended_at === undefined) row.ended_at = known?.ended_at ?? null
  }
}

const NONE: Comparison = { created: 0, changed: 0, kept: 0 }

const sum = (a: Comparison, b: Comparison): Comparison => ({
  created: a.created + b.created,
  changed: a.changed + b.changed,
  kept: a.kept + b.kept,
})

/**
 * Validates a whole import file and writes its rows. If the file has any error, nothing is written.
 * All writes are idempotent, so an interrupted import can be run again.
 */
export const importInto = async (
  db: D1,
  content: unknown,
  options: Options = {},
): Promise<{ errors: string[] } | Imported> => {
  const { resetPasswords = false, updatePending = false, dryRun = false, reviewRoles } = options
  const parsed = parseImport(content)
  const { file, errors } = parsed
  const storedLogs = await findLogs(db, file)
  errors.push(...(await findConflicts(db, parsed, storedLogs)))
  if (errors.length > 0) return { errors }
  const similar = similarIds(file, file.employees.length > 0 ? await findEmployeeIds(db) : [])

  // Each user counts twice, for hashing the password and for writing the row.
  const total = [...Object.values(file), file.users].reduce(
    (count, { length }) => count + length,
    0,
  )
  let done = 0
  const advance = (count: number) => {
    done += count
    options.onProgress?.(done, total)
  }
  const write = async (
    rows: readonly unknown[],
    writeChunk: (json: string) => Promise<unknown>,
    compareChunk = async (_json: string) => NONE,
  ): Promise<Comparison> => {
    let compared = NONE
    for (const { json, count } of inChunks(rows)) {
      compared = sum(compared, await compareChunk(json))
      if (!dryRun) await writeChunk(json)
      advance(count)
      await sleep(PAUSE_MS)
    }
    return compared
  }
  const writeList = (
    name: Exclude<ListName, 'logs'>,
    writeChunk: (json: string) => Promise<unknown>,
    rows: readonly unknown[] = rowsOf<unknown>(file[name]),
  ) => write(rows, writeChunk, (json) => compareRows(db, name, json))

  const people = rowsOf(file.users)
  const keys = people.map((user) => emailKey(user.email))
  const storedHashes = new Map(await queryInChunks(keys, (json) => findUsers(db, json)))
  const keeps = ({ email }: ImportedUser) =>
    dryRun || (!resetPasswords && storedHashes.has(emailKey(email)))
  const users = await hashUsers(people, keeps, advance)
  await fillEmployees(db, file)

  const { decided = [], undecided = [] } = Object.groupBy(
    differentStatuses(file, storedLogs),
    ({ log }) =>
      updatePending && log.status === 'pending' && !log.is_decided ? 'decided' : 'undecided',
  )
  const writeLogs = async (): Promise<Comparison> => {
    const logs = rowsOf(file.logs).filter((row) => !storedLogs.has(logKey(row)))
    const { numbered = [], unnumbered = [] } = Object.groupBy(logs, ({ log_id }) =>
      log_id === undefined ? 'unnumbered' : 'numbered',
    )
    const kept = file.logs.length - logs.length - decided.length
    advance(kept)
    const decisions = decided.map(({ log, status }) => ({ id: log.id, status }))
    await write(decisions, (json) => decideLogs(db, json, new Date()))
    await write(numbered, (json) => insertNumberedLogs(db, json))
    await write(unnumbered, (json) => insertSourceLogs(db, json))
    return { created: logs.length, changed: decided.length, kept }
  }
  const imported = {
    clients: await writeList('clients', (json) => writeRows(db, 'clients', json)),
    modules: await writeList('modules', (json) => writeRows(db, 'modules', json)),
    config: await writeList('config', (json) => writeRows(db, 'config', json)),
    branches: await writeList('branches', (json) => insertRules(db, 'branches', json)),
    employees: await writeList('employees', async (json) => {
      await writeEmployees(db, json, new Date())
      await insertRules(db, 'employees', json)
    }),
    users: NONE,
    logs: NONE,
  }
  if (!dryRun) for (const { json } of inChunks(users)) await unlinkEmployees(db, json, new Date())
  imported.users = await writeList(
    'users',
    (json) => writeUsers(db, json, { resetPasswords, at: new Date() }),
    users,
  )
  imported.logs = await writeLogs()
  const kept = [
    ...undecided.map(
      ({ place, status, log }) => `${place}.status: ${status} in the file, ${log.status} here`,
    ),
    ...(resetPasswords ? [] : differentPasswords(file, storedHashes)),
  ]
  const warnings = [
    ...suspiciousValues(file, new Date()),
    ...similar,
    ...(reviewRoles ? noReviewers(file, reviewRoles, await findReviewers(db, reviewRoles)) : []),
  ]
  return { imported, warnings, kept }
}
