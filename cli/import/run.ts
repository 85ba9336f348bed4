import { setTimeout as sleep } from 'node:timers/promises'
import { readCompany, saveCompany } from '../../src/company/company.queries.ts'
import { fullBytes } from '../../src/core/db/d1.ts'
import type { D1 } from '../../src/core/db/query.ts'
import type { Settings } from '../../src/core/http/settings.ts'
import { emailKey } from '../../src/core/values/email.ts'
import { listPayrollGroups, putPayrollGroup } from '../../src/payroll/rules/groups.ts'
import {
  compareRules,
  type HourRule,
  insertRules,
  type RuleList,
} from '../../src/payroll/rules/rules.queries.ts'
import { EmployeesError, type EmployeeWrite } from '../../src/people/employee-faults.ts'
import { checkEmployees, writeEmployees } from '../../src/people/employee-records.ts'
import type { RoleSettings } from '../../src/session/can.ts'
import { rolesOf } from '../../src/session/can.ts'
import { inChunks } from '../core/chunks.ts'
import { operatorMessage } from '../core/error-messages.ts'
import { openAsOperator } from '../core/operator.ts'
import { findAdministrators } from '../users/administrators.ts'
import {
  changedLogs,
  differentPasswords,
  differentStatuses,
  differentTimes,
  hasPassword,
  type ImportedUser,
  type ImportFile,
  type ListName,
  leavesAdministrator,
  logKey,
  type ParsedFile,
  type PlacedRow,
  parseImport,
  type StoredLog,
  type StoredUsers,
  similarIds,
  suspiciousValues,
  takenEmployees,
  unknownEmployees,
  unnamedRoles,
  wrongMachines,
} from './file.ts'
import {
  type Comparison,
  decideLogs,
  findEmployeeIds,
  findEmployees,
  findEmployeeUsers,
  findLockedRows,
  findStoredLogs,
  insertLogs,
  LIST_WRITERS,
  queryInChunks,
} from './queries.ts'
import {
  compareUser,
  effectsOnStored,
  findStoredUsers,
  hashPasswords,
  judgedByImport,
  writeUsers,
} from './users.ts'

interface Options {
  /** Overwrites the passwords of existing users, and ends their tokens. */
  resetPasswords?: boolean
  /** Applies the file's decisions to pending logs that nobody has decided in this service. */
  updatePending?: boolean
  /** Compares the file with the database, and writes nothing. */
  dryRun?: boolean
  /** Without settings, the checks that need them are skipped. */
  settings?: Pick<Settings, 'DB_LIMIT_MB'> & RoleSettings
  onProgress?: (done: number, total: number) => void
}

interface Imported {
  imported: Record<ListName, Comparison>
  /** Messages about valid values that look like mistakes. */
  warnings: string[]
  /** Messages about stored values that differ from the file and stay unchanged. */
  kept: string[]
}

/** The pause after each write, in which a running service can use the local database. */
const PAUSE_MS = 5

const rowsOf = <Row>(list: readonly PlacedRow<Row>[]): Row[] => list.map(({ row }) => row)

const storedKeys = ({ id, source, source_id }: StoredLog): string[] => [
  logKey({ log_id: id }),
  ...(source_id === null ? [] : [logKey({ source, source_id })]),
]

/** Finds the logs of the file that are stored already. Returns them by each of their keys. */
const findLogs = async (db: D1, { logs }: ImportFile): Promise<Map<string, StoredLog>> => {
  const keys = rowsOf(logs).map((row) => row.log_id ?? [row.source, row.source_id])
  const stored = await queryInChunks(keys, (json) => findStoredLogs(db, json))
  return new Map(stored.flatMap((log) => storedKeys(log).map((key) => [key, log])))
}

/** Returns an error for each row that `findWrong` finds. `key` is the row's index in its chunk. */
const findErrors = async <Row, Found extends { key: number }>(
  rows: readonly PlacedRow<Row>[],
  findWrong: (json: string, chunk: Row[]) => Promise<Found[]>,
  messageOf: (found: Found) => string,
): Promise<string[]> => {
  const errors: string[] = []
  let done = 0
  for (const { json, rows: chunk } of inChunks(rowsOf(rows))) {
    for (const found of await findWrong(json, chunk)) {
      errors.push(`${rows[done + found.key]?.place}.${messageOf(found)}`)
    }
    done += chunk.length
  }
  return errors
}

