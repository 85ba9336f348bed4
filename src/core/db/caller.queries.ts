import { type SQL, sql } from 'drizzle-orm'
import { revoked_tokens, users } from '../tables/users.ts'
import { type Params, prepare, qb } from './query.ts'
import { raise } from './raise.ts'
import type { Scope } from './scope.ts'
import { zonesVersion } from './zones.ts'

/** Who calls, and the check of that in the transaction of other statements. */

/**
 * The claims of a verified token. `version` is the user's token version when the token was issued.
 */
export interface TokenClaims {
  userId: number
  jti: string
  version: number
  /** The second in which the token was issued. Missing in an operator's command. */
  iat?: number
  /** The second in which the token ends by itself. */
  exp?: number
  machine?: true
}

/** The claims of an operator's command. No user has the id 0. */
export const OPERATOR: TokenClaims = { userId: 0, version: 0, jti: 'operator' }

export interface AuthParams {
  user_id: number
  token_version: number
  jti: string
  /** The allowed roles as a JSON array. Null allows any signed-in user. */
  roles: string | null
  /** The roles that are allowed only without a scope, as a JSON array. */
  unscoped_roles: string
  /** 1 if the caller's scope must be `scope`, 0 if the caller may have any scope. */
  in_scope: number
  /** The scope that the caller is expected to have. */
  scope: Scope
  /** The version of the zones that the statements are built with. Null if they use no zones. */
  zones_version: number | null
}

/** Marks the column that `authorized` makes. `AuthorizedDb.read` accepts only queries with it. */
export type Authorized = string & { readonly brand: 'authorized' }

/**
 * A column that throws unless the token is valid, its user has one of the allowed roles, and the
 * scope and the zones are the expected ones.
 */
export const authorized = (p: Params<AuthParams>) =>
  raise(
    [
      sql`${users.id} IS NULL OR ${users.active} <> 1 OR ${users.token_version} <> ${p.token_version}
      OR EXISTS (SELECT 1 FROM ${revoked_tokens} WHERE ${revoked_tokens.jti} = ${p.jti})`,
      'UNAUTHENTICATED',
    ],
    [
      sql`${p.roles} IS NOT NULL AND ${users.role} NOT IN (SELECT value FROM json_each(${p.roles}))
        AND (${users.scope_branches} IS NOT NULL
          OR ${users.role} NOT IN (SELECT value FROM json_each(${p.unscoped_roles})))`,
      'FORBIDDEN',
    ],
    [
      sql`${p.in_scope} AND ${users.scope_branches} IS NOT ${p.scope}`,
      sql`'scope:x' || hex(coalesce(${users.scope_branches}, ''))`,
    ],
    [sql`${p.zones_version} <> ${zonesVersion}`, sql`'zones:OUTDATED'`],
  ) as SQL.Aliased<Authorized>

// The outer join returns a row even if the user does not exist, so that `authorized` throws then
// too.
export const authorizeCaller = prepare((p: Params<AuthParams>) =>
  qb
    .select({ authorized: authorized(p) })
    .from(sql`(SELECT 1) LEFT JOIN ${users} ON ${users.id} = ${p.user_id}`),
)
