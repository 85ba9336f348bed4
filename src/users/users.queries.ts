import { eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { BatchDb } from '../core/db/batch-db.ts'
import { type PeopleChange, recordChanges } from '../core/db/people-changes.queries.ts'
import {
  first,
  firstOrFail,
  insertSelect,
  jsonFields,
  type Params,
  prepare,
  qb,
} from '../core/db/query.ts'
import { raise, raiseIf } from '../core/db/rules.ts'
import { fullName, fullNameOf } from '../core/db/shared-expressions.ts'
import { employees } from '../core/tables/people.ts'
import { invitations, users } from '../core/tables/users.ts'
import { comparable, hasAllWords, type SearchWords, wordsOf } from '../people/employees.queries.ts'
import { deleteInvitation } from '../session/new-password.queries.ts'
import { endTokens } from '../session/session.queries.ts'
import { type Invitation, upsertInvitations } from './invitations.queries.ts'

/** The fields of a user that an administrator sets. The e-mail of a stored user never changes. */
export interface UserRecord {
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  active: number
  machine: boolean
  employee_id: string | null
  /** The branches that the user sees. Null for all branches. */
  scope_branches: string[] | null
  /** The keys of the sources that the user may send logs for. Null for any source. */
  sources: string[] | null
}

/** Fields of the legacy API, which only an import sets. */
export interface LegacyFields {
  external: number
  type_user: string
  status_user: string
}

/** The user whose link set the password. */
const inviter = alias(users, 'inviter')

const shownFields = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  mother_last_name: users.mother_last_name,
  role: users.role,
  active: users.active,
  machine: users.machine,
  employee_id: users.employee_id,
  scope_branches: users.scope_branches,
  sources: users.sources,
  has_password: sql<number>`${users.password_hash} <> ''`.as('has_password'),
  inviter_id: sql<number | null>`${inviter.id}`.as('inviter_id'),
  inviter_name: sql<string>`${fullNameOf(inviter)}`.as('inviter_name'),
  invitation_expires_at: sql<string | null>`${invitations.expires_at}`.as('invited_until'),
  version: users.version,
}

const toShown = <
  Row extends {
    scope_branches: string | null
    sources: string | null
    has_password: number
    inviter_id: number | null
    inviter_name: string
  },
>({
  scope_branches,
  sources,
  has_password,
  inviter_id,
  inviter_name,
  ...row
}: Row) => ({
  ...row,
  scope_branches: JSON.parse(scope_branches ?? 'null') as string[] | null,
  sources: JSON.parse(sources ?? 'null') as string[] | null,
  has_password: has_password === 1,
  password_through: inviter_id === null ? null : { id: inviter_id, full_name: inviter_name },
})

const isValid = (p: Params<{ now: string }>) =>
  sql`${invitations.user_id} = ${users.id} AND ${invitations.expires_at} > ${p.now}`

const isInviter = eq(inviter.id, users.password_through)

const selectById = prepare((p: Params<{ id: number; now: string }>) =>
  qb
    .select(shownFields)
    .from(users)
    .leftJoin(invitations, isValid(p))
    .leftJoin(inviter, isInviter)
    .where(eq(users.id, p.id)),
)

const selectByKey = prepare((p: Params<{ email_key: string; now: string }>) =>
  qb
    .select(shownFields)
    .from(users)
    .leftJoin(invitations, isValid(p))
    .leftJoin(inviter, isInviter)
    .where(eq(users.email_key, p.email_key)),
)

export const findUserRecord = async (db: BatchDb, id: number, now: Date) => {
  const { row } = await db.batchOfAllBranches({
    row: first(selectById({ id, now: now.toISOString() })),
  })
  return row && toShown(row)
}

export type ShownUser = NonNullable<Awaited<ReturnType<typeof findUserRecord>>>

const nameKey = comparable(fullName)

interface ListValues extends SearchWords {
  role: string | null
  not_role: string | null
  active: number | null
  after_name: string
  after_id: number
  limit: number
  now: string
}