const groupsOf = (file: ImportFile): string[] =>
  rowsOf(file.payroll_groups).map(({ payroll_group }) => payroll_group)

type ImportedEmployee = ImportFile['employees'][number]['row']

/**
 * Returns the rows in the form of the API. If a row lacks the group or the last day, it gets the
 * stored value, if there is one.
 */
const toWrites = async (db: D1, rows: readonly ImportedEmployee[]): Promise<EmployeeWrite[]> => {
  const ids = rows.map(({ employee_id }) => employee_id)
  const found = await findEmployees(db, JSON.stringify(ids))
  const stored = new Map(found.map((row) => [row.employee_id, row]))
  return rows.map((row) => {
    const { payroll_group = '', ended_at = null, version = 0 } = stored.get(row.employee_id) ?? {}
    return {
      ...row,
      payroll_group: row.payroll_group ?? payroll_group,
      ended_at: row.ended_at === undefined ? ended_at : row.ended_at,
      expected_version: version,
      deactivate_user: false,
    }
  })
}

/**
 * Returns the faults that the API's check of employees finds. `key` is the index of the row. A
 * repeated employee is not among them, since `parseImport` reports that. `newGroups` are the groups
 * of the file.
 */
const findFaults = async (
  db: D1,
  rows: readonly ImportedEmployee[],
  newGroups: readonly string[],
) => {
  const writes = await toWrites(db, rows)
  const options = { payRoles: [], newGroups, now: new Date() }
  try {
    await checkEmployees(await openAsOperator(db), writes, options)
    return []
  } catch (error) {
    if (!(error instanceof EmployeesError)) throw error
    return error.faults
      .filter(({ code }) => code !== 'REPEATED_EMPLOYEE')
      .map((fault) => ({ key: fault.position, fault }))
  }
}

/** A rule of hours of the file, with the name of the field that has its value or day. */
type PlacedRule = HourRule & { place: string }

/** The zones of the company and of branches. A zone without a day is valid on all days. */
const zonesOfFile = ({
  company,
  branches,
}: Pick<ImportFile, 'company' | 'branches'>): PlacedRule[] => [
  ...company.flatMap(({ place, row: { time_zone } }) =>
    time_zone === undefined
      ? []
      : { place: `${place}.time_zone`, subject: null, valid_from: '', value: time_zone },
  ),
  ...branches.map(({ place, row: { branch_office, valid_from = '', time_zone } }) => ({
    place: `${place}.valid_from`,
    subject: branch_office,
    valid_from,
    value: time_zone,
  })),
]

/** The longest shifts of everybody and of people, valid on all days. */
const shiftsOfFile = ({
  company,
  employees,
}: Pick<ImportFile, 'company' | 'employees'>): PlacedRule[] =>
  [
    ...company.map(({ place, row }) => ({ place, row, subject: null })),
    ...employees.map(({ place, row }) => ({ place, row, subject: row.employee_id })),
  ].flatMap(({ place, row: { max_shift_hours: value }, subject }) =>
    value === undefined
      ? []
      : { place: `${place}.max_shift_hours`, subject, valid_from: '', value },
  )

/** Compares rules with the stored ones, in chunks. */
const compare = async <Rule extends HourRule>(
  db: D1,
  list: RuleList,
  rules: readonly Rule[],
): Promise<{ rule: Rule; result: keyof Comparison; paid_before: string | null }[]> => {
  const operator = await openAsOperator(db)
  const compared = []
  for (const { rows } of inChunks(rules)) {
    for (const { position, isNew, differs, paid_before } of await compareRules(
      operator,
      list,
      rows,
    )) {
      const result = isNew ? 'created' : differs ? 'changed' : 'kept'
      compared.push({ rule: rows[position] as Rule, result, paid_before } as const)
    }
  }
  return compared
}

/** Returns an error for each rule that would change paid days. */
const findPaidRules = async (
  db: D1,
  list: RuleList,
  rules: readonly PlacedRule[],
): Promise<string[]> =>
  (await compare(db, list, rules)).flatMap(
    ({ rule: { place, valid_from }, result, paid_before }) =>
      result !== 'kept' && paid_before !== null && paid_before > valid_from
        ? [`${place}: may not change days before ${paid_before}, which are paid`]
        : [],
  )

