import type { AuthorizedDb } from '../core/db/authorization.ts'
import { emailKey } from '../core/email.ts'
import { DomainError, messageOf } from '../core/errors.ts'
import { createActor } from './actor.ts'
import { readForInvitations, saveEmployeeInvitations } from './employee-invitations.queries.ts'
import { createInvitation, type Link } from './invitations.ts'
import type { FieldChange, PeopleChange } from './people-changes.queries.ts'
import { EMPLOYEE_ROLE, invited } from './user-records.ts'

export interface EmployeeInvitation extends Link {
  employee_id: string
  /** The address to sign in with. */
  email: string
}

/** A domain that no mail server has (RFC 2606): no mail is sent, so the address need not exist. */
const DOMAIN = '@sin-correo.invalid'

/** An address of somebody who has none: the employee's id, and a number where that is taken. */
const addressOf = (employeeId: string, usedKeys: Set<string>): string => {
  const name = employeeId.toLowerCase().replace(/[^a-z0-9._+-]/g, '-')
  let address = `${name}${DOMAIN}`
  for (let n = 2; usedKeys.has(address); n++) address = `${name}-${n}${DOMAIN}`
  usedKeys.add(address)
  return address
}

type Invitee = Awaited<ReturnType<typeof readForInvitations>>['invitees'][number]

/** Why somebody does not get a link here. */
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

/** A user of the role `employee` for somebody who has none. */
const newUserOf = ({ employee_id, full_name }: Invitee, email: string) => ({
  email,
  email_key: email,
  ...createActor(email),
  // The parts of a full name cannot be told apart.
  first_name: full_name,
  last_name: '',
  mother_last_name: '',
  role: EMPLOYEE_ROLE,
  active: 1,
  machine: false,
  employee_id,
  scope_branches: null,
  sources: null,
})

const ATTEMPTS_MAX = 3

/**
 * Makes a link for each employee, and a user for those who have none. The results are in the order
 * sent.
 * @param powerfulRoles the roles of users who do more than record their own logs
 * @throws DomainError EMPLOYEE_NOT_INVITED with the employees who get none; nothing is written then
 */
export const inviteEmployees = async (
  db: AuthorizedDb,
  employeeIds: readonly string[],
  { powerfulRoles, origin, now }: { powerfulRoles: readonly string[]; origin: string; now: Date },
): Promise<EmployeeInvitation[]> => {
  for (let attempt = 1; ; attempt++) {
    const { invitees, usedKeys } = await readForInvitations(db, employeeIds, DOMAIN)
    const byId = new Map(invitees.map((invitee) => [invitee.employee_id, invitee]))
    const refusals = findRefusals(employeeIds, byId, powerfulRoles)
    if (refusals.length > 0) {
      const error = new DomainError('EMPLOYEE_NOT_INVITED')
      error.fieldErrors = Object.fromEntries(refusals)
      throw error
    }
    const made = employeeIds.map((id) => {
      const invitee = byId.get(id) as Invitee
      const email = invitee.user?.email ?? addressOf(id, usedKeys)
      return { invitee, email, ...createInvitation(emailKey(email), origin, now) }
    })
    try {
      await saveEmployeeInvitations(db, {
        expected: made.map(({ invitee: { employee_id, user }, invitation: { email_key } }) => ({
          employee_id,
          user_id: user?.id ?? null,
          email_key,
        })),
        newUsers: made.flatMap(({ invitee, email }) =>
          invitee.user ? [] : [newUserOf(invitee, email)],
        ),
        invitations: made.map(({ invitation }) => invitation),
        changes: made.map(({ invitee, email, link, invitation: { email_key } }): PeopleChange => {
          const fields: [string, string][] = invitee.user
            ? []
            : [
                ['email', email],
                ['role', EMPLOYEE_ROLE],
                ['employee_id', invitee.employee_id],
              ]
          const created = fields.map(
            ([field, after]): FieldChange => ({
              field,
              before: null,
              after,
            }),
          )
          return { subject: 'user', email_key, changes: [...created, invited(link.expires_at)] }
        }),
        at: now.toISOString(),
      })
      return made.map(({ invitee, email, link }) => ({
        employee_id: invitee.employee_id,
        email,
        ...link,
      }))
    } catch (error) {
      // Somebody was faster. The next attempt reads what has changed.
      const hasMoved = error instanceof DomainError && error.code === 'EMPLOYEE_MOVED'
      if (!hasMoved || attempt === ATTEMPTS_MAX) throw error
    }
  }
}
