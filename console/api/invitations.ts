import { ApiError, dataOf, pagesOf } from '../../sdk/api-client.ts'
import type { EmployeeInvitation, EmployeeRecord } from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { messageOf } from './client.ts'

const PAGE = 500
const CHUNK = 100

export interface InvitationFilter {
  branch_office?: string | undefined
  payroll_group?: string | undefined
}

/** Whether somebody may get a link here: without a user, or with one that only uses the app. */
const isInvitable = ({ user }: EmployeeRecord): boolean =>
  user === null || (user.role === 'employee' && user.active === 1)

export const readInvitable = async (filter: InvitationFilter): Promise<EmployeeRecord[]> => {
  const found: EmployeeRecord[] = []
  const pages = pagesOf((cursor) =>
    api.v2.people.employees.$get({ query: { ...filter, active: 'true', limit: PAGE, cursor } }),
  )
  for await (const { employees } of pages) found.push(...employees.filter(isInvitable))
  return found
}

export interface Slip extends EmployeeInvitation {
  employee: EmployeeRecord
}

export interface Refused {
  employee: EmployeeRecord
  text: string
}

interface Outcome {
  slips: Slip[]
  refused: Refused[]
  /** Who has no link yet, because of an error. */
  left: EmployeeRecord[]
  problem?: string
}

/** The people of a chunk that the service refused, with its reasons. */
const refusedIn = (chunk: EmployeeRecord[], error: unknown): Refused[] =>
  Object.entries(error instanceof ApiError ? error.errors : {}).flatMap(([field, [text = '']]) => {
    const employee = chunk[Number(/^employee_ids\.(\d+)$/.exec(field)?.[1] ?? -1)]
    return employee ? [{ employee, text }] : []
  })

/**
 * Makes a link for each person, a hundred at a time. Who is refused is left out. The links that
 * were made before an error are returned, since they cannot be read again.
 */
export const invite = async (
  chosen: readonly EmployeeRecord[],
  onProgress: (done: number) => void,
): Promise<Outcome> => {
  const outcome: Outcome = { slips: [], refused: [], left: [...chosen] }
  while (outcome.left.length > 0) {
    const chunk = outcome.left.slice(0, CHUNK)
    try {
      const employee_ids = chunk.map(({ employee_id }) => employee_id)
      const { invitations } = await dataOf(
        api.v2.people.invitations.$post({ json: { employee_ids } }),
      )
      const byId = new Map(invitations.map((one) => [one.employee_id, one]))
      for (const employee of chunk) {
        const made = byId.get(employee.employee_id)
        if (made) outcome.slips.push({ ...made, employee })
      }
      outcome.left = outcome.left.slice(chunk.length)
    } catch (error) {
      const refused = refusedIn(chunk, error)
      if (refused.length === 0) return { ...outcome, problem: messageOf(error) }
      const out = new Set(refused.map(({ employee }) => employee))
      outcome.refused.push(...refused)
      outcome.left = outcome.left.filter((employee) => !out.has(employee))
    }
    onProgress(chosen.length - outcome.left.length)
  }
  return outcome
}
