import { beforeEach, describe, expect, it } from 'vitest'
import { IRREGULARITIES, type Irregularity, NOTHING } from '../../console/help/irregularities.ts'
import { isToReview } from '../../console/hours/clean-day.ts'
import { actsOf, GUARD_HOURS } from '../../console/hours/day-act.ts'
import { sentenceOf } from '../../console/hours/day-sentence.ts'
import { dayOfEnd } from '../../console/hours/missing-log.ts'
import type { HoursDay } from '../../sdk/api-types.ts'
import { employees } from '../../src/core/tables/people.ts'
import { call, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { line, pushPunches } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee, aUser, db, PASSWORD, paysFrom } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { EMPLOYEE } from '../support/people.ts'
import { punch } from '../support/time-card.ts'

/**
 * Tests the service's answers by the thirty irregularities of the page "Ayuda": each happens, its row
 * says what it is and offers the act that mends it, and that act leads to the right hours.
 */

const E = 'E-1'
const COMMENT = 'Preguntado a su jefatura.'
const CLOCKS = '/v2/incidents/clocks'
const TWO_ENTRADAS = 'Hay dos entradas seguidas: una sobra, o falta la salida de la primera.'
/** Whoever reviews these rows may decide, close and keep people. */
const MAY = { decide: true, close: true, keep_people: true }
const PENDING = { status: 'pending' } as const

let admin: Awaited<ReturnType<typeof anAdmin>>
let payroll: Payroll
beforeEach(async () => {
  stopClock('2026-11-18T18:00:00.000Z')
  admin = await anAdmin()
  payroll = payrollOf(admin.token)
  await paysFrom('2026-11-01')
  await anEmployee({ ...EMPLOYEE, employee_id: E, branch_office: 'Centro' })
})

const storyOf = (title: string): Irregularity & { row: string } => {
  const story = IRREGULARITIES.find((one) => one.title === title)
  if (!story) throw new Error(`There is no irregularity «${title}».`)
  return { ...story, row: `2026-11-${story.day ?? '02'}` }
}

const daysOf = async (employee_id = E): Promise<HoursDay[]> =>
  (await payroll.hours(
    `from=2026-11-01&to=2026-11-17&employee_id=${employee_id}`,
  )) as unknown as HoursDay[]

const dayOf = async (day: string): Promise<HoursDay> => {
  const row = (await daysOf()).find((one) => one.day === day)
  if (!row) throw new Error(`There is no row of ${day}.`)
  return row
}

const hoursOf = async (employee_id = E): Promise<number> =>
  (await daysOf(employee_id)).reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)

const send = async (path: string, body: object) => {
  const res = await payroll.send('POST', path, body)
  expect(res.status, res.text).toBeLessThan(300)
  return res.body.data
}

const decide = (log_ids: number[], status: string, expected_status = 'pending') =>
  send('/change_logs_status', { log_ids, expected_status, status, comment: COMMENT })

/** Approves those of the logs that are pending. */
const approve = async (log_ids: number[]) => {
  const { logs } = (await get(`/v2/incidents/logs?employee_id=${E}&status=pending`, admin)).body
    .data as { logs: { log_id: number }[] }
  const pending = logs.map(({ log_id }) => log_id).filter((id) => log_ids.includes(id))
  if (pending.length > 0) await decide(pending, 'approved')
}

/** Approves the days that need no other act, as the button for these days does. */
const approveClean = async () => {
  const clean = (await daysOf()).filter((row) => !isToReview(row, true))
  await approve(clean.flatMap(({ log_ids }) => log_ids))
}

const add = (kind: string, local_time: string): Promise<{ log_id: number }> => {
  const client_id = crypto.randomUUID()
  return send('/manual_logs', { client_id, employee_id: E, kind, local_time, comment: COMMENT })
}

const changePerson = async (changes: object) => {
  const { employee } = (await get(`/v2/people/employees/${E}`, admin)).body.data
  const { employee_id: _, user: __, version, ...record } = employee
  const body = { ...record, ...changes, expected_version: version }
  const res = await call('PUT', `/v2/people/employees/${E}`, { token: admin.token, body })
  expect(res.status, res.text).toBe(200)
}

const sentenceAndAct = (row: HoursDay): [string, string | undefined] =>
  isToReview(row, true)
    ? [sentenceOf(row), actsOf(row, MAY)[0]?.label]
    : [NOTHING, 'Aprobar los días sin excepción']

