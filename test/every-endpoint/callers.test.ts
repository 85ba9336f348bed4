import { describe, expect, it } from 'vitest'
import { type Ability, abilitiesOf, type RoleSettings } from '../../src/session/can.ts'
import { call } from '../support/api.ts'
import { type Endpoint, REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { allRows, anEmployee, aUser, inBranches } from '../support/factories.ts'
import { expectRejection } from '../support/rejections.ts'

/** Tests what each kind of caller may call. scope-leaks.test.ts tests what a scope hides. */

const SETTINGS = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }

const SCOPE = { scope_branches: inBranches('Centro') }

/** Each kind of caller, with its role in the endpoint table (if any) and its row of `users`. */
const CALLERS = {
  employee: { role: undefined, user: { role: 'employee' } },
  payroll: { role: 'payroll', user: { role: 'nomina' } },
  'payroll with a scope': { role: 'payroll', user: { role: 'nomina', ...SCOPE } },
  machine: { role: 'machine', user: { role: 'reloj' } },
  admin: { role: 'admin', user: { role: 'admin' } },
  'admin with a scope': { role: 'admin', user: { role: 'admin', ...SCOPE } },
  'machine that keeps employees': { role: 'people', user: { role: 'rh', machine: true } },
} as const

/** The routes that a role of PEOPLE_ROLES may call, besides the routes for every user. */
const OF_PEOPLE =
  /^\/v2\/(people\/(employees|changes)|incidents\/(settings|clocks(?!\/[^/]+\/(address|reject|corrections|days_off))))/

type Caller = (typeof CALLERS)[keyof typeof CALLERS]

const mayCall = (
  { access, route, roles, needsAllBranches, isForPeople }: Endpoint,
  { role, user }: Caller,
): boolean =>
  !(isForPeople && 'machine' in user) &&
  (access === 'user' ||
    (role === 'people' && OF_PEOPLE.test(route)) ||
    (roles.some((allowed) => allowed === role) && !(needsAllBranches && 'scope_branches' in user)))

const signIn = async ({ user }: Caller): Promise<string> => {
  await seedEndpoints()
  // The endpoints for the caller's own logs need an employee.
  const { employee_id } = await anEmployee({ branch_office: 'Centro' })
  return (await aUser({ ...user, employee_id })).token
}

// Two kinds of endpoints are tested elsewhere. Every signed-in user may call the endpoints under
// /auth (round-trips.test.ts). Only people with lines in a closing may see and sign their lines
// (own-closings.test.ts).
const PROTECTED = REQUESTS.filter(
  ({ endpoint: { access, route } }) =>
    access !== 'public' && !/^\/auth\/|\/my_closings\/:id/.test(route),
)

/** Abilities of which one is enough for an endpoint, by a request of it. */
const ANY_OF = {
  '/people/changes?subject=user': ['keep_users'],
  '/people/changes?subject=employee': ['keep_people'],
  '/people/changes?subject=payroll_group': ['keep_people', 'pay'],
  '/people/changes?subject=company': ['keep_people', 'pay'],
  '/people/changes?subject=clock': ['keep_people'],
  '/people/changes?subject=source': ['keep_people'],
  '/incidents/settings': ['read_hours', 'keep_people'],
  '/incidents/sources': ['read_hours', 'send_logs'],
} satisfies Record<string, Ability[]>

it('a caller passes only by an ability that the role has in the scope of the caller', async () => {
  const roles = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }
  for (const people of [undefined, 'rh']) {
    const env = { ...roles, ...(people && { PEOPLE_ROLES: people }) }
    const lists = Object.fromEntries(Object.entries(env).map(([name, role]) => [name, [role]]))
    for (const role of ['employee', 'admin', 'nomina', 'reloj', 'rh']) {
      for (const scope_branches of [null, inBranches('Centro')]) {
        const { token } = await aUser({ role, scope_branches })
        const actor = { role, scope_branches: scope_branches === null ? null : ['Centro'] }
        const can = abilitiesOf(actor, lists as unknown as RoleSettings)
        for (const [path, abilities] of Object.entries(ANY_OF)) {
          const { status } = await call('GET', `/v2${path}`, { token, env })
          const expected = abilities.some((ability) => can.includes(ability)) ? 200 : 403
          expect
            .soft([path, role, scope_branches, people, status])
            .toEqual([path, role, scope_branches, people, expected])
        }
      }
    }
  }
})

describe.each(Object.entries(CALLERS))('%s', (_, caller) => {
  const env = { ...SETTINGS, ...(caller.role === 'people' && { PEOPLE_ROLES: 'rh' }) }
  const allowed = PROTECTED.filter(({ endpoint }) => mayCall(endpoint, caller))
  // Each of these requests writes, so each one needs a new database. The others share one database.
  const writingRequests = allowed.filter(({ endpoint, request }) => {
    return endpoint.method === 'POST' && request === endpoint.good
  })

  it('is a 403 on every endpoint that it may not call, and writes nothing', async () => {
    const token = await signIn(caller)
    const before = await allRows()
    const forbidden = PROTECTED.filter((row) => !allowed.includes(row))
    for (const row of forbidden) await expectRejection(row, { token, env }, { status: 403 })
    expect(await allRows()).toEqual(before)
  })

  it('may read, and gets the expected error for invalid input', async () => {
    const token = await signIn(caller)
    for (const { name, endpoint, request } of allowed) {
      if (writingRequests.some((row) => row.request === request)) continue
      const { status } = await send(endpoint, request, { token, env })
      expect.soft(status, name).toBe(request.status)
    }
  })

  it.each(writingRequests)('may $name', async ({ endpoint, request }) => {
    const token = await signIn(caller)
    expect((await send(endpoint, request, { token, env })).status).toBe(request.status)
  })
})
