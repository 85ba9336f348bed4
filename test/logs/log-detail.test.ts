import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import { expectFailure, expectRejectedFields, post } from '../support/api.ts'
import { aLog, paysFrom } from '../support/factories.ts'

const admin = useAdmin()

describe('GET /v2/incidents/logs/{log_id}', () => {
  it('returns a log with its history, newest first by id', async () => {
    const log = await aLog()
    await admin.change({ log_id: log.id, status: 'approved', comment: 'visto' })
    await admin.change({ log_id: log.id, status: 'rejected' })

    const res = await admin.get(`/logs/${log.id}`)

    const moment = expect.stringMatching(/Z$/)
    const user = { id: admin.id, full_name: 'Ana Torres' }
    const recorded = { event: 'recorded', created_at: log.created_at, user: null }
    const decided = { event: 'decided', created_at: moment, user }
    expect(res.status).toBe(200)
    expect(res.body.data).toMatchObject({ log_id: log.id, status: 'rejected', comments: 1 })
    expect(res.body.data.history).toEqual([
      { ...decided, from_status: 'approved', to_status: 'rejected', comment: null },
      { ...decided, from_status: 'pending', to_status: 'approved', comment: 'visto' },
      { ...recorded, from_status: null, to_status: 'pending', comment: null },
    ])
  })

  it('shows whether a closing locks it', async () => {
    const log = await aLog({ status: 'approved', recorded_at: '2026-11-03T14:00:00.000Z' })
    const isLocked = async () => (await admin.get(`/logs/${log.id}`)).body.data.locked
    expect(await isLocked()).toBe(false)
    await paysFrom('2026-11-01')
    const closing = { before: '2026-11-16' }
    await post('/v2/incidents/closings', closing, { token: admin.token })
    expect(await isLocked()).toBe(true)
  })

  it('is a 404 for a number that no log has', async () => {
    await aLog()
    const res = await admin.get('/logs/99')
    expectFailure(res, 404, 'No existe un registro con ese identificador.')
  })

  it.each(['0', '-1', 'x', '1.5', '9007199254740993'])('is a 422 for %s', async (id) => {
    const res = await admin.get(`/logs/${id}`)
    expectRejectedFields(res, 422, ['log_id'])
  })
})
