import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { allRows, anEmployee, aUser } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { as, EMPLOYEE, PEOPLE_PATH } from '../support/people.ts'

describe('deactivating the user of somebody who left', () => {
  const ended = { ...EMPLOYEE, ended_at: '2026-11-14', expected_version: 1 }
  const leaving = { ...ended, deactivate_user: true }

  beforeEach(async () => {
    stopClock('2026-11-16T18:00:00.000Z')
    for (const employee_id of ['E-1', 'E-2']) {
      await anEmployee({ employee_id, ...EMPLOYEE })
      await aUser({ employee_id })
    }
  })

  const bulkOf = (second: object, dry_run = false) => ({
    employees: [
      { employee_id: 'E-1', ...ended },
      { employee_id: 'E-2', ...second },
    ],
    dry_run,
  })
  const REQUESTS_OF = [
    ['a PUT', 'PUT', `${PEOPLE_PATH}/E-2`, leaving, ended],
    ['a bulk', 'POST', `${PEOPLE_PATH}/bulk`, bulkOf(leaving), bulkOf(ended)],
    ['a dry run', 'POST', `${PEOPLE_PATH}/bulk`, bulkOf(leaving, true), bulkOf(ended, true)],
  ] as const

  it.each(REQUESTS_OF)('is refused to a machine: %s writes nothing', async (...row) => {
    const [, method, path, body, allowed] = row
    const machine = as((await aUser({ role: 'rh', machine: true, password_hash: '' })).token)
    const before = await allRows()
    const res = await machine(method, path, body)
    expect([res.status, res.body]).toEqual([403, failureOf('MACHINE_DEACTIVATES')])
    expect(await allRows()).toEqual(before)
    expect((await machine(method, path, allowed)).status).toBe(200)
  })

  it.each(REQUESTS_OF)('is allowed to a person: %s', async (_, method, path, body) => {
    expect((await as((await aUser({ role: 'rh' })).token)(method, path, body)).status).toBe(200)
  })
})

const USER_WRITES = REQUESTS.filter(
  ({ endpoint: { method, route }, request }) =>
    method !== 'GET' && route.startsWith('/v2/people/users') && request.status === 200,
)

it.each(USER_WRITES)(
  '$name: no machine writes users, even if ADMIN_ROLES came to name its role',
  async ({ endpoint, request }) => {
    await seedEndpoints()
    const { token } = await aUser({ role: 'reloj', machine: true, password_hash: '' })
    const env = { ADMIN_ROLES: 'admin,reloj' }
    const before = await allRows()
    expect((await send(endpoint, request, { token, env })).status).toBe(403)
    expect(await allRows()).toEqual(before)
    const person = await aUser({ role: 'reloj' })
    expect((await send(endpoint, request, { token: person.token, env })).status).toBe(200)
    expect((await call('GET', '/auth/me', { token })).status).toBe(200)
  },
)
