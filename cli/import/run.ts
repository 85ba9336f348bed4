import { fullBytes } from '../../src/core/db/d1.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/values/email.ts'
import { type RoleSettings, rolesOf } from '../../src/session/can.ts'
import { findAdministrators } from '../users/administrators.ts'
import { findConflicts, findLogs } from './conflicts.ts'
import {
  differentPasswords,
  differentStatuses,
  differentTimes,
  hasPassword,
  type ImportedUser,
  type ImportFile,
  type ListName,
  leavesAdministrator,
  parseImport,
  rowsOf,
  type StoredUsers,
  similarIds,
  suspiciousValues,
  unnamedRoles,
  wrongMachines,
} from './file.ts'
import { type Comparison, findEmployeeIds } from './queries.ts'
import { effectsOnStored, findStoredUsers, judgedByImport } from './users.ts'
import { type Options, type Stored, Writing } from './writing.ts'

interface Imported {
  imported: Record<ListName, Comparison>
  /** Messages about valid values that look like mistakes. */
  warnings: string[]
  /** Messages about stored values that differ from the file and stay unchanged. */
  kept: string[]
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

const readStored = async (
  db: D1,
  file: ImportFile,
  { resetPasswords, roles }: { resetPasswords: boolean; roles: RoleSettings },
): Promise<Stored> => {
  const people = rowsOf(file.users)
  const logs = await findLogs(db, file)
  const users = await findStoredUsers(db, people, roles)
  return {
    logs,
    users: judgedByImport(users, people, { settings: roles, resetPasswords }),
    administrators: await findAdministrators(db, roles.ADMIN_ROLES),
  }
}

const LARGE_LISTS = ['employees', 'users', 'logs'] as const

/** An error for each list that a full database does not take. */
const findFull = async (
  db: D1,
  file: ImportFile,
  settings: Options['settings'],
): Promise<string[]> => {
  const large = LARGE_LISTS.filter((list) => file[list].length > 0)
  if (!settings || large.length === 0 || (await sizeOf(db)) < fullBytes(settings)) return []
  const full = 'the database is at 97 % of DB_LIMIT_MB or above'
  return large.map((list) => `${list}: ${full}, and takes no new ${list}`)
}

/** Whether the import clears a stored user's password. */
const passwordClearer =
  ({ users }: Stored, resetPasswords: boolean, roles: RoleSettings) =>
  (user: ImportedUser): boolean => {
    const known = users.get(emailKey(user.email))
    if (!known || (resetPasswords && hasPassword(user))) return false
    return effectsOnStored(user, known, roles).clearsPassword
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
  const { resetPasswords = false, updatePending = false, settings } = options
  const roles: RoleSettings = settings ?? NO_ROLES
  const { ADMIN_ROLES, PAYROLL_ROLES } = roles
  const parsed = parseImport(content)
  const { file } = parsed
  const people = rowsOf(file.users)
  const stored = await readStored(db, file, { resetPasswords, roles })
  const clearsPassword = passwordClearer(stored, resetPasswords, roles)
  const hasNoAdministrator =
    settings !== undefined &&
    people.length > 0 &&
    !leavesAdministrator(file, ADMIN_ROLES, stored.users, stored.administrators, clearsPassword)
  const losesAdministrator = hasNoAdministrator && stored.administrators.length > 0
  const errors = [
    ...parsed.errors,
    ...(await findConflicts(db, parsed, stored.logs)),
    ...wrongMachines(file, stored.users, [...ADMIN_ROLES, ...PAYROLL_ROLES], resetPasswords),
    ...(losesAdministrator ? [noAdministrator(ADMIN_ROLES)] : []),
    ...(await findFull(db, file, settings)),
  ]
  if (errors.length > 0) return { errors }

  const now = new Date()
  const similar = similarIds(file, file.employees.length > 0 ? await findEmployeeIds(db) : [])
  const { decided = [], undecided = [] } = Object.groupBy(
    differentStatuses(file, stored.logs),
    ({ log }) =>
      updatePending && log.status === 'pending' && !log.is_decided ? 'decided' : 'undecided',
  )
  const writing = new Writing(db, file, options)
  const imported = await writing.writeAll(stored, roles, { clearsPassword, decided })
  const kept = [
    ...differentTimes(file, stored.logs),
    ...undecided.map(
      ({ place, status, log }) => `${place}.status: ${status} in the file, ${log.status} here`,
    ),
    ...(resetPasswords ? [] : differentPasswords(file, stored.users)),
  ]
  const warnings = [
    ...suspiciousValues(file, now),
    ...similar,
    ...file.users.flatMap(({ place, row }) =>
      clearsPassword(row) && stored.users.get(emailKey(row.email))?.password_hash
        ? [`${place}: may do or see more than before, and so loses the stored password`]
        : [],
    ),
    ...withoutPassword(people, stored.users),
    ...(settings ? unnamedRoles(file, rolesOf(settings)) : []),
    ...(hasNoAdministrator ? [noAdministrator(ADMIN_ROLES)] : []),
  ]
  return { imported, warnings, kept }
}
