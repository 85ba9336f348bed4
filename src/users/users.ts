import type { BatchDb } from '../core/db/batch-db.ts'
import {
  changeOf,
  changesOf,
  changeToMoment,
  type FieldChange,
  type PeopleChange,
} from '../core/db/people-changes.queries.ts'
import { DomainError } from '../core/errors.ts'
import { emailKey } from '../core/values/email.ts'
import { machineRolesOf, type RoleSettings, rolesOf } from '../session/can.ts'
import { ACCESS_FIELDS, effectsOnAccess, isPasswordTrusted } from './access-effects.ts'
import type { Link } from './invitations.ts'
import { type GivenRecord, type NewRecord, newLink, newUser } from './new-user.ts'
import { insertUser } from './new-users.queries.ts'
import { replaceUser } from './user-change.queries.ts'
import {
  findUserForChange,
  findUserRecord,
  type ShownUser,
  USER_FIELDS,
  type UserRecord,
} from './users.queries.ts'

/** The author of a change of users, and the settings and time of the request. */
export interface UserWriter {
  /** Null for an operator's command. */
  userId: number | null
  settings: RoleSettings
  now: Date
  /** Takes roles that no setting names, as an import does. */
  allowsAnyRole?: boolean
}

/**
 * An unchanged role is not checked, so that other fields can be changed even if the settings no
 * longer allow the role.
 */
const checkRole = (
  { role, machine, employee_id }: UserRecord,
  { settings, allowsAnyRole = false }: UserWriter,
  stored?: ShownUser,
): void => {
  if (machine && employee_id !== null) throw new DomainError('MACHINE_EMPLOYEE')
  if (allowsAnyRole) return
  if (role === stored?.role && machine === stored.machine) return
  if (machine && !machineRolesOf(settings).includes(role)) throw new DomainError('MACHINE_ROLE')
  if (role !== stored?.role && !rolesOf(settings).includes(role)) {
    throw new DomainError('UNKNOWN_ROLE', { roles: rolesOf(settings) })
  }
}

/** Users cannot change these fields of their own user. */
const OWN_FIELDS: string[] = [...ACCESS_FIELDS, 'active', 'scope_branches', 'sources']

/**
 * Adds a user. A user who is not a machine gets a link to set a password.
 * @throws DomainError UNKNOWN_ROLE, MACHINE_ROLE, MACHINE_EMPLOYEE, or an error of `insertUser`
 */
export const createUser = async (
  db: BatchDb,
  record: NewRecord,
  { origin, ...writer }: UserWriter & { origin: string },
): Promise<{ user: ShownUser; invitation: Link | null }> => {
  if (record.machine) {
    return { user: await createUserWithPassword(db, record, '', writer), invitation: null }
  }
  checkRole(record, writer)
  const { user: row, changes } = newUser(record)
  const { userId, now: at } = writer
  const { link, invitation, change } = newLink(row, { origin, now: at }, changes)
  const user = await insertUser(db, { user: row, invitation, changes: [change], at, userId })
  return { user, invitation: link }
}

/**
 * Adds a user with the password that an operator gives.
 * @param password_hash '' for a machine, which has no password
 * @throws DomainError as `createUser` does
 */
export const createUserWithPassword = async (
  db: BatchDb,
  record: NewRecord,
  password_hash: string,
  writer: UserWriter,
): Promise<ShownUser> => {
  checkRole(record, writer)
  const { user: row, changes } = newUser(record)
  const { userId, now: at } = writer
  if (password_hash !== '') changes.push(changeToMoment('password_set', at))
  const user = { ...row, password_hash }
  const change: PeopleChange = { subject: 'user', email_key: row.email_key, changes }
  return insertUser(db, { user, invitation: null, changes: [change], at, userId })
}

/** @throws DomainError USER_NOT_FOUND */
export const getUser = async (db: BatchDb, id: number, now: Date): Promise<ShownUser> => {
  const user = await findUserRecord(db, id, now)
  if (!user) throw new DomainError('USER_NOT_FOUND')
  return user
}

/**
 * Replaces the fields that an administrator sets. Without a difference, nothing is written. If the
 * user's power is widened, the tokens and an open link end, and the password is cleared unless it is
 * trusted. A link to an employee always clears it.
 * @param version the version that the writer has seen
 * @param passwordHash the hash of a password that an operator sets with the change
 * @throws DomainError USER_NOT_FOUND, EMAIL_FIXED, OWN_USER, USER_MOVED (with the current user),
 * UNKNOWN_ROLE, MACHINE_ROLE, MACHINE_EMPLOYEE, or an error of `replaceUser`
 */
export const updateUser = async (
  db: BatchDb,
  id: number,
  { email, version, ...given }: GivenRecord & { email?: string | undefined; version: number },
  { passwordHash, ...writer }: UserWriter & { passwordHash?: string | undefined },
): Promise<{ user: ShownUser; password_cleared: boolean }> => {
  const { userId, settings, now } = writer
  const adminRoles = settings.ADMIN_ROLES
  const found = await findUserForChange(db, id, now)
  if (!found) throw new DomainError('USER_NOT_FOUND')
  const { stored, legacy, password_facts } = found
  if (email !== undefined && email !== stored.email) throw new DomainError('EMAIL_FIXED')
  const changes = changesOf(USER_FIELDS, { ...legacy, ...given }, { ...stored, ...legacy })
  const isOwn = ({ field }: FieldChange) => id === userId && OWN_FIELDS.includes(field)
  if (changes.some(isOwn)) throw new DomainError('OWN_USER')
  if (version !== stored.version) throw moved(stored)
  checkRole(given, writer, stored)
  if (changes.length === 0 && passwordHash === undefined) {
    return { user: stored, password_cleared: false }
  }
  const isTrusted = isPasswordTrusted(password_facts, adminRoles)
  const effects = effectsOnAccess(stored, given, { settings, isTrusted })
  const isSet = passwordHash !== undefined
  const password_cleared = !isSet && stored.has_password && effects.clearsPassword
  if (isSet) changes.push(changeToMoment('password_set', now))
  if (password_cleared) changes.push(changeToMoment('password_cleared', now))
  try {
    const user = await replaceUser(db, {
      id,
      emailKey: emailKey(stored.email),
      record: given,
      stored,
      password_facts,
      adminRoles,
      endsAccess: isSet || effects.endsAccess,
      passwordHash: passwordHash ?? (effects.clearsPassword ? '' : null),
      changes: [changeOf('user', id, changes)],
      at: now,
      userId,
    })
    return { user, password_cleared }
  } catch (error) {
    const hasMoved = error instanceof DomainError && error.code === 'USER_MOVED'
    throw hasMoved ? moved(await getUser(db, id, now)) : error
  }
}

const moved = (current: ShownUser): DomainError => {
  const error = new DomainError('USER_MOVED')
  error.current = current
  return error
}
