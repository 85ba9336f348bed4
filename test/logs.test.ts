import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '../src/app.ts'
import { attendance_logs, employees, users } from '../src/db/schema.ts'
import { failure, get, post } from './support/api.ts'
import {
  aLog,
  allComments,
  allLogs,
  anAdmin,
  anEmployee,
  aUser,
  auditRows,
  db,
  insertLogs,
} from './support/factories.ts'
import { failStatement } from './support/fault-injection.ts'
import { recordQueries } from './support/record-queries.ts'

vi.setConfig({ testTimeout: 60_000 })

let admin: Awaited<ReturnType<typeof anAdmin>>
beforeEach(async () => {
  admin = await anAdmin({ first_name: 'Ana', last_name: 'Torres', mother_last_name: '' })
})

const ask = (path: string, settings: Partial<Env> = {}) =>
  get(`/v2/incidents${path}`, { token: admin.token, env: settings })
const list = (query = '', settings?: Partial<Env>) => ask(`/logs?${query}`, settings)
const change = (body: unknown, settings: Partial<Env> = {}, user = admin) =>
  post('/v2/incidents/change_log_status', body, { token: user.token, env: settings })
const changeMany = (body: unknown, settings: Partial<Env> = {}, user = admin) =>
  post('/v2/incidents/change_logs_status', body, { token: user.token, env: settings })

const idsOf = (res: { body: { data: { logs: { log_id: number }[] } } }) =>
  res.body.data.logs.map((log) => log.log_id)

const at = (time: string) => `2026-11-${time}:00.000Z`

/** Walks every page, and returns the ids in the order that they came. */
const walk = async (query: string, between?: () => Promise<unknown>) => {
  const seen: number[] = []
  let cursor: string | null = null
  do {
    const res = await list(`${query}${cursor ? `&cursor=${cursor}` : ''}`)
    expect(res.status).toBe(200)
    seen.push(...idsOf(res))
    cursor = res.body.data.next_cursor
    await between?.()
  } while (cursor)
  return seen
}

