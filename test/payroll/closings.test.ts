import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { employee_sources, intake_sources } from '../../src/core/tables/intake.ts'
import { employee_shifts } from '../../src/core/tables/payroll.ts'
import { employees } from '../../src/core/tables/people.ts'
import { TOTAL_NAMES } from '../../src/payroll/closings/closing-lines.ts'
import { signInAdmin } from '../support/admin.ts'
import { expectRejectedFields, failure } from '../support/api.ts'
import {
  aLog,
  allRows,
  anAdmin,
  anEmployee,
  aUser,
  aZone,
  db,
  inBranches,
  paysFrom,
} from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { actBeforeBatches } from '../support/fault-injection.ts'
import { parseLines } from '../support/lines.ts'
import { type Payroll, paidDays, payrollOf } from '../support/payroll.ts'
import { aPerson, punch } from '../support/time-card.ts'

let token: string
let payroll: Payroll
beforeEach(async () => {
  token = (await anAdmin()).token
  payroll = payrollOf(token)
  await paysFrom('2026-11-01')
})

const H = 3600

/** Adds logs that arrive after a closing. They are pending first, then approved. */
const punchLate = async (employee_id: string, card: string) => {
  const ids = await punch(employee_id, card.replace(/([ES]\d\d:\d\d)/g, '$1?'), {
    created_at: new Date().toISOString(),
  })
  for (const id of ids) expect((await decide(id, 'approved')).status).toBe(200)
}

/** Decides a log as somebody who may also pay. A paid log needs a comment. */
const decide = (log_id: number, status: string, comment: string | null = null) =>
  payroll.send('POST', '/change_log_status', { log_id, status, comment })

const PAID = 'Ya se pagó: di por qué cambia.'

/** The fields that only a stored closing has, as they are in a preview. */
const UNSAVED = { id: null, signed: null, hash: null, user: null }
/** The fields that only a preview has, as they are if there is nothing to report. */
const NOTHING_ODD = {
  first_taken: expect.any(Array),
  left_out: [],
  groups_without_day: [],
  inverted_days: 0,
  inverted_seconds: 0,
  waiting: 0,
  closed_already: null,
}

const isBegun = () => env.DB.prepare('SELECT 1 FROM closings WHERE completed_at IS NULL').first()

const closed = async (body: object): Promise<number> =>
  (await payroll.closed({ before: '2026-11-16', ...body })).id

