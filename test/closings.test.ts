import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../cli/import/run.ts'
import { log_events, period_closings } from '../src/db/schema.ts'
import { addDays, timeZone } from '../src/shared/time-zone.ts'
import { type Admin, signInAdmin } from './support/admin.ts'
import { failure, get, post } from './support/api.ts'
import { resetDatabase } from './support/database.ts'
import {
  aLog,
  allComments,
  anEmployee,
  aUser,
  auditRows,
  db,
  inBranches,
} from './support/factories.ts'
import { failStatement } from './support/fault-injection.ts'
import { recordQueries } from './support/record-queries.ts'
import { punch } from './support/time-card.ts'

let admin: Admin
beforeEach(async () => {
  admin = await signInAdmin()
})

const close = (body: unknown, settings: Partial<Env> = {}, token = admin.token) =>
  post('/v2/incidents/closings', body, { token, env: settings })

const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const hours = async (query: string) =>
  rowsOf((await admin.get(`/hours?format=ndjson&${query}`)).text)

const adjustments = async (since: number) =>
  rowsOf((await admin.get(`/hours/adjustments?format=ndjson&since=${since}`)).text)

const decide = (log_id: number, status: string, comment?: string) =>
  admin.change({ log_id, status, comment })

const today = () => timeZone('America/Mexico_City').localTime(new Date()).slice(0, 10)

