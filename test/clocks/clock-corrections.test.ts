import { beforeEach, describe, expect, it } from 'vitest'
import { get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { line, pushPunches, rowsOf } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee, aUser, inBranches, paysFrom } from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'

const CORRECTIONS = '/v2/incidents/clocks/A1/corrections'
const UUID = '0b9f8d3e-5a0c-4d7b-9a53-1f2f0c5e7a11'
const HOUR = 3600
const PAY = { env: { PAYROLL_ROLES: 'nomina' } }

let token: string
/** The clock A1 of Centro was an hour slow on the 24th. Ana and Luis punched in and out there. */
beforeEach(async () => {
  stopClock('2026-11-25T16:40:00.000Z')
  token = (await anAdmin()).token
  await paysFrom('2026-11-16')
  await aClock({ serial: 'A1', uses_keys: 1, from_day: '2026-01-01' })
  await anEmployee({ employee_id: '1', full_name: 'Ana' })
  await anEmployee({ employee_id: '2', full_name: 'Luis' })
  await pushPunches('A1', [
    line('1', '2026-11-23 08:00:00'),
    line('1', '2026-11-24 07:00:00'),
    line('2', '2026-11-24 07:05:00'),
    line('1', '2026-11-24 16:00:00', '1'),
    line('2', '2026-11-24 16:02:00', '1'),
  ])
})

const correct = (more: object = {}, caller = token, options: object = {}) => {
  const day = { from: '2026-11-24', to: '2026-11-24', shift_seconds: HOUR }
  const body = { client_id: UUID, ...day, comment: 'El reloj iba una hora atrasado.', ...more }
  return post(CORRECTIONS, body, { token: caller, ...options })
}
const undo = (id: number, caller = token, options: object = {}) =>
  post(`${CORRECTIONS}/${id}/undo`, { comment: 'Estaba bien.' }, { token: caller, ...options })
const cards = async () =>
  (await rowsOf('attendance_logs')).map(({ employee_id, recorded_at, status }) => [
    employee_id,
    String(recorded_at).slice(5, 16),
    status,
  ])
const ENTERED = [
  ['1', '11-23T14:00', 'pending'],
  ['1', '11-24T13:00', 'pending'],
  ['2', '11-24T13:05', 'pending'],
  ['1', '11-24T22:00', 'pending'],
  ['2', '11-24T22:02', 'pending'],
]
const withStatus = (card: typeof ENTERED, status: string) =>
  card.map(([id, at]) => [id, at, status])
const MENDED = [
  ['1', '11-24T14:00', 'pending'],
  ['2', '11-24T14:05', 'pending'],
  ['1', '11-24T23:00', 'pending'],
  ['2', '11-24T23:02', 'pending'],
]

