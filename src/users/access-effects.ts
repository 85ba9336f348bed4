import { changesOf } from '../core/db/people-changes.queries.ts'
import { EMPLOYEE_ROLE, type RoleSettings, widensPower } from '../session/can.ts'
import type { UserRecord } from './users.queries.ts'

/** Changing one of these fields ends the user's tokens. */
export const ACCESS_FIELDS = ['role', 'machine', 'employee_id'] as const

/**
 * Whether the user has no password, or one that an operator has set, or one set through the link of
 * somebody who is an administrator of all branches now.
 * @param facts the `passwordFacts` of the user: whether there is a password, the id of the user
 * whose link set it, and the role of that user if that is an active person of all branches
 */
export const isPasswordTrusted = (facts: string, adminRoles: readonly string[]): boolean => {
  const [hasPassword, through, role]: [0 | 1, number | null, string | null] = JSON.parse(facts)
  return !hasPassword || through === null || (role !== null && adminRoles.includes(role))
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
): { endsAccess: boolean; clearsPassword: boolean } => {
  const hasNewRole = record.role !== stored.role && record.role !== EMPLOYEE_ROLE
  const isPerson = !stored.machine && !record.machine
  const widens = isPerson && (hasNewRole || widensPower(stored, record, settings))
  const links = record.employee_id !== null && record.employee_id !== stored.employee_id
  const changes = changesOf(ACCESS_FIELDS, record, stored)
  const isDeactivated = stored.active === 1 && record.active === 0
  return {
    endsAccess: changes.length > 0 || isDeactivated || widens,
    clearsPassword: record.machine || links || (widens && !isTrusted),
  }
}