describe('POST /v2/incidents/closings', () => {
  it('closes a period, and lists it first', async () => {
    const { employee_id } = await anEmployee({ payroll_group: 'semanal' })
    await punch(employee_id, '09 E08:00 S17:00')
    const newest = (await db.select({ id: sql<number>`max(id)` }).from(log_events))[0]?.id
    const first = await close({ before: '2026-11-09', payroll_group: 'semanal' })
    const second = await close({ before: '2026-11-16', comment: 'Primera quincena.' })
    expect(first.status).toBe(200)
    expect(second.body).toEqual({
      success: true,
      message: 'El periodo se cerró.',
      data: {
        id: 2,
        before: '2026-11-16',
        payroll_group: null,
        user: { id: admin.id, full_name: 'Ana Torres' },
        comment: 'Primera quincena.',
        last_event_id: newest,
        created_at: expect.stringMatching(/^20\d\d-.+Z$/),
      },
    })
    const list = await admin.get('/closings')
    expect(list.body.data).toEqual([second.body.data, first.body.data])
    expect((await admin.get('/closings?limit=1')).body.data).toEqual([second.body.data])
    expect(await db.select().from(period_closings)).toMatchObject([
      { before_at: '2026-11-09T06:00:00.000Z', time_zone: 'America/Mexico_City' },
      { before_at: '2026-11-16T06:00:00.000Z', max_shift_hours: 16 },
    ])
  })

  it.each([
    [{}, { before: ['La fecha de cierre es obligatoria.'] }],
    [{ before: '16/11/2026' }, { before: ['La fecha de cierre debe ser una fecha (AAAA-MM-DD).'] }],
    [
      { before: '2026-11-16', payroll_group: 7 },
      { payroll_group: ['El grupo de nómina debe ser texto.'] },
    ],
    [
      { before: '2026-11-16', payroll_group: 'semanl' },
      { payroll_group: ['No existe un grupo de nómina con ese nombre.'] },
    ],
    [
      { before: '2026-11-16', leave_pending: 'sí' },
      { leave_pending: ['Dejar pendientes debe ser true o false.'] },
    ],
  ])('%j is a 422', async (body, errors) => {
    const res = await close(body)
    expect(res.status).toBe(422)
    expect(res.body).toEqual(failure(Object.values(errors)[0]?.[0] ?? '', errors))
    expect(await db.$count(period_closings)).toBe(0)
  })

  it('may close up to tomorrow, in the zone of the service', async () => {
    expect((await close({ before: addDays(today(), 1) })).status).toBe(200)
    const res = await close({ before: addDays(today(), 2) })
    expect(res.body.errors).toEqual({
      before: ['El periodo se puede cerrar hasta el día de mañana como máximo.'],
    })
  })

  it('is a 409 with their number while logs of the group are pending before it', async () => {
    const weekly = (await anEmployee({ payroll_group: 'semanal' })).employee_id
    const others = (await anEmployee()).employee_id
    await punch(weekly, '09 E08:00? S17:00? 16 E08:00?')
    await punch(others, '09 E08:00?')
    for (const [body, count] of [
      [{ payroll_group: 'semanal' }, 'Quedan 2 registros pendientes'],
      [{ payroll_group: '' }, 'Queda 1 registro pendiente'],
      [{}, 'Quedan 3 registros pendientes'],
    ] as const) {
      const res = await close({ before: '2026-11-16', ...body })
      expect(res.status).toBe(409)
      expect(res.body).toEqual(failure(`${count} antes de esa fecha.`))
    }
    expect(await db.$count(period_closings)).toBe(0)
    expect((await close({ before: '2026-11-16', leave_pending: true })).status).toBe(200)
    expect((await close({ before: '2026-11-09', comment: 'Reabrir.' })).status).toBe(200)
  })

  it.each([
    ['the same group', 'semanal', 'semanal'],
    ['a group, of everybody', null, 'semanal'],
    ['everybody, of a group', 'semanal', null],
  ])('needs a comment to reopen: %s', async (_, closed, reopened) => {
    await anEmployee({ payroll_group: 'semanal' })
    await anEmployee({ payroll_group: 'quincenal' })
    await close({ before: '2026-11-01' })
    await close({ before: '2026-11-16', payroll_group: closed })
    const earlier = { before: '2026-11-09', payroll_group: reopened }
    const res = await close(earlier)
    expect(res.status).toBe(422)
    expect(res.body.errors).toEqual({
      comment: ['Para reabrir un periodo cerrado, el comentario es obligatorio.'],
    })
    expect((await close({ ...earlier, comment: '  ' })).status).toBe(422)
    expect((await close({ ...earlier, comment: 'Faltó un turno.' })).status).toBe(200)
  })

  it('closes a group whose last employee has moved', async () => {
    const { employee_id } = await anEmployee({ payroll_group: 'semanal' })
    const [log = 0] = await punch(employee_id, '09 E08:00')
    await env.DB.exec("UPDATE employees SET payroll_group = 'semana'")
    expect((await close({ before: '2026-11-16', payroll_group: 'semanal' })).status).toBe(200)
    expect((await decide(log, 'rejected')).status).toBe(409)
  })

  it('compares with the closings that it replaces only', async () => {
    await anEmployee({ payroll_group: 'semanal' })
    await anEmployee({ payroll_group: 'quincenal' })
    await close({ before: '2026-11-16', payroll_group: 'semanal' })
    expect((await close({ before: '2026-11-09', payroll_group: 'quincenal' })).status).toBe(200)
    await close({ before: '2026-11-02', comment: 'Reabrir todo.' })
    expect((await close({ before: '2026-11-09', payroll_group: 'semanal' })).status).toBe(200)
  })

  it('is for PAYROLL_ROLES, which are ADMIN_ROLES where unset, and for nobody with a scope', async () => {
    const payroll = await aUser({ role: 'nomina' })
    const scoped = await aUser({ role: 'nomina', scope_branches: inBranches('Norte') })
    const settings = { PAYROLL_ROLES: 'nomina' }
    const body = { before: '2026-11-16' }
    expect((await close(body, settings, payroll.token)).status).toBe(200)
    expect((await close(body, settings)).status).toBe(403)
    const res = await close(body, settings, scoped.token)
    expect(res.status).toBe(403)
    expect(res.body).toEqual(failure('No tienes permiso para realizar esta acción.'))
    expect((await close({}, settings, scoped.token)).status).toBe(403)
    expect((await close(body, {}, payroll.token)).status).toBe(403)
    expect((await close(body)).status).toBe(200)
    const read = await get('/v2/incidents/closings', { token: scoped.token, env: settings })
    expect(read.status).toBe(200)
  })

  it('writes nothing where any statement fails', async () => {
    for (let statement = 0; ; statement++) {
      const { DB, failed } = failStatement(statement)
      const res = await close({ before: '2026-11-16' }, { DB })
      if (!failed()) return expect(statement).toBeGreaterThan(2)
      expect(res.status).toBe(500)
      expect(await db.$count(period_closings)).toBe(0)
    }
  })

  it('is append-only, whatever the statement', async () => {
    await close({ before: '2026-11-16' })
    for (const text of [
      "UPDATE period_closings SET before = '2026-11-01'",
      'DELETE FROM period_closings',
      'INSERT OR REPLACE INTO period_closings SELECT * FROM period_closings',
    ]) {
      await expect(env.DB.prepare(text).run()).rejects.toThrow('period_closings is append-only')
    }
  })
})

