import { describe, expect, it } from 'vitest'
import { log_events } from '../../src/core/tables/logs.ts'
import { useAdmin } from '../support/admin.ts'
import { expectFailure, expectInvalid, expectRejectedFields, post } from '../support/api.ts'
import { aLog, db, paysFrom } from '../support/factories.ts'

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

/** A log that was approved and reopened in turns, with an audit row for each change. */
const aLogWithHistory = async (changes: number) => {
  const log = await aLog()
  for (let i = 0; i < changes; i++) {
    const [from_status, to_status] =
      i % 2 === 0 ? (['pending', 'approved'] as const) : (['approved', 'pending'] as const)
    const created_at = new Date(Date.parse(log.created_at) + (i + 1) * 60_000).toISOString()
    const { employee_id, kind, recorded_at, source } = log
    const facts = { employee_id, kind, recorded_at, source, actor: admin.actor_hash }
    const change = { log_id: log.id, user_id: admin.id, from_status, to_status, created_at }
    await db.insert(log_events).values({ event: 'decided', ...change, ...facts })
  }
  return log
}

describe('the history of a log', () => {
  it('has 100 events per page, and a cursor to the next ones', async () => {
    const log = await aLogWithHistory(130)

    const first = await admin.get(`/logs/${log.id}`)
    const cursor = first.body.data.next_cursor
    const second = await admin.get(`/logs/${log.id}?cursor=${cursor}`)

    expect(first.body.data.history).toHaveLength(100)
    expect(second.body.data.history).toHaveLength(31)
    expect(second.body.data.next_cursor).toBeNull()
    const history = [...first.body.data.history, ...second.body.data.history]
    const times = history.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(new Set(times).size).toBe(131)
  })

  it('ends exactly at its first event', async () => {
    const log = await aLogWithHistory(4)
    expect((await admin.get(`/logs/${log.id}?limit=5`)).body.data.next_cursor).toBeNull()
    const { data } = (await admin.get(`/logs/${log.id}?limit=4`)).body
    expect([data.history.length, typeof data.next_cursor]).toEqual([4, 'string'])
  })

  it('belongs to its own log', async () => {
    const [one, other] = [await aLogWithHistory(3), await aLogWithHistory(3)]
    const { next_cursor } = (await admin.get(`/logs/${other.id}?limit=1`)).body.data
    const page = (await admin.get(`/logs/${one.id}?cursor=${next_cursor}`)).body.data
    expect([page.log_id, page.history.length]).toEqual([one.id, 4])
  })

  it.each([
    ['limit=0', 'limit', 'El límite debe ser un número entero de 1 a 200.'],
    ['cursor=x', 'cursor', 'El cursor no es válido.'],
    [`cursor=${btoa('["2026-11-02T00:00:00.000Z",1]')}`, 'cursor', 'El cursor no es válido.'],
  ])('is a 422 for %s', async (query, field, message) => {
    const log = await aLog()
    const res = await admin.get(`/logs/${log.id}?${query}`)
    expectInvalid(res, field, message)
  })
})
