import { inArray, sql } from 'drizzle-orm'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { changesOf } from '../../src/core/db/people-changes.queries.ts'
import { type D1, type Params, prepare, qb } from '../../src/core/db/query.ts'
import { execute } from '../../src/core/db/run.ts'
import { users } from '../../src/core/tables/users.ts'
import { emailKey } from '../../src/core/values/email.ts'
import type { RoleSettings } from '../../src/session/can.ts'
import { hashPassword } from '../../src/session/passwords.ts'
import { effectsOnAccess, isPasswordTrusted } from '../../src/users/access-effects.ts'
import { passwordFacts } from '../../src/users/administrators.queries.ts'
import { USER_FIELDS } from '../../src/users/users.queries.ts'
import { createUserWithPassword, updateUser } from '../../src/users/users.ts'
import { hasPassword, type ImportedUser, type StoredUser, type StoredUsers } from './file.ts'
import { queryInChunks } from './queries.ts'

/** The number of passwords to hash at a time, which is the number of Web Crypto's threads. */
const HASHES_AT_ONCE = 4

const selectUsers = prepare((p: Params<{ keys: string }>) =>
  qb
    .select({ user: users, password_facts: passwordFacts })
    .from(users)
    .where(inArray(users.email_key, sql`(SELECT value FROM json_each(${p.keys}))`)),
)

const listOf = (json: string | null): string[] | null => JSON.parse(json ?? 'null')

export const findStoredUsers = async (
  db: D1,
  imported: readonly { email: string }[],
  { ADMIN_ROLES }: RoleSettings,
): Promise<StoredUsers> => {
  const emailKeys = imported.map(({ email }) => emailKey(email))
  const stored = await queryInChunks(emailKeys, (keys) => execute(db, selectUsers({ keys })))
  return new Map(
    stored.map(({ user, password_facts }): [string, StoredUser] => {
      const limits = { scope_branches: listOf(user.scope_branches), sources: listOf(user.sources) }
      const is_trusted = isPasswordTrusted(password_facts, ADMIN_ROLES)
      return [user.email_key, { ...user, ...limits, is_trusted }]
    }),
  )
}

/**
 * The stored users, whose passwords are trusted as the import leaves their authors: a password that
 * was set through the link of somebody who administers no more after the import is not trusted.
 */
export const judgedByImport = (
  storedUsers: StoredUsers,
  imported: readonly ImportedUser[],
  { settings, resetPasswords }: { settings: RoleSettings; resetPasswords: boolean },
): StoredUsers => {
  const demoted = new Set(
    imported.flatMap((user) => {
      const stored = storedUsers.get(emailKey(user.email))
      const isLinked = user.employee_id !== null && user.employee_id !== stored?.employee_id
      const losesPassword = isLinked && !(resetPasswords && hasPassword(user))
      const stays = administers(user, stored, settings) && !losesPassword
      return stored && !stays ? [stored.id] : []
    }),
  )
  const isTrusted = ({ is_trusted, password_through }: StoredUser): boolean =>
    is_trusted && (password_through === null || !demoted.has(password_through))
  return new Map(
    [...storedUsers].map(([key, stored]) => [key, { ...stored, is_trusted: isTrusted(stored) }]),
  )
}

/** Whether a user of the file is an active person with a role of administrators. */
const administers = (
  { active, role, machine }: ImportedUser,
  stored: StoredUser | undefined,
  { ADMIN_ROLES }: RoleSettings,
): boolean => active === 1 && ADMIN_ROLES.includes(role) && !(machine ?? stored?.machine)

const NO_LIMITS = { scope_branches: null, sources: null }

/** The user as the API's functions take it. What the file cannot say stays as it is stored. */
const recordOf = (imported: ImportedUser, stored: StoredUser | undefined) => {
  const { email: _, password: __, password_hash: ___, machine, ...fields } = imported
  const { scope_branches, sources } = stored ?? NO_LIMITS
  return { ...fields, machine: machine ?? stored?.machine ?? false, scope_branches, sources }
}

/** What the import does to a stored user's tokens, links and password. */
export const effectsOnStored = (user: ImportedUser, stored: StoredUser, settings: RoleSettings) =>
  effectsOnAccess(stored, recordOf(user, stored), { settings, isTrusted: stored.is_trusted })