describe('GET /v2/incidents/logs', () => {
  it('lists logs, oldest first, with exactly its fields', async () => {
    const employee = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    const { employee_id } = employee
    const late = await aLog({ employee_id, recorded_at: at('03T14:00') })
    const early = await aLog({ employee_id, recorded_at: at('02T14:00'), kind: 'salida' })
    await change({ log_id: early.id, status: 'rejected', comment: 'uno' })
    await change({ log_id: early.id, status: 'pending', comment: 'dos' })

    const res = await list()

    const shown = {
      employee_id,
      full_name: employee.full_name,
      department: 'Ventas',
      branch_office: 'Sur',
    }
    expect(res.status).toBe(200)
    expect(res.body).toEqual({
      success: true,
      message: 'Registros encontrados.',
      data: {
        logs: [
          {
            log_id: early.id,
            status: 'pending',
            kind: 'salida',
            recorded_at: at('02T14:00'),
            employee: shown,
            comments: 2,
          },
          {
            log_id: late.id,
            status: 'pending',
            kind: 'entrada',
            recorded_at: at('03T14:00'),
            employee: shown,
            comments: 0,
          },
        ],
        next_cursor: null,
      },
    })
    expect(idsOf(await list('order=newest'))).toEqual([late.id, early.id])
  })

  it('filters by each field and by all together', async () => {
    const sur = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    const norte = await anEmployee({ department: 'Ventas', branch_office: 'Norte' })
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
    for (const [query, ids] of cases) expect(idsOf(await list(query)), query).toEqual(ids)
  })

  it('takes a bare date as that day in the zone, and an instant as it is', async () => {
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
    for (const [query, ids] of cases) expect(idsOf(await list(query)), query).toEqual(ids)
    const madrid = await list('from=2026-11-02&to=2026-11-02', { TIME_ZONE: 'Europe/Madrid' })
    expect(idsOf(madrid)).toEqual([before.id, first.id])
  })

  it('takes the ends of time for no end at all', async () => {
    const rows = ['0000-01-01', '2026-11-02', '9999-12-31'].map((day) => `${day}T23:00:00.000Z`)
    for (const recorded_at of rows) await aLog({ recorded_at })
    for (const query of ['', 'to=9999-12-31', 'from=0000-01-01', 'from=0000-01-01&to=9999-12-31']) {
      expect(idsOf(await list(query)), query).toEqual([1, 2, 3])
      expect(idsOf(await list(`${query}&order=newest`)), query).toEqual([3, 2, 1])
      expect((await ask(`/logs/summary?${query}`)).body.data.total.pending, query).toBe(3)
      const { text } = await ask(`/export?format=ndjson&${query}`)
      expect(text.trimEnd().split('\n'), query).toHaveLength(3)
    }
  })

  it.each([
    ['status=aprobado', 'status', 'El estado debe ser pending, approved o rejected.'],
    [
      'status=pending&status=approved',
      'status',
      'El estado debe ser pending, approved o rejected.',
    ],
    ['kind=comida', 'kind', 'El tipo debe ser entrada o salida.'],
    [
      'from=ayer',
      'from',
      'La fecha inicial debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.',
    ],
    [
      'from=2026-02-30',
      'from',
      'La fecha inicial debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.',
    ],
    [
      'to=2026-11-02T08:00:00',
      'to',
      'La fecha final debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.',
    ],
    ['order=random', 'order', 'El orden debe ser oldest o newest.'],
    ['limit=0', 'limit', 'El límite debe ser un número entero de 1 a 200.'],
    ['limit=201', 'limit', 'El límite debe ser un número entero de 1 a 200.'],
    ['limit=1.5', 'limit', 'El límite debe ser un número entero de 1 a 200.'],
    ['cursor=x', 'cursor', 'El cursor no es válido.'],
    [`cursor=${btoa('["2026-11-02",1]')}`, 'cursor', 'El cursor no es válido.'],
    [`cursor=${btoa('["\' OR 1=1 --",1]')}`, 'cursor', 'El cursor no es válido.'],
    ['branch_office=%00', 'branch_office', 'La sucursal contiene caracteres no válidos.'],
  ])('refuses %s', async (query, field, message) => {
    const res = await list(query)
    expect(res.status).toBe(422)
    expect(res.body).toEqual(failure(message, { [field]: [message] }))
  })

  it.each(['/logs', '/logs/summary', '/logs/1', '/export?format=csv'])(
    'is for administrators: %s',
    async (path) => {
      const user = await aUser()
      const res = await get(`/v2/incidents${path}`, { token: user.token })
      expect(res.status).toBe(403)
    },
  )

  it.each(['oldest', 'newest'])(
    'walks pages, %s first, without repeating or missing one',
    async (order) => {
      const { employee_id } = await anEmployee()
      const rows = Array.from({ length: 60 }, (_, i) => ({
        employee_id,
        kind: i % 2 === 0 ? ('entrada' as const) : ('salida' as const),
        status: (['pending', 'approved', 'rejected'] as const)[i % 3] ?? 'pending',
        // Many of one moment: only the id tells them apart.
        recorded_at: at(`0${2 + Math.floor(i / 25)}T14:00`),
      }))
      for (const row of rows) await db.insert(attendance_logs).values(row)
      const seen = await walk(`order=${order}&limit=7`)
      const all = (await allLogs()).map((log) => log.id)
      expect(seen).toEqual(order === 'oldest' ? all : all.reverse())
    },
  )

  it('neither repeats nor misses what matches throughout, while logs come and change', async () => {
    const { employee_id } = await anEmployee()
    const add = (minute: number) =>
      aLog({ employee_id, recorded_at: at(`02T14:${String(minute).padStart(2, '0')}`) })
    const stable: number[] = []
    const restless: number[] = []
    for (let minute = 0; minute < 30; minute++) {
      stable.push((await add(minute)).id)
      restless.push((await add(minute)).id)
    }
    let turn = 0
    const seen = await walk('status=pending&limit=4', async () => {
      const id = restless[(turn * 7) % restless.length]
      await Promise.all([
        change({ log_id: id, status: turn % 2 === 0 ? 'approved' : 'pending' }),
        add(turn % 60),
        add(59),
      ])
      if (turn++ > 200) throw new Error('The walk does not end.')
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => stable.includes(id))).toEqual(stable)
  })
})

