import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import { expectSuccess } from '../support/api.ts'
import { aLog, aLogOf, anEmployee } from '../support/factories.ts'

const admin = useAdmin()

describe('GET /v2/incidents/logs/summary', () => {
  it('counts by status, branch and department, with the filters of the list', async () => {
    const sur = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    await aLog({ employee_id: sur.employee_id })
    await aLog({ employee_id: sur.employee_id, status: 'approved' })
    await aLogOf({ department: 'Almacén', branch_office: 'Norte' }, { kind: 'salida' })

    const all = await admin.get('/logs/summary')
    expectSuccess(all, 'Resumen de registros.', {
      total: { pending: 2, approved: 1, rejected: 0 },
      branches: [
        { branch_office: 'Norte', department: 'Almacén', pending: 1, approved: 0, rejected: 0 },
        { branch_office: 'Sur', department: 'Ventas', pending: 1, approved: 1, rejected: 0 },
      ],
    })
    const read = async (query: string) => (await admin.get(`/logs/summary?${query}`)).body.data
    const filtered = await read('branch_office=Sur&status=pending&from=2026-01-01')
    expect(filtered.total).toEqual({ pending: 1, approved: 0, rejected: 0 })
    expect((await read('kind=entrada&to=2020-01-01')).branches).toEqual([])
  })
})
