import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aLog, anAdmin, aZone, paysFrom } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { aPerson } from '../support/time-card.ts'

/** Tests closings and locks at the limits of their days. */

/** 9 a.m. of 23 November in Mexico City, where days begin at 06:00 UTC. */
const NOW = new Date('2026-11-23T15:00:00.000Z')
const midnight = (day: string, utcHour = 6) => `${day}T0${utcHour}:00:00.000Z`
const lastMillisecondBefore = (day: string, utcHour = 6) =>
  new Date(Date.parse(midnight(day, utcHour)) - 1).toISOString()

/** Branches, with the hour of their midnight in UTC. */
const MIDNIGHTS = [
  ['Centro', 6],
  ['Tijuana', 8],
] as const

let token: string
let payroll: Payroll
beforeEach(async () => {
  stopClock(NOW)
  token = (await anAdmin()).token
  payroll = payrollOf(token)
  await paysFrom('2026-11-01')
})

const aLogAt = (employee_id: string, recorded_at: string, status: 'pending' | 'approved') =>
  aLog({ employee_id, recorded_at, status, created_at: recorded_at })

const closed = (body: object) => payroll.closed({ leave_pending: true, ...body })

/**
 * Whether the API shows the log as locked, and the status of the response to a new decision of
 * somebody who may not pay.
 */
const lockOf = async (log_id: number): Promise<[locked: boolean, status: number]> => {
  const log = await call('GET', `/v2/incidents/logs/${log_id}`, { token })
  const decider = payrollOf(token, { PAYROLL_ROLES: 'nomina' })
  const body = { log_id, status: 'approved' }
  const { status } = await decider.send('POST', '/change_log_status', body)
  return [log.body.data.locked, status]
}
const LOCKED = [true, 409]
const OPEN = [false, 200]

describe('a closing', () => {
  it('ends tomorrow at the latest', async () => {
    await aPerson('02 E08:00 S17:00')
    const early = { leave_pending: true }
    expect((await payroll.close({ ...early, before: '2026-11-25' })).status).toBe(422)
    await closed({ ...early, before: '2026-11-24' })
  })

  it.each(MIDNIGHTS)(
    'counts pending logs from the first midnight in %s to the last',
    async (branch, hour) => {
      await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
      await paysFrom('2026-11-07')
      // There are two people, because two logs of one person a millisecond apart are one punch.
      const someone = () => aPerson('08 E08:00 S17:00', { branch_office: branch })
      const [first, second] = [await someone(), await someone()]
      const pendingAround = async (day: string) => {
        await aLogAt(first.employee_id, lastMillisecondBefore(day, hour), 'pending')
        await aLogAt(second.employee_id, midnight(day, hour), 'pending')
      }
      await pendingAround('2026-11-07')
      const week = await closed({ before: '2026-11-14' })
      expect(week).toMatchObject({ pending: 1, pending_of_period: 1 })

      await pendingAround('2026-11-14')
      await pendingAround('2026-11-21')
      const next = await closed({ before: '2026-11-21' })
      expect(next).toMatchObject({ pending: 4, pending_of_period: 2 })
    },
  )

  it('takes people who started on its last day or left on its first day', async () => {
    await paysFrom('2026-11-10')
    const started = async (day: string) =>
      (await aPerson('15 E08:00 S17:00', { started_at: day })).employee_id
    const ended = async (day: string) =>
      (await aPerson('01 E08:00 S17:00', { ended_at: day })).employee_id
    const [taken, tooLate] = [await started('2026-11-15'), await started('2026-11-16')]
    const [stillTaken, tooEarly] = [await ended('2026-11-10'), await ended('2026-11-09')]
    const { id } = await closed({ before: '2026-11-16' })
    const people = (await payroll.persons(id)).map(({ employee_id }) => employee_id)
    expect(people).toEqual(expect.arrayContaining([taken, stillTaken]))
    expect(people).not.toContain(tooLate)
    expect(people).not.toContain(tooEarly)
  })

  it('takes people again who left on the first open day, but not before it', async () => {
    const [last, gone] = [
      await aPerson('02 E08:00 S17:00', { ended_at: '2026-11-08' }),
      await aPerson('02 E08:00 S17:00', { ended_at: '2026-11-07' }),
    ]
    await closed({ before: '2026-11-08' })
    const { id } = await closed({ before: '2026-11-16' })
    const people = (await payroll.persons(id)).map(({ employee_id }) => employee_id)
    expect(people).toContain(last.employee_id)
    expect(people).not.toContain(gone.employee_id)
  })
})

describe('a lock', () => {
  it.each(MIDNIGHTS)(
    'in %s has the last millisecond before the first open day, and not the next',
    async (branch, hour) => {
      await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
      const { employee_id } = await aPerson('09 E08:00 S17:00', { branch_office: branch })
      const last = await aLogAt(employee_id, lastMillisecondBefore('2026-11-16', hour), 'approved')
      const first = await aLogAt(employee_id, midnight('2026-11-16', hour), 'approved')
      await closed({ before: '2026-11-16' })
      expect([await lockOf(last.id), await lockOf(first.id)]).toEqual([LOCKED, OPEN])
    },
  )

  it('extends to the end of a night that begins on the last paid day, and no further', async () => {
    const { ids } = await aPerson('15 E22:00 16 S06:00 E09:00')
    await closed({ before: '2026-11-16' })
    const locks = []
    for (const id of ids) locks.push(await lockOf(id))
    expect(locks).toEqual([LOCKED, LOCKED, OPEN])
  })

  it('marks a log as late if it arrives after its day was closed, but not one of the next day', async () => {
    const { employee_id } = await aPerson('15 E22:00 16 S06:00')
    await closed({ before: '2026-11-16' })
    const lateLog = { employee_id, kind: 'entrada', status: 'pending' } as const
    const lateDays = async () => {
      const days = await payroll.hours('from=2026-11-14&to=2026-11-17')
      return days.filter((row) => `${row.notices}`.includes('extemporanea')).map(({ day }) => day)
    }
    // This log is of the next day, although the night shift that was paid ends after it.
    const received_at = new Date(NOW.getTime() + 1000).toISOString()
    await aLog({ ...lateLog, recorded_at: midnight('2026-11-16'), created_at: received_at })
    expect(await lateDays()).toEqual([])
    await aLog({
      ...lateLog,
      recorded_at: lastMillisecondBefore('2026-11-15'),
      created_at: received_at,
    })
    expect(await lateDays()).toEqual(['2026-11-14'])
  })
})