/** Returns the errors that only a comparison with the database can find. */
const findConflicts = async (
  db: D1,
  parsed: ParsedFile,
  storedLogs: ReadonlyMap<string, StoredLog>,
): Promise<string[]> => {
  const { file } = parsed
  const { employees, users, logs } = file
  const linked = rowsOf(users).flatMap(({ employee_id }) => employee_id ?? [])
  const referenced = new Set([...linked, ...rowsOf(logs).map(({ employee_id }) => employee_id)])
  const known = await queryInChunks([...referenced], (json) => findEmployees(db, json))
  const taken = await queryInChunks(linked, (json) => findEmployeeUsers(db, json))
  const decided = logs.filter(({ row }) => row.status !== 'pending' && !storedLogs.has(logKey(row)))
  return [
    ...unknownEmployees(parsed, new Set(known.map(({ employee_id }) => employee_id))),
    ...takenEmployees(file, new Map(taken)),
    ...changedLogs(file, storedLogs),
    // A trigger also rejects these logs, for closings that are stored after this check.
    ...(await findErrors(
      decided,
      (json) => findLockedRows(db, json),
      () => 'status: decides a log of a closed period',
    )),
    ...(await findErrors(
      employees,
      (_, rows) => findFaults(db, rows, groupsOf(file)),
      ({ fault }) => `${fault.field}: ${operatorMessage(fault)}`,
    )),
    ...(await findPaidRules(db, 'zones', zonesOfFile(file))),
    ...(await findPaidRules(db, 'shifts', shiftsOfFile(file))),
  ]
}

const noAdministrator = (roles: readonly string[]): string =>
  `users: nobody who is active, sees all branches and has a password has a role of ADMIN_ROLES ` +
  `(${roles.join(', ')}), so nobody can review all logs: add their role to the setting, or npm run ` +
  'user -- add EMAIL'

/** Says how many new users have no password. */
const withoutPassword = (people: readonly ImportedUser[], stored: StoredUsers): string[] => {
  const invited = people.filter(
    (user) => !user.machine && !hasPassword(user) && !stored.has(emailKey(user.email)),
  )
  if (invited.length === 0) return []
  return [
    `users: ${invited.length} new without a password: make their links in Usuarios, or by POST /v2/people/invitations`,
  ]
}

const sizeOf = async (db: D1): Promise<number> =>
  (await db.prepare('SELECT 1').run()).meta.size_after

const NO_ROLES = { ADMIN_ROLES: [], PAYROLL_ROLES: [], INTAKE_ROLES: [] }

const NONE: Comparison = { created: 0, changed: 0, kept: 0 }

const sum = (a: Comparison, b: Comparison): Comparison => ({
  created: a.created + b.created,
  changed: a.changed + b.changed,
  kept: a.kept + b.kept,
})

const countOf = (results: readonly (keyof Comparison)[]): Comparison => {
  const count = { ...NONE }
  for (const result of results) count[result]++
  return count
}

const RESULTS = { new: 'created', changed: 'changed', same: 'kept' } as const

/** Compares employees with the stored ones, and writes them by the functions of the API. */
const writeEmployeeRows = async (
  db: D1,
  rows: readonly ImportedEmployee[],
  { dryRun, newGroups }: { dryRun: boolean; newGroups: readonly string[] },
): Promise<Comparison> => {
  const operator = await openAsOperator(db)
  const writes = await toWrites(db, rows)
  const placed = rows.map((row) => ({ place: '', row }))
  const shifts = shiftsOfFile({ company: [], employees: placed })
  const otherShifts = new Set(
    (await compare(db, 'shifts', shifts)).flatMap(({ rule, result }) =>
      result === 'kept' ? [] : rule.subject,
    ),
  )
  const now = new Date()
  const write = dryRun ? checkEmployees : writeEmployees
  const { results } = await write(operator, writes, { payRoles: [], newGroups, now })
  if (!dryRun && otherShifts.size > 0) {
    await insertRules(operator, 'shifts', shifts, now.toISOString())
  }
  return countOf(
    results.map(({ result, employee_id }) =>
      result === 'same' && otherShifts.has(employee_id) ? 'changed' : RESULTS[result],
    ),
  )
}