describe('POST /v2/incidents/closings', () => {
  it('stores what it pays, for each day, and lists it', async () => {
    await aPerson('02 E08:00 S17:00 03 E08:00', { payroll_group: 'semanal' })
    const period = { before: '2026-11-16' }
    const closing = await payroll.closed({ ...period, comment: 'Primera quincena.' })
    expect(closing).toMatchObject({
      before: '2026-11-16',
      payroll_group: null,
      employee_id: null,
      people: 1,
      days: 1,
      period_seconds: 9 * H,
      added_seconds: 0,
      deducted_seconds: 0,
      held_seconds: 0,
      exceptions_left: 1,
      pending: 0,
      unsynced: [],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      comment: 'Primera quincena.',
      cancelled: null,
    })
    expect(await payroll.lines(closing.id)).toMatchObject([
      { day: '2026-11-02', of_period: 1, worked_seconds: 9 * H, difference_seconds: 9 * H },
      { day: '2026-11-03', worked_seconds: null, difference_seconds: 0, exceptions: 'sin_salida' },
    ])
    const list = await payroll.send('GET', '/closings')
    expect(list.body.data.closings).toEqual([closing])
    const hours = await payroll.hours('from=2026-11-02&to=2026-11-02')
    expect(hours).toMatchObject([{ paid_seconds: 9 * H, closing_id: closing.id }])
  })

  it('counts a day to look at if it lacks something and is not reviewed, for every reader', async () => {
    // The 2nd has only pending logs, and the 5th is reviewed.
    const card = '02 E08:00? S17:00? 03 E08:00 04 E08:00? S17:00? S23:00 05 E08:00'
    const { employee_id } = await aPerson(card, { branch_office: 'Sur' })
    await payroll.review({ employee_id, day: '2026-11-05' })
    const { body } = await payroll.preview('before=2026-11-16')
    expect(body.data).toMatchObject({ exceptions_left: 2, pending: 4 })
    const id = await closed({ leave_pending: true })
    const scoped = await signInAdmin({ scope_branches: inBranches('Sur') })
    for (const reader of [payroll, payrollOf(scoped.token)]) {
      const { data } = (await reader.send('GET', '/closings')).body
      expect(data.closings).toMatchObject([{ id, exceptions_left: 2 }])
    }
  })

  it('previews exactly what it then pays, and writes nothing before', async () => {
    await aPerson('02 E08:00 S17:00 04 E08:00 S12:00?')
    const before = await allRows()
    const preview = await payroll.preview('before=2026-11-16')
    const lines = await payroll.send(
      'GET',
      '/closings/preview/lines?format=ndjson&before=2026-11-16',
    )
    expect(await allRows()).toEqual(before)
    const id = await closed({ leave_pending: true })
    const { body } = await payroll.send('GET', '/closings')
    const unsaved = { ...UNSAVED, created_at: expect.any(String) }
    expect(preview.body.data).toEqual({ ...body.data.closings[0], ...unsaved, ...NOTHING_ODD })
    expect(lines.text).toBe((await payroll.send('GET', `/closings/${id}/lines?format=ndjson`)).text)
  })

  it('is not stored if it takes nobody', async () => {
    const nobody = { before: ['El cierre no toma a nadie: revisa la fecha y a quién se cierra.'] }
    const errorsOf = async (body: object) => {
      const { status, body: response } = await payroll.close(body)
      return [status, response.errors]
    }
    expect(await errorsOf({ before: '2026-11-16' })).toEqual([422, nobody])
    await aPerson('03 E08:00 S17:00')
    for (const before of ['0026-06-01', '2026-11-01']) {
      expect(await errorsOf({ before })).toEqual([422, nobody])
    }
    const leaver = { employee_id: (await anEmployee({ ended_at: '2026-01-01' })).employee_id }
    expect(await errorsOf({ before: '2026-11-16', ...leaver })).toEqual([422, nobody])
    expect((await allRows()).closings).toEqual([])
    // A week in which nobody worked can be closed.
    await closed({ before: '2026-11-03' })
    const { data } = (await payroll.preview('before=2026-11-03&payroll_group=')).body
    expect(data).toMatchObject({ people: 1, days: 0 })
  })

  it('pays later decisions, arrivals and corrections with the next closing', async () => {
    const ana = await aPerson('02 E08:00 S17:00 03 E08:00 S17:00? 04 E08:00 S17:00')
    await closed({ before: '2026-11-08', leave_pending: true })
    await decide(ana.ids[3] ?? 0, 'approved')
    await punchLate(ana.employee_id, '05 E08:00 S12:00')
    expect((await decide(ana.ids[4] ?? 0, 'rejected', 'No vino.')).status).toBe(200)

    const id = await closed({ before: '2026-11-16' })
    expect(await payroll.lines(id)).toMatchObject([
      { day: '2026-11-03', of_period: 0, difference_seconds: 9 * H },
      { day: '2026-11-04', of_period: 0, worked_seconds: null, difference_seconds: -9 * H },
      { day: '2026-11-05', of_period: 0, difference_seconds: 4 * H, notices: 'extemporanea' },
    ])
    expect(await payroll.persons(id)).toMatchObject([
      {
        ...{ days: 2, period_seconds: 0, added_seconds: 13 * H },
        ...{ deducted_seconds: 9 * H, total_seconds: 13 * H },
      },
    ])
    const scoped = await anAdmin({ scope_branches: JSON.stringify(['Centro']) })
    const seen = await payrollOf(scoped.token).send('GET', `/closings/${id}`)
    expect(seen.body.data).toMatchObject({ days: 2, added_seconds: 13 * H })
    expect(await payroll.lines(await closed({ before: '2026-11-20' }))).toEqual([])
  })

  it('is a 409 with the number of pending logs while its people have pending logs', async () => {
    await aPerson('02 E08:00? S17:00 20 E08:00?', { payroll_group: 'semanal' })
    await aPerson('02 E08:00 S17:00', { payroll_group: 'quincenal' })
    const before = await allRows()
    const res = await payroll.close({ before: '2026-11-16' })
    expect([res.status, res.body]).toEqual([
      409,
      failureOf('PENDING_LOGS', { count: 1, of_period: 1, waiting: 0 }),
    ])
    expect(await allRows()).toEqual(before)
    await closed({ payroll_group: 'quincenal' })
    await closed({ leave_pending: true })
  })

  it('counts a pending log of the first day’s first hours, also in a zone east of UTC', async () => {
    const { employee_id } = await anEmployee()
    // Half past midnight of the 1st in Tokyo.
    const recorded_at = '2026-09-30T15:30:00.000Z'
    await aLog({ employee_id, status: 'pending', kind: 'entrada', recorded_at })
    await aZone({ branch_office: null, time_zone: 'Asia/Tokyo' })
    await paysFrom('2026-10-01')
    await payroll.closed({ before: '2026-10-20', leave_pending: true })
    const { status, body } = await payroll.close({ before: '2026-11-16' })
    expect([status, body.message]).toEqual([
      409,
      'Queda 1 registro pendiente antes de esa fecha (0 del periodo).',
    ])
  })

  it('holds a day while something is pending, and takes nothing back from it', async () => {
    const ana = await aPerson('02 E08:00 S12:00 E13:00 S17:00')
    await closed({ before: '2026-11-08' })
    // If this exit at 09:00 counts, it ends the first pair three hours earlier.
    const { id: late } = await aLog({
      employee_id: ana.employee_id,
      kind: 'salida',
      recorded_at: '2026-11-02T15:00:00.000Z',
    })
    const held = await closed({ before: '2026-11-10', leave_pending: true })
    expect(await payroll.lines(held)).toMatchObject([
      { difference_seconds: 0, worked_seconds: 8 * H, held_seconds: 4 * H, held_by: late },
    ])
    await decide(late, 'approved')
    expect(await payroll.lines(await closed({ before: '2026-11-11' }))).toMatchObject([
      { day: '2026-11-02', difference_seconds: -3 * H, held_seconds: 0 },
    ])
  })

  it('holds a day if a pending log moves its pairs to other days', async () => {
    const guard = await anEmployee()
    await db.insert(employee_shifts).values({ employee_id: guard.employee_id, max_shift_hours: 26 })
    await punch(guard.employee_id, '02 C08:00 03 C08:00 04 C08:00 05 C08:00')
    await closed({ before: '2026-11-06' })
    // If this log counts, the next shifts begin on the 3rd and the 5th, and none on the 4th.
    const [late = 0] = await punch(guard.employee_id, '02 C07:00?')
    const held = await closed({ before: '2026-11-07', leave_pending: true })
    expect(await payroll.lines(held)).toMatchObject([
      { day: '2026-11-02', difference_seconds: 0, held_by: late },
      { day: '2026-11-03', difference_seconds: 0, held_by: late },
      { day: '2026-11-04', branch_office: 'Centro', difference_seconds: 0, held_by: late },
    ])
    const hours = await payroll.hours('from=2026-11-02&to=2026-11-06')
    expect(hours.map(({ day }) => day)).toEqual(['2026-11-02', '2026-11-03', '2026-11-05'])
  })

  it('says each time what still waits since an earlier closing, also of who has left', async () => {
    const [ana, leo] = [await aPerson('02 E08:00 S16:00'), await aPerson('02 E08:00 S16:00')]
    await closed({ before: '2026-11-08' })
    for (const { employee_id } of [ana, leo]) await punch(employee_id, '02 S12:00?')
    await db
      .update(employees)
      .set({ ended_at: '2026-11-03' })
      .where(eq(employees.employee_id, leo.employee_id))
    for (const before of ['2026-11-10', '2026-11-15', '2026-11-22']) {
      const { body } = await payroll.preview(`before=${before}`)
      expect(body.data).toMatchObject({ people: 2, held_seconds: 16 * H, pending: 2 })
      const held = await closed({ before, leave_pending: true })
      const waits = { day: '2026-11-02', difference_seconds: 0, held_seconds: 8 * H }
      expect(await payroll.lines(held)).toMatchObject(
        [ana, leo].map(({ employee_id }) => ({ employee_id, ...waits })),
      )
    }
  })

  it.each([
    ['a day that is not a date', { before: 'x' }, 'before'],
    ['a day after tomorrow', { before: '2099-01-01' }, 'before'],
    ['an unknown group', { payroll_group: 'nadie' }, 'payroll_group'],
    ['an unknown person', { employee_id: 'E-nadie' }, 'employee_id'],
    ['a group and a person', { payroll_group: '', employee_id: 'E-1' }, 'employee_id'],
    ['a field that does not exist', { openings: {} }, 'openings'],
  ])('is a 422 for %s', async (_, body, field) => {
    await anEmployee()
    const request = { before: '2026-11-16', ...body }
    expectRejectedFields(await payroll.close(request), 422, [field])
    const fields = Object.entries(request).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    expectRejectedFields(await payroll.preview(`${new URLSearchParams(fields)}`), 422, [field])
    const { count } = (await env.DB.prepare('SELECT count(*) AS count FROM closings').first()) ?? {}
    expect(count).toBe(0)
  })

  // faults.test.ts tests that a closing has no effect if any one statement fails.
  it('is not shown if it fails, and the next closing deletes its rows', async () => {
    await aPerson('02 E08:00 S17:00')
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const DB = actBeforeBatches(async () => {
      if (await env.DB.prepare('SELECT 1 FROM closing_lines').first()) throw new Error('broken')
    })
    expect((await payrollOf(token, { DB }).close({ before: '2026-11-16' })).status).toBe(500)
    vi.restoreAllMocks()
    expect((await payroll.send('GET', '/closings')).body.data.closings).toEqual([])
    const id = await closed({})
    const { closings, closing_people, closing_lines } = await allRows()
    expect(closings).toMatchObject([{ id }])
    expect([closing_people?.length, closing_lines?.length]).toEqual([1, 1])
  })

  it.each([
    ['a closing', () => payroll.close({ before: '2026-11-10' })],
    ['a cancellation', () => payroll.cancel(1)],
  ])('is a 409 if %s comes in meanwhile, and has no effect', async (_, act) => {
    await aPerson('02 E08:00 S17:00')
    await closed({ before: '2026-11-04' })
    let hasActed = false
    const DB = actBeforeBatches(async () => {
      if (hasActed || !(await isBegun())) return
      hasActed = true
      expect((await act()).status).toBe(200)
    })
    const res = await payrollOf(token, { DB }).close({ before: '2026-11-16' })
    expect([hasActed, res.status]).toEqual([true, 409])
    const { body } = await payroll.send('GET', '/closings')
    expect(body.data.closings.map((one: { before: string }) => one.before)).not.toContain(
      '2026-11-16',
    )
  })

  it.each([
    ['a line', ["DELETE FROM closing_lines WHERE day = '2026-11-03'"]],
    ['a person', ["DELETE FROM closing_people WHERE employee_id = 'E-nothing'"]],
    [
      'one second of a line',
      [
        'CREATE TABLE copies AS SELECT * FROM closing_lines',
        'DELETE FROM closing_lines',
        'UPDATE copies SET worked_seconds = worked_seconds - 1, difference_seconds = difference_seconds - 1 WHERE pairs = 1',
        'INSERT INTO closing_lines SELECT * FROM copies',
        'DROP TABLE copies',
      ],
    ],
  ])('is a 409 if %s of it is missing at the end, and has no effect', async (_, attack) => {
    await aPerson('02 E08:00 S17:00 03 E08:00')
    await anEmployee({ employee_id: 'E-nothing' })
    let hasLost = false
    const DB = actBeforeBatches(async () => {
      const written = await env.DB.prepare('SELECT 1 FROM closing_lines').first()
      if (!written || hasLost) return
      hasLost = true
      await env.DB.batch(attack.map((statement) => env.DB.prepare(statement)))
    })
    const res = await payrollOf(token, { DB }).close({ before: '2026-11-16' })
    expect([hasLost, res.status]).toEqual([true, 409])
    expect((await payroll.send('GET', '/closings')).body.data.closings).toEqual([])
  })

  it('takes people who left before their last closing only if something is owed', async () => {
    const ana = await aPerson('02 E08:00 S17:00', { ended_at: '2026-11-02' })
    const bea = await aPerson('02 E08:00 S17:00', { ended_at: '2026-11-02' })
    await closed({ before: '2026-11-08' })
    await punchLate(ana.employee_id, '01 E08:00 S09:00')
    // This person has a change, but nothing to be paid.
    await decide((await punch(bea.employee_id, '01 E08:00?'))[0] ?? 0, 'rejected')
    const id = await closed({ before: '2026-11-16' })
    expect(await payroll.persons(id)).toMatchObject([
      { employee_id: ana.employee_id, added_seconds: H },
    ])
    expect((await payroll.send('GET', '/closings')).body.data.closings[0].people).toBe(1)
  })

  it('looks at the days before a late log, whose pairs and holds it may change', async () => {
    const ana = await aPerson('02 E22:00')
    const guard = await anEmployee()
    await db.insert(employee_shifts).values({ employee_id: guard.employee_id, max_shift_hours: 26 })
    await punch(guard.employee_id, '02 E10:00 03 S08:00')
    await closed({ before: '2026-11-05' })
    await punchLate(ana.employee_id, '03 S06:00')
    await punchLate(guard.employee_id, '02 E11:00')
    const [late = 0] = await punch(guard.employee_id, '04 C09:00?')
    const held = await payroll.lines(await closed({ before: '2026-11-06', leave_pending: true }))
    expect(held).toMatchObject([
      { employee_id: ana.employee_id, day: '2026-11-02', difference_seconds: 8 * H },
      { employee_id: guard.employee_id, day: '2026-11-02', difference_seconds: 0, held_by: late },
    ])
    await decide(late, 'approved')
    expect(await payroll.lines(await closed({ before: '2026-11-07' }))).toMatchObject([
      { employee_id: guard.employee_id, day: '2026-11-02', difference_seconds: -H },
    ])
  })

  it('pays days after the last closing even if the person’s last day is before it', async () => {
    const ana = await aPerson('02 E08:00 S17:00 10 E08:00 S17:00', { ended_at: '2026-11-02' })
    await closed({ before: '2026-11-08' })
    expect(await payroll.lines(await closed({ before: '2026-11-16' }))).toMatchObject([
      { employee_id: ana.employee_id, day: '2026-11-10', difference_seconds: 9 * H },
    ])
    expect((await payroll.close({ before: '2026-11-20' })).status).toBe(422)
  })

  it('counts a pending log once, also where two logs share a second', async () => {
    const { employee_id } = await anEmployee()
    const log = { employee_id, status: 'pending' } as const
    await aLog({ ...log, kind: 'entrada', recorded_at: '2026-11-02T14:00:00.000Z' })
    await aLog({ ...log, kind: 'salida', recorded_at: '2026-11-02T14:00:00.500Z' })
    const res = await payroll.close({ before: '2026-11-16', leave_pending: false })
    expect([res.status, res.body.message]).toEqual([
      409,
      'Quedan 2 registros pendientes antes de esa fecha (2 del periodo).',
    ])
  })
})