const selectPage = prepare((p: Params<ListValues>) =>
  qb
    .select({ ...shownFields, name_key: sql<string>`${nameKey}`.as('name_key') })
    .from(users)
    .leftJoin(invitations, isValid(p))
    .leftJoin(inviter, isInviter)
    .where(
      sql`${hasAllWords(
        sql`${fullName} || ' ' || ${users.email}
          || ' ' || coalesce(${users.employee_id}, '')`,
        p,
      )}
        AND (${p.role} IS NULL OR ${users.role} = ${p.role})
        AND (${p.not_role} IS NULL OR ${users.role} <> ${p.not_role})
        AND (${p.active} IS NULL OR ${users.active} = ${p.active})
        AND (${nameKey}, ${users.id}) > (${p.after_name}, ${p.after_id})`,
    )
    .orderBy(nameKey, users.id)
    .limit(p.limit),
)

interface UserFilter {
  q?: string | undefined
  role?: string | undefined
  /** The users of this role are left out. */
  not_role?: string | undefined
  active?: boolean | undefined
}

/** A page of all users, in the order of their names. */
export const listUserRecords = async (
  db: BatchDb,
  { q = '', role, not_role, active }: UserFilter,
  { after = ['', 0], limit, now }: { after?: readonly [string, number]; limit: number; now: Date },
) => {
  const [after_name, after_id] = after
  const filter = {
    role: role ?? null,
    not_role: not_role ?? null,
    active: active === undefined ? null : Number(active),
  }
  const page = { after_name, after_id, limit, now: now.toISOString() }
  const { rows } = await db.batchOfAllBranches({
    rows: selectPage({ ...wordsOf(q), ...filter, ...page }),
  })
  return rows.map(toShown)
}

interface Written {
  email_key: string
  /** A `UserRow` or a `UserRecord` as JSON. */
  row: string
}

const written = (p: Params<Written>, field: string) =>
  sql`(${p.row} ->> ${sql.raw(`'$.${field}'`)})`

const linkRules = (p: Params<Written>) =>
  [
    [
      sql`${written(p, 'employee_id')} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${employees}
        WHERE employee_id = ${written(p, 'employee_id')})`,
      'UNKNOWN_EMPLOYEE',
    ],
    [
      sql`EXISTS (SELECT 1 FROM ${users} WHERE employee_id = ${written(p, 'employee_id')}
        AND email_key <> ${p.email_key})`,
      'EMPLOYEE_LINKED',
    ],
  ] as const

const requireNew = prepare((p: Params<Written>) =>
  raiseIf(
    [sql`EXISTS (SELECT 1 FROM ${users} WHERE email_key = ${p.email_key})`, 'EMAIL_TAKEN'],
    ...linkRules(p),
  ),
)

const { id: _, ...columns } = getTableColumns(users)

/** Inserts users, given as a JSON array of `UserRow`. */
export const insertUsers = prepare((p: Params<{ rows: string }>) =>
  insertSelect(
    users,
    {
      id: null,
      ...jsonFields(columns),
      password_hash: sql`coalesce(value ->> '$.password_hash', '')`,
      token_version: sql`0`,
      version: sql`1`,
    },
    sql`FROM json_each(${p.rows})`,
  ),
)

/** A new user as `insertUsers` takes it. */
export interface UserRow extends UserRecord, LegacyFields {
  email: string
  email_key: string
  actor_hash: string
  actor_salt: string
  /** Given only by an operator's command. Otherwise the user sets a password by a link. */
  password_hash?: string
}

interface Creation {
  user: UserRow
  /** Null for a user without a link. */
  invitation: Invitation | null
  changes: readonly PeopleChange[]
  at: Date
  userId: number | null
}

/**
 * Adds a user and the invitation, if there is one, and records the change.
 * @throws DomainError EMAIL_TAKEN, UNKNOWN_EMPLOYEE, EMPLOYEE_LINKED
 */
export const insertUser = async (
  db: BatchDb,
  { user, invitation, changes, at, userId }: Creation,
) => {
  const { email_key } = user
  const now = at.toISOString()
  const { created } = await db.batchOfAllBranches({
    check: requireNew({ email_key, row: JSON.stringify(user) }),
    users: insertUsers({ rows: JSON.stringify([user]) }),
    invitations: upsertInvitations({
      rows: JSON.stringify(invitation ? [invitation] : []),
      invited_by: userId,
    }),
    changes: recordChanges(changes, now, userId),
    created: firstOrFail(selectByKey({ email_key, now })),
  })
  return toShown(created)
}

