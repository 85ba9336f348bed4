/** The part of a user on which permissions depend. */
export interface Actor {
  role: string
  /** The branches that the user sees. Null for all branches. */
  scope_branches: readonly string[] | null
}

/** The settings that name roles. */
export interface RoleSettings {
  ADMIN_ROLES: readonly string[]
  PAYROLL_ROLES: readonly string[]
  INTAKE_ROLES: readonly string[]
  /** If it is not set, users who keep users also keep employees. */
  PEOPLE_ROLES?: readonly string[] | undefined
}

type Permission = (actor: Actor, settings: RoleSettings) => boolean

const keepsUsers: Permission = ({ role, scope_branches }, { ADMIN_ROLES }) =>
  ADMIN_ROLES.includes(role) && scope_branches === null

/**
 * Who may do what. A user with a scope may do it only for the branches of the scope. The routes
 * check the same by the middlewares of `http/auth.ts`.
 */
const CAN = {
  decide: ({ role }, { ADMIN_ROLES }) => ADMIN_ROLES.includes(role),
  pay: ({ role }, { PAYROLL_ROLES }) => PAYROLL_ROLES.includes(role),
  read_hours: ({ role }, { ADMIN_ROLES, PAYROLL_ROLES }) =>
    ADMIN_ROLES.includes(role) || PAYROLL_ROLES.includes(role),
  keep_people: (actor, settings) =>
    settings.PEOPLE_ROLES?.includes(actor.role) ?? keepsUsers(actor, settings),
  keep_users: keepsUsers,
  send_logs: ({ role }, { INTAKE_ROLES }) => INTAKE_ROLES.includes(role),
  read_agreements: ({ role }, { PAYROLL_ROLES, PEOPLE_ROLES, ADMIN_ROLES }) =>
    PAYROLL_ROLES.includes(role) || (PEOPLE_ROLES ?? ADMIN_ROLES).includes(role),
} satisfies Record<string, Permission>

type Ability = keyof typeof CAN

const ABILITIES = Object.keys(CAN) as Ability[]

const seesMore = (before: readonly string[] | null, after: readonly string[] | null): boolean =>
  before !== null && (after === null || after.some((branch) => !before.includes(branch)))

type Account = Actor & { active: number }

const abilitiesOf = (account: Account, settings: RoleSettings): Ability[] =>
  account.active === 1 ? ABILITIES.filter((name) => CAN[name](account, settings)) : []

/**
 * Whether a changed user may do something, or sees a branch, that the stored user did not. An
 * inactive user may do nothing.
 */
export const widensPower = (stored: Account, changed: Account, settings: RoleSettings): boolean => {
  const before = abilitiesOf(stored, settings)
  return (
    seesMore(stored.scope_branches, changed.scope_branches) ||
    abilitiesOf(changed, settings).some((name) => !before.includes(name))
  )
}