describe('a clock that was wrong', () => {
  it('is mended as one decision: each log of the day is rejected, and added an hour later', async () => {
    const { status, body } = await correct()

    expect(status, JSON.stringify(body)).toBe(200)
    const { id } = body.data
    expect(body.data).toEqual({ id, result: 'created', logs: 4, left_out: 0, days: null })
    expect(await cards()).toEqual([
      ENTERED[0],
      ...withStatus(ENTERED.slice(1), 'rejected'),
      ...MENDED,
    ])
    const added = (await rowsOf('attendance_logs')).slice(5)
    expect(added[0]).toMatchObject({ id, kind: 'entrada', branch_office: 'Centro' })
    expect(String(added[0]?.source)).toMatch(/^manual:/)
    const events = (await rowsOf('log_events')).filter(({ event }) => event !== 'ruled')
    expect(events.slice(-8).map(({ event }) => event)).toEqual([
      ...Array(4).fill('decided'),
      ...Array(4).fill('recorded'),
    ])
    const comments = (await rowsOf('log_comments')).map(({ comment }) => comment)
    expect(comments).toEqual(Array(8).fill('El reloj iba una hora atrasado.'))
    const { data: log } = (await get(`/v2/incidents/logs/${id}`, { token })).body
    expect(log.history[0]).toMatchObject({ comment: 'El reloj iba una hora atrasado.' })
  })

  it('changes nothing if the same request comes again, and can be undone as one', async () => {
    const { id } = (await correct()).body.data
    expect((await correct()).body.data).toMatchObject({ id, result: 'known', logs: 4 })
    expect(await rowsOf('attendance_logs')).toHaveLength(9)
    const list = async () => (await get(CORRECTIONS, { token })).body.data.corrections
    expect(await list()).toEqual([
      {
        ...{ id, at: '2026-11-25T16:40:00.000Z', comment: 'El reloj iba una hora atrasado.' },
        user: { id: expect.any(Number), full_name: 'Ana Torres Rivas' },
        ...{ shift_seconds: HOUR, logs: 4, undone: false },
        first_local_at: '2026-11-24T07:00:00-06:00',
        last_local_at: '2026-11-24T16:02:00-06:00',
      },
    ])

    expect((await undo(id)).body.data).toEqual({ id, restored: 4, rejected: 4 })
    expect(await cards()).toEqual([...ENTERED, ...withStatus(MENDED, 'rejected')])
    expect((await undo(id)).body.data).toEqual({ id, restored: 0, rejected: 0 })
    expect(await list()).toMatchObject([{ id, undone: true }])
    // The same request is not done again in silence. A new one is.
    const again = await correct()
    expect([again.status, again.body.code]).toEqual([409, 'CORRECTION_UNDONE'])
    expect((await undo(id + 1)).body.data).toMatchObject({ restored: 0 })
    expect((await undo(1)).status).toBe(404)
  })

  it('gives back what was approved as approved, and leaves what was decided since', async () => {
    const logs = await rowsOf('attendance_logs')
    const ids = logs.map(({ id }) => Number(id))
    const decide = (log_ids: number[], status: string) =>
      post('/v2/incidents/change_logs_status', { log_ids, status, comment: 'Sí.' }, { token })
    await decide(ids.slice(1, 3), 'approved')
    const { id } = (await correct()).body.data
    await decide([ids[4] ?? 0], 'approved')

    expect((await undo(id)).body.data).toEqual({ id, restored: 3, rejected: 4 })
    const statuses = (await rowsOf('attendance_logs')).map(({ status }) => status)
    expect(statuses.slice(1, 5)).toEqual(['approved', 'approved', 'pending', 'approved'])
  })

  it('shows before what becomes of which days, and writes nothing', async () => {
    const { body } = await correct({ from: '2026-11-24T12:00:00', dry_run: true })

    const day = { day: '2026-11-24', paid_seconds: null, before_seconds: 9 * HOUR }
    expect(body.data).toEqual({
      ...{ id: null, result: 'preview', logs: 2, left_out: 0 },
      days: [
        {
          ...{ ...day, employee_id: '1', full_name: 'Ana', after_seconds: 10 * HOUR },
          ...{ before_detail: '07:00–16:00', after_detail: '07:00–17:00' },
        },
        {
          ...{ ...day, employee_id: '2', full_name: 'Luis', before_seconds: 9 * HOUR - 180 },
          ...{ after_seconds: 10 * HOUR - 180 },
          ...{ before_detail: '07:05–16:02', after_detail: '07:05–17:02' },
        },
      ],
    })
    expect(await cards()).toEqual(ENTERED)
  })

  it('is refused without logs, for a reversed or long period, and into the future', async () => {
    const refused = async (more: object) => (await correct(more)).body.code
    expect(await refused({ from: '2026-11-20', to: '2026-11-22' })).toBe('NOTHING_TO_CORRECT')
    expect(await refused({ to: '2026-11-23' })).toBe('PERIOD_REVERSED')
    expect(await refused({ from: '2026-10-20' })).toBe('PERIOD_TOO_LONG')
    const ahead = await correct({ shift_seconds: 24 * HOUR })
    expect([ahead.status, Object.keys(ahead.body.errors)]).toEqual([422, ['shift_seconds']])
    expect((await post(CORRECTIONS.replace('A1', 'B2'), {}, { token })).status).toBe(422)
    expect(await cards()).toEqual(ENTERED)
  })

  it('is not mended by a role that does not decide, nor for another branch', async () => {
    const payer = await aUser({ role: 'nomina' })
    expect((await correct({}, payer.token, PAY)).status).toBe(403)
    const south = await anAdmin({ scope_branches: inBranches('Sur') })
    expect((await correct({}, south.token)).status).toBe(404)
    const centre = await anAdmin({ scope_branches: inBranches('Centro') })
    await anEmployee({ employee_id: '3', branch_office: 'Sur' })
    const body = { serial: 'A1', number: '33', employee_id: '3' }
    await pushPunches('A1', [line('33', '2026-11-24 07:00:00')])
    await post('/v2/incidents/clocks/waiting', body, { token })
    const { id, logs } = (await correct({}, centre.token)).body.data
    // The log of the person of Sur is of no concern to Centro.
    expect(logs).toBe(4)
    expect((await undo(id, south.token)).status).toBe(404)
    expect((await undo(id, centre.token)).status).toBe(200)
  })

  it('leaves out the caller’s own logs if nobody approves their own, and may be taken back', async () => {
    const FORBID = { env: { FORBID_SELF_APPROVAL: 'on' } }
    const luis = await anAdmin({ employee_id: '2' })
    const { id, ...result } = (await correct({}, luis.token, FORBID)).body.data
    expect(result).toMatchObject({ logs: 2, left_out: 2 })
    // The added logs are the caller's, so that somebody else approves them.
    const approval = { log_id: id, status: 'approved', comment: 'Sí.' }
    const approve = (caller: string) =>
      post('/v2/incidents/change_log_status', approval, { token: caller, ...FORBID })
    expect((await approve(luis.token)).status).toBe(403)
    expect((await undo(id, luis.token, FORBID)).body.data.rejected).toBe(2)
  })

  it('is not undone by whose own log would be rejected, where nobody decides their own', async () => {
    const luis = await anAdmin({ employee_id: '2' })
    const { id } = (await correct()).body.data
    const wrong = (await rowsOf('attendance_logs')).slice(1, 5).map((log) => Number(log.id))
    // The wrong logs are decided anew, so that only the added ones would change.
    const approval = { log_ids: wrong, status: 'approved', comment: 'Sí.' }
    await post('/v2/incidents/change_logs_status', approval, { token })
    const strict = { env: { FORBID_SELF_APPROVAL: 'on' } }
    const before = await cards()
    const refused = await undo(id, luis.token, strict)
    expect([refused.status, refused.body.code]).toEqual([403, 'OWN_LOG'])
    expect(await cards()).toEqual(before)
    expect((await undo(id, token, strict)).body.data).toEqual({ id, restored: 0, rejected: 4 })
  })

  it('is mended in paid days only by who also pays', async () => {
    await post(
      '/v2/incidents/change_logs_status',
      {
        log_ids: (await rowsOf('attendance_logs')).map(({ id }) => Number(id)),
        ...{ status: 'approved', comment: 'Sí.' },
      },
      { token },
    )
    const payer = await aUser({ role: 'nomina' })
    await payrollOf(payer.token, PAY.env).closed({ before: '2026-11-25' })
    const refused = await correct({}, token, PAY)
    expect([refused.status, refused.body.code]).toEqual([409, 'LOG_CLOSED'])
    const both = await correct({}, token, { env: { PAYROLL_ROLES: 'admin' } })
    expect(both.body.data).toMatchObject({ result: 'created', logs: 4 })
  })

  it('is mended in two parts if it has over 1,000 logs', async () => {
    // A clock stores at most 50 punches of a person and day.
    const numbers = Array.from({ length: 20 }, (_, i) => String(i + 100))
    for (const employee_id of numbers) await anEmployee({ employee_id })
    const minute = (day: number, n: number) =>
      new Date(Date.UTC(2026, 10, day, 0, 20 * n)).toISOString().slice(0, 19).replace('T', ' ')
    const punchesOf = (number: string, day: number, count: number) =>
      Array.from({ length: count }, (_, n) => line(number, minute(day, n)))
    await pushPunches('A1', [
      ...numbers.flatMap((number) => punchesOf(number, 20, 48)),
      ...punchesOf('100', 21, 41),
    ])
    const refused = await correct({ from: '2026-11-20', to: '2026-11-22' })
    expect(refused.status).toBe(422)
    expect(refused.body.details).toEqual({ count: 1_001, until: '2026-11-20' })
  })

  it('is mended once by concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => correct()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await rowsOf('attendance_logs')).toHaveLength(9)
  })
})