describe('a lock', () => {
  /** The same user, who may decide logs but may not pay. */
  const decider = () => payrollOf(token, { PAYROLL_ROLES: 'nomina' })

  it('is a 409 for who may not pay, for logs decided before the closing, also in bulk', async () => {
    const ana = await aPerson('02 E08:00 S17:00 03 E08:00? S17:00')
    const [entrada = 0, , pending = 0] = ana.ids
    await closed({ leave_pending: true })
    const comment = 'No vino.'
    const one = { log_id: entrada, status: 'rejected', comment }
    const res = await decider().send('POST', '/change_log_status', one)
    expect([res.status, res.body]).toEqual([
      409,
      failure(`El periodo del registro ${entrada} está cerrado.`),
    ])
    const body = { log_ids: [pending, entrada], status: 'approved', comment }
    const many = await decider().send('POST', '/change_logs_status', body)
    expectRejectedFields(many, 409, ['log_ids.1'])
    const free = { log_id: pending, status: 'approved' }
    expect((await decider().send('POST', '/change_log_status', free)).status).toBe(200)
    expect((await decide(pending, 'rejected')).status).toBe(200)
  })

  it('lets who may also pay decide a paid log with a comment, alone or among many', async () => {
    const ana = await aPerson('02 E08:00 S17:00 03 E08:00 S17:00 04 E08:00? S17:00')
    const [entrada = 0, , other = 0, , pending = 0] = ana.ids
    await closed({ leave_pending: true })
    const before = await allRows()
    const many = { log_ids: [pending, other], status: 'rejected' }
    for (const comment of [null, ' \u200b ']) {
      const res = await decide(entrada, 'rejected', comment)
      expectRejectedFields(res, 422, ['comment'])
      if (comment === null) expect(res.body.errors.comment).toEqual([PAID])
      const some = await payroll.send('POST', '/change_logs_status', { ...many, comment })
      expectRejectedFields(some, 422, ['log_ids.1'])
      expect(some.body).toMatchObject({
        code: 'PAID_WITHOUT_COMMENT',
        details: { ids: [other] },
        errors: { 'log_ids.1': [PAID] },
      })
    }
    expect(await allRows()).toEqual(before)
    expect((await decide(entrada, 'rejected', 'No vino.')).status).toBe(200)
    const all = await payroll.send('POST', '/change_logs_status', { ...many, comment: 'No vino.' })
    expect(all.status).toBe(200)
    expect(await payroll.lines(await closed({ before: '2026-11-17' }))).toMatchObject([
      { day: '2026-11-02', difference_seconds: -9 * H },
      { day: '2026-11-03', difference_seconds: -9 * H },
    ])
  })

  it('names only the moved logs to who may also pay', async () => {
    const ana = await aPerson('02 E08:00 S17:00')
    await closed({})
    const [entrada = 0, salida = 0] = ana.ids
    await decide(salida, 'rejected', 'No vino.')
    const decision = { log_ids: [entrada, salida], status: 'pending', expected_status: 'approved' }
    const bulk = { ...decision, comment: 'Se revisa.' }
    const mine = await payroll.send('POST', '/change_logs_status', bulk)
    expectRejectedFields(mine, 409, ['log_ids.1'])
    const other = await decider().send('POST', '/change_logs_status', bulk)
    expectRejectedFields(other, 409, ['log_ids.0', 'log_ids.1'])
  })

  it('is not needed for a log to be closed: one that arrives later is, until a cancellation', async () => {
    const { employee_id } = await aPerson('02 E08:00 S17:00')
    const id = await closed({})
    await punchLate(employee_id, '03 E08:00')
    await punch(employee_id, '03 S17:00? 17 E08:00?')
    const facts = async () => {
      const { body } = await payroll.send('GET', '/logs')
      return body.data.logs.map((log: Record<string, unknown>) => [log.closed, log.locked])
    }
    const [paid, late, open] = [
      [true, true],
      [true, false],
      [false, false],
    ]
    expect(await facts()).toEqual([paid, paid, late, late, open])
    await payroll.cancel(id)
    expect(await facts()).toEqual([open, open, open, open, open])
  })

  it('applies only to the people that the closing took', async () => {
    const ana = await aPerson('02 E08:00 S17:00', { payroll_group: 'semanal' })
    const bea = await aPerson('02 E08:00 S17:00', { payroll_group: 'quincenal' })
    await closed({ payroll_group: 'semanal' })
    expect((await decide(ana.ids[0] ?? 0, 'rejected')).status).toBe(422)
    expect((await decide(bea.ids[0] ?? 0, 'rejected')).status).toBe(200)
  })

  it('ends for a log with a decision, until the next closing, and by a cancellation', async () => {
    const ana = await aPerson('02 E08:00 S17:00 03 E08:00 S12:00')
    const [first = 0, , other = 0] = ana.ids
    const id = await closed({})
    const statuses = async () => [
      (await decide(first, 'approved')).status,
      (await decide(other, 'approved')).status,
    ]
    expect(await statuses()).toEqual([422, 422])
    await decide(first, 'rejected', 'No vino.')
    expect(await statuses()).toEqual([200, 422])
    const second = await closed({ before: '2026-11-17' })
    expect(await statuses()).toEqual([422, 422])
    await payroll.cancel(second)
    await payroll.cancel(id)
    expect(await statuses()).toEqual([200, 200])
  })

  it('refuses a new decided log of an import, naming it, and accepts a pending one', async () => {
    const { employee_id } = await aPerson('02 E08:00 S17:00')
    await closed({})
    const log = { log_id: 900, employee_id, kind: 'entrada', recorded_at: '2026-11-04T14:00:00Z' }
    const decided = await importInto(env.DB, { logs: [{ ...log, status: 'approved' }] })
    expect(decided).toEqual({
      errors: ['logs[0] (900).status: decides a log of a closed period'],
    })
    await expect(
      env.DB.prepare(
        `INSERT INTO attendance_logs (employee_id, kind, recorded_at, status)
         VALUES (?, 'entrada', '2026-11-04T14:00:00.000Z', 'approved')`,
      )
        .bind(employee_id)
        .run(),
    ).rejects.toThrow('log:CLOSED')
    expect(await importInto(env.DB, { logs: [log] })).toHaveProperty('imported')
  })
})