/** Whether `u` is an active administrator of all branches who can sign in. */
export const isAdministrator = (p: Params<{ admin_roles: string }>) =>
  sql`u.active = 1 AND u.scope_branches IS NULL AND u.password_hash <> '' AND u.machine = 0
    AND u.role IN (SELECT value FROM json_each(${p.admin_roles}))`

/**
 * Whether the user has no password, or one that an operator has set, or one set through the link of
 * somebody who is an administrator of all branches now.
 */
export const passwordIsTrusted = (p: Params<{ admin_roles: string }>) =>
  sql<number>`(users.password_hash = '' OR users.password_through IS NULL OR EXISTS (
    SELECT 1 FROM ${users} AS u WHERE u.id = users.password_through AND ${isAdministrator(p)}))`

const legacyFields = {
  external: users.external,
  type_user: users.type_user,
  status_user: users.status_user,
}

const LEGACY_FIELDS = Object.keys(legacyFields) as (keyof LegacyFields)[]

const selectForChange = prepare((p: Params<{ id: number; admin_roles: string }>) =>
  qb
    .select({ legacy: legacyFields, is_trusted: passwordIsTrusted(p).as('is_trusted') })
    .from(users)
    .where(eq(users.id, p.id)),
)

/**
 * Reads a user for a change, the fields of the legacy API, and whether the password may stay if the
 * user's power is widened.
 */
export const findUserForChange = async (
  db: BatchDb,
  id: number,
  { adminRoles, now }: { adminRoles: readonly string[]; now: Date },
) => {
  const { row, more } = await db.batchOfAllBranches({
    row: first(selectById({ id, now: now.toISOString() })),
    more: first(selectForChange({ id, admin_roles: JSON.stringify(adminRoles) })),
  })
  return (
    row && more && { stored: toShown(row), legacy: more.legacy, isTrusted: more.is_trusted === 1 }
  )
}

interface Update extends Written {
  id: number
  version: number
  has_password: number
  is_trusted: number
  admin_roles: string
  /** Whether the user remains an active administrator of all branches. */
  stays_administrator: number
}