/** Does the first act of a row as the page does, with what the user types. */
const act = async (row: HoursDay, { typed = '' }: Irregularity) => {
  const [first] = isToReview(row, true) ? actsOf(row, MAY) : []
  if (first?.name === 'add') {
    const [kind, time = ''] = typed.split(' ')
    const end = first.ends.find((one) => one.kind === kind)
    if (!end) throw new Error(`The row has no missing ${kind}.`)
    const day = dayOfEnd(end, time)
    const { log_id } = await add(end.kind, `${day}T${time}:00`)
    await approve([...row.log_ids, log_id])
  } else if (first?.name === 'reject') {
    await decide([first.extra.log_id], 'rejected')
  } else if (first?.name === 'change_kind') {
    const { log_id, kind, at } = first.punch
    const added = await add(kind === 'entrada' ? 'salida' : 'entrada', at)
    await decide([log_id], 'rejected')
    await approve([...row.log_ids, added.log_id])
  } else if (first?.name === 'approve') {
    await approve(row.log_ids)
  } else if (first?.name === 'long_shift') {
    const body = { employee_id: E, max_shift_hours: GUARD_HOURS, valid_from: null }
    const res = await call('POST', '/v2/company/shifts', { token: admin.token, body })
    expect(res.status, res.text).toBe(200)
  } else if (first) {
    throw new Error(`${first.name} needs more than the row.`)
  }
  await approveClean()
}

const expectRight = async ({ hours }: Irregularity) => {
  expect(await hoursOf()).toBe(hours * 3600)
  expect((await daysOf()).filter((row) => isToReview(row, true))).toEqual([])
}

/** What punches alone say. */
const CARDS_ALONE = IRREGULARITIES.filter(({ title }) =>
  [
    'Olvidó checar la salida',
    'Olvidó checar la salida de una noche',
    'Olvidó checar la entrada',
    'Olvidó checar la entrada de una noche',
    'Checó dos veces en 20 segundos',
    'Checó dos veces en 3 minutos',
    'Checó dos veces en 8 minutos, en un reloj con teclas',
    'Checó dos veces en 50 minutos, en un reloj con teclas',
    'Checó dos veces en 8 minutos, en un reloj sin teclas',
    'Checó dos veces en 50 minutos, en un reloj sin teclas',
    'Oprimió la tecla equivocada',
    'Trabajó dos turnos el mismo día',
    'Trabajó una noche que pasa de las doce',
    'Trabajó la noche del sábado al domingo',
    'Trabajó la última noche de la quincena',
    'Hace guardias de 24 horas',
    'Tecleó el número de un colega',
  ].includes(title),
).flatMap(({ title, cards = [] }) => cards.map((card) => ({ title, card })))

it('has thirty irregularities', () => {
  expect(IRREGULARITIES).toHaveLength(30)
})

it.each(CARDS_ALONE)('$title: $card', async ({ title, card }) => {
  const story = storyOf(title)
  await punch(E, card, PENDING)

  const row = await dayOf(story.row)
  expect(sentenceAndAct(row)).toEqual([story.says, story.act])

  await act(row, story)
  await expectRight(story)
})

describe('a person', () => {
  it('has asked for a punch', async () => {
    const story = storyOf('Pidió una checada desde su teléfono')
    await punch(E, '02 E08:00', PENDING)
    const { token } = await aUser({ employee_id: E })
    const request = { client_id: crypto.randomUUID(), kind: 'salida', comment: 'Olvidé checar.' }
    const body = { ...request, local_time: '2026-11-02T17:00:00' }
    expect((await post('/v2/incidents/my_requests', body, { token })).status).toBe(200)

    const row = await dayOf(story.row)
    expect(sentenceAndAct(row)).toEqual([story.says, story.act])

    await act(row, story)
    await expectRight(story)
  })

  it('objects to a closing, whose day lacks a salida', async () => {
    const story = storyOf('Objetó su tarjeta: falta una salida')
    await punch(E, '02 E08:00')
    const ana = await aUser({ employee_id: E })
    const { id } = await payroll.closed({ before: '2026-11-16' })
    const own = payrollOf(ana.token)
    const { hash } = (await own.send('GET', `/my_closings/${id}`)).body.data
    const objection = { hash, agrees: false, comment: 'El 2 salí a las 17:00.', password: PASSWORD }
    const signed = await own.send('POST', `/my_closings/${id}/sign`, objection)
    expect(signed.status, signed.text).toBe(200)
    const { objections } = (await payroll.send('GET', '/objections')).body.data
    expect(objections).toMatchObject([{ employee_id: E, comment: objection.comment }])

    const row = await dayOf(story.row)
    expect(sentenceAndAct(row)).toEqual([story.says, story.act])

    await act(row, story)
    await send(`/closings/${id}/objections/${E}/answer`, { comment: 'Se paga en el próximo.' })
    await expectRight(story)
    const next = await payroll.preview('before=2026-11-17')
    expect(next.body.data).toMatchObject({ added_seconds: story.hours * 3600 })
  })

  it('has a punch that was approved and is wrong', async () => {
    const story = storyOf('Se aprobó una checada equivocada')
    const [, , wrong = 0] = await punch(E, '02 E08:00 S17:00 S17:04')
    expect(isToReview(await dayOf(story.row), true)).toBe(false)
    expect(await hoursOf()).toBe(9 * 3600 + 240)

    await decide([wrong], 'rejected', 'approved')
    await expectRight(story)
  })

  it.each([
    // [what happened, the dates before, the dates after]
    [
      'Entró a media quincena, y checó antes de su primer día',
      { started_at: '2026-11-03' },
      { started_at: '2026-11-02' },
    ],
    [
      'Se fue, y checó después de su último día',
      { ended_at: '2026-11-01' },
      { ended_at: '2026-11-02' },
    ],
    [
      'Se fue y volvió en la misma quincena',
      { started_at: '2026-11-12' },
      { paid_from: '2026-11-01' },
    ],
  ])('%s', async (title, before, after) => {
    const story = storyOf(title)
    await db.update(employees).set(before)
    await punch(E, '02 E08:00 S17:00', PENDING)

    const row = await dayOf(story.row)
    expect(sentenceAndAct(row)).toEqual([story.says, story.act])

    await changePerson(after)
    await approveClean()
    await expectRight(story)
    const { body } = await payroll.preview('before=2026-11-16')
    expect(body.data).toMatchObject({ period_seconds: story.hours * 3600 })
  })

  it('moves to another branch within the period', async () => {
    const story = storyOf('Cambió de sucursal a media quincena')
    await punch(E, '02 E08:00 S17:00', PENDING)
    await changePerson({ branch_office: 'Norte' })
    await punch(E, '03 E08:00 S17:00', PENDING)

    const rows = await daysOf()
    expect(rows.map(({ branch_office }) => branch_office)).toEqual(['Centro', 'Norte'])
    expect(rows.map(sentenceAndAct)).toEqual([
      [story.says, story.act],
      [story.says, story.act],
    ])
    await approveClean()
    await expectRight(story)
  })
})

