import { describe, expect, it } from 'vitest'
import { failure } from './support/api.ts'
import { type Endpoint, REQUESTS, seedEndpoints, send } from './support/endpoints.ts'
import { aLog, anEmployee, aProblem, aUser, inBranches } from './support/factories.ts'

/** What each kind of caller may call, and of whom the responses show anything. */

const SETTINGS = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }

/** Part of every name in a branch that only callers without a scope may see. */
const OTHER_BRANCH = 'Reservada'

const seedTwoBranches = async () => {
  // The rows of the good requests are of the branch Centro.
  await seedEndpoints()
  const { employee_id } = await anEmployee({
    employee_id: `E-${OTHER_BRANCH}`,
    full_name: `Empleada ${OTHER_BRANCH}`,
    branch_office: OTHER_BRANCH,
  })
  await aLog({ employee_id })
  await aProblem({ source: 'reloj', employee_id, branch_office: OTHER_BRANCH })
}

const ROLES = { payroll: 'nomina', machine: 'reloj', admin: 'admin' } as const

/** The endpoint table's role of each kind of caller; null for none. */
const CALLERS = {
  anonymous: null,
  employee: null,
  payroll: 'payroll',
  admin: 'admin',
  'admin with a scope': 'admin',
  machine: 'machine',
} as const

type Caller = keyof typeof CALLERS

const tokenOf = async (caller: Caller): Promise<string | undefined> => {
  const role = CALLERS[caller]
  if (caller === 'anonymous') return undefined
  // The endpoints of one's own logs need an employee.
  const { employee_id } = await anEmployee({ branch_office: 'Centro' })
  const scope_branches = caller === 'admin with a scope' ? inBranches('Centro') : null
  return (await aUser({ role: role ? ROLES[role] : 'employee', employee_id, scope_branches })).token
}

/** The status of a caller who may not call; undefined for one who may. */
const rejection = ({ access, roles }: Endpoint, caller: Caller): number | undefined => {
  if (access === 'public') return undefined
  if (caller === 'anonymous') return 401
  const role = CALLERS[caller]
  return access === 'user' || (role && roles.some((one) => one === role)) ? undefined : 403
}

const MESSAGES: Record<number, string> = {
  401: 'No autenticado.',
  403: 'No tienes permiso para realizar esta acción.',
}

// Signing out and changing passwords concern the caller alone, and need rows of their own.
const OF_LOGS = REQUESTS.filter(({ endpoint }) => endpoint.route.startsWith('/v2/'))

describe.each(Object.keys(CALLERS) as Caller[])('%s', (caller) => {
  it.each(OF_LOGS)('$name', async ({ endpoint, request }) => {
    await seedTwoBranches()
    const token = await tokenOf(caller)
    const res = await send(endpoint, request, { ...(token && { token }), env: SETTINGS })

    const isGood = request === endpoint.good
    const mustBeWhole = endpoint.isWhole && caller === 'admin with a scope'
    const status = mustBeWhole ? 403 : rejection(endpoint, caller)
    expect(res.status).toBe(status ?? request.status)
    if (status) expect(res.body).toEqual(failure(MESSAGES[status] ?? ''))

    const seesAll = endpoint.showsEveryBranch && isGood && !status
    expect(res.text.includes(OTHER_BRANCH)).toBe(seesAll && caller !== 'admin with a scope')
  })
})