const requireUpdatable = prepare((p: Params<Update>) =>
  raiseIf(
    [
      sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id} AND version = ${p.version}
        AND (password_hash <> '') = ${p.has_password}
        AND ${passwordIsTrusted(p)} = ${p.is_trusted})`,
      'USER_MOVED',
    ],
    ...linkRules(p),
    [
      sql`NOT ${p.stays_administrator}
            AND EXISTS (SELECT 1 FROM ${users} AS u WHERE u.id = ${p.id} AND ${isAdministrator(p)})
            AND NOT EXISTS (SELECT 1 FROM ${users} AS u
              WHERE u.id <> ${p.id} AND ${isAdministrator(p)})`,
      'LAST_ADMINISTRATOR',
    ],
  ),
)

export const USER_FIELDS = [
  'first_name',
  'last_name',
  'mother_last_name',
  'role',
  'active',
  'machine',
  'employee_id',
  'scope_branches',
  'sources',
  'external',
  'type_user',
  'status_user',
] as const satisfies readonly (keyof (UserRecord & LegacyFields))[]

interface RowUpdate extends Written {
  id: number
  ends_tokens: number
  /** '' to clear the password; null to keep it. */
  password_hash: string | null
}

const updateRow = prepare((p: Params<RowUpdate>) =>
  qb
    .update(users)
    .set({
      ...Object.fromEntries(USER_FIELDS.map((field) => [field, written(p, field)])),
      // Fields of the legacy API that are not given stay, also if they have changed meanwhile.
      ...Object.fromEntries(
        LEGACY_FIELDS.map((field) => [field, sql`coalesce(${written(p, field)}, ${users[field]})`]),
      ),
      password_hash: sql`coalesce(${p.password_hash}, ${users.password_hash})`,
      password_through: sql`iif(${p.password_hash} IS NULL, ${users.password_through}, NULL)`,
      token_version: sql`${users.token_version} + ${p.ends_tokens}`,
    })
    .where(eq(users.id, p.id)),
)

interface Changed {
  id: number
  changes: readonly PeopleChange[]
  at: Date
  /** The user who makes the changes. Null for an operator's command. */
  userId: number | null
}

interface Replacement extends Changed {
  emailKey: string
  record: UserRecord & Partial<LegacyFields>
  /** The user as it was read. */
  stored: ShownUser
  /** Whether the password may stay if the user's power is widened. */
  isTrusted: boolean
  adminRoles: readonly string[]
  /** Whether the change ends the user's tokens, and also an open invitation. */
  endsAccess: boolean
  /** The hash of a new password. '' to clear the password; null to keep it. */
  passwordHash: string | null
}

/**
 * Replaces the fields that an administrator sets, and records the change.
 * @throws DomainError USER_MOVED, UNKNOWN_EMPLOYEE, EMPLOYEE_LINKED,
 * LAST_ADMINISTRATOR
 */
export const replaceUser = async (
  db: BatchDb,
  { id, emailKey: email_key, record, stored, at, userId, ...more }: Replacement,
) => {
  const now = at.toISOString()
  const { active, role, scope_branches } = record
  const hasPassword = more.passwordHash === null ? stored.has_password : more.passwordHash !== ''
  const isAdmin = active === 1 && more.adminRoles.includes(role) && !scope_branches && hasPassword
  const row = JSON.stringify(record)
  const { replaced } = await db.batchOfAllBranches({
    check: requireUpdatable({
      id,
      version: stored.version,
      has_password: Number(stored.has_password),
      is_trusted: Number(more.isTrusted),
      email_key,
      row,
      admin_roles: JSON.stringify(more.adminRoles),
      stays_administrator: Number(isAdmin),
    }),
    user: updateRow({
      id,
      email_key,
      row,
      ends_tokens: Number(more.endsAccess),
      password_hash: more.passwordHash,
    }),
    ...(more.endsAccess && { invitation: deleteInvitation({ user_id: id }) }),
    changes: recordChanges(more.changes, now, userId),
    replaced: firstOrFail(selectById({ id, now })),
  })
  return toShown(replaced)
}

/** Ends the user's tokens, and also an open invitation. */
export const endUserAccess = async (db: BatchDb, { id, changes, at, userId }: Changed) => {
  await db.batchOfAllBranches({
    tokens: endTokens({ id }),
    invitation: deleteInvitation({ user_id: id }),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
}

const requireInvitable = prepare((p: Params<{ id: number }>) =>
  raiseIf(
    [
      sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id} AND machine = 1)`,
      'MACHINE_HAS_NO_PASSWORD',
    ],
    [sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id} AND active <> 1)`, 'INVITED_INACTIVE'],
  ),
)

/**
 * Stores an invitation of a user, and records it.
 * @throws DomainError MACHINE_HAS_NO_PASSWORD, INVITED_INACTIVE
 */
export const saveInvitation = async (
  db: BatchDb,
  { id, invitation, changes, at, userId }: Changed & { invitation: Invitation },
) => {
  await db.batchOfAllBranches({
    check: requireInvitable({ id }),
    invitations: upsertInvitations({ rows: JSON.stringify([invitation]), invited_by: userId }),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
}

const selectMachine = prepare((p: Params<{ id: number }>) =>
  qb
    .select({
      rule: raise(
        [sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id})`, 'USER_NOT_FOUND'],
        [
          sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE id = ${p.id} AND active = 1 AND machine = 1)`,
          'NOT_A_MACHINE',
        ],
      ),
      token_version: sql<number>`(SELECT token_version FROM ${users} WHERE id = ${p.id})`.as(
        'version_of_tokens',
      ),
    })
    .from(sql`(SELECT 1)`),
)

/**
 * Records that a machine gets a token, and returns the version for it.
 * @throws DomainError USER_NOT_FOUND; NOT_A_MACHINE if the user is not a machine, or is not active
 */
export const grantMachineToken = async (
  db: BatchDb,
  { id, changes, at, userId }: Changed,
): Promise<number> => {
  const { machine } = await db.batchOfAllBranches({
    machine: firstOrFail(selectMachine({ id })),
    changes: recordChanges(changes, at.toISOString(), userId),
  })
  return machine.token_version
}