describe('GET /v2/incidents/logs/summary', () => {
  it('counts by status, branch and department, with the same filters', async () => {
    const sur = await anEmployee({ department: 'Ventas', branch_office: 'Sur' })
    const norte = await anEmployee({ department: 'Almacén', branch_office: 'Norte' })
    await aLog({ employee_id: sur.employee_id })
    await aLog({ employee_id: sur.employee_id, status: 'approved' })
    await aLog({ employee_id: norte.employee_id, kind: 'salida' })

    const all = await ask('/logs/summary')
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
    const filtered = await ask('/logs/summary?branch_office=Sur&status=pending&from=2026-01-01')
    expect(filtered.body.data.total).toEqual({ pending: 1, approved: 0, rejected: 0 })
    expect((await ask('/logs/summary?kind=entrada&to=2020-01-01')).body.data.branches).toEqual([])
  })
})

describe('GET /v2/incidents/logs/{log_id}', () => {
  it('tells a log with its history, newest first by id', async () => {
    const log = await aLog()
    await change({ log_id: log.id, status: 'approved', comment: 'visto' })
    await change({ log_id: log.id, status: 'rejected' })

    const res = await ask(`/logs/${log.id}`)

    const moment = expect.stringMatching(/Z$/)
    const user = { id: admin.id, full_name: 'Ana Torres' }
    expect(res.status).toBe(200)
    expect(res.body.data).toMatchObject({ log_id: log.id, status: 'rejected', comments: 1 })
    expect(res.body.data.history).toEqual([
      { from_status: 'approved', to_status: 'rejected', created_at: moment, user, comment: null },
      { from_status: 'pending', to_status: 'approved', created_at: moment, user, comment: 'visto' },
    ])
  })

  it.each(['99', '0', '-1', 'x', '1.5', '9007199254740993'])('does not know %s', async (id) => {
    await aLog()
    const res = await ask(`/logs/${id}`)
    expect(res.status).toBe(404)
    expect(res.body).toEqual(failure('No existe un registro con ese identificador.'))
  })
})

describe('POST /v2/incidents/change_logs_status', () => {
  it('changes many at once, each audited and commented, in the order asked', async () => {
    const [one, two, three] = [await aLog(), await aLog({ status: 'approved' }), await aLog()]

    const res = await changeMany({
      log_ids: [three.id, one.id, two.id],
      status: 'approved',
      comment: 'Semana revisada.',
    })

    expect(res.status).toBe(200)
    expect(res.body).toEqual({
      success: true,
      message: 'El estado de los registros se actualizó.',
      data: [three, one, two].map(({ id }) => ({ log_id: id, status: 'approved' })),
    })
    const written = await allComments()
    expect(written.map((row) => row.comment)).toEqual(Array(3).fill('Semana revisada.'))
    const byLog = new Map(written.map((row) => [row.log_id, row.id]))
    const entries = await auditRows()
    expect(entries.map((row) => [row.log_id, row.from_status]).sort()).toEqual([
      [one.id, 'pending'],
      [two.id, 'approved'],
      [three.id, 'pending'],
    ])
    for (const row of entries) expect(row.comment_id).toBe(byLog.get(row.log_id))
  })

  it('takes a hundred, and refuses a hundred and one', async () => {
    const { employee_id } = await anEmployee()
    const ids = []
    for (let i = 0; i < 101; i++) ids.push((await aLog({ employee_id })).id)
    const taken = await changeMany({ log_ids: ids.slice(0, 100), status: 'approved' })
    expect(taken.body.data).toHaveLength(100)
    const refused = await changeMany({ log_ids: ids, status: 'approved' })
    const message = 'Se pueden cambiar 100 registros a la vez como máximo.'
    expect([refused.status, refused.body]).toEqual([422, failure(message, { log_ids: [message] })])
  })

  it('names each element at fault, and changes nothing', async () => {
    const log = await aLog()
    const missing = await changeMany({
      log_ids: [98, log.id, 99],
      status: 'approved',
      comment: 'x',
    })
    const NO_LOG = 'No existe un registro con ese identificador.'
    expect(missing.status).toBe(422)
    expect(missing.body).toEqual(
      failure(`${NO_LOG} (y 1 error más)`, { 'log_ids.0': [NO_LOG], 'log_ids.2': [NO_LOG] }),
    )
    const bad = await changeMany({ log_ids: [log.id, '2', log.id], status: 'approved' })
    expect(Object.keys(bad.body.errors)).toEqual(['log_ids.1'])
    const both = await changeMany({ log_ids: [log.id, 99], status: 'aprobado' })
    expect(Object.keys(both.body.errors)).toEqual(['log_ids.1', 'status'])
    const twice = await changeMany({ log_ids: [log.id, log.id], status: 'approved' })
    expect(twice.body.errors).toEqual({ 'log_ids.1': ['El registro está repetido.'] })
    const one = await changeMany({ log_ids: [99], status: 'approved' })
    expect(Object.keys(one.body.errors)).toEqual(['log_ids.0'])
    const none = await changeMany({ log_ids: [], status: 'approved' })
    expect(Object.keys(none.body.errors)).toEqual(['log_ids'])
    expect([await auditRows(), await allComments(), await allLogs()]).toEqual([[], [], [log]])
  })
})

