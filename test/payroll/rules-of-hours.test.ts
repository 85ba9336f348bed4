import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { employees } from '../../src/core/tables/people.ts'
import { call, expectRejectedFields } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { allRows, anAdmin, anEmployee, db, inBranches, paysFrom } from '../support/factories.ts'
import { actBeforeBatch } from '../support/fault-injection.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { recordQueries } from '../support/record-queries.ts'
import { aPerson } from '../support/time-card.ts'

/** Tests the zones and longest shifts by which hours are counted, and the company's name. */

const H = 3600
const COMPANY = '/v2/company'
const ZONE = { branch_office: null, time_zone: 'America/Tijuana', valid_from: null }
const SHIFT = { employee_id: null, max_shift_hours: 12, valid_from: null }

let admin: Awaited<ReturnType<typeof anAdmin>>
let payroll: Payroll
beforeEach(async () => {
  stopClock('2026-11-23T15:00:00.000Z')
  admin = await anAdmin()
  payroll = payrollOf(admin.token)
  await paysFrom('2026-11-01')
})

const send = (method: string, path: string, body?: object, settings: Partial<Env> = {}) =>
  call(method, `${COMPANY}${path}`, { token: admin.token, body, env: settings })
const company = async () => (await send('GET', '')).body.data
const addZone = (rule: object) => send('POST', '/zones', { ...ZONE, ...rule })
const addShift = (rule: object) => send('POST', '/shifts', { ...SHIFT, ...rule })

const FIRST = {
  name: '',
  version: 1,
  zones: [{ branch_office: null, time_zone: 'America/Mexico_City', valid_from: null }],
  shifts: [{ employee_id: null, full_name: null, max_shift_hours: 16, valid_from: null }],
}

/** A pair of 15 hours on the 2nd. */
const LONG = '02 E06:00 S21:00'

describe('GET /v2/company', () => {
  it('has the first rules from the start, and within a scope only its branches and people', async () => {
    expect(await company()).toEqual(FIRST)
    const ana = await anEmployee({ branch_office: 'Sur' })
    const bea = await anEmployee({ branch_office: 'Norte' })
    for (const branch_office of ['Norte', 'Sur']) await addZone({ branch_office })
    for (const { employee_id } of [ana, bea]) await addShift({ employee_id })
    const { token } = await anAdmin({ scope_branches: inBranches('Sur') })
    const { body } = await call('GET', COMPANY, { token })
    expect(body.data).toEqual({
      ...FIRST,
      zones: [...FIRST.zones, { ...ZONE, branch_office: 'Sur' }],
      shifts: [
        ...FIRST.shifts,
        { ...SHIFT, employee_id: ana.employee_id, full_name: ana.full_name },
      ],
    })
    expect((await company()).zones).toHaveLength(3)
  })
})

describe('PUT /v2/company', () => {
  it('changes the name, and is a 409 with the stored one if it has changed meanwhile', async () => {
    const named = await send('PUT', '', { name: 'Comercial', expected_version: 1 })
    expect(named.body.data).toEqual({ name: 'Comercial', version: 2 })
    const late = await send('PUT', '', { name: 'Otra', expected_version: 1 })
    expect([late.status, late.body.current]).toEqual([409, { name: 'Comercial', version: 2 }])
    expect(await company()).toMatchObject({ name: 'Comercial', version: 2 })
    for (const body of [{ name: 'x'.repeat(201), expected_version: 2 }, { expected_version: 2 }]) {
      expectRejectedFields(await send('PUT', '', body), 422, ['name'])
    }
  })
})

