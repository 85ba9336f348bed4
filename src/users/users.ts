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
import {
  EMPLOYEE_ROLE,
  machineRolesOf,
  type RoleSettings,
  rolesOf,
  widensPower,
} from '../session/can.ts'
import { createActor } from './actor.ts'
import { createInvitation, type Link } from './invitations.ts'
import {
  endUserAccess,
  findUserForChange,
  findUserRecord,
  grantMachineToken,
  insertUser,
  type LegacyFields,
  replaceUser,
  type ShownUser,
  saveInvitation,
  USER_FIELDS,
  type UserRecord,
} from './users.queries.ts'

/** The author of a change of users, and the settings and time of the request. */
interface UserWriter {
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

/** Changing one of these fields ends the user's tokens. */
const ACCESS_FIELDS = ['role', 'machine', 'employee_id'] as const

/** Users cannot change these fields of their own user. */
const OWN_FIELDS: string[] = [...ACCESS_FIELDS, 'active', 'scope_branches', 'sources']

/**
 * Makes a link for a user, and the change to record. The link opens the page that the user works
 * with.
 * @param others changes that are recorded with the new link
 */
export const newLink = (
  { email_key, role }: { email_key: string; role: string },
  { origin, now }: { origin: string; now: Date },
  others: readonly FieldChange[] = [],
) => {
  const page = `${origin}/${role === EMPLOYEE_ROLE ? 'mi' : 'revision'}/`
  const { link, invitation } = createInvitation(email_key, page, now)
  const changes = [...others, { field: 'invitation', before: null, after: link.expires_at }]
  return { link, invitation, change: { subject: 'user', email_key, changes } as PeopleChange }
}

/** A record as callers give it. Fields of the legacy API that are left out stay as they are. */
type GivenRecord = UserRecord & Partial<LegacyFields>

type NewRecord = GivenRecord & { email: string }

const NEW_LEGACY: LegacyFields = { external: 0, type_user: 'interno', status_user: 'activo' }

/** A user without a password, and the fields for the record of changes. */
export const newUser = ({ email, ...given }: NewRecord) => {
  const record = { ...NEW_LEGACY, ...given }
  const givenFields = USER_FIELDS.filter((field) => field in given)
  const address = email.trim()
  const email_key = emailKey(address)
  return {
    user: { email: address, email_key, ...createActor(email_key), ...record },
    changes: [
      { field: 'email', before: null, after: address },
      ...changesOf(givenFields, record, undefined),
    ],
  }
}

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

type Access = Pick<UserRecord, 'role' | 'active' | 'machine' | 'employee_id' | 'scope_branches'>

/**
 * What a change does to the ways in which the user signs in. Somebody else may know the password or
 * hold a token, so no new power stands on them: more power ends tokens and links, and clears a
 * password that is not trusted. A new link to an employee always clears it, since the user then
 * signs as that person. Any other new role than `employee` counts as more power, because the
 * settings may name the role later.
 */
export const effectsOnAccess = (
  stored: Access,
  record: Access,
  { settings, isTrusted }: { settings: RoleSettings; isTrusted: boolean },
): { endsAccess: boolean; clearsPassword: boolean; widens: boolean } => {
  const hasNewRole = record.role !== stored.role && record.role !== EMPLOYEE_ROLE
  const isPerson = !stored.machine && !record.machine
  const widens = isPerson && (hasNewRole || widensPower(stored, record, settings))
  const links = record.employee_id !== null && record.employee_id !== stored.employee_id
  const changes = changesOf(ACCESS_FIELDS, record, stored)
  const isDeactivated = stored.active === 1 && record.active === 0
  return {
    endsAccess: changes.length > 0 || isDeactivated || widens,
    clearsPassword: record.machine || links || (widens && !isTrusted),
    widens,
  }
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
  const found = await findUserForChange(db, id, { adminRoles, now })
  if (!found) throw new DomainError('USER_NOT_FOUND')
  const { stored, legacy, isTrusted } = found
  if (email !== undefined && email !== stored.email) throw new DomainError('EMAIL_FIXED')
  const changes = changesOf(USER_FIELDS, { ...legacy, ...given }, { ...stored, ...legacy })
  const isOwn = ({ field }: FieldChange) => id === userId && OWN_FIELDS.includes(field)
  if (changes.some(isOwn)) throw new DomainError('OWN_USER')
  if (version !== stored.version) throw moved(stored)
  checkRole(given, writer, stored)
  if (changes.length === 0 && passwordHash === undefined) {
    return { user: stored, password_cleared: false }
  }
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
      isTrusted,
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

/**
 * Ends all tokens of a user, and the link if one is open. The user may sign in again.
 * @throws DomainError USER_NOT_FOUND
 */
export const revokeUser = async (db: BatchDb, id: number, { userId, now }: UserWriter) => {
  await getUser(db, id, now)
  const changes = [changeOf('user', id, [changeToMoment('tokens_ended', now)])]
  await endUserAccess(db, { id, changes, at: now, userId })
}

/**
 * Makes a link with which a user sets a new password. An older link ends.
 * @throws DomainError OWN_USER, USER_NOT_FOUND, MACHINE_HAS_NO_PASSWORD, INVITED_INACTIVE
 */
export const inviteUser = async (
  db: BatchDb,
  id: number,
  { userId, now, origin }: UserWriter & { origin: string },
): Promise<Link> => {
  // With a link, the holder of a stolen token could set a password without the current one.
  if (id === userId) throw new DomainError('OWN_USER')
  const { email, role } = await getUser(db, id, now)
  const user = { email_key: emailKey(email), role }
  const { link, invitation, change } = newLink(user, { origin, now })
  await saveInvitation(db, { id, invitation, changes: [change], at: now, userId })
  return link
}

/**
 * Records that a machine gets a token, and returns the version for it.
 * @throws DomainError USER_NOT_FOUND, NOT_A_MACHINE
 */
export const prepareMachineToken = (db: BatchDb, id: number, { userId, now }: UserWriter) => {
  const changes = [changeOf('user', id, [changeToMoment('machine_access', now)])]
  return grantMachineToken(db, { id, changes, at: now, userId })
}