describe('a closed period', () => {
  const CLOSED = (id: number) => `El periodo del registro ${id} está cerrado.`

  it('locks what was decided before it: 409, with every log named', async () => {
    const { employee_id } = await anEmployee()
    const [first = 0, second = 0] = await punch(employee_id, '09 E08:00 S17:00x')
    const [later = 0] = await punch(employee_id, '16 E08:00')
    await close({ before: '2026-11-16' })

    const one = await decide(first, 'rejected', 'Tarde.')
    expect([one.status, one.body]).toEqual([409, failure(CLOSED(first))])
    const many = await admin.changeMany({ log_ids: [later, first, second], status: 'pending' })
    expect(many.status).toBe(409)
    expect(many.body).toEqual(
      failure(CLOSED(first), { 'log_ids.1': [CLOSED(first)], 'log_ids.2': [CLOSED(second)] }),
    )
    expect(await auditRows()).toEqual([])
    expect(await allComments()).toEqual([])
    expect((await decide(later, 'rejected')).status).toBe(200)
  })

  it('names logs that moved and logs that are closed together', async () => {
    const { employee_id } = await anEmployee()
    const [closed = 0] = await punch(employee_id, '09 E08:00')
    const [moved = 0] = await punch(employee_id, '16 E08:00')
    await close({ before: '2026-11-16' })
    const res = await admin.changeMany({
      log_ids: [closed, moved],
      status: 'rejected',
      expected_status: 'pending',
    })
    const statusOf = (id: number) => [`El registro ${id} ya cambió: su estado actual es approved.`]
    expect(res.body.errors).toEqual({ 'log_ids.0': statusOf(closed), 'log_ids.1': statusOf(moved) })
    const same = await admin.changeMany({
      log_ids: [closed, moved],
      status: 'rejected',
      expected_status: 'approved',
    })
    expect(same.body.errors).toEqual({ 'log_ids.0': [CLOSED(closed)] })
  })

  it('leaves open what was pending then, what arrives later, and their undoing', async () => {
    const { employee_id } = await anEmployee()
    const [pending = 0] = await punch(employee_id, '09 E08:00?')
    await close({ before: '2026-11-16', leave_pending: true })
    const [late = 0] = await punch(employee_id, '09 S17:00?', {
      created_at: new Date().toISOString(),
    })
    for (const id of [pending, late]) {
      for (const status of ['approved', 'rejected', 'pending', 'approved']) {
        expect((await decide(id, status)).status).toBe(200)
      }
    }
  })

  it('rules by the newest closing of the group or of everybody, and reopens by an earlier one', async () => {
    const weekly = (await anEmployee({ payroll_group: 'semanal' })).employee_id
    const others = (await anEmployee()).employee_id
    const [one = 0] = await punch(weekly, '09 E08:00')
    const [two = 0] = await punch(others, '09 E08:00')
    const changes = async () => {
      const results = [await decide(one, 'approved'), await decide(two, 'approved')]
      return results.map(({ status }) => status)
    }
    await close({ before: '2026-11-16', payroll_group: 'semanal' })
    expect(await changes()).toEqual([409, 200])
    const many = await admin.changeMany({ log_ids: [two, one], status: 'approved' })
    expect(many.body.errors).toEqual({ 'log_ids.1': [CLOSED(one)] })
    await close({ before: '2026-11-16' })
    expect(await changes()).toEqual([409, 409])
    await close({ before: '2026-11-01', payroll_group: 'semanal', comment: 'Reabrir.' })
    expect(await changes()).toEqual([200, 409])
    await close({ before: '2026-11-01', comment: 'Reabrir todo.' })
    expect(await changes()).toEqual([200, 200])
  })

  it('keeps a log in the group of its arrival', async () => {
    const { employee_id } = await anEmployee({ payroll_group: 'semanal' })
    const [log = 0] = await punch(employee_id, '09 E08:00')
    await env.DB.exec("UPDATE employees SET payroll_group = 'quincenal'")
    await close({ before: '2026-11-16', payroll_group: 'quincenal' })
    expect((await decide(log, 'rejected')).status).toBe(200)
  })

  it('refuses a new decided log of an import, by name, and takes a pending one', async () => {
    const { employee_id } = await anEmployee()
    await close({ before: '2026-11-16' })
    const log = { log_id: 7, employee_id, kind: 'entrada', recorded_at: '2026-11-09T14:00:00Z' }
    expect(await importInto(env.DB, { logs: [{ ...log, status: 'approved' }] })).toEqual({
      errors: ['logs[0] (7).status: decides a log of a closed period'],
    })
    await expect(
      env.DB.prepare(
        `INSERT INTO attendance_logs (employee_id, kind, recorded_at, status)
         VALUES (?, 'entrada', '2026-11-09T14:00:00.000Z', 'approved')`,
      )
        .bind(employee_id)
        .run(),
    ).rejects.toThrow('log:CLOSED')
    expect(await importInto(env.DB, { logs: [log] })).toMatchObject({ warnings: [] })
    const later = { ...log, log_id: 8, recorded_at: '2026-11-16T14:00:00Z', status: 'approved' }
    expect(await importInto(env.DB, { logs: [later] })).toMatchObject({ warnings: [] })
  })

  it('compares the group that the import file gives the employee', async () => {
    const { employee_id } = await anEmployee({ payroll_group: 'semanal' })
    const [row] = (await env.DB.prepare('SELECT * FROM employees').all()).results
    const log = {
      employee_id,
      kind: 'entrada',
      recorded_at: '2026-11-09T14:00Z',
      status: 'approved',
    }
    await close({ before: '2026-11-16', payroll_group: 'semanal' })
    const fault = { errors: ['logs[0] (7).status: decides a log of a closed period'] }
    const newcomer = { ...row, employee_id: 'E-nueva' }
    const logs = [{ ...log, log_id: 7, employee_id: 'E-nueva' }]
    expect(await importInto(env.DB, { employees: [newcomer], logs })).toEqual(fault)
    const moved = { ...row, payroll_group: 'quincenal' }
    const taken = await importInto(env.DB, { employees: [moved], logs: [{ ...log, log_id: 8 }] })
    expect(taken).toMatchObject({ warnings: [] })
  })

  it('cannot be changed by a statement typed by hand', async () => {
    const [log = 0] = await punch((await anEmployee()).employee_id, '09 E08:00')
    await close({ before: '2026-11-16' })
    await env.DB.prepare(
      `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, created_at,
         employee_id, kind, recorded_at, source, actor)
       SELECT 'decided', id, ?1, status, 'rejected', updated_at, employee_id, kind, recorded_at,
         source, 'x' FROM attendance_logs`,
    )
      .bind(admin.id)
      .run()
    await expect(
      env.DB.prepare("UPDATE attendance_logs SET status = 'rejected' WHERE id = ?").bind(log).run(),
    ).rejects.toThrow('log:CLOSED')
  })
})

