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

/** Users with one of the roles, and with `allBranches` only those without a scope. */
export interface Permission {
  roles: readonly string[]
  allBranches?: boolean
}

/** Who may do what. A user with a scope may do it only for the branches of the scope. */
export const CAN = {
  /** Approve, reject and reopen logs. */
  decide: ({ ADMIN_ROLES }) => ({ roles: ADMIN_ROLES }),
  /** Answer objections, decide logs that are paid if the user may `decide` too and, without a scope,
   * close periods. */
  pay: ({ PAYROLL_ROLES }) => ({ roles: PAYROLL_ROLES }),
  /** Read logs, hours and closings. */
  read_hours: ({ ADMIN_ROLES, PAYROLL_ROLES }) => ({ roles: [...ADMIN_ROLES, ...PAYROLL_ROLES] }),
  /** Manage employees. */
  keep_people: ({ PEOPLE_ROLES, ADMIN_ROLES }) =>
    PEOPLE_ROLES ? { roles: PEOPLE_ROLES } : { roles: ADMIN_ROLES, allBranches: true },
  /** Manage users. */
  keep_users: ({ ADMIN_ROLES }) => ({ roles: ADMIN_ROLES, allBranches: true }),
  /** Send logs of other people. */
  send_logs: ({ INTAKE_ROLES }) => ({ roles: INTAKE_ROLES }),
  /** Read who has agreed to which text. */
  read_agreements: ({ PAYROLL_ROLES, PEOPLE_ROLES, ADMIN_ROLES }) => ({
    roles: [...PAYROLL_ROLES, ...(PEOPLE_ROLES ?? ADMIN_ROLES)],
  }),
} satisfies Record<string, (settings: RoleSettings) => Permission>

export type Ability = keyof typeof CAN

export const ABILITIES = Object.keys(CAN) as Ability[]

/** What a user may do, whether active or not. */
export const abilitiesOf = (actor: Actor, settings: RoleSettings): Ability[] =>
  ABILITIES.filter((ability) => {
    const { roles, allBranches = false }: Permission = CAN[ability](settings)
    return roles.includes(actor.role) && (!allBranches || actor.scope_branches === null)
  })

const seesMore = (before: readonly string[] | null, after: readonly string[] | null): boolean =>
  before !== null && (after === null || after.some((branch) => !before.includes(branch)))

type Account = Actor & { active: number }

/**
 * Whether a changed user may do something, or sees a branch, that the stored user did not. An
 * inactive user may do nothing.
 */
export const widensPower = (stored: Account, changed: Account, settings: RoleSettings): boolean => {
  const activeAbilitiesOf = (account: Account) =>
    account.active === 1 ? abilitiesOf(account, settings) : []
  const before = activeAbilitiesOf(stored)
  return (
    seesMore(stored.scope_branches, changed.scope_branches) ||
    activeAbilitiesOf(changed).some((ability) => !before.includes(ability))
  )
}

/** The role of people who only record and see their own logs. */
export const EMPLOYEE_ROLE = 'employee'

/** The roles that settings name. Their users do more than record their own logs. */
export const powerfulRolesOf = (settings: RoleSettings): string[] => {
  const { ADMIN_ROLES, PAYROLL_ROLES, INTAKE_ROLES, PEOPLE_ROLES = [] } = settings
  return [...ADMIN_ROLES, ...PAYROLL_ROLES, ...INTAKE_ROLES, ...PEOPLE_ROLES]
}

/** The roles that a user may get: those that settings name, and `employee`. */
export const rolesOf = (settings: RoleSettings): string[] =>
  [...new Set([EMPLOYEE_ROLE, ...powerfulRolesOf(settings)])].sort()

/** The roles that a machine may get. Their users may only send logs or manage employees. */
export const machineRolesOf = (settings: RoleSettings): string[] => {
  const { ADMIN_ROLES, PAYROLL_ROLES, INTAKE_ROLES, PEOPLE_ROLES = [] } = settings
  const others = new Set([...ADMIN_ROLES, ...PAYROLL_ROLES])
  return [...new Set([...INTAKE_ROLES, ...PEOPLE_ROLES])].filter((role) => !others.has(role)).sort()
}