it('a cancelled closing pays nothing, and is cancelled once, with a visible comment', async () => {
  await aPerson('02 E08:00 S17:00')
  const id = await closed({})
  const required = { comment: ['El comentario es obligatorio.'] }
  expect((await payroll.cancel(id, ' \u200b ')).body.errors).toEqual(required)
  const res = await payroll.cancel(id, 'Grupo equivocado.')
  expect(res.body.data.cancelled).toMatchObject({ comment: 'Grupo equivocado.' })
  expect(await paidDays()).toEqual(new Map())
  expect((await payroll.cancel(id)).status).toBe(409)
  expect((await payroll.cancel(77)).status).toBe(404)
  const lines = await payroll.lines(await closed({}))
  expect(lines).toMatchObject([{ of_period: 1, difference_seconds: 9 * H }])
})

describe('a closing by itself', () => {
  it('is what the list has, cancelled or not, and the sums of the scope', async () => {
    const { employee_id } = await aPerson('02 E08:00 S17:00', { branch_office: 'Norte' })
    await db.run(sql`UPDATE employees SET branch_office = 'Sur'`)
    await punch(employee_id, '03 E08:00 S12:00')
    await aPerson('02 E08:00 S17:00', { branch_office: 'Norte' })
    const cancelledId = await closed({})
    await payroll.cancel(cancelledId)
    const id = await closed({})
    const scoped = payrollOf((await signInAdmin({ scope_branches: inBranches('Sur') })).token)
    for (const reader of [payroll, scoped]) {
      const { closings } = (await reader.send('GET', '/closings')).body.data
      expect(closings.map((closing: { id: number }) => closing.id)).toEqual([id, cancelledId])
      for (const closing of closings) {
        expect((await reader.send('GET', `/closings/${closing.id}`)).body.data).toEqual(closing)
      }
    }
    const { data } = (await scoped.send('GET', `/closings/${id}`)).body
    expect(data).toMatchObject({ people: 1, period_seconds: 4 * H, days: 1 })
    expect(await scoped.lines(id)).toMatchObject([{ employee_id, day: '2026-11-03' }])
  })

  it('is a 404 where no closing has the id, and a 422 where it is no id', async () => {
    expect((await payroll.send('GET', '/closings/77')).status).toBe(404)
    for (const id of ['x', '0', '-1', '1.5', '9007199254740993']) {
      expect([id, (await payroll.send('GET', `/closings/${id}`)).status]).toEqual([id, 422])
    }
  })
})

