import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError, messageOf } from '../core/errors.ts'
import { emailKey, NO_ADDRESS_DOMAIN } from '../core/values/email.ts'
import { retryWhileMoved } from '../people/retry-while-moved.ts'
import { EMPLOYEE_ROLE } from '../session/can.ts'
import { readForInvitations, saveEmployeeInvitations } from './employee-invitations.queries.ts'
import type { Link } from './invitations.ts'
import { newLink, newUser } from './new-user.ts'

interface EmployeeInvitation extends Link {
  employee_id: string
  /** The e-mail address to sign in with. */
  email: string
}

/**
 * Makes an e-mail address from the id of an employee without a user. It is encoded, so that it looks
 * like no other id. If the address is used already, a number is added.
 */
const addressOf = (employeeId: string, usedKeys: Set<string>): string => {
  const name = encodeURIComponent(employeeId).toLowerCase()
  let address = `${name}${NO_ADDRESS_DOMAIN}`
  for (let n = 2; usedKeys.has(address); n++) address = `${name}-${n}${NO_ADDRESS_DOMAIN}`
  usedKeys.add(address)
  return address
}

type Invitee = Awaited<ReturnType<typeof readForInvitations>>['invitees'][number]

/** The reason why an employee gets no link. Undefined if the employee gets a link. */
const refusalOf = (
  invitee: Invitee | undefined,
  isRepeated: boolean,
  powerfulRoles: readonly string[],
): string | undefined => {
  if (!invitee) return messageOf('UNKNOWN_EMPLOYEE')
  if (isRepeated) return messageOf('REPEATED_EMPLOYEE')
  const { employee_id, full_name, user } = invitee
  if (!user) return undefined
  const name = `${full_name} (${employee_id})`
  if (user.role !== EMPLOYEE_ROLE || powerfulRoles.includes(user.role)) {
    return `${name} tiene un usuario con rol ${user.role}: su enlace se hace en Usuarios.`
  }
  return user.active === 1 ? undefined : `El usuario de ${name} está inactivo.`
}

const findRefusals = (
  employeeIds: readonly string[],
  invitees: ReadonlyMap<string, Invitee>,
  powerfulRoles: readonly string[],
) =>
  employeeIds.flatMap((id, position) => {
    const isRepeated = employeeIds.indexOf(id) < position
    const text = refusalOf(invitees.get(id), isRepeated, powerfulRoles)
    return text ? [[`employee_ids.${position}`, [text]] as [string, string[]]] : []
  })

interface InvitationOptions {
  /** The roles of users who do more than record their own logs. */
  powerfulRoles: readonly string[]
  origin: string
  now: Date
  /** Whether the database is almost full, so that no new user may be added. */
  isFull: boolean
}

/** Makes a link for the employee's user. If there is no user, it makes the user too. */
const inviteeLink = (
  { employee_id, full_name, user }: Invitee,
  usedKeys: Set<string>,
  options: Pick<InvitationOptions, 'origin' | 'now'>,
) => {
  if (user) {
    const { email, role } = user
    return { email, newUsers: [], ...newLink({ email_key: emailKey(email), role }, options) }
  }
  const email = addressOf(employee_id, usedKeys)
  // The parts of a full name cannot be told apart, so `first_name` gets the whole name.
  const names = { first_name: full_name, last_name: '', mother_last_name: '' }
  const access = { role: EMPLOYEE_ROLE, active: 1, machine: false, employee_id }
  const limits = { scope_branches: null, sources: null }
  const { user: created, changes } = newUser({ email, ...names, ...access, ...limits })
  return { email, newUsers: [created], ...newLink(created, options, changes) }
}

/** @throws DomainError EMPLOYEE_NOT_INVITED with the employees who get no link, or DATABASE_FULL */
const prepareInvitations = async (
  db: AuthorizedDb,
  employeeIds: readonly string[],
  { powerfulRoles, isFull, ...options }: InvitationOptions,
) => {
  const { invitees, usedKeys } = await readForInvitations(db, employeeIds, NO_ADDRESS_DOMAIN)
  const byId = new Map(invitees.map((invitee) => [invitee.employee_id, invitee]))
  const refusals = findRefusals(employeeIds, byId, powerfulRoles)
  if (refusals.length > 0) {
    const error = new DomainError('EMPLOYEE_NOT_INVITED')
    error.fieldErrors = Object.fromEntries(refusals)
    throw error
  }
  if (isFull && invitees.some(({ user }) => !user)) throw new DomainError('DATABASE_FULL')
  return employeeIds.map((id) => {
    const invitee = byId.get(id) as Invitee
    return { invitee, ...inviteeLink(invitee, usedKeys, options) }
  })
}

/**
 * Makes a link for each employee, and a user for those who have none. The results are in the order
 * of `employeeIds`.
 * @throws DomainError EMPLOYEE_NOT_INVITED with the employees who get no link, DATABASE_FULL, or
 * EMPLOYEE_MOVED if their data has changed in each of three attempts. Nothing is written then.
 */
export const inviteEmployees = (
  db: AuthorizedDb,
  employeeIds: readonly string[],
  options: InvitationOptions,
): Promise<EmployeeInvitation[]> =>
  retryWhileMoved(
    () => prepareInvitations(db, employeeIds, options),
    async (made) => {
      await saveEmployeeInvitations(db, {
        expected: made.map(({ invitee: { employee_id, version, user, user_version } }) => ({
          employee_id,
          version,
          user_id: user?.id ?? null,
          user_version: user_version ?? 0,
        })),
        newUsers: made.flatMap(({ newUsers }) => newUsers),
        invitations: made.map(({ invitation }) => invitation),
        changes: made.map(({ change }) => change),
        at: options.now.toISOString(),
      })
      return made.map(({ invitee: { employee_id }, email, link }) => ({
        employee_id,
        email,
        ...link,
      }))
    },
  )
