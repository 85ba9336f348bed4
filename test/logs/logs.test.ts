import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { attendance_logs } from '../../src/core/tables/logs.ts'
import { employees } from '../../src/core/tables/people.ts'
import { at, idsOf, signInAdmin, useAdmin } from '../support/admin.ts'
import { expectInvalid, expectSuccess } from '../support/api.ts'
import {
  aLog,
  aLogOf,
  allLogs,
  anEmployee,
  anEmployeeWithLogs,
  aZone,
  db,
} from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { recordQueries } from '../support/record-queries.ts'

const admin = useAdmin()

const idOf = ({ log_id }: { log_id: number }) => log_id

const countOf = async (query: string): Promise<number> =>
  (await admin.get(`/logs/summary?${query}`)).body.data.total.pending

describe('GET /v2/incidents/logs', () => {
  it('marks the caller’s own logs: of their employee, or recorded by them', async () => {
    const { employee_id } = await anEmployee()
    const admin = await signInAdmin({ employee_id })
    const other = await signInAdmin()
    const own = await aLog({ employee_id, recorded_at: at('02T14:00') })
    // `recorded_by` shows who recorded a log, even if the source is named after another user.
    const recorded = await aLog({ recorded_by: admin.id, recorded_at: at('02T15:00') })
    await aLog({ source: `manual:${admin.id}`, source_id: '1', recorded_by: other.id })
    const { logs } = (await admin.list()).body.data
    const serviceIds = logs.filter((log: { own: boolean }) => log.own).map(idOf)
    expect(serviceIds).toEqual([own.id, recorded.id])
    expect((await admin.get(`/logs/${recorded.id}`)).body.data.own).toBe(true)
    expect((await other.get(`/logs/${recorded.id}`)).body.data.own).toBe(false)
  })

  it('lists logs, oldest first, with exactly the documented fields', async () => {
    const employee = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    const { employee_id } = employee
    const sent = { source: 'reloj-norte', source_id: '7' }
    const late = await aLog({ employee_id, recorded_at: at('03T14:00'), ...sent })
    const early = await aLog({ employee_id, recorded_at: at('02T14:00'), kind: 'salida' })
    await admin.change({ log_id: early.id, status: 'rejected', comment: 'uno' })
    await admin.change({ log_id: early.id, status: 'pending', comment: 'dos' })

    const res = await admin.list()

    const { full_name } = employee
    const shown = {
      status: 'pending',
      employee: { employee_id, full_name, department: 'Ventas', branch_office: 'Sur' },
      other_network: false,
      own: false,
      request_comment: null,
      closed: false,
      locked: false,
    }
    expectSuccess(res, 'Registros encontrados.', {
      logs: [
        {
          ...shown,
          log_id: early.id,
          kind: 'salida',
          recorded_at: at('02T14:00'),
          local_at: '2026-11-02T08:00:00-06:00',
          received_at: early.created_at,
          source: '',
          comments: 2,
        },
        {
          ...shown,
          log_id: late.id,
          kind: 'entrada',
          recorded_at: at('03T14:00'),
          local_at: '2026-11-03T08:00:00-06:00',
          received_at: late.created_at,
          source: 'reloj-norte',
          comments: 0,
        },
      ],
      next_cursor: null,
    })
    expect(idsOf(await admin.list('order=newest'))).toEqual([late.id, early.id])
  })

  it('filters by each field and by all together', async () => {
    const sur = await anEmployee({ branch_office: 'Sur' })
    const norte = await anEmployee({ branch_office: 'Norte' })
    const one = await aLog({ employee_id: sur.employee_id, kind: 'salida', status: 'rejected' })
    const two = await aLog({ employee_id: sur.employee_id })
    const three = await aLog({ employee_id: norte.employee_id })
    const cases: [string, number[]][] = [
      ['status=rejected', [one.id]],
      ['kind=entrada', [two.id, three.id]],
      [`employee_id=${norte.employee_id}`, [three.id]],
      ['branch_office=Sur', [one.id, two.id]],
      ['department=Ventas', [one.id, two.id, three.id]],
      ['department=Ventas&branch_office=Norte', [three.id]],
      [`employee_id=${sur.employee_id}&branch_office=Sur&department=Ventas`, [one.id, two.id]],
      [`employee_id=${sur.employee_id}&branch_office=Norte`, []],
      ['branch_office=Sur&status=pending&kind=entrada', [two.id]],
      ['branch_office=sur', []],
      ['department=', []],
    ]
    for (const [query, ids] of cases) expect(idsOf(await admin.list(query)), query).toEqual(ids)
  })

  it('reads a bare date as that day in the time zone, and an instant as it is', async () => {
    const before = await aLog({ recorded_at: '2026-11-02T05:59:59.999Z' })
    const first = await aLog({ recorded_at: '2026-11-02T06:00:00.000Z' })
    const last = await aLog({ recorded_at: '2026-11-03T05:59:59.999Z' })
    const after = await aLog({ recorded_at: '2026-11-03T06:00:00.000Z' })
    const all = [before.id, first.id, last.id, after.id]
    const instant = encodeURIComponent('2026-11-02T00:00:00-06:00')
    const cases: [string, number[]][] = [
      ['from=2026-11-02&to=2026-11-02', [first.id, last.id]],
      ['from=2026-11-02', all.slice(1)],
      ['to=2026-11-02', all.slice(0, 3)],
      [`from=${instant}&to=${instant}`, [first.id]],
      ['to=2026-11-03T06:00:00Z', all],
      ['from=2026-11-04', []],
    ]
    for (const [query, ids] of cases) {
      expect(idsOf(await admin.list(query)), query).toEqual(ids)
      expect(await countOf(query), query).toBe(ids.length)
    }
    await aZone({ branch_office: null, time_zone: 'Europe/Madrid' })
    const madrid = await admin.list('from=2026-11-02&to=2026-11-02')
    expect(idsOf(madrid)).toEqual([before.id, first.id])
  })

  it('includes every log for the first and last possible dates', async () => {
    const rows = ['0000-01-01', '2026-11-02', '9999-12-30'].map((day) => `${day}T23:00:00.000Z`)
    for (const recorded_at of rows) await aLog({ recorded_at })
    for (const query of ['', 'to=9999-12-30', 'from=0000-01-01', 'from=0000-01-01&to=9999-12-30']) {
      expect(idsOf(await admin.list(query)), query).toEqual([1, 2, 3])
      expect(idsOf(await admin.list(`${query}&order=newest`)), query).toEqual([3, 2, 1])
      expect(await countOf(query), query).toBe(3)
      const { text } = await admin.get(`/export?format=ndjson&${query}`)
      expect(parseLines(text), query).toHaveLength(3)
    }
  })

  const STATUS = 'El estado debe ser pending, approved o rejected.'
  const DATE = 'debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.'
  const REVERSED = 'La fecha final no puede ser anterior a la inicial.'
  const LIMIT = 'El límite debe ser un número entero de 1 a 200.'

  it.each([
    ['status=aprobado', 'status', STATUS],
    ['status=pending&status=approved', 'status', STATUS],
    ['kind=comida', 'kind', 'El tipo debe ser entrada, salida o checada.'],
    ['from=2026-02-30', 'from', `La fecha inicial ${DATE}`],
    ['to=9999-12-31', 'to', `La fecha final ${DATE}`],
    ['to=2026-11-02T08:00:00', 'to', `La fecha final ${DATE}`],
    ['from=2026-11-03&to=2026-11-02', 'to', REVERSED],
    // In the installation's zone, this day begins at 06:00 UTC.
    ['from=2026-11-02&to=2026-11-02T05:59:59.999Z', 'to', REVERSED],
    ['order=random', 'order', 'El orden debe ser oldest o newest.'],
    ['limit=0', 'limit', LIMIT],
    ['limit=201', 'limit', LIMIT],
    ['cursor=x', 'cursor', 'El cursor no es válido.'],
    [`cursor=${btoa('["2026-11-02",1]')}`, 'cursor', 'El cursor no es válido.'],
    ['branch_office=%00', 'branch_office', 'La sucursal contiene caracteres no válidos.'],
  ])('is a 422 for %s', async (query, field, message) => {
    expectInvalid(await admin.list(query), field, message)
  })
})