describe('hours of a closing', () => {
  it('are the figures as they stood, whatever is decided or arrives later', async () => {
    const { employee_id } = await anEmployee()
    const [, pending = 0] = await punch(employee_id, '09 E08:00 S17:00? 10 E08:00 S16:00')
    await close({ before: '2026-11-16', leave_pending: true })
    const then = await hours('closing=1')
    expect(then.map(({ worked_seconds }) => worked_seconds)).toEqual([null, 28_800])

    await decide(pending, 'approved')
    const created_at = new Date(Date.now() + 1000).toISOString()
    const late = await punch(employee_id, '11 E08:00? S12:00? 16 E08:00? S12:00?', { created_at })
    for (const id of late) await decide(id, 'approved')
    expect(await hours('closing=1')).toEqual(then)
    expect(await hours('from=2026-11-01&to=2026-11-15')).toMatchObject([
      { worked_seconds: 32_400, notices: [] },
      { worked_seconds: 28_800 },
      { worked_seconds: 14_400, notices: ['extemporanea'] },
    ])
    expect(await adjustments(1)).toEqual([
      {
        employee_id,
        full_name: expect.any(String),
        day: '2026-11-09',
        closed_seconds: null,
        worked_seconds: 32_400,
        difference_seconds: 32_400,
      },
      {
        employee_id,
        full_name: expect.any(String),
        day: '2026-11-11',
        closed_seconds: null,
        worked_seconds: 14_400,
        difference_seconds: 14_400,
      },
    ])
  })

  it('are of its group, its days, its zone and its longest shift', async () => {
    const weekly = (await anEmployee({ payroll_group: 'semanal' })).employee_id
    const others = (await anEmployee()).employee_id
    await punch(weekly, '09 E08:00 S17:00 14 E08:00 15 S08:00 16 E08:00 S17:00')
    await punch(others, '09 E08:00 S17:00')
    const settings = { MAX_SHIFT_HOURS: '26', TIME_ZONE: 'America/Mexico_City' }
    await close({ before: '2026-11-16', payroll_group: 'semanal' }, settings)
    expect((await hours('closing=1')).map(({ day, pairs }) => [day, pairs])).toEqual([
      ['2026-11-09', 1],
      ['2026-11-14', 1],
    ])
    expect(await hours('closing=1&payroll_group=')).toEqual([])
    expect((await hours('closing=1&to=2026-11-30')).at(-1)?.day).toBe('2026-11-14')
    expect((await admin.get('/hours?format=csv&closing=1&from=2026-11-16')).status).toBe(422)
  })

  it('include the exit of the last night, which adjusts the closed day when it is decided', async () => {
    const { employee_id } = await anEmployee()
    const [, exit = 0] = await punch(employee_id, '15 E22:00 16 S06:00?')
    await close({ before: '2026-11-16' })
    expect(await adjustments(1)).toEqual([])
    await decide(exit, 'approved')
    expect(await adjustments(1)).toMatchObject([{ day: '2026-11-15', difference_seconds: 28_800 }])
  })

  it('keep what is lost too: a rejection after the closing of what was left pending', async () => {
    const { employee_id } = await anEmployee()
    const [, first = 0, second = 0] = await punch(employee_id, '09 E08:00 S13:00? E14:00? S17:00')
    await close({ before: '2026-11-16', leave_pending: true })
    for (const id of [first, second]) await decide(id, 'rejected')
    expect(await adjustments(1)).toMatchObject([
      { closed_seconds: null, worked_seconds: 32_400, difference_seconds: 32_400 },
    ])
  })

  it('begin where the closing before ended, unless asked', async () => {
    const { employee_id } = await anEmployee()
    await punch(employee_id, '03 E08:00 S17:00 10 E08:00 S17:00')
    await close({ before: '2026-11-09' })
    await close({ before: '2026-11-16' })
    const days = async (query: string) => (await hours(query)).map(({ day }) => day.slice(8))
    expect(await days('closing=2')).toEqual(['10'])
    expect(await days('closing=2&from=2026-11-01')).toEqual(['03', '10'])
    expect(await days('closing=1')).toEqual(['03'])
  })

  it('lose nothing to a log that arrives late and waits for a decision', async () => {
    const { employee_id } = await anEmployee()
    await punch(employee_id, '09 E08:00 S17:00')
    await close({ before: '2026-11-16' })
    const created_at = new Date(Date.now() + 1000).toISOString()
    const [late = 0] = await punch(employee_id, '09 S13:00?', { created_at })
    expect(await adjustments(1)).toEqual([])
    await decide(late, 'approved')
    expect(await adjustments(1)).toMatchObject([{ difference_seconds: -14_400 }])
    await decide(late, 'rejected')
    expect(await adjustments(1)).toEqual([])
  })

  it('keep a day in its group when a late log carries another one', async () => {
    const { employee_id } = await anEmployee({ payroll_group: 'semanal' })
    await punch(employee_id, '09 S17:00')
    await close({ before: '2026-11-16', payroll_group: 'semanal' })
    await env.DB.exec("UPDATE employees SET payroll_group = 'quincenal'")
    const created_at = new Date(Date.now() + 1000).toISOString()
    const [late = 0] = await punch(employee_id, '09 E07:00?', { created_at })
    await decide(late, 'approved')
    expect(await hours('payroll_group=semanal&from=2026-11-01&to=2026-11-15')).toMatchObject([
      { worked_seconds: 36_000, payroll_group: 'semanal' },
    ])
    expect(await adjustments(1)).toMatchObject([{ difference_seconds: 36_000 }])
  })

  it('are adjusted between two closings once, and since the second one never again', async () => {
    const { employee_id } = await anEmployee()
    const [, exit = 0] = await punch(employee_id, '09 E08:00 S17:00?')
    await close({ before: '2026-11-10', leave_pending: true })
    await decide(exit, 'approved')
    await close({ before: '2026-11-12' })
    const between = await admin.get('/hours/adjustments?format=ndjson&since=1&until=2')
    expect(rowsOf(between.text)).toMatchObject([{ difference_seconds: 32_400 }])
    expect(await adjustments(2)).toEqual([])
    const reversed = await admin.get('/hours/adjustments?format=ndjson&since=2&until=1')
    expect(reversed.body.errors).toEqual({
      until: ['El cierre posterior no puede ser anterior al inicial.'],
    })
    const unknown = await admin.get('/hours/adjustments?format=ndjson&since=1&until=9')
    expect(unknown.body.errors).toEqual({
      until: ['No existe un cierre con ese identificador.'],
    })
  })

  it('show an approver the branch alone', async () => {
    for (const branch_office of ['Norte', 'Sur']) {
      await punch((await anEmployee({ branch_office })).employee_id, '09 E08:00? S17:00?')
    }
    await close({ before: '2026-11-16', leave_pending: true })
    for (const { log_id } of (await admin.list()).body.data.logs) await decide(log_id, 'approved')
    const { token } = await signInAdmin({ scope_branches: inBranches('Sur') })
    for (const path of ['/hours?closing=1', '/hours/adjustments?since=1']) {
      const all = rowsOf((await admin.get(`${path}&format=ndjson`)).text)
      const scoped = await get(`/v2/incidents${path}&format=ndjson`, { token })
      expect([all.length, rowsOf(scoped.text).length], path).toEqual([2, 1])
    }
  })
})

