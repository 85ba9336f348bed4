import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type { EmployeeInvitation, EmployeeRecord } from '../../sdk/api-types.ts'
import { api } from '../session/api.ts'
import { itemFaults, messageOf } from '../session/client.ts'
import { about, write } from '../ui/queries.ts'
import { roleWord } from '../ui/text.ts'
import { type PeopleFilter, readMatching } from './people.queries.ts'

const CHUNK = 100

export type InvitationFilter = Pick<PeopleFilter, 'branch_office' | 'payroll_group'>

const nameOf = ({ full_name, employee_id }: EmployeeRecord): string =>
  `${full_name} (${employee_id})`

/**
 * Why a person gets no link on the page of invitations: the user has another role than `employee`,
 * or is inactive. Undefined if the person may get one.
 */
const exclusionOf = (employee: EmployeeRecord): string | undefined => {
  const { user } = employee
  if (!user) return undefined
  if (user.role !== 'employee') {
    return `${nameOf(employee)} tiene un usuario con rol ${roleWord(user.role)}: su enlace se hace en Usuarios.`
  }
  return user.active ? undefined : `El usuario de ${nameOf(employee)} está desactivado.`
}

export const isInvitable = (employee: EmployeeRecord): boolean => !exclusionOf(employee)

/**
 * The people who work now. `people` has those who may get a link on this page. `excluded` has a
 * sentence for each other person, with the reason.
 */
export const invitableQuery = (filter: InvitationFilter) =>
  queryOptions({
    queryKey: [...about.people, 'invitable', filter],
    queryFn: async () => {
      const all = await readMatching({ ...filter, active: 'true' })
      return {
        people: all.filter(isInvitable),
        excluded: all.flatMap((employee) => exclusionOf(employee) ?? []),
      }
    },
    placeholderData: keepPreviousData,
  })

const makeLinks = write(
  [about.people, about.users],
  async (people: readonly EmployeeRecord[]): Promise<EmployeeInvitation[]> => {
    const employee_ids = people.map(({ employee_id }) => employee_id)
    return (await dataOf(api.v2.people.invitations.$post({ json: { employee_ids } }))).invitations
  },
)

export const inviteOne = async (employee: EmployeeRecord) => (await makeLinks([employee]))[0]

export interface Slip extends EmployeeInvitation {
  employee: EmployeeRecord
}

interface Outcome {
  slips: Slip[]
  /** A message for each person whom the service rejected, with the reason. */
  rejected: string[]
  /** The people who have no link yet, because of an error. */
  left: EmployeeRecord[]
  problem?: string
}

/** The people of a chunk whom the service rejected, each with the reason. */
const rejectionsIn = (chunk: EmployeeRecord[], error: unknown): Map<EmployeeRecord, string> => {
  const rejected = new Map<EmployeeRecord, string>()
  for (const { position, text } of itemFaults(error)) {
    const employee = chunk[position]
    if (employee) rejected.set(employee, `${nameOf(employee)}: ${text}`)
  }
  return rejected
}

/**
 * Makes a link for each person, a hundred at a time. People whom the service rejects are left out.
 * The links that were made before an error are returned, since they cannot be read again.
 */
export const invite = async (
  chosen: readonly EmployeeRecord[],
  onProgress: (done: number) => void,
): Promise<Outcome> => {
  const outcome: Outcome = { slips: [], rejected: [], left: [...chosen] }
  while (outcome.left.length > 0) {
    const chunk = outcome.left.slice(0, CHUNK)
    try {
      const byId = new Map((await makeLinks(chunk)).map((one) => [one.employee_id, one]))
      for (const employee of chunk) {
        const made = byId.get(employee.employee_id)
        if (made) outcome.slips.push({ ...made, employee })
      }
      outcome.left = outcome.left.slice(chunk.length)
    } catch (error) {
      const rejected = rejectionsIn(chunk, error)
      if (rejected.size === 0) return { ...outcome, problem: messageOf(error) }
      outcome.rejected.push(...rejected.values())
      outcome.left = outcome.left.filter((employee) => !rejected.has(employee))
    }
    onProgress(chosen.length - outcome.left.length)
  }
  return outcome
}