describe('a new rule', () => {
  it('shows the days whose hours it changes, and with dry_run writes nothing', async () => {
    const { employee_id } = await aPerson(LONG)
    await aPerson('03 E08:00 S17:00')
    const changed_pending_pairs: unknown[] = []
    const changed_pairs = [
      { employee_id, day: '2026-11-02', before_seconds: 15 * H, after_seconds: null },
    ]
    const before = await allRows()
    const dry = await addShift({ dry_run: true })
    expect(dry.body.data).toEqual({ shifts: FIRST.shifts, changed_pairs, changed_pending_pairs })
    expect(await allRows()).toEqual(before)
    const added = await addShift({})
    expect(added.body.data).toEqual({ shifts: [SHIFT_ROW], changed_pairs, changed_pending_pairs })
    expect((await payroll.hours('from=2026-11-02&to=2026-11-02'))[0]?.pairs).toBe(0)
    const again = { shifts: [SHIFT_ROW], changed_pairs: [], changed_pending_pairs: [] }
    expect((await addShift({})).body.data).toEqual(again)
    expect((await allRows()).employee_shifts).toHaveLength(2)
  })

  it('says apart the days that it changes only if pending logs count', async () => {
    const card = '02 C08:00 03 C08:00 04 C08:00? 05 C08:00? 06 C08:00?'
    const { employee_id } = await aPerson(card)
    const { data } = (await addShift({ employee_id, max_shift_hours: 26, dry_run: true })).body
    const changed = (day: string, before_seconds: number | null, after_seconds: number | null) => ({
      employee_id,
      day: `2026-11-${day}`,
      before_seconds,
      after_seconds,
    })
    expect(data.changed_pairs).toEqual([changed('02', null, 24 * H)])
    expect(data.changed_pending_pairs).toEqual([changed('04', null, 24 * H)])
    const marks = async () =>
      (await payroll.hours(`employee_id=${employee_id}&from=2026-11-04&to=2026-11-05`)).map(
        ({ maybe_long_shift }) => maybe_long_shift,
      )
    expect(await marks()).toEqual([true, true])
    await addShift({ employee_id, max_shift_hours: 26 })
    expect(await marks()).toEqual([false])
  })

  it('moves days by a zone: of a branch only its own, of the company the others’', async () => {
    const sur = await aPerson('03 E00:30 S08:00', { branch_office: 'Sur' })
    const centro = await aPerson('03 E00:30 S08:00', { branch_office: 'Centro' })
    const moved = ({ employee_id }: typeof sur) => [
      { employee_id, day: '2026-11-02', before_seconds: null, after_seconds: 7.5 * H },
      { employee_id, day: '2026-11-03', before_seconds: 7.5 * H, after_seconds: null },
    ]
    expect((await addZone({ branch_office: 'Sur' })).body.data.changed_pairs).toEqual(moved(sur))
    expect((await addZone({})).body.data.changed_pairs).toEqual(moved(centro))
    const hours = await payroll.hours('from=2026-11-02&to=2026-11-03')
    expect(hours.map(({ day }) => day)).toEqual(['2026-11-02', '2026-11-02'])
  })

  it('holds from its first day, and a rule of a person goes before that of everybody', async () => {
    const guard = await aPerson('02 E06:00 S21:00 10 E06:00 S21:00')
    await aPerson('02 E06:00 S21:00 10 E06:00 S21:00')
    await addShift({ valid_from: '2026-11-05' })
    await addShift({ employee_id: guard.employee_id, max_shift_hours: 26 })
    const hours = await payroll.hours('from=2026-11-01&to=2026-11-15')
    expect(hours.map(({ day, pairs }) => [day, pairs])).toEqual([
      ['2026-11-02', 1],
      ['2026-11-10', 1],
      ['2026-11-02', 1],
      ['2026-11-10', 0],
    ])
  })

  it('may be of a branch that nobody is in any more, if it has logs', async () => {
    const { employee_id } = await aPerson(LONG, { branch_office: 'Sur' })
    await db.update(employees).set({ branch_office: 'Norte' })
    await addShift({ employee_id })
    expect((await addZone({ branch_office: 'Sur' })).status).toBe(200)
    expect((await addZone({ branch_office: 'Luna' })).status).toBe(422)
  })

  it('replaces the rule of its day until a closing has paid that day', async () => {
    const { employee_id } = await aPerson(LONG)
    await aPerson(LONG, { payroll_group: 'semanal' })
    await addShift({ valid_from: '2026-11-01' })
    await addShift({ valid_from: '2026-11-01', max_shift_hours: 15 })
    expect((await company()).shifts.at(-1)).toMatchObject({ max_shift_hours: 15 })
    await payroll.closed({ before: '2026-11-09', payroll_group: '' })
    const paid =
      'Los días anteriores al 09/11/2026 ya se pagaron: la regla puede valer desde ese día.'
    for (const rule of [
      { valid_from: '2026-11-01', max_shift_hours: 14 },
      { valid_from: null, max_shift_hours: 14 },
      { valid_from: '2026-11-08', max_shift_hours: 14 },
      { employee_id, max_shift_hours: 26 },
      { employee_id, max_shift_hours: 26, valid_from: '2026-11-08', dry_run: true },
    ]) {
      const { status, body } = await addShift(rule)
      expect([status, body.message], JSON.stringify(rule)).toEqual([409, paid])
    }
    for (const branch_office of ['Centro', null]) {
      expect((await addZone({ branch_office, valid_from: '2026-11-08' })).status).toBe(409)
      expect((await addZone({ branch_office, valid_from: '2026-11-09' })).status).toBe(200)
    }
    expect((await addShift({ employee_id, valid_from: '2026-11-09' })).status).toBe(200)
  })

  it('may concern people whom no closing has paid, and days of a cancelled closing', async () => {
    const { employee_id: unpaid } = await aPerson(LONG, { branch_office: 'Sur' })
    const { employee_id } = await aPerson(LONG)
    const { id } = await payroll.closed({ before: '2026-11-09', employee_id })
    expect((await addShift({ employee_id: unpaid })).status).toBe(200)
    expect((await addZone({ branch_office: 'Sur' })).status).toBe(200)
    expect((await addShift({ employee_id })).status).toBe(409)
    await payroll.cancel(id)
    expect((await addShift({ employee_id })).status).toBe(200)
  })

  it('makes a closing fail that is written meanwhile', async () => {
    await aPerson(LONG)
    const { recording, DB } = recordQueries(env.DB)
    await payrollOf(admin.token, { DB }).closed({ before: '2026-11-09' })
    const { calls } = recording
    await payroll.cancel(1)
    for (let batch = 3; batch <= calls; batch++) {
      const max_shift_hours = 12 + (batch % 2)
      const during = actBeforeBatch(batch, () => addShift({ max_shift_hours }))
      const { status } = await payrollOf(admin.token, { DB: during }).close({
        before: '2026-11-09',
      })
      expect([batch, status]).toEqual([batch, 409])
    }
    expect((await payroll.send('GET', '/closings')).body.data.closings).toHaveLength(1)
  })

  it('is refused if a closing pays its days meanwhile, and is stored once if two add it', async () => {
    await aPerson(LONG)
    const { recording, DB: counted } = recordQueries(env.DB)
    const rule = { max_shift_hours: 14, valid_from: '2026-11-01' }
    const addWith = (DB: D1Database, values: object) =>
      call('POST', `${COMPANY}/shifts`, {
        token: admin.token,
        body: { ...SHIFT, ...values },
        env: { DB },
      })
    expect((await addWith(counted, rule)).status).toBe(200)
    const stored = async () => (await allRows()).employee_shifts?.length
    const before = await stored()
    for (let batch = 2; batch <= recording.calls; batch++) {
      const max_shift_hours = 14 - batch
      const twin = actBeforeBatch(batch, () => addShift({ ...rule, max_shift_hours }))
      expect((await addWith(twin, { ...rule, max_shift_hours })).status).toBe(200)
      expect(await stored()).toBe((before ?? 0) + batch - 1)
    }
    for (let batch = 2; batch <= recording.calls; batch++) {
      const pay = actBeforeBatch(batch, () => payroll.closed({ before: '2026-11-09' }))
      expect([batch, (await addWith(pay, { ...rule, max_shift_hours: 15 })).status]).toEqual([
        batch,
        409,
      ])
      await payroll.cancel(batch - 1)
    }
    expect(await stored()).toBe((before ?? 0) + recording.calls - 1)
  })

  it('is sealed with its user', async () => {
    const { employee_id } = await anEmployee()
    await addShift({ employee_id })
    await addZone({ valid_from: '2026-12-01' })
    const events = (await allRows()).log_events?.filter(({ event }) => event === 'ruled')
    const by = { user_id: admin.id, actor: admin.actor_hash }
    expect(events).toMatchObject([
      { ...by, employee_id, details: expect.stringContaining('"rule":"shift"') },
      { ...by, employee_id: null, details: expect.stringContaining('"valid_from":"2026-12-01"') },
    ])
  })

  it.each([
    ['/zones', { branch_office: 'Lejos' }, 'branch_office'],
    ['/zones', { branch_office: undefined }, 'branch_office'],
    ['/zones', { time_zone: 'America/Tijuna' }, 'time_zone'],
    ['/zones', { time_zone: 'america/tijuana' }, 'time_zone'],
    ['/zones', { time_zone: '-0600' }, 'time_zone'],
    ['/zones', { time_zone: '+05:30' }, 'time_zone'],
    ['/zones', { valid_from: undefined }, 'valid_from'],
    ['/zones', { from: '2026-11-01' }, 'from'],
    ['/shifts', { employee_id: 'E-nadie' }, 'employee_id'],
    ['/shifts', { max_shift_hours: 37 }, 'max_shift_hours'],
    ['/shifts', { valid_from: '2026-11-31' }, 'valid_from'],
  ])('is a 422 at %s for %j', async (path, changes, field) => {
    const before = await allRows()
    const rule = { ...(path === '/zones' ? ZONE : SHIFT), ...changes }
    expectRejectedFields(await send('POST', path, rule), 422, [field])
    expect(await allRows()).toEqual(before)
  })
})

const SHIFT_ROW = { ...SHIFT, full_name: null }
