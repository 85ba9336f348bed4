import { describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { ENDPOINTS, type Endpoint, seedEndpoints } from '../support/endpoints.ts'
import { anEmployee, aUser, inBranches } from '../support/factories.ts'

const GETS = ENDPOINTS.filter(({ method }) => method === 'GET')

const SETTINGS = { ADMIN_ROLES: 'admin', PAYROLL_ROLES: 'nomina', INTAKE_ROLES: 'reloj' }

const CALLERS = {
  nobody: undefined,
  employee: { role: 'employee' },
  payroll: { role: 'nomina' },
  machine: { role: 'reloj' },
  admin: { role: 'admin' },
  'admin of a branch': { role: 'admin', scope_branches: inBranches('Centro') },
}

const signIn = async (user: (typeof CALLERS)[keyof typeof CALLERS]) => {
  await seedEndpoints()
  if (!user) return {}
  const { employee_id } = await anEmployee({ branch_office: 'Centro' })
  return { token: (await aUser({ ...user, employee_id })).token }
}

/** The path with an id that no row has. */
const unknownPath = ({ good: { path }, route }: Endpoint): string => {
  const [pathname = '', query] = path.split('?')
  const parts = route.split('/')
  const unknown = pathname.split('/').map((part, i) => {
    if (!parts[i]?.startsWith(':')) return part
    return /id$/.test(parts[i]) && /^\d+$/.test(part) ? '999999999' : 'NADIE-99'
  })
  return [unknown.join('/'), ...(query ? [query] : [])].join('?')
}

const WITH_ID = GETS.filter(({ route }) => route.includes(':'))

/** More requests whose refusal is known only when the file is begun. */
const FILES = [
  '/v2/incidents/closings/preview/lines?format=csv&before=2099-01-01',
  '/v2/incidents/closings/preview/lines?format=csv&before=2026-11-09&employee_id=NADIE-99',
  '/v2/incidents/hours?format=csv&from=2020-01-01&to=2026-11-30',
  '/v2/audit/evidence?employee_id=E-001',
  '/v2/audit/evidence?employee_id=NADIE-99',
  '/v2/audit/evidence?log_id=1',
  '/v2/audit/evidence?log_id=999999999',
  '/v2/audit/evidence?branch_office=Norte&from=2020-01-01&to=2026-11-30',
]

describe.each(Object.entries(CALLERS))('for %s', (_, user) => {
  it('HEAD has the status and the headers of GET, and no body', async () => {
    const options = { ...(await signIn(user)), env: SETTINGS }
    const paths = [
      ...GETS.flatMap(({ good, bad }) => [good.path, ...(bad ? [bad.path] : [])]),
      ...WITH_ID.map(unknownPath),
      ...FILES,
    ]
    for (const path of paths) {
      const head = await call('HEAD', path, options)
      const got = await call('GET', path, options)
      const headersOf = ({ headers }: typeof head) =>
        Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'))
      expect.soft([path, head.status, head.text]).toEqual([path, got.status, ''])
      expect.soft(headersOf(head), path).toEqual(headersOf(got))
    }
  })
})

const ALL_WITH_ID = ENDPOINTS.filter(({ route }) => route.includes(':'))

/** A new id is a new employee. */
const ADDS = ['PUT /v2/people/employees/{employee_id}']

it.each(ALL_WITH_ID)('$name is a 404 for an unknown id', async (endpoint) => {
  const { token } = await seedEndpoints()
  const { body } = endpoint.good
  const res = await call(endpoint.method, unknownPath(endpoint), { token, body })
  const expected = ADDS.includes(endpoint.name) ? [200, true] : [404, false]
  expect([res.status, res.body.success], res.text).toEqual(expected)
})