describe('expected_status', () => {
  it('lets a decision through only where the log is still so', async () => {
    const log = await aLog()
    const first = await change({ log_id: log.id, status: 'approved', expected_status: 'pending' })
    const second = await change({
      log_id: log.id,
      status: 'rejected',
      expected_status: 'pending',
      comment: 'x',
    })
    expect(first.status).toBe(200)
    expect(second.status).toBe(409)
    expect(second.body).toEqual(
      failure(`El registro ${log.id} ya cambió: su estado actual es approved.`),
    )
    expect((await allLogs())[0]?.status).toBe('approved')
    expect([(await auditRows()).length, await allComments()]).toEqual([1, []])
  })

  it('holds for many: one that moved stops them all', async () => {
    const [one, two] = [await aLog(), await aLog({ status: 'rejected' })]
    const body = { log_ids: [two.id, one.id], status: 'approved', expected_status: 'pending' }
    const res = await changeMany(body)
    expect(res.status).toBe(409)
    expect(res.body.message).toBe(`El registro ${two.id} ya cambió: su estado actual es rejected.`)
    expect((await allLogs()).map((log) => log.status)).toEqual(['pending', 'rejected'])
  })

  it('lets one of many concurrent decisions win', async () => {
    const log = await aLog()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        change({
          log_id: log.id,
          status: i % 2 ? 'approved' : 'rejected',
          expected_status: 'pending',
        }),
      ),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await auditRows()).toHaveLength(1)
  })

  it('is input like any other, and judged after the log is known', async () => {
    const log = await aLog()
    expect(
      (await change({ log_id: log.id, status: 'approved', expected_status: 'x' })).status,
    ).toBe(422)
    expect(
      (await change({ log_id: log.id, status: 'approved', expected_status: null })).status,
    ).toBe(200)
    expect(
      (await change({ log_id: 99, status: 'approved', expected_status: 'pending' })).status,
    ).toBe(422)
  })
})

describe('self-approval', () => {
  const forbid = { FORBID_SELF_APPROVAL: 'true' } as Partial<Env>

  it('is allowed by default, and refused where the deployment says so, bulk included', async () => {
    const me = await anEmployee()
    const boss = await anAdmin({ employee_id: me.employee_id })
    const [own, other] = [await aLog({ employee_id: me.employee_id }), await aLog()]
    const refused = failure('No puedes cambiar el estado de tus propios registros.')

    const single = await change({ log_id: own.id, status: 'approved' }, forbid, boss)
    expect([single.status, single.body]).toEqual([403, refused])
    const many = await changeMany(
      { log_ids: [other.id, own.id], status: 'approved', comment: 'x' },
      forbid,
      boss,
    )
    expect([many.status, many.body]).toEqual([403, refused])
    expect([await auditRows(), await allComments()]).toEqual([[], []])

    expect((await change({ log_id: other.id, status: 'approved' }, forbid, boss)).status).toBe(200)
    expect((await change({ log_id: own.id, status: 'approved' }, forbid)).status).toBe(200)
    expect((await change({ log_id: own.id, status: 'rejected' }, {}, boss)).status).toBe(200)
  })
})

