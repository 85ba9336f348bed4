import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { app } from '../../src/app.ts'
import { intake_problems } from '../../src/core/db/schema.ts'
import { expectInvalid } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { allLogs, anAdmin, anEmployee, aUser, db } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'

/** Tests two installations that divide the days at the end of June. */

const OTHER_URL = 'https://otra.example.com'
const OLDER = { LAST_DAY: '2026-06-30', OTHER_URL }
const NEWER = { FIRST_DAY: '2026-07-01', OTHER_URL }
const UNTIL_JUNE = `Aquí se pagan los días hasta el 2026-06-30; los demás, en ${OTHER_URL}.`
const SINCE_JULY = `Aquí se pagan los días desde el 2026-07-01; los demás, en ${OTHER_URL}.`

let token: string
const paying = (settings: Partial<Env>): Payroll => payrollOf(token, settings)

beforeEach(async () => {
  stopClock('2026-07-03T18:00:00.000Z')
  await anEmployee({ employee_id: 'E1', payroll_group: 'quincenal' })
  token = (await anAdmin({ employee_id: 'E1' })).token
})

const log = (recorded_at: string, kind = 'entrada') => ({
  source_id: `${kind} ${recorded_at}`,
  employee_id: 'E1',
  kind,
  recorded_at,
})

describe('logs', () => {
  const outcomesOf = async (settings: Partial<Env>, times: string[]) => {
    const body = { source: 'reloj', logs: times.map((time) => log(time)) }
    return (await paying(settings).send('POST', '/logs', body)).body.data
  }

  it('are kept from 15 days before the first day on, and refused for good if earlier', async () => {
    // Midnight in Mexico City is 06:00 UTC.
    const [before, at] = ['2026-06-16T05:59:59.000Z', '2026-06-16T06:00:00.000Z']
    expect(await outcomesOf(NEWER, [before, at])).toEqual([
      { log_id: null, result: 'refused', reason: 'too_old', detail: 'other_installation' },
      { log_id: 1_000_000_000, result: 'created' },
    ])
    expect(await db.select().from(intake_problems)).toEqual([])
  })

  it('are kept until 4 days after the last day', async () => {
    stopClock('2026-07-06T18:00:00.000Z')
    const [at, after] = ['2026-07-05T05:59:59.000Z', '2026-07-05T06:00:00.000Z']
    expect(await outcomesOf(OLDER, [after, at])).toEqual([
      { log_id: null, result: 'refused', reason: 'future', detail: 'other_installation' },
      { log_id: 1_000_000_000, result: 'created' },
    ])
  })

  it('of a clock that is wrong by years are a problem of the clock', async () => {
    const [future] = await outcomesOf(OLDER, ['2099-01-01T15:00:00.000Z'])
    expect(future).toEqual({ log_id: null, result: 'refused', reason: 'future' })
    expect(await db.select().from(intake_problems)).toHaveLength(1)
    const body = { client_id: crypto.randomUUID(), kind: 'salida', comment: 'Olvidó checar.' }
    const ahead = { ...body, employee_id: 'E1', recorded_at: '2099-01-01T15:00:00.000Z' }
    const byHand = await paying(OLDER).send('POST', '/manual_logs', ahead)
    expectInvalid(byHand, 'recorded_at', 'La hora no puede estar en el futuro.')
  })

  it('that are refused name the other installation: by hand, by request, in the app', async () => {
    const payroll = paying({ ...NEWER, EMPLOYEE_REQUESTS: 'on', EMPLOYEE_CLOCK_IN: 'on' })
    const body = { client_id: crypto.randomUUID(), kind: 'salida', comment: 'Olvidó checar.' }
    const old = { ...body, recorded_at: '2026-06-10T15:00:00.000Z' }
    const byHand = await payroll.send('POST', '/manual_logs', { ...old, employee_id: 'E1' })
    expectInvalid(byHand, 'recorded_at', SINCE_JULY)
    expectInvalid(await payroll.send('POST', '/my_requests', old), 'recorded_at', SINCE_JULY)
    stopClock('2026-07-20T18:00:00.000Z')
    const { comment: _, ...check } = body
    const own = await paying(OLDER).send('POST', '/my_logs', check)
    expect(own.body).toMatchObject({
      message: 'El registro no se guardó: su día se lleva en otra instalación.',
      data: { result: 'refused', detail: 'other_installation' },
    })
    expect(await allLogs()).toEqual([])
  })

  it('are not imported', async () => {
    const settings = {
      ADMIN_ROLES: ['admin'],
      PAYROLL_ROLES: [],
      INTAKE_ROLES: [],
      DB_LIMIT_MB: 10_000,
    }
    const row = { log_id: 7, employee_id: 'E1', kind: 'entrada', status: 'pending' }
    const logs = [{ ...row, recorded_at: '2026-06-10T15:00:00.000Z' }]
    const options = { settings: { ...settings, TIME_ZONE: [['', 'UTC']] as const, ...NEWER } }
    expect(await importInto(env.DB, { logs }, options)).toEqual({
      errors: ['logs[0] (7).recorded_at: is of the other installation (FIRST_DAY, LAST_DAY)'],
    })
  })
})