/** Compares zones of branches with the stored ones, and writes them by the function of the API. */
const writeZoneRows = async (
  db: D1,
  rows: ImportFile['branches'],
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const zones = zonesOfFile({ company: [], branches: rows })
  const results = (await compare(db, 'zones', zones)).map(({ result }) => result)
  if (!dryRun && results.some((result) => result !== 'kept')) {
    await insertRules(await openAsOperator(db), 'zones', zones, new Date().toISOString())
  }
  return countOf(results)
}

/** Writes the company's name, zone and longest shift. */
const writeCompany = async (
  db: D1,
  { company }: ImportFile,
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const [one] = company
  if (!one) return NONE
  const operator = await openAsOperator(db)
  const at = new Date().toISOString()
  const file = { company, branches: [], employees: [] }
  let hasChanged = false
  for (const [list, rules] of [
    ['zones', zonesOfFile(file)],
    ['shifts', shiftsOfFile(file)],
  ] as const) {
    const differs = (await compare(db, list, rules)).some(({ result }) => result !== 'kept')
    if (differs && !dryRun) await insertRules(operator, list, rules, at)
    hasChanged ||= differs
  }
  const stored = await readCompany(operator)
  const { name = stored?.name ?? '' } = one.row
  if (stored && name !== stored.name) {
    hasChanged = true
    if (!dryRun) await saveCompany(operator, { name, expected_version: stored.version, at })
  }
  return countOf([hasChanged ? 'changed' : 'kept'])
}

/** Compares payroll groups with the stored ones, and writes them by the function of the API. */
const writeGroupRows = async (
  db: D1,
  rows: ImportFile['payroll_groups'][number]['row'][],
  { dryRun }: { dryRun: boolean },
): Promise<Comparison> => {
  const operator = await openAsOperator(db)
  const now = new Date()
  const stored = await listPayrollGroups(operator, undefined, now)
  const results: (keyof Comparison)[] = []
  for (const { payroll_group, calendar, pays_from } of rows) {
    const known = stored.find((group) => group.payroll_group === payroll_group)
    const write = { payroll_group, calendar, pays_from: pays_from ?? known?.pays_from ?? null }
    const isSame = known?.calendar === calendar && known.pays_from === write.pays_from
    results.push(known ? (isSame ? 'kept' : 'changed') : 'created')
    const expected_version = known?.version ?? 0
    if (!dryRun) await putPayrollGroup(operator, { ...write, expected_version }, now)
  }
  return countOf(results)
}

/**
 * Validates a whole import file and writes its rows. If the file has any error, nothing is written.
 * All writes are idempotent, so an interrupted import can be run again.
 */