describe('the files of a closing', () => {
  it('have the group and the last day in their names, and columns for each grouping', async () => {
    await aPerson('02 E08:00 S17:00', { payroll_group: 'semanal', full_name: 'Ana' })
    await anEmployee({ payroll_group: 'semanal', full_name: 'Bea' })
    const id = await closed({ payroll_group: 'semanal' })
    const file = async (by: string) => payroll.send('GET', `/closings/${id}/lines?format=csv${by}`)
    const persons = await file('&by=employee')
    expect(persons.headers.get('Content-Disposition')).toContain(
      'cierre_semanal_hasta_2026-11-15_por-persona.csv',
    )
    expect(persons.text.split('\r\n').slice(0, 3)).toEqual([
      'employee_id,rfc,full_name,department,branch_office,payroll_group,ended_at,days,period_seconds,added_seconds,deducted_seconds,total_seconds,total_hours,held_seconds,days_with_exceptions,exceptions,from_day,sunday_seconds,holiday_seconds,period_hours,added_hours,deducted_hours,held_hours,sunday_hours,holiday_hours',
      expect.stringMatching(
        /,Ana,Ventas,Centro,semanal,,1,32400,0,0,32400,9.00,0,0,,2026-11-01,0,0,9.00,0.00,0.00,0.00,0.00,0.00$/,
      ),
      expect.stringMatching(
        /,Bea,Ventas,Centro,semanal,,0,0,0,0,0,0.00,0,0,sin_checadas,2026-11-01,0,0,0.00,0.00,0.00,0.00,0.00,0.00$/,
      ),
    ])
    expect((await file('&by=week')).text).toContain('2026-11-02,2026-11-08')
    expect((await file('')).text).toContain('2026-11-02,lunes,1,')
    for (const by of ['', '&by=employee', '&by=week']) {
      const [head = ''] = (await file(`${by}&headers=es`)).text.split('\r\n')
      expect(head).toMatch(/^Número,RFC,Nombre,/)
      expect(head).not.toContain('_')
    }
    expect((await payroll.send('GET', '/closings/77/lines?format=csv')).status).toBe(404)
    expect((await payroll.send('GET', '/closings/x/lines?format=csv')).status).toBe(422)
  })

  it('say for programs how many logs of a person nobody has decided, also in a preview', async () => {
    await aPerson('02 E08:00 S17:00?', { full_name: 'Ana' })
    await aPerson('02 E08:00 S17:00 03 E08:00? S17:00?', { full_name: 'Bea' })
    await aPerson('02 E08:00 S17:00', { full_name: 'Celia' })
    const rows = async (path: string) =>
      parseLines((await payroll.send('GET', `/closings/${path}format=ndjson&by=employee`)).text)
    const preview = await rows('preview/lines?before=2026-11-16&')
    expect(preview).toMatchObject([
      { full_name: 'Ana', pending: 1 },
      { full_name: 'Bea', pending: 2 },
      { full_name: 'Celia', pending: 0 },
    ])
    const id = await closed({ leave_pending: true })
    expect(await rows(`${id}/lines?`)).toEqual(preview)
  })

  it('have plain ids beside Spanish headings if asked, also in a preview', async () => {
    await aPerson('02 E08:00 S17:00', { employee_id: '00007' })
    const id = await closed({})
    for (const file of [`${id}/lines?`, 'preview/lines?before=2026-11-16&']) {
      for (const by of ['', '&by=employee', '&by=week']) {
        const first = async (ids: string) => {
          const path = `/closings/${file}format=csv&headers=es${ids}${by}`
          return (await payroll.send('GET', path)).text.split('\r\n')[1]?.split(',')[0]
        }
        const isEmpty = file.startsWith('preview') && by !== '&by=employee'
        expect(await first('')).toBe(isEmpty ? '' : '"=""00007"""')
        expect(await first('&ids=plain')).toBe(isEmpty ? '' : '00007')
      }
    }
    const res = await payroll.send('GET', `/closings/${id}/lines?format=ndjson&ids=plain`)
    expectRejectedFields(res, 422, ['ids'])
  })

  it('have decimal hours for each duration, and none without seconds', async () => {
    const { employee_id } = await aPerson('02 E08:00 S17:00:30')
    const id = await closed({})
    const rows = [
      ...(await payroll.lines(id)),
      ...(await payroll.persons(id)),
      ...(await payroll.weeks(id)),
      ...(await payroll.hours('from=2026-11-02&to=2026-11-02')),
      ...(await payroll.hours('from=2026-11-02&to=2026-11-02&by=employee')),
      ...(await payroll.hours('from=2026-11-02&to=2026-11-02&by=week')),
    ] as Record<string, unknown>[]
    expect(rows.map((row) => row.employee_id)).toEqual(Array(6).fill(employee_id))
    for (const row of rows) {
      const names = (ending: string) =>
        Object.keys(row).flatMap((name) => (name.endsWith(ending) ? name.replace(ending, '') : []))
      expect(names('_hours').sort()).toEqual(names('_seconds').sort())
      expect(names('_seconds').length).toBeGreaterThan(1)
      for (const name of names('_seconds')) {
        const hours = Math.round(Number(row[`${name}_seconds`]) / 36) / 100
        expect([name, row[`${name}_hours`]]).toEqual([name, hours])
      }
    }
  })

  it('have what is paid for Sundays and official rest days, by the day of the entrada', async () => {
    // Sunday the 1st, Monday the 2nd, and Monday the 16th, which is Revolución.
    const ana = await aPerson('01 E22:00 02 S02:00 E08:00 S12:00 16 E08:00 S13:00')
    const first = await closed({ before: '2026-11-16' })
    expect(await payroll.persons(first)).toMatchObject([
      { total_seconds: 8 * H, sunday_seconds: 4 * H, sunday_hours: 4, holiday_seconds: 0 },
    ])
    await punchLate(ana.employee_id, '01 E08:00 S10:00')
    expect((await decide(ana.ids[4] ?? 0, 'rejected')).status).toBe(200)
    await punch(ana.employee_id, '16 E09:00')
    const second = await closed({ before: '2026-11-17' })
    expect(await payroll.lines(second)).toMatchObject([
      { day: '2026-11-16', holiday: 'Revolución', holiday_seconds: 4 * H, sunday_seconds: 0 },
      { day: '2026-11-01', holiday: null, holiday_seconds: 0, sunday_seconds: 2 * H },
    ])
    expect(await payroll.persons(second)).toMatchObject([
      { total_seconds: 6 * H, sunday_seconds: 2 * H, holiday_seconds: 4 * H, holiday_hours: 4 },
    ])
    expect(await payroll.weeks(second)).toMatchObject([
      { week_from: '2026-10-26', sunday_seconds: 2 * H, holiday_seconds: 0 },
      { week_from: '2026-11-16', sunday_seconds: 0, holiday_seconds: 4 * H },
    ])
    // A Sunday that is deducted does not lower what is paid for others.
    expect((await decide(ana.ids[0] ?? 0, 'rejected', 'No vino.')).status).toBe(200)
    const third = await closed({ before: '2026-11-18' })
    expect(await payroll.persons(third)).toMatchObject([
      { deducted_seconds: 4 * H, total_seconds: 0, sunday_seconds: 0 },
    ])
  })

  it('compare whole weeks with the limit by week, as the hours do, also outside the period', async () => {
    // The week from the 9th to the 15th is cut by the closing, and has a day at another branch.
    const card = ['09', '10', '11', '12', '13', '14'].map((day) => `${day} E08:00 S18:00`)
    const { employee_id } = await aPerson(`07 E08:00 S17:00 ${card.slice(0, 4).join(' ')}`)
    await db.run(sql`UPDATE employees SET branch_office = 'Sur'`)
    await punch(employee_id, card.slice(4).join(' '))
    const judged = async () => {
      const weeks = await payroll.hours(
        `by=week&employee_id=${employee_id}&from=2026-11-02&to=2026-11-15&branch_office=Centro`,
      )
      return weeks.map(({ week_from, week_seconds, limit_seconds, over_seconds }) => ({
        ...{ week_from, week_seconds, limit_seconds, over_seconds },
      }))
    }
    const request = 'before=2026-11-12'
    const preview = await payroll.send(
      'GET',
      `/closings/preview/lines?format=ndjson&by=week&${request}`,
    )
    const whole = { limit_seconds: 48 * H, week_seconds: 60 * H, over_seconds: 12 * H }
    const paid = [
      { week_from: '2026-11-02', period_seconds: 9 * H, week_seconds: 9 * H, over_seconds: 0 },
      { week_from: '2026-11-09', period_seconds: 30 * H, ...whole, over_hours: 12 },
    ]
    expect(parseLines(preview.text)).toMatchObject(paid)
    expect(parseLines(preview.text)).toMatchObject(await judged())

    const id = await closed({ before: '2026-11-12' })
    expect(await payroll.weeks(id)).toMatchObject(paid)
    // What was paid stays. The week is as the hours are now.
    await punchLate(employee_id, '15 E08:00 S10:00')
    const later = { period_seconds: 30 * H, week_seconds: 62 * H, over_seconds: 14 * H }
    expect((await payroll.weeks(id))[1]).toMatchObject(later)
    expect(await payroll.weeks(id)).toMatchObject(await judged())
    const scoped = payrollOf((await signInAdmin({ scope_branches: inBranches('Centro') })).token)
    expect((await scoped.weeks(id))[1]).toMatchObject(later)
  })

  it('have the limit of a week whose only hours are deducted', async () => {
    const { ids } = await aPerson('02 E08:00 S17:00')
    await closed({ before: '2026-11-08' })
    for (const id of ids) expect((await decide(id, 'rejected', 'No vino.')).status).toBe(200)
    const id = await closed({ before: '2026-11-16' })
    expect(await payroll.weeks(id)).toMatchObject([
      { deducted_seconds: 9 * H, week_seconds: 0, limit_seconds: 48 * H, over_seconds: 0 },
    ])
  })

  it('show a reader with a scope every total of the scope', async () => {
    const sur = await aPerson('02 E08:00 S17:00 04 E08:00 S17:00 03 E08:00 S17:00', {
      branch_office: 'Sur',
    })
    await closed({ before: '2026-11-05' })
    for (const id of sur.ids.slice(4)) {
      expect((await decide(id, 'rejected', 'No vino.')).status).toBe(200)
    }
    await punchLate(sur.employee_id, '02 E18:00 S20:00')
    // A pending log holds the 4th, which is paid already. The 6th has paid hours and a pending log.
    // The 7th lacks its exit, which is an exception.
    await punch(sur.employee_id, '04 S10:00? 06 E08:00 S12:00 E13:00 S17:00? 07 E08:00')
    await closed({ before: '2026-11-16', leave_pending: true })

    const scoped = await signInAdmin({ scope_branches: inBranches('Sur') })
    const [whole, ofScope] = await Promise.all(
      [payroll, payrollOf(scoped.token)].map(
        async (reader) => (await reader.send('GET', '/closings')).body.data.closings[0],
      ),
    )
    expect(ofScope).toEqual(whole)
    for (const total of TOTAL_NAMES) expect([total, whole[total]]).not.toEqual([total, 0])
    expect(whole.pending).toBeGreaterThan(whole.pending_of_period)
  })

  it('show a reader with a scope only the sources of the scope', async () => {
    for (const branch_office of ['Norte', 'Sur']) {
      const { employee_id } = await aPerson('02 E08:00 S17:00', { branch_office })
      const [source, moment] = [`reloj ${branch_office}`, '2026-11-10T06:00:00.000Z']
      await db
        .insert(intake_sources)
        .values({ source, complete_until: moment, last_seen_at: moment })
      await db.insert(employee_sources).values({ employee_id, source, last_recorded_at: moment })
    }
    await closed({})
    const scoped = await signInAdmin({ scope_branches: inBranches('Sur') })
    const unsynced = []
    for (const reader of [payroll, payrollOf(scoped.token)]) {
      unsynced.push((await reader.send('GET', '/closings')).body.data.closings[0].unsynced)
    }
    expect(unsynced).toEqual([['reloj Norte', 'reloj Sur'], ['reloj Sur']])
  })
})

