import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { ADMIN_EMAIL, REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { aLog, anEmployeeWithLogs, PASSWORD } from '../support/factories.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { recordQueries } from '../support/record-queries.ts'

const lines = useLoggedLines()

/** What a recording calls the primary, and a D1 session on the nearest replica. */
const SESSIONS = { primary: 'primary', replica: 'first-unconstrained' }

it.each(REQUESTS)('$name takes $request.roundTrips round trips ($endpoint.place)', async (row) => {
  const { endpoint, request } = row
  const { token } = await seedEndpoints()
  const { recording, DB } = recordQueries(env.DB)

  const { status } = await send(endpoint, request, { token, env: { DB } })

  expect(status).toBe(request.status)
  expect(recording.calls).toBe(request.roundTrips)
  expect(recording.places).toEqual(Array(request.roundTrips).fill(SESSIONS[endpoint.place]))
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ status, round_trips: recording.calls })
})

const LOGIN = { email: ADMIN_EMAIL, password: PASSWORD }
const CHANGE = { log_id: 1, status: 'approved', comment: 'visto' }

describe('requests with a different number of round trips', () => {
  it.each([
    ['/auth/login', { ...LOGIN, password: 'otra' }, 401, 1],
    ['/v2/incidents/change_log_status', {}, 422, 1],
    ['/v2/incidents/change_log_status', { ...CHANGE, log_id: 99 }, 422, 1],
    ['/v2/incidents/change_log_status', { ...CHANGE, expected_status: 'rejected' }, 409, 1],
    ['/v2/incidents/change_logs_status', { log_ids: [1, 99], status: 'approved' }, 422, 1],
    ['/v2/incidents/change_logs_status', { log_ids: [1, 99], status: 'x' }, 422, 1],
  ])('POST %s %j is a %i in %i round trips', async (path, body, status, roundTrips) => {
    const { token } = await seedEndpoints()
    const { recording, DB } = recordQueries(env.DB)
    expect((await call('POST', path, { token, body, env: { DB } })).status).toBe(status)
    expect(recording.calls).toBe(roundTrips)
  })

  it('a forbidden change of one’s own log is a 403 in 1 round trip', async () => {
    const { token, employee_id } = await seedEndpoints()
    const log = await aLog({ employee_id: employee_id ?? '' })
    const { recording, DB } = recordQueries(env.DB)
    const { status } = await call('POST', '/v2/incidents/change_log_status', {
      token,
      body: { ...CHANGE, log_id: log.id },
      env: { DB, FORBID_SELF_APPROVAL: 'true' },
    })
    expect([status, recording.calls]).toEqual([403, 1])
  })

  it('a sign-in that replaces an outdated hash takes 2 round trips, the next one 1', async () => {
    await seedEndpoints({ outdatedHash: true })
    for (const roundTrips of [2, 1]) {
      const { recording, DB } = recordQueries(env.DB)
      const { status } = await call('POST', '/auth/login', { body: LOGIN, env: { DB } })
      expect([status, recording.calls]).toEqual([200, roundTrips])
    }
  })

  it('an export takes one round trip, and one per page of 5,000 logs', async () => {
    const { token } = await seedEndpoints()
    await anEmployeeWithLogs(10_000)
    const { recording, DB } = recordQueries(env.DB)

    const file = await call('GET', '/v2/incidents/export?format=ndjson', { token, env: { DB } })

    expect(file.text.match(/\n/g)).toHaveLength(10_004)
    expect(recording.calls).toBe(4)
  })
})
