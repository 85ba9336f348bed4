import { and, eq, gt, sql } from 'drizzle-orm'
import { withoutCaller } from '../core/db/batch-db.ts'
import { changeOf, recordChanges } from '../core/db/people-changes.queries.ts'
import {
  type D1,
  fieldsOf,
  firstOrFail,
  insertSelect,
  type Params,
  prepare,
  qb,
  valuesOf,
} from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { execute } from '../core/db/run.ts'
import { fullName } from '../core/db/shared-expressions.ts'
import { employees } from '../core/tables/people.ts'
import { invitations, users } from '../core/tables/users.ts'
import type { RoleSettings } from '../session/can.ts'
import { deleteInvitation } from '../session/new-password.queries.ts'
import { accountFields, nextTokenVersion } from '../session/session.queries.ts'

/** An invitation to store. `email_key` names the user, because a new user has no id yet. */
export interface Invitation {
  email_key: string
  /** SHA-256 of the link's token, in hexadecimal. */
  token_hash: string
  expires_at: string
}

/** Stores invitations, given as a JSON array. An older invitation of the same user ends. */
export const upsertInvitations = prepare((p: Params<{ rows: string; invited_by: number | null }>) =>
  insertSelect(
    invitations,
    {
      ...fieldsOf('given', 'user_id', 'token_hash', 'expires_at'),
      invited_by: p.invited_by,
    },
    sql`FROM (SELECT value ->> 'token_hash' AS token_hash, value ->> 'expires_at' AS expires_at,
        (SELECT id FROM ${users} WHERE email_key = value ->> 'email_key') AS user_id
      FROM json_each(${p.rows})) AS given WHERE true`,
  ).onConflictDoUpdate({
    target: invitations.user_id,
    set: fieldsOf('excluded', 'token_hash', 'expires_at', 'invited_by'),
  }),
)

interface Presented {
  token_hash: string
  now: string
  /** JSON lists of roles. The second one is of those that keep employees. */
  admin_roles: string
  people_roles: string
}

/**
 * Whether the author of a link could still make it: an administrator of all branches, or of a user
 * of the app somebody who keeps employees of the branch.
 */
const isStillInvited = (p: Params<Presented>) => sql`EXISTS (SELECT 1 FROM ${users} AS author
  WHERE author.id = ${invitations.invited_by} AND author.active = 1 AND author.machine = 0 AND (
    author.scope_branches IS NULL AND author.role IN ${valuesOf(p.admin_roles)}
    OR ${users.role} = 'employee' AND author.role IN ${valuesOf(p.people_roles)}
      AND (author.scope_branches IS NULL OR (SELECT branch_office FROM ${employees}
        WHERE ${employees.employee_id} = ${users.employee_id})
          IN (SELECT value FROM json_each(author.scope_branches)))))`

const isUsable = (p: Params<Presented>) =>
  and(
    eq(invitations.token_hash, p.token_hash),
    gt(invitations.expires_at, p.now),
    eq(users.active, 1),
    eq(users.machine, false),
    isStillInvited(p),
  )

/** A link that somebody presents, and the roles by which its author is judged. */
export interface PresentedLink {
  token_hash: string
  now: Date
  settings: RoleSettings
}

const presented = ({ token_hash, now, settings }: PresentedLink): Presented => ({
  token_hash,
  now: now.toISOString(),
  admin_roles: JSON.stringify(settings.ADMIN_ROLES),
  people_roles: JSON.stringify(settings.PEOPLE_ROLES ?? []),
})

const selectInvited = prepare((p: Params<Presented>) =>
  qb
    .select({
      id: users.id,
      email: users.email,
      full_name: fullName.as('full_name'),
      expires_at: invitations.expires_at,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.user_id))
    .where(isUsable(p)),
)

/** The user of a link that can still be used. Undefined if the link cannot be used. */
export const findInvited = async (db: D1, link: PresentedLink) =>
  (await execute(db, selectInvited(presented(link))))[0]

const requireUsable = prepare((p: Params<Presented>) =>
  raiseIf([
    sql`NOT EXISTS (SELECT 1 FROM ${invitations} JOIN ${users} ON ${users.id} = ${invitations.user_id}
          WHERE ${isUsable(p)})`,
    'INVITATION_ENDED',
  ]),
)

const setPassword = prepare((p: Params<{ id: number; hash: string }>) =>
  qb
    .update(users)
    .set({
      password_hash: p.hash,
      password_through: sql`(SELECT ${invitations.invited_by} FROM ${invitations}
        WHERE ${invitations.user_id} = ${users.id})`,
      token_version: nextTokenVersion,
    })
    .where(eq(users.id, p.id)),
)

const selectAccount = prepare((p: Params<{ id: number }>) =>
  qb
    .select({ user: accountFields, token_version: users.token_version })
    .from(users)
    .where(eq(users.id, p.id)),
)

/**
 * Sets the password of an invited user, and records the change. The link and all older tokens of
 * the user end. If a link is used several times at once, only one use succeeds.
 * @throws DomainError INVITATION_ENDED
 */
export const acceptInvitation = async (
  db: D1,
  { id, hash, ...link }: PresentedLink & { id: number; hash: string },
) => {
  const at = link.now.toISOString()
  const change = changeOf('user', id, [{ field: 'password_set', before: null, after: at }])
  const { account } = await withoutCaller(db).batchOfAllBranches({
    check: requireUsable(presented(link)),
    password: setPassword({ id, hash }),
    // The link is still stored when the change is recorded: so its event names the link.
    changes: recordChanges([change], at, id),
    invitation: deleteInvitation({ user_id: id }),
    account: firstOrFail(selectAccount({ id })),
  })
  return account
}