describe('days', () => {
  it('of the other installation are neither closed nor a first day', async () => {
    const older = paying(OLDER)
    expectInvalid(await older.close({ before: '2026-07-02' }), 'before', UNTIL_JUNE)
    expectInvalid(await older.preview('before=2026-07-02'), 'before', UNTIL_JUNE)
    expect((await older.preview('before=2026-07-01')).status).toBe(200)
    const newer = paying(NEWER)
    const close = (more: object) => newer.close({ before: '2026-07-03', ...more })
    expectInvalid(await close({ from: '2026-06-30' }), 'from', SINCE_JULY)
    expectInvalid(await close({ openings: { E1: '2026-06-30' } }), 'openings', SINCE_JULY)
    expectInvalid(await newer.close({ before: '2026-07-01' }), 'before', SINCE_JULY)
  })

  it('are suggested and offered only if they are of this installation', async () => {
    const newer = paying(NEWER)
    const logs = ['2026-06-29', '2026-07-01'].flatMap((day) => [
      log(`${day}T15:00:00.000Z`),
      log(`${day}T23:00:00.000Z`, 'salida'),
    ])
    await newer.send('POST', '/logs', { source: 'reloj', logs })
    const preview = (await newer.preview('before=2026-07-03')).body.data
    expect(preview.first_taken).toMatchObject([{ employee_id: 'E1', suggested: '2026-07-01' }])
    expect(preview.uncertain_pairing).toEqual([])
    const nextOf = async (settings: Partial<Env>) =>
      (await paying(settings).send('GET', '/payroll_groups')).body.data.groups[0].next
    const calendar = { PAYROLL_CALENDAR: 'quincenal: 14 days 2026-06-22' }
    expect(await nextOf({ ...NEWER, ...calendar })).toMatchObject({
      from: '2026-07-01',
      before: '2026-07-06',
    })
    stopClock('2026-09-01T18:00:00.000Z')
    expect(await nextOf({ ...OLDER, ...calendar })).toMatchObject({
      from: '2026-06-22',
      before: '2026-07-01',
    })
  })

  it('of the other installation are not shown, and a period without own days names it', async () => {
    const [older, newer] = [paying(OLDER), paying(NEWER)]
    const logs = ['2026-06-30', '2026-07-01'].flatMap((day) => [
      log(`${day}T15:00:00.000Z`),
      log(`${day}T23:00:00.000Z`, 'salida'),
    ])
    await newer.send('POST', '/logs', { source: 'reloj', logs })
    const period = 'from=2026-06-22&to=2026-07-03&preview=true'
    const daysOf = async (payroll: Payroll, query = period) =>
      (await payroll.hours(query)).map(({ day }) => day)
    expect(await daysOf(older)).toEqual(['2026-06-30'])
    expect(await daysOf(newer)).toEqual(['2026-07-01'])
    const [week] = await newer.hours(`${period}&by=week`)
    expect(week).toMatchObject({ week_from: '2026-06-29', days: 1 })
    const without = 'from=2026-06-22&to=2026-06-29'
    expectInvalid(await newer.send('GET', `/hours?${without}&format=csv`), 'from', SINCE_JULY)
    expectInvalid(await newer.send('GET', `/my_days?${without}`), 'from', SINCE_JULY)
    const review = { employee_id: 'E1', day: '2026-06-30' }
    expectInvalid(await newer.review(review), 'day', SINCE_JULY)
    // Months later, the older installation shows its last days if no period is requested.
    stopClock('2026-12-01T18:00:00.000Z')
    token = (await aUser({ role: 'admin' })).token
    expect(await daysOf(paying(OLDER), 'preview=true')).toEqual(['2026-06-30'])
  })

  it('of the other installation are not paid to people who were paid here before', async () => {
    const logs = ['2026-06-22', '2026-06-29', '2026-07-01'].flatMap((day) => [
      log(`${day}T15:00:00.000Z`),
      log(`${day}T23:00:00.000Z`, 'salida'),
    ])
    const whole = paying({})
    const sent = await whole.send('POST', '/logs', { source: 'reloj', logs })
    const log_ids = sent.body.data.map(({ log_id }: { log_id: number }) => log_id)
    await whole.send('POST', '/change_logs_status', { log_ids, status: 'approved' })
    expect((await whole.close({ before: '2026-06-29', from: '2026-06-01' })).status).toBe(200)
    const { body } = await paying(NEWER).close({ before: '2026-07-03' })
    expect(body.data).toMatchObject({ days: 1, period_seconds: 8 * 3600 })
  })

  it('are shown in the settings and by /health', async () => {
    const shown = { first_day: '2026-07-01', last_day: null, other_url: OTHER_URL }
    expect((await paying(NEWER).send('GET', '/settings')).body.data).toMatchObject(shown)
    const health = await app.request('/health', {}, { ...env, ...NEWER })
    expect(await health.json()).toMatchObject({ data: shown })
  })
})

describe('a person who has no pause before the first day', () => {
  const guard = async (kind: string) => {
    const newer = paying(NEWER)
    const logs = []
    for (let day = 14; day <= 30; day++) logs.push(log(`2026-06-${day}T13:00:00.000Z`, kind))
    logs.push(log('2026-07-01T13:00:00.000Z', kind), log('2026-07-02T13:00:00.000Z', kind))
    await newer.send('POST', '/logs', { source: 'reloj', logs })
    const settings = { ...NEWER, MAX_SHIFT_HOURS: '26' }
    return (await paying(settings).preview('before=2026-07-03')).body.data.uncertain_pairing
  }

  it('and checks in without kinds is named by the first preview', async () => {
    expect(await guard('checada')).toEqual(['E1'])
  })

  it('but checks in with kinds is not named', async () => {
    expect(await guard('entrada')).toEqual([])
  })
})