describe('a day on which a clock was probably wrong', () => {
  const DAYS = '/v2/incidents/clocks/A1/days_off'
  const PEOPLE = ['11', '12', '13', '14', '15']
  /** Each comes at an own time. On the 20th all come an hour later, on the 21st one person does. */
  const fill = async () => {
    for (const employee_id of PEOPLE) await anEmployee({ employee_id })
    const lines = PEOPLE.flatMap((number, i) =>
      ['16', '17', '18', '19', '20', '21', '22'].map((day) => {
        const isLate = day === '20' || (day === '21' && i === 0)
        return line(number, `2026-11-${day} ${isLate ? '09' : '08'}:${10 + i}:00`)
      }),
    )
    await pushPunches('A1', lines)
  }

  it('is told with how much later most people came', async () => {
    await fill()
    const { body } = await get(DAYS, { token })
    expect(body.data.days_off).toEqual([{ day: '2026-11-20', minutes: 60, people: 5, of: 5 }])
    await correct({ from: '2026-11-20', to: '2026-11-20', shift_seconds: -HOUR })
    expect((await get(DAYS, { token })).body.data.days_off).toEqual([])
    const south = await anAdmin({ scope_branches: inBranches('Sur') })
    expect((await get(DAYS, { token: south.token })).status).toBe(404)
  })
})