describe('a clock', () => {
  const push = (serial: string, ...punches: string[]) =>
    pushPunches(
      serial,
      punches.map((text) => {
        const [number = '', time = '', status] = text.split(' ')
        return line(number, `2026-11-02 ${time}:00`, status)
      }),
    )
  const waiting = async () =>
    (await get(CLOCKS, admin)).body.data.waiting as { number: string; reason: string }[]
  const name = async (serial: string, number: string) => {
    const body = { serial, number, employee_id: E }
    const res = await post(`${CLOCKS}/waiting`, body, admin)
    expect(res.status, res.text).toBe(200)
  }

  beforeEach(async () => {
    await aClock({ serial: 'A1', uses_keys: 1, branch_office: 'Centro' })
    await aClock({ serial: 'N1', uses_keys: 1, branch_office: 'Norte' })
  })

  it('of another branch has the punches of a day', async () => {
    const story = storyOf('Trabajó un día en otra sucursal')
    await push('N1', `${E} 08:00 0`, `${E} 17:00 1`)
    expect(await waiting()).toMatchObject([{ number: E, reason: 'branch', count: 2 }])

    await name('N1', E)
    await approveClean()
    await expectRight(story)
  })

  it.each([
    ['Tecleó un número que no es de nadie', 'number'],
    ['Tecleó el número de alguien de otra sucursal', 'branch'],
  ])('has one punch under a wrong number: %s', async (title, reason) => {
    const story = storyOf(title)
    if (reason === 'branch') await anEmployee({ employee_id: '31', branch_office: 'Norte' })
    await push('A1', `${E} 08:00 0`, '31 17:00 1')
    expect(await waiting()).toMatchObject([{ number: '31', reason, count: 1 }])

    await name('A1', '31')
    await approveClean()
    await expectRight(story)
    if (reason === 'branch') expect(await hoursOf('31')).toBe(0)
  })

  it.each([
    ['El reloj iba 13 minutos atrasado', 'Rechazar la entrada de las 07:47'],
    ['El reloj iba una hora adelantado', 'Rechazar la entrada de las 09:00'],
  ])('was wrong in the morning: %s', async (title, next) => {
    const story = storyOf(title)
    await punch(E, story.cards?.[0] ?? '', PENDING)
    expect(isToReview(await dayOf(story.row), true)).toBe(false)
    const [kind = '', time] = (story.typed ?? '').split(' ')
    await add(kind, `${story.row}T${time}:00`)

    const row = await dayOf(story.row)
    expect(sentenceAndAct(row)).toEqual([TWO_ENTRADAS, next])

    await act(row, story)
    await act(await dayOf(story.row), story)
    await expectRight(story)
  })

  it('sends a batch after the closing, which the next one pays', async () => {
    const story = storyOf('Las checadas llegaron después del cierre')
    await payroll.closed({ before: '2026-11-16' })
    stopClock('2026-11-18T19:00:00.000Z')
    const now = new Date().toISOString()
    await punch(E, '02 E08:00 S17:00', { ...PENDING, created_at: now, updated_at: now })

    const row = await dayOf(story.row)
    expect(row.notices).toContain('extemporanea')
    expect(sentenceAndAct(row)).toEqual([story.says, story.act])

    await approveClean()
    await expectRight(story)
    const { body } = await payroll.preview('before=2026-11-18')
    expect(body.data).toMatchObject({ added_seconds: story.hours * 3600 })
  })
})