export const importInto = async (
  db: D1,
  content: unknown,
  options: Options = {},
): Promise<{ errors: string[] } | Imported> => {
  const { resetPasswords = false, updatePending = false, dryRun = false, settings } = options
  const roles: RoleSettings = settings ?? NO_ROLES
  const parsed = parseImport(content)
  const { file, errors } = parsed
  const storedLogs = await findLogs(db, file)
  errors.push(...(await findConflicts(db, parsed, storedLogs)))
  const people = rowsOf(file.users)
  const usersBefore = await findStoredUsers(db, people, roles)
  const storedUsers = judgedByImport(usersBefore, people, { settings: roles, resetPasswords })
  const { ADMIN_ROLES, PAYROLL_ROLES } = roles
  const decisive = [...ADMIN_ROLES, ...PAYROLL_ROLES]
  errors.push(...wrongMachines(file, storedUsers, decisive, resetPasswords))
  const administrators = await findAdministrators(db, ADMIN_ROLES)
  const clearsPassword = (user: ImportedUser): boolean => {
    const known = storedUsers.get(emailKey(user.email))
    if (!known || (resetPasswords && hasPassword(user))) return false
    return effectsOnStored(user, known, roles).clearsPassword
  }
  const hasNoAdministrator =
    settings !== undefined &&
    people.length > 0 &&
    !leavesAdministrator(file, ADMIN_ROLES, storedUsers, administrators, clearsPassword)
  if (hasNoAdministrator && administrators.length > 0) errors.push(noAdministrator(ADMIN_ROLES))
  const large = (['employees', 'users', 'logs'] as const).filter((list) => file[list].length > 0)
  if (settings && large.length > 0 && (await sizeOf(db)) >= fullBytes(settings)) {
    const full = 'the database is at 97 % of DB_LIMIT_MB or above'
    errors.push(...large.map((list) => `${list}: ${full}, and takes no new ${list}`))
  }
  if (errors.length > 0) return { errors }
  const now = new Date()
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
  /** Handles rows in chunks, and returns the sum of what each chunk counts. */
  const inTurn = async <Row>(
    rows: readonly Row[],
    handle: (json: string, chunk: Row[]) => Promise<Comparison>,
  ): Promise<Comparison> => {
    let compared = NONE
    for (const { json, rows: chunk } of inChunks(rows)) {
      compared = sum(compared, await handle(json, chunk))
      advance(chunk.length)
      await sleep(PAUSE_MS)
    }
    return compared
  }
  const writeList = (name: keyof typeof LIST_WRITERS) =>
    inTurn(rowsOf<unknown>(file[name]), async (json) => {
      const compared = await LIST_WRITERS[name].compare(db, json)
      if (!dryRun) await LIST_WRITERS[name].write(db, json)
      return compared
    })

  const { decided = [], undecided = [] } = Object.groupBy(
    differentStatuses(file, storedLogs),
    ({ log }) =>
      updatePending && log.status === 'pending' && !log.is_decided ? 'decided' : 'undecided',
  )
  const writeLogs = async (): Promise<Comparison> => {
    const logs = rowsOf(file.logs).filter((row) => !storedLogs.has(logKey(row)))
    const kept = file.logs.length - logs.length - decided.length
    advance(kept)
    const decisions = decided.map(({ log, status }) => ({ id: log.id, status }))
    await inTurn(decisions, async (json) => {
      if (!dryRun) await decideLogs(db, json, new Date())
      return NONE
    })
    await inTurn(logs, async (json) => {
      if (!dryRun) await insertLogs(db, json, new Date())
      return NONE
    })
    return { created: logs.length, changed: decided.length, kept }
  }
  const writePeople = async (): Promise<Comparison> => {
    const keeps = ({ email }: ImportedUser) => !resetPasswords && storedUsers.has(emailKey(email))
    if (dryRun) advance(2 * people.length)
    else {
      const hashed = await hashPasswords(people, keeps, advance)
      const writing = { settings: roles, resetPasswords, clearsPassword, advance }
      await writeUsers(db, hashed, writing)
    }
    const storedOf = ({ email }: ImportedUser) => storedUsers.get(emailKey(email))
    return countOf(people.map((user) => compareUser(user, storedOf(user), { resetPasswords })))
  }
  const imported = {
    clients: await writeList('clients'),
    modules: await writeList('modules'),
    config: await writeList('config'),
    company: await inTurn(rowsOf(file.company), () => writeCompany(db, file, { dryRun })),
    branches: await inTurn(file.branches, (_, rows) => writeZoneRows(db, rows, { dryRun })),
    payroll_groups: await inTurn(rowsOf(file.payroll_groups), (_, rows) =>
      writeGroupRows(db, rows, { dryRun }),
    ),
    employees: await inTurn(rowsOf(file.employees), (_, rows) =>
      writeEmployeeRows(db, rows, { dryRun, newGroups: groupsOf(file) }),
    ),
    users: await writePeople(),
    logs: await writeLogs(),
  }
  const kept = [
    ...differentTimes(file, storedLogs),
    ...undecided.map(
      ({ place, status, log }) => `${place}.status: ${status} in the file, ${log.status} here`,
    ),
    ...(resetPasswords ? [] : differentPasswords(file, storedUsers)),
  ]
  const warnings = [
    ...suspiciousValues(file, now),
    ...similar,
    ...file.users.flatMap(({ place, row }) =>
      clearsPassword(row) && storedUsers.get(emailKey(row.email))?.password_hash
        ? [`${place}: may do or see more than before, and so loses the stored password`]
        : [],
    ),
    ...withoutPassword(people, storedUsers),
    ...(settings ? unnamedRoles(file, rolesOf(settings)) : []),
    ...(hasNoAdministrator ? [noAdministrator(ADMIN_ROLES)] : []),
  ]
  return { imported, warnings, kept }
}
