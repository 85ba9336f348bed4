import { setTimeout as sleep } from 'node:timers/promises'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/email.ts'
import { hashPassword } from '../../src/people/passwords.ts'
import { createActor } from './actors.ts'
import { findPaidRules, insertRules, type RuleList } from './dated-rules.ts'
import {
  changedLogs,
  type ImportError,
  type ImportedUser,
  type ImportFile,
  type ListName,
  logKey,
  noReviewers,
  otherPasswords,
  otherwiseDecided,
  type ParsedFile,
  type PlacedRow,
  parseImport,
  type StoredLog,
  suspiciousValues,
  takenEmployees,
  unknownEmployees,
} from './file.ts'
import {
  type Comparison,
  compareRows,
  decideLogs,
  findClosed,
  findEmployees,
  findEmployeeUsers,
  findGroups,
  findReviewers,
  findStoredLogs,
  findUsers,
  inChunks,
  insertNumberedLogs,
  insertSourceLogs,
  unlinkEmployees,
  writeRows,
  writeUsers,
} from './queries.ts'

interface Options {
  /** Overwrites the passwords of existing users, and ends their tokens. */
  resetPasswords?: boolean
  /** Takes the file's decisions on logs that are pending and that nobody has decided here. */
  updatePending?: boolean
  /** Compares, and writes nothing. */
  dryRun?: boolean
  /** The roles that may review logs: without a user who has one, it warns. */
  reviewRoles?: readonly string[]
  /** Called with how much is done, of how much. */
  onProgress?: (done: number, total: number) => void
}

export interface ImportSuccess {
  imported: Record<ListName, Comparison>
  /** Values that are valid and look like mistakes. */
  warnings: string[]
  /** What is stored otherwise than in the file, and stays. */
  kept: string[]
}

export type ImportResult = { errors: ImportError[] } | ImportSuccess

/** Password hashes at a time: as many as Web Crypto has threads for. */
const HASHES_AT_ONCE = 4

/** Between two writes, a running service gets its turn at the local database. */
const PAUSE_MS = 5

const queryInChunks = async <Row>(
  values: readonly unknown[],
  query: (json: string) => Promise<Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const { json } of inChunks(values)) rows.push(...(await query(json)))
  return rows
}

/** A stored log is found by its number, and by its id at its source if it has one. */
const storedKeys = ({ id, source, source_id }: StoredLog): string[] => [
  logKey({ log_id: id }),
  ...(source_id === null ? [] : [logKey({ source, source_id })]),
]

/** The file's logs that are stored already. */
const findLogs = async (db: D1, file: ImportFile): Promise<Map<string, StoredLog>> => {
  const keys = file.logs.map(({ row }) => row.log_id ?? [row.source, row.source_id])
  const stored = await queryInChunks(keys, (json) => findStoredLogs(db, json))
  return new Map(stored.flatMap((log) => storedKeys(log).map((key) => [key, log])))
}

/** New decided logs in a closed period; a trigger refuses them too, in the same transaction. */
const closedLogs = async (
  db: D1,
  file: ImportFile,
  stored: ReadonlyMap<string, StoredLog>,
): Promise<ImportError[]> => {
  const decided = file.logs.filter(
    ({ row }) => row.status !== 'pending' && !stored.has(logKey(row)),
  )
  const errors: ImportError[] = []
  let done = 0
  for (const { json, count } of inChunks(decided.map(({ row }) => row))) {
    for (const index of await findClosed(db, json)) {
      errors.push(`${decided[done + index]?.place}.status: decides a log of a closed period`)
    }
    done += count
  }
  return errors
}

/** Rules that would change days which closings have paid. */
const paidRules = async (
  db: D1,
  list: RuleList,
  field: string,
  rows: readonly PlacedRow<unknown>[],
): Promise<ImportError[]> => {
  const errors: ImportError[] = []
  let done = 0
  for (const { json, count } of inChunks(rows.map(({ row }) => row))) {
    for (const [index, before] of await findPaidRules(db, list, json)) {
      errors.push(
        `${rows[done + index]?.place}.${field}: may not change days before ${before}, which are paid`,
      )
    }
    done += count
  }
  return errors
}