describe('GET /v2/incidents/export', () => {
  it('streams CSV that a spreadsheet reads, with the last decision', async () => {
    const { employee_id } = await anEmployee({
      full_name: 'Peña, "Lalo"',
      department: '=1+1',
      branch_office: '',
    })
    const log = await aLog({ employee_id, recorded_at: at('02T14:00') })
    await aLog({ employee_id, recorded_at: at('03T14:00') })
    await change({ log_id: log.id, status: 'rejected', comment: 'primero' })
    await change({ log_id: log.id, status: 'approved', comment: '-2\nlíneas' })

    const res = await ask('/export?format=csv&from=2026-11-01&to=2026-11-30')

    expect(res.status).toBe(200)
    expect(res.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
    expect(res.headers.get('Content-Disposition')).toBe(
      'attachment; filename="checadas_2026-11-01_2026-11-30.csv"',
    )
    const decided = (await auditRows())[1]?.created_at
    expect(res.text).toBe(
      [
        'log_id,employee_id,full_name,department,branch_office,kind,recorded_at,recorded_at_local,status,decided_at,decided_by,comment',
        `1,${employee_id},"Peña, ""Lalo""",'=1+1,,entrada,2026-11-02T14:00:00.000Z,2026-11-02 08:00:00,approved,${decided},Ana Torres,"'-2\nlíneas"`,
        `2,${employee_id},"Peña, ""Lalo""",'=1+1,,entrada,2026-11-03T14:00:00.000Z,2026-11-03 08:00:00,pending,,,`,
        '',
      ].join('\r\n'),
    )
  })

  it('begins with a byte order mark, for spreadsheets', async () => {
    const headers = { Authorization: `Bearer ${admin.token}` }
    const res = await app.request('/api/v2/incidents/export?format=csv', { headers }, env)
    const bytes = new Uint8Array(await res.arrayBuffer())
    expect([...bytes.slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 'l'.charCodeAt(0)])
  })

  it('tells a failure of the first page as a failure', async () => {
    await aLog()
    const { DB } = failStatement(1)
    const res = await ask('/export?format=csv', { DB })
    expect(res.status).toBe(500)
    expect(res.body).toEqual(failure('Ocurrió un error interno. Inténtalo de nuevo más tarde.'))
  })

  it('gives no further page to somebody whose access has ended', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 15_001)
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const headers = { Authorization: `Bearer ${admin.token}` }
    const res = await app.request('/api/v2/incidents/export?format=csv', { headers }, env)
    expect(res.status).toBe(200)
    await db.update(users).set({ active: 0 })
    await expect(res.text()).rejects.toThrow('The export broke.')
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toMatchObject({
      user_id: admin.id,
      error: { name: 'Refused', message: 'UNAUTHENTICATED' },
    })
  })

  it('breaks the transfer when a later page fails: a short file never looks whole', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 5001)
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const headers = { Authorization: `Bearer ${admin.token}` }
    const { DB } = failStatement(2)
    const res = await app.request(
      '/api/v2/incidents/export?format=csv',
      { headers },
      { ...env, DB },
    )
    expect(res.status).toBe(200)
    await expect(res.text()).rejects.toThrow('The export broke.')
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toMatchObject({
      request_id: res.headers.get('X-Request-Id'),
      route: '/api/v2/incidents/export',
      status: 500,
      error: { message: expect.stringContaining('a_fault_was_injected_here') },
    })
    error.mockRestore()
  })

  it.each(['=1+1', ' =1', '\n=1', '\u00a0+1', '\ufeff-1', '\u200b@x', '＝1', '\ttexto', '\rtexto'])(
    'makes the cell %j harmless',
    async (department) => {
      const { employee_id } = await anEmployee({ department })
      await aLog({ employee_id })
      expect((await ask('/export?format=csv')).text).toContain(`'${department}`)
    },
  )

  it('goes on from page to page, leavers included', async () => {
    const { employee_id } = await anEmployee()
    await aUser({ employee_id, active: 0 })
    await insertLogs(employee_id, 12_001)
    const res = await ask('/export?format=ndjson')
    const ids = res.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).log_id)
    expect(ids).toHaveLength(12_001)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(12_001)
  })

  it('streams one JSON object a line, unaltered', async () => {
    const { employee_id } = await anEmployee({ department: '=1+1' })
    await aLog({ employee_id })
    const res = await ask('/export?format=ndjson')
    expect(res.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(res.headers.get('Content-Disposition')).toMatch(/"checadas_\d{4}-\d\d-\d\d\.ndjson"$/)
    const [line, end] = res.text.split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ log_id: 1, department: '=1+1', comment: null })
    expect(end).toBe('')
  })

  it('asks for a format', async () => {
    expect((await ask('/export')).status).toBe(422)
    expect((await ask('/export?format=xlsx')).body.errors).toEqual({
      format: ['El formato debe ser csv o ndjson.'],
    })
  })
})

