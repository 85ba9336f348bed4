import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import { aLog, anEmployee } from '../support/factories.ts'

const admin = useAdmin()

describe('GET /v2/incidents/logs/summary', () => {
  it('counts by status, branch and department, with the same filters', async () => {
    const sur = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    const norte = await anEmployee({ department: 'Almacén', branch_office: 'Norte' })
    await aLog({ employee_id: sur.employee_id })
    await aLog({ employee_id: sur.employee_id, status: 'approved' })
    await aLog({ employee_id: norte.employee_id, kind: 'salida' })

    const all = await admin.get('/logs/summary')
    expect(all.body).toEqual({
      success: true,
      message: 'Resumen de registros.',
      data: {
        total: { pending: 2, approved: 1, rejected: 0 },
        branches: [
          { branch_office: 'Norte', department: 'Almacén', pending: 1, approved: 0, rejected: 0 },
          { branch_office: 'Sur', department: 'Ventas', pending: 1, approved: 1, rejected: 0 },
        ],
      },
    })
    const filtered = await admin.get(
      '/logs/summary?branch_office=Sur&status=pending&from=2026-01-01',
    )
    expect(filtered.body.data.total).toEqual({ pending: 1, approved: 0, rejected: 0 })
    expect(
      (await admin.get('/logs/summary?kind=entrada&to=2020-01-01')).body.data.branches,
    ).toEqual([])
  })

  it('counts a period from its first millisecond to its last', async () => {
    const moments = [
      '2026-11-02T05:59:59.999Z',
      '2026-11-02T06:00:00.000Z',
      '2026-11-03T05:59:59.999Z',
      '2026-11-03T06:00:00.000Z',
    ]
    for (const recorded_at of moments) await aLog({ recorded_at })
    const countOf = async (query: string) =>
      (await admin.get(`/logs/summary?${query}`)).body.data.total.pending
    expect(await countOf('from=2026-11-02&to=2026-11-02')).toBe(2)
    expect(await countOf('from=2026-11-02')).toBe(3)
    expect(await countOf('to=2026-11-02')).toBe(3)
  })
})