describe('a closing among 100 changes', () => {
  it('has each of them in its figures or in its adjustments', async () => {
    const people = await Promise.all(
      Array.from({ length: 50 }, async () => (await anEmployee()).employee_id),
    )
    const logs = (await Promise.all(people.map((id) => punch(id, '09 E08:00? S17:00?')))).flat()
    const responses = await Promise.all(
      logs.map((id, i) =>
        i === 50
          ? Promise.all([
              close({ before: '2026-11-16', leave_pending: true }),
              decide(id, 'approved'),
            ]).then(([closing]) => closing)
          : decide(id, 'approved'),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))

    const closed = (await hours('closing=1')).filter(({ pairs }) => pairs === 1)
    const later = await adjustments(1)
    expect(closed.length + later.length).toBe(people.length)
    expect(later.every((row) => row.difference_seconds === 32_400)).toBe(true)
    const names = [...closed, ...later].map(({ employee_id }) => employee_id)
    expect(new Set(names).size).toBe(people.length)
  })
})

it('holds over random histories: closed figures and adjustments are the figures of today', async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        log: fc.nat(11),
        to: fc.constantFrom('approved', 'rejected', 'pending'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ close: fc.integer({ min: 9, max: 13 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ late: fc.constantFrom('09 S18:00?', '10 E07:00?', '11 C12:00?') }),
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await resetDatabase()
      admin = await signInAdmin()
      const people = [(await anEmployee()).employee_id, (await anEmployee()).employee_id]
      const ids: number[] = []
      for (const id of people) {
        ids.push(
          ...(await punch(id, '09 E08:00? S17:00? 10 E22:00? 11 S06:00? 12 C08:00? C16:00?')),
        )
      }
      for (const one of steps) {
        if ('log' in one) await decide(ids[one.log] ?? 0, one.to)
        else if ('late' in one) {
          const created_at = new Date().toISOString()
          ids.push(...(await punch(people[0] ?? '', one.late, { created_at })))
        } else {
          const before = `2026-11-${String(one.close).padStart(2, '0')}`
          const res = await close({ before, comment: 'Cierre.', leave_pending: true })
          expect(res.status).toBe(200)
        }
      }
      const now = await hours('from=2026-11-01&to=2026-11-30')
      const closings = (await admin.get('/closings')).body.data
      for (const { id, before } of closings) {
        const closed = new Map<string, number>()
        for (const row of await hours(`closing=${id}&from=2026-11-01`)) {
          closed.set(`${row.employee_id} ${row.day}`, row.worked_seconds ?? 0)
        }
        const sums = new Map(closed)
        for (const row of await adjustments(id)) {
          const key = `${row.employee_id} ${row.day}`
          sums.set(key, (sums.get(key) ?? 0) + row.difference_seconds)
        }
        for (const later of closings.filter((one: { id: number }) => one.id > id)) {
          const path = `/hours/adjustments?format=ndjson&since=${id}&until=${later.id}`
          const sum = new Map(closed)
          for (const row of rowsOf((await admin.get(path)).text)) {
            const key = `${row.employee_id} ${row.day}`
            sum.set(key, (sum.get(key) ?? 0) + row.difference_seconds)
          }
          for (const row of await hours(`closing=${later.id}&from=2026-11-01`)) {
            if (row.day >= before || row.day >= later.before) continue
            expect(sum.get(`${row.employee_id} ${row.day}`) ?? 0).toBe(row.worked_seconds ?? 0)
          }
        }
        for (const row of now.filter(({ day }) => day < before)) {
          expect(sums.get(`${row.employee_id} ${row.day}`) ?? 0).toBe(row.worked_seconds ?? 0)
        }
      }
    }),
    { numRuns: 15 },
  )
})

it('reads a fixed number of rows for a change and for a closing, whatever is stored', async () => {
  const rowsOfChange = async (logs: number) => {
    await resetDatabase()
    admin = await signInAdmin()
    const { employee_id } = await anEmployee()
    for (let i = 0; i < logs; i++) await aLog({ employee_id, status: 'approved' })
    const [pending = 0] = await punch(employee_id, '09 E08:00?')
    for (let i = 1; i <= 3; i++) await close({ before: `2026-11-0${i}`, leave_pending: true })
    const measure = async (request: (env: Partial<Env>) => Promise<{ status: number }>) => {
      const { recording, DB } = recordQueries(env.DB)
      expect((await request({ DB })).status).toBe(200)
      return recording.rowsRead
    }
    return [
      await measure((env) => admin.change({ log_id: pending, status: 'approved' }, env)),
      await measure((env) => close({ before: '2026-11-04' }, env)),
      await measure((env) => admin.get('/closings', env)),
    ]
  }
  expect(await rowsOfChange(40)).toEqual(await rowsOfChange(4))
})