describe('at a hundred thousand logs', () => {
  const LIMIT = 50

  const populate = async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 199)
       INSERT INTO employees SELECT printf('X-%d', i), 'Ñ', '', '', '', '2020-01-01', '',
         CASE WHEN i = 7 THEN 'Rara' WHEN i % 2 THEN 'Ventas' ELSE 'Almacén' END,
         CASE WHEN i = 9 THEN 'Única' WHEN i % 3 THEN 'Norte' ELSE 'Sur' END, '' FROM n`,
    ).run()
    for (let from = 0; from < 100_000; from += 20_000) {
      await env.DB.prepare(
        `WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + 19999)
         INSERT INTO attendance_logs (employee_id, kind, recorded_at, status, branch_office, department)
         SELECT e.employee_id, CASE WHEN i % 1000 = 3 THEN 'salida' ELSE 'entrada' END,
           strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i / 10 * 60, 'unixepoch'),
           CASE WHEN i % 5000 = 1 THEN 'rejected' WHEN i % 50 = 0 THEN 'pending' ELSE 'approved' END,
           e.branch_office, e.department
         FROM n JOIN employees e ON e.employee_id = printf('X-%d', i % 200)`,
      )
        .bind(from)
        .run()
    }
  }

  it('reads rows in proportion to the page: each mix of filters, first page and deep', async () => {
    await populate()
    const { token } = await anAdmin()
    const choices: Record<string, string[]> = {
      status: ['', 'approved', 'rejected'],
      kind: ['', 'entrada', 'salida'],
      scope: [
        '',
        'employee_id=X-5',
        'branch_office=Norte',
        'branch_office=%C3%9Anica',
        'department=Ventas',
        'department=Rara',
        'branch_office=Norte&department=Ventas',
        'branch_office=%C3%9Anica&department=Rara',
        'employee_id=X-5&department=Rara',
      ],
      period: ['', 'from=2026-01-02&to=2026-01-04'],
    }
    const deepOf = {
      oldest: ['2026-01-06T00:00:00.000Z', 1],
      newest: ['2026-01-02T12:00:00.000Z', 9e9],
    }
    let worst = 0
    for (const status of choices.status ?? []) {
      for (const kind of choices.kind ?? []) {
        for (const scope of choices.scope ?? []) {
          for (const period of choices.period ?? []) {
            for (const order of ['oldest', 'newest'] as const) {
              for (const cursor of ['', btoa(JSON.stringify(deepOf[order])).replace(/=+$/, '')]) {
                const parts = [
                  `limit=${LIMIT}`,
                  `order=${order}`,
                  status && `status=${status}`,
                  kind && `kind=${kind}`,
                  scope,
                  period,
                  cursor && `cursor=${cursor}`,
                ]
                const query = parts.filter(Boolean).join('&')
                const { recording, DB } = recordQueries(env.DB)
                const res = await get(`/v2/incidents/logs?${query}`, { token, env: { DB } })
                expect(res.status, query).toBe(200)
                // Six walks of a page and one row, and the rows that the page itself is made of.
                expect(recording.rowsRead, query).toBeLessThanOrEqual(8 * (LIMIT + 1))
                worst = Math.max(worst, recording.rowsRead)
              }
            }
          }
        }
      }
    }
    expect(worst).toBeGreaterThan(LIMIT)
  })
})

describe('the copies that the filters use', () => {
  it('follow the employee, and a log that moves to another', async () => {
    const one = await anEmployee({ branch_office: 'Sur', department: 'Ventas' })
    const two = await anEmployee({ branch_office: 'Norte', department: 'Almacén' })
    const log = await aLog({ employee_id: one.employee_id })
    expect(idsOf(await list('branch_office=Sur&department=Ventas'))).toEqual([log.id])

    await db.update(employees).set({ branch_office: 'Centro' })
    expect(idsOf(await list('branch_office=Sur'))).toEqual([])
    expect(idsOf(await list('branch_office=Centro'))).toEqual([log.id])

    await db.update(attendance_logs).set({ employee_id: two.employee_id })
    expect(idsOf(await list('department=Ventas'))).toEqual([])
    expect(idsOf(await list('department=Almac%C3%A9n'))).toEqual([log.id])
  })
})