it('branch and department of a log stay as they were when the log arrived', async () => {
  const { employee_id } = await anEmployee({ branch_office: 'Sur', department: 'Ventas' })
  const log = await aLog({ employee_id })

  await db.update(employees).set({ branch_office: 'Centro', department: 'Almacén' })
  const later = await aLog({ employee_id })

  expect(idsOf(await admin.list('branch_office=Sur&department=Ventas'))).toEqual([log.id])
  expect(idsOf(await admin.list(`branch_office=Centro&employee_id=${employee_id}`))).toEqual([
    later.id,
  ])
  const [shown] = (await admin.list('branch_office=Sur')).body.data.logs
  expect(shown.employee).toMatchObject({ branch_office: 'Sur', department: 'Ventas' })
})

it('the summary counts by status, branch and department, with the filters of the list', async () => {
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
    expectInvalid(await admin.list('nearby=si'), 'nearby', 'nearby debe ser true o false.')
  })
})

describe('paging through logs', () => {
  it.each(['oldest', 'newest'])('returns each log once, %s first', async (order) => {
    const { employee_id } = await anEmployee()
    const rows = Array.from({ length: 60 }, (_, i) => ({
      employee_id,
      kind: i % 2 === 0 ? ('entrada' as const) : ('salida' as const),
      status: (['pending', 'approved', 'rejected'] as const)[i % 3] ?? 'pending',
      // Many logs have the same time, so only their ids order them.
      recorded_at: at(`0${2 + Math.floor(i / 25)}T14:00`),
    }))
    for (const row of rows) await db.insert(attendance_logs).values(row)
    const seen = await admin.listAll(`order=${order}&limit=7`)
    const all = (await allLogs()).map((log) => log.id)
    expect(seen).toEqual(order === 'oldest' ? all : all.reverse())
  })

  it('returns each log that keeps matching once, while others are added and changed', async () => {
    const { employee_id } = await anEmployee()
    const add = (minute: number) =>
      aLog({ employee_id, recorded_at: at(`02T14:${String(minute).padStart(2, '0')}`) })
    const stable: number[] = []
    const changing: number[] = []
    for (let minute = 0; minute < 30; minute++) {
      stable.push((await add(minute)).id)
      changing.push((await add(minute)).id)
    }
    let turn = 0
    const seen = await admin.listAll('status=pending&limit=4', async () => {
      const id = changing[(turn * 7) % changing.length]
      await Promise.all([
        admin.change({ log_id: id, status: turn % 2 === 0 ? 'approved' : 'pending' }),
        add(turn % 60),
        add(59),
      ])
      if (turn++ > 200) throw new Error('The pages do not end.')
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => stable.includes(id))).toEqual(stable)
  })
})