describe('a review', () => {
  it('names the reviewer of a day until one of its logs changes', async () => {
    const ana = await aPerson('02 E08:00 03 E08:00 S17:00')
    const reviewed = async () =>
      (await payroll.hours('from=2026-11-02&to=2026-11-03')).map((row) => row.reviewed)
    const body = { employee_id: ana.employee_id, day: '2026-11-02', comment: 'Salió enferma.' }
    expect((await payroll.review(body)).status).toBe(200)
    const by = { user: { full_name: 'Ana Torres Rivas' }, comment: 'Salió enferma.' }
    expect(await reviewed()).toMatchObject([by, null])
    await decide(ana.ids[1] ?? 0, 'approved')
    expect(await reviewed()).toMatchObject([by, null])
    await decide(ana.ids[0] ?? 0, 'rejected')
    expect(await reviewed()).toEqual([null, null])
  })

  it('is also allowed for payroll, and only for people within the scope', async () => {
    const ana = await aPerson('02 E08:00', { branch_office: 'Norte' })
    const body = { employee_id: ana.employee_id, day: '2026-11-02' }
    const clerk = await aUser({ role: 'nomina' })
    const settings = { PAYROLL_ROLES: 'nomina' }
    expect((await payrollOf(clerk.token, settings).review(body)).status).toBe(200)
    const scoped = await signInAdmin({ scope_branches: inBranches('Sur') })
    expect((await payrollOf(scoped.token).review(body)).status).toBe(422)
    // After a move, approvers of the old branch and of the new one may review the day.
    await db.run(
      sql`UPDATE employees SET branch_office = 'Sur' WHERE employee_id = ${ana.employee_id}`,
    )
    for (const branch of ['Norte', 'Sur']) {
      const { token } = await signInAdmin({ scope_branches: inBranches(branch) })
      expect((await payrollOf(token).review(body)).status).toBe(200)
    }
    const elsewhere = await signInAdmin({ scope_branches: inBranches('Centro') })
    expect((await payrollOf(elsewhere.token).review(body)).status).toBe(422)
    expect((await payroll.review({ ...body, day: 'x' })).status).toBe(422)
  })
})

it('lets other requests in between two pages of people', async () => {
  const rows = Array.from({ length: 450 }, (_, i) => ({ employee_id: `E-${1000 + i}` }))
  for (const row of rows) await anEmployee(row)
  // Like a request, the timer only runs while the event loop is free.
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const { body } = await payroll.preview('before=2026-11-02')
  clearInterval(timer)
  expect(body.data.people).toBe(450)
  expect(turns).toBeGreaterThanOrEqual(3)
})
