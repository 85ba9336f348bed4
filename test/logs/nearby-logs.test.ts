import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { at, useAdmin } from '../support/admin.ts'
import { aLog, anEmployee, anEmployeeWithLogs } from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

const admin = useAdmin()

describe('GET /v2/incidents/logs?nearby=true', () => {
  it("adds the same person's logs from 25 hours before to 25 after, oldest first", async () => {
    const { employee_id } = await anEmployee()
    const log = await aLog({ employee_id, recorded_at: at('10T14:00') })
    const rejected = { kind: 'salida', status: 'rejected' } as const
    const exit = await aLog({ employee_id, ...rejected, recorded_at: at('11T15:00') })
    const before = await aLog({ employee_id, status: 'approved', recorded_at: at('09T13:00') })
    await aLog({ employee_id, recorded_at: at('09T12:59') })
    await aLog({ employee_id, recorded_at: at('11T15:01') })
    await aLog({ recorded_at: at('10T14:00') })

    const query = `employee_id=${employee_id}&from=2026-11-10&to=2026-11-10`
    const { body } = await admin.list(`${query}&nearby=true`)
    expect(body.data.logs).toHaveLength(1)
    expect(body.data.logs[0].log_id).toBe(log.id)
    expect(body.data.logs[0].nearby).toEqual([
      {
        log_id: before.id,
        status: 'approved',
        kind: 'entrada',
        recorded_at: at('09T13:00'),
        local_at: '2026-11-09T07:00:00-06:00',
      },
      {
        log_id: exit.id,
        status: 'rejected',
        kind: 'salida',
        recorded_at: at('11T15:00'),
        local_at: '2026-11-11T09:00:00-06:00',
      },
    ])
    for (const same of [query, `${query}&nearby=false`]) {
      expect((await admin.list(same)).body.data.logs[0]).not.toHaveProperty('nearby')
    }
  })

  it('shows twenty, and reads at most twenty of each status and kind', async () => {
    await anEmployeeWithLogs(3_000)
    const rowsRead = async (query: string) => {
      const { recording, DB } = recordQueries(env.DB)
      const res = await admin.list(`limit=1&${query}`, { DB })
      expect(res.body.data.logs[0].nearby ?? Array(20)).toHaveLength(20)
      return recording.rowsRead
    }
    const without = await rowsRead('')
    // Each row is read, sorted and shown. An employee usually has only a handful of logs per day.
    expect((await rowsRead('nearby=true')) - without).toBeLessThanOrEqual(4 * 2 * 20 + 40)
  })

  it('is a 422 with anything but true or false', async () => {
    expect((await admin.list('nearby=si')).body.errors).toEqual({
      nearby: ['nearby debe ser true o false.'],
    })
  })
})
