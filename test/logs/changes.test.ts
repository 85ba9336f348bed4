import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import { aLog, anEmployeeWithLogs } from '../support/factories.ts'

const admin = useAdmin()

interface Change {
  id: number
  event: string
  log_id: number
}

const read = async (query: string) =>
  (await admin.get(`/changes?${query}`)).body.data as { changes: Change[]; next_after: number }

describe('GET /v2/incidents/changes', () => {
  it('returns the events of all logs, oldest first, with their facts', async () => {
    const log = await aLog({ source: 'reloj', source_id: '7' })
    await admin.change({ log_id: log.id, status: 'rejected', comment: 'Repetida.' })

    const { body } = await admin.get('/changes')

    const { id: log_id, employee_id, kind, recorded_at, created_at } = log
    const facts = {
      ...{ log_id, source: 'reloj', source_id: '7', employee_id, kind, recorded_at },
      local_at: '2026-11-02T08:00:00-06:00',
      other_network: false,
    }
    const recorded = { event: 'recorded', comment: null, user: null, created_at }
    const user = { id: admin.id, full_name: 'Ana Torres' }
    const decided = { event: 'decided', comment: 'Repetida.', user }
    const moment = expect.stringMatching(/Z$/)
    expect(body.data).toEqual({
      changes: [
        { id: 1, ...facts, ...recorded, from_status: null, to_status: 'pending' },
        {
          ...{ id: 2, ...facts, ...decided, from_status: 'pending', to_status: 'rejected' },
          created_at: moment,
        },
      ],
      ...{ next_after: 2, is_limited: false },
    })
  })

  it('advances past events that the filter leaves out', async () => {
    await anEmployeeWithLogs(5)
    await admin.change({ log_id: 1, status: 'approved' })
    expect(await read('event=decided&limit=3')).toEqual({
      changes: [],
      next_after: 3,
      is_limited: false,
    })
    const { changes, next_after } = await read('event=decided&limit=3&after=3')
    expect([changes.map(({ event }) => event), next_after]).toEqual([['decided'], 6])
    expect(await read('after=6')).toMatchObject({ changes: [], next_after: 6 })
  })

  it('advances past 1,200 events that are not of logs', async () => {
    const { employee_id } = await aLog()
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
       INSERT INTO employee_shifts (employee_id, max_shift_hours) SELECT ?, 12 FROM n`,
    )
      .bind(employee_id)
      .run()
    await aLog({ employee_id })
    const pages = []
    for (let after = 0; after < 1_202; after = pages.at(-1)?.next_after ?? after) {
      pages.push(await read(`after=${after}&limit=500`))
    }
    expect(pages.map(({ changes, next_after }) => [changes.length, next_after])).toEqual([
      [1, 500],
      [0, 1_000],
      [1, 1_202],
    ])
  })

  it('misses no event and repeats none while 500 changes run', async () => {
    await anEmployeeWithLogs(100)
    const seen: number[] = []
    let running = true
    const readToEnd = async () => {
      for (let after = 0; ; ) {
        const isOver = !running
        const { changes, next_after } = await read(`after=${after}&limit=37`)
        if (isOver && changes.length === 0) return
        seen.push(...changes.map(({ id }) => id))
        after = next_after
      }
    }
    const reading = readToEnd()
    // Sends 100 changes at a time, so that the reader gets several pages while changes run.
    for (let wave = 0; wave < 5; wave++) {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          admin.change({ log_id: i + 1, status: (i + wave) % 2 ? 'approved' : 'rejected' }),
        ),
      )
    }
    expect(seen.length).toBeGreaterThan(37)
    running = false
    await reading
    expect(seen).toEqual(Array.from({ length: 600 }, (_, i) => i + 1))
  })

  const WRONG_QUERIES = ['limit=0', 'limit=501', 'after=-1', 'after=x', 'event=borrado']
  it.each(WRONG_QUERIES)('is a 422 for %s', async (query) => {
    expect((await admin.get(`/changes?${query}`)).status).toBe(422)
  })
})
