import type { RoleSettings } from '../../src/core/can.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/email.ts'
import { createActor } from '../../src/people/actor.ts'
import { hashPassword } from '../../src/people/passwords.ts'
import { changesOf, type FieldChange } from '../../src/people/people-changes.queries.ts'
import { changeToMoment, effectsOnAccess } from '../../src/people/user-records.ts'
import type { ImportedUser, StoredUser, StoredUsers } from './file.ts'
import { findUsers, queryInChunks, SHOWN_USER_COLUMNS, type UserWrite } from './queries.ts'

/** The number of passwords to hash at a time, which is the number of Web Crypto's threads. */
const HASHES_AT_ONCE = 4

/** Returns the users as rows. Hashes the passwords that will be stored, a few at a time. */
export const toUserRows = async (
  users: readonly ImportedUser[],
  keeps: (user: ImportedUser) => boolean,
  advance: (count: number) => void,
) => {
  const toRow = async (imported: ImportedUser) => {
    const { password, password_hash = '', ...user } = imported
    const kept = keeps(imported) || imported.machine
    const hash = !kept && password !== undefined ? await hashPassword(password) : password_hash
    const email_key = emailKey(user.email)
    return { ...user, email_key, ...createActor(email_key), password_hash: kept ? '' : hash }
  }
  const rows = []
  for (let i = 0; i < users.length; i += HASHES_AT_ONCE) {
    const some = users.slice(i, i + HASHES_AT_ONCE)
    rows.push(...(await Promise.all(some.map(toRow))))
    advance(some.length)
  }
  return rows
}

type Values = Record<string, FieldChange['after']>
type HashedUser = Awaited<ReturnType<typeof toUserRows>>[number]

export const findStoredUsers = async (
  db: D1,
  users: readonly { email: string }[],
  { ADMIN_ROLES }: RoleSettings,
): Promise<StoredUsers> => {
  const keys = users.map(({ email }) => emailKey(email))
  const roles = JSON.stringify(ADMIN_ROLES)
  const stored = await queryInChunks(keys, (json) => findUsers(db, json, roles))
  return new Map(stored.map((user) => [user.email_key, user]))
}

/** What the import does to a stored user's tokens, links and password. */
export const effectsOnStored = (
  user: Pick<ImportedUser, 'role' | 'active' | 'machine' | 'employee_id'>,
  known: StoredUser,
  settings: RoleSettings,
) => {
  const { scope_branches, is_trusted: isTrusted } = known
  const record = { ...user, machine: user.machine ?? known.machine, scope_branches }
  return effectsOnAccess(known, record, { settings, isTrusted })
}

/** Returns the users to write. `changes` are their differences from the users stored now. */
export const toUserWrites = async (
  db: D1,
  users: readonly HashedUser[],
  { resetPasswords, settings, at }: { resetPasswords: boolean; settings: RoleSettings; at: Date },
) => {
  const stored = await findStoredUsers(db, users, settings)
  return users.map((user): HashedUser & UserWrite => {
    const { email_key } = user
    const known = stored.get(email_key)
    const machine = user.machine ?? known?.machine ?? false
    // Somebody may have added the user since the password was hashed.
    const password_hash = known && !resetPasswords ? '' : user.password_hash
    const row = { ...user, machine, password_hash }
    const changes = changesOf(SHOWN_USER_COLUMNS, row as Values, known as Values | undefined)
    const setsPassword = password_hash !== ''
    const effects = known && effectsOnStored(user, known, settings)
    const token_version = Number(known !== undefined && (setsPassword || effects?.endsAccess))
    const stored_hash = known?.password_hash ?? ''
    const clears_password = !setsPassword && stored_hash !== '' && effects?.clearsPassword === true
    if (setsPassword) changes.push(changeToMoment('password_set', at))
    if (clears_password) changes.push(changeToMoment('password_cleared', at))
    const recorded = changes.length > 0 ? [{ subject: 'user' as const, email_key, changes }] : []
    const version = known?.version ?? 0
    const widens = !setsPassword && effects?.widens === true
    const write = { token_version, clears_password, widens, version, stored_hash }
    return { ...row, ...write, changes: recorded }
  })
}

/**
 * Returns the users who lose or change their employee. They are unlinked before any user is
 * written.
 */
export const toUnlinks = async (
  db: D1,
  users: readonly HashedUser[],
  settings: RoleSettings,
): Promise<UserWrite[]> => {
  const stored = await findStoredUsers(db, users, settings)
  return users.flatMap(({ email_key, employee_id }) => {
    const known = stored.get(email_key)
    const before = known?.employee_id ?? null
    if (!known || before === null || before === employee_id) return []
    const changes = [{ field: 'employee_id', before, after: null }]
    const recorded = [{ subject: 'user' as const, email_key, changes }]
    const { version, password_hash: stored_hash } = known
    const kept = { clears_password: false, widens: false, version, stored_hash }
    return [{ email_key, token_version: 1, ...kept, changes: recorded }]
  })
}
