import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import { expectRejectedFields } from '../support/api.ts'
import { anEmployee } from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

const admin = useAdmin()

const search = async (q: string): Promise<string[]> => {
  const res = await admin.get(`/employees?q=${encodeURIComponent(q)}`)
  expect(res.status).toBe(200)
  return res.body.data.employees.map((one: { full_name: string }) => one.full_name)
}

describe('GET /v2/incidents/employees', () => {
  it('finds by each word of the name, in any order, case and accents', async () => {
    await anEmployee({ full_name: 'Sofía Castañeda Luna' })
    await anEmployee({ full_name: 'Íñigo Luna Güemes' })

    expect(await search('LUNA')).toEqual(['Íñigo Luna Güemes', 'Sofía Castañeda Luna'])
    expect(await search(' luna  sofia ')).toEqual(['Sofía Castañeda Luna'])
    expect(await search('castañeda')).toEqual(['Sofía Castañeda Luna'])
    expect(await search('ÍÑIGO guem')).toEqual(['Íñigo Luna Güemes'])
    expect(await search('luna sofia de la guemes')).toEqual([])
    expect(await search("%' OR 1=1")).toEqual([])
  })

  it.each(["O'Farrill", 'O’Farrill', 'OʼFarrill', 'O`Farrill', 'O´Farrill', 'O‘Farrill'])(
    'finds %s with any apostrophe',
    async (full_name) => {
      await anEmployee({ full_name })
      for (const apostrophe of "'’ʼ`´‘") {
        expect(await search(`o${apostrophe}farrill`), apostrophe).toEqual([full_name])
      }
    },
  )

  it('finds a name in the order of lists, and with its accents apart', async () => {
    await anEmployee({ full_name: 'Luis Mendoza Peña' })
    await anEmployee({ full_name: 'Ágüeda Muñiz Solís'.normalize('NFD') })

    expect(await search('Mendoza, Luis')).toEqual(['Luis Mendoza Peña'])
    expect(await search('Mendoza Pen\u0303a,Luis')).toEqual(['Luis Mendoza Peña'])
    expect(await search('Muñiz; agüeda')).toEqual(['Ágüeda Muñiz Solís'.normalize('NFD')])
  })

  it('finds by identifier, the exact one first and former employees last', async () => {
    await anEmployee({ employee_id: 'E-10', full_name: 'Ana' })
    await anEmployee({ employee_id: 'E-1', full_name: 'Zoe' })
    await anEmployee({ employee_id: 'E-100', full_name: 'Abel', ended_at: '2026-01-31' })

    expect(await search('e-1')).toEqual(['Ana', 'Zoe', 'Abel'])
    expect(await search('E-1')).toEqual(['Zoe', 'Ana', 'Abel'])
    const { body } = await admin.get('/employees?q=E-100')
    expect(body.data.employees).toEqual([
      {
        employee_id: 'E-100',
        full_name: 'Abel',
        department: 'Ventas',
        branch_office: 'Centro',
        ended_at: '2026-01-31',
      },
    ])
  })

  it('returns twenty at most, and reads each employee once', async () => {
    const rowsOf = async (path: string) => {
      const { recording, DB } = recordQueries(env.DB)
      await admin.get(path, { DB })
      return recording.rowsRead
    }
    const nobody = '/employees?q=ninguna%20persona'
    await anEmployee({ full_name: 'Otra' })
    const before = await rowsOf(nobody)
    for (let i = 0; i < 30; i++) await anEmployee({ full_name: 'Empleada' })
    expect(await search('empleada')).toHaveLength(20)
    expect((await rowsOf(nobody)) - before).toBe(30)
  })

  it('is a 422 without a search, or with one that is too long', async () => {
    for (const q of ['', '%20', 'x'.repeat(101), '%00']) {
      expectRejectedFields(await admin.get(`/employees?q=${q}`), 422, ['q'])
    }
    expect((await admin.get(`/employees?q=${'x'.repeat(100)}`)).status).toBe(200)
  })
})