/** Checks against the database: unknown and taken employees, and logs that would change. */
const conflictsWith = async (
  db: D1,
  parsed: ParsedFile,
  storedLogs: ReadonlyMap<string, StoredLog>,
): Promise<ImportError[]> => {
  const { file } = parsed
  const referenced = [...file.users, ...file.logs].flatMap(({ row }) => row.employee_id ?? [])
  const linked = file.users.flatMap(({ row }) => row.employee_id ?? [])
  const known = await queryInChunks([...new Set(referenced)], (json) => findEmployees(db, json))
  const taken = await queryInChunks(linked, (json) => findEmployeeUsers(db, json))
  return [
    ...unknownEmployees(parsed, new Set(known)),
    ...takenEmployees(file, new Map(taken)),
    ...changedLogs(file, storedLogs),
    ...(await closedLogs(db, file, storedLogs)),
    ...(await paidRules(db, 'branches', 'valid_from', file.branches)),
    ...(await paidRules(db, 'employees', 'max_shift_hours', file.employees)),
  ]
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
    ...createActor(emailKey(user.email)),
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

/** Employees whose file does not say keep their group and their last day. */
const keepGroups = async (db: D1, { employees }: ImportFile): Promise<void> => {
  const silent = employees.filter(
    ({ row }) => row.payroll_group === undefined || row.ended_at === undefined,
  )
  const ids = silent.map(({ row }) => row.employee_id)
  const stored = new Map(
    (await queryInChunks(ids, (json) => findGroups(db, json))).map((row) => [row.employee_id, row]),
  )
  for (const { row } of silent) {
    const known = stored.get(row.employee_id)
    row.payroll_group ??= known?.payroll_group ?? ''
    if (row.ended_at === undefined) row.ended_at = known?.ended_at ?? null
  }
}

const countProgress = (total: number, onProgress: Options['onProgress']) => {
  let done = 0
  return (count: number) => {
    done += count
    onProgress?.(done, total)
  }
}

const sum = (a: Comparison, b: Comparison): Comparison => ({
  created: a.created + b.created,
  changed: a.changed + b.changed,
  kept: a.kept + b.kept,
})

/**
 * Validates a whole import file and writes it; a file with an error writes nothing. Every write is
 * idempotent, so an interrupted import can be run again.
 */
export const importInto = async (
  db: D1,
  content: unknown,
  {
    resetPasswords = false,
    updatePending = false,
    dryRun = false,
    reviewRoles,
    onProgress,
  }: Options = {},
): Promise<ImportResult> => {
  const parsed = parseImport(content)
  const { file, errors } = parsed
  const storedLogs = await findLogs(db, file)
  errors.push(...(await conflictsWith(db, parsed, storedLogs)))
  if (errors.length > 0) return { errors }

  const { decided = [], undecided = [] } = Object.groupBy(
    otherwiseDecided(file, storedLogs),
    ({ log }) =>
      updatePending && log.status === 'pending' && !log.is_decided ? 'decided' : 'undecided',
  )
  const rowCount = Object.values(file).reduce((count, rows) => count + rows.length, 0)
  // A user counts twice: the hash and the row.
  const advance = countProgress(rowCount + file.users.length, onProgress)
  const none = { created: 0, changed: 0, kept: 0 }
  const write = async (
    name: Exclude<ListName, 'logs'>,
    rows: readonly unknown[],
    writeChunk: (json: string) => Promise<unknown>,
  ): Promise<Comparison> => {
    let compared = none
    for (const { json, count } of inChunks(rows)) {
      compared = sum(compared, await compareRows(db, name, json))
      if (!dryRun) await writeChunk(json)
      advance(count)
      await sleep(PAUSE_MS)
    }
    return compared
  }
  const writeNewLogs = async (): Promise<Comparison> => {
    const logs = file.logs.map(({ row }) => row).filter((row) => !storedLogs.has(logKey(row)))
    const { numbered = [], unnumbered = [] } = Object.groupBy(logs, ({ log_id }) =>
      log_id === undefined ? 'unnumbered' : 'numbered',
    )
    const kept = file.logs.length - logs.length - decided.length
    advance(kept)
    const decisions = decided.map(({ log, status }) => ({ id: log.id, status }))
    for (const { json, count } of inChunks(decisions)) {
      if (!dryRun) await decideLogs(db, json, new Date())
      advance(count)
      await sleep(PAUSE_MS)
    }
    for (const [rows, insert] of [
      [numbered, insertNumberedLogs],
      [unnumbered, insertSourceLogs],
    ] as const) {
      for (const { json, count } of inChunks(rows)) {
        if (!dryRun) await insert(db, json)
        advance(count)
        await sleep(PAUSE_MS)
      }
    }
    return { created: logs.length, changed: decided.length, kept }
  }
  const writeList = (
    name: Exclude<ListName, 'users' | 'logs'>,
    writeChunk: (json: string) => Promise<unknown>,
  ) =>
    write(
      name,
      file[name].map(({ row }) => row),
      writeChunk,
    )

  const people = file.users.map(({ row }) => row)
  const keys = people.map((user) => emailKey(user.email))
  const stored = new Map(await queryInChunks(keys, (json) => findUsers(db, json)))
  const keeps = (user: ImportedUser) =>
    dryRun || (!resetPasswords && stored.has(emailKey(user.email)))
  const users = await hashUsers(people, keeps, advance)
  await keepGroups(db, file)

  const imported = {
    clients: await writeList('clients', (json) => writeRows(db, 'clients', json)),
    modules: await writeList('modules', (json) => writeRows(db, 'modules', json)),
    config: await writeList('config', (json) => writeRows(db, 'config', json)),
    branches: await writeList('branches', (json) => insertRules(db, 'branches', json)),
    employees: await writeList('employees', async (json) => {
      await writeRows(db, 'employees', json)
      await insertRules(db, 'employees', json)
    }),
    users: none,
    logs: none,
  }
  if (!dryRun) for (const { json } of inChunks(users)) await unlinkEmployees(db, json)
  imported.users = await write('users', users, (json) => writeUsers(db, json, resetPasswords))
  imported.logs = await writeNewLogs()
  const kept = [
    ...undecided.map(
      ({ place, status, log }) => `${place}.status: ${status} in the file, ${log.status} here`,
    ),
    ...(resetPasswords ? [] : otherPasswords(file, stored)),
  ]
  const warnings = [
    ...suspiciousValues(file, new Date()),
    ...(reviewRoles ? noReviewers(file, reviewRoles, await findReviewers(db, reviewRoles)) : []),
  ]
  return { imported, warnings, kept }
}