/** Compares a user of the file with the stored one. */
export const compareUser = (
  user: ImportedUser,
  stored: StoredUser | undefined,
  { resetPasswords }: { resetPasswords: boolean },
): 'created' | 'changed' | 'kept' => {
  if (!stored) return 'created'
  const record = recordOf(user, stored)
  const isChanged = changesOf(USER_FIELDS, record, stored).length > 0
  return isChanged || (resetPasswords && hasPassword(user)) ? 'changed' : 'kept'
}

interface UserToWrite {
  user: ImportedUser
  /** The hash of the file's password. Undefined if the stored password stays. */
  hash: string | undefined
}

/**
 * Returns the users with the hashes of the passwords that will be stored. Hashes a few at a time.
 * @param keeps whether the user keeps the stored password
 */
export const hashPasswords = async (
  imported: readonly ImportedUser[],
  keeps: (user: ImportedUser) => boolean,
  advance: (count: number) => void,
): Promise<UserToWrite[]> => {
  const hashed: UserToWrite[] = []
  for (let i = 0; i < imported.length; i += HASHES_AT_ONCE) {
    const group = imported.slice(i, i + HASHES_AT_ONCE)
    const hashing = group.map(async (user): Promise<UserToWrite> => {
      if (keeps(user)) return { user, hash: undefined }
      const { machine, password, password_hash = '' } = user
      if (machine) return { user, hash: '' }
      return { user, hash: password === undefined ? password_hash : await hashPassword(password) }
    })
    hashed.push(...(await Promise.all(hashing)))
    advance(group.length)
  }
  return hashed
}

interface Writing {
  settings: RoleSettings
  resetPasswords: boolean
  /** Whether the import clears a stored user's password. */
  clearsPassword: (user: ImportedUser) => boolean
  advance: (count: number) => void
}

/**
 * Writes users by the functions of the API. First, users are unlinked from employees whom other
 * users may get. Then come the administrators who have a password afterwards, so that one always
 * remains, then those who administer no more. The users whose passwords depend on their links come
 * after them.
 */
export const writeUsers = async (
  db: D1,
  writes: readonly UserToWrite[],
  { settings, resetPasswords, clearsPassword, advance }: Writing,
): Promise<void> => {
  const batchDb = withoutCaller(db)
  const writer = () => ({ userId: null, settings, now: new Date(), allowsAnyRole: true })
  const imported = writes.map(({ user }) => user)
  const before = await findStoredUsers(db, imported, settings)
  for (const { email, employee_id } of imported) {
    const stored = before.get(emailKey(email))
    if (!stored || stored.employee_id === null || stored.employee_id === employee_id) continue
    const { id, email: __, ...record } = stored
    await updateUser(batchDb, id, { ...record, employee_id: null }, writer())
  }
  const unlinked = await findStoredUsers(db, imported, settings)
  const turnOf = ({ user, hash = '' }: UserToWrite): 'first' | 'demoted' | 'other' | 'last' => {
    const stored = unlinked.get(emailKey(user.email))
    const isAdministrator = administers(user, stored, settings)
    const keepsPassword = stored && stored.password_hash !== '' && !clearsPassword(user)
    if (isAdministrator && (hash !== '' || keepsPassword)) return 'first'
    if (stored && settings.ADMIN_ROLES.includes(stored.role)) return 'demoted'
    return isAdministrator ? 'last' : 'other'
  }
  const turns = Object.groupBy(writes, turnOf)
  const inOrder = (['first', 'demoted', 'other', 'last'] as const).flatMap(
    (turn) => turns[turn] ?? [],
  )
  for (const { user, hash } of inOrder) {
    const stored = unlinked.get(emailKey(user.email))
    const record = recordOf(user, stored)
    if (!stored) {
      const { email } = user
      await createUserWithPassword(batchDb, { ...record, email }, hash ?? '', writer())
    } else if (compareUser(user, stored, { resetPasswords }) === 'changed') {
      const passwordHash = resetPasswords && hash ? hash : undefined
      const { id, version } = stored
      await updateUser(batchDb, id, { ...record, version }, { ...writer(), passwordHash })
    }
    advance(1)
  }
}
