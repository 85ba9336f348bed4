import { beforeEach, describe, expect, it } from 'vitest'
import { clocks as clockTable } from '../../src/core/tables/clocks.ts'
import { call, get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches } from '../support/clocks.ts'
import {
  aClock,
  anAdmin,
  anEmployee,
  anUnknownClock,
  aUser,
  aZone,
  db,
  inBranches,
  paysFrom,
} from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'

const CLOCKS = '/v2/incidents/clocks'

let token: string
beforeEach(async () => {
  stopClock('2026-11-25T16:40:00.000Z')
  token = (await anAdmin()).token
})

const listFor = async (caller: string, env: object = {}) =>
  (await get(CLOCKS, { token: caller, env })).body.data

describe('who reads the hours of a branch', () => {
  it('sees the branch’s clocks and what waits, and no clock that nobody has added', async () => {
    await aClock({ serial: 'A1' })
    await aClock({ serial: 'B2', branch_office: 'Sur' })
    await anUnknownClock({ serial: 'OTRO0001' })
    await pushPunches('A1', [line('31', '2026-11-24 08:00:00')])
    await pushPunches('B2', [line('31', '2026-11-24 08:00:00')])
    const supervisor = await anAdmin({ scope_branches: inBranches('Centro') })
    const { clocks, unknown, waiting } = await listFor(supervisor.token)
    expect(clocks).toMatchObject([{ serial: 'A1' }])
    expect(waiting).toMatchObject([{ serial: 'A1', number: '31' }])
    expect(unknown).toEqual([])
    const sources = (await get('/v2/incidents/sources', { token: supervisor.token })).body.data
    expect(sources.map(({ source }: { source: string }) => source)).toEqual(['clock a1'])

    const payer = await aUser({ role: 'nomina' })
    const ofPayer = await listFor(payer.token, { PAYROLL_ROLES: 'nomina' })
    expect([ofPayer.clocks.length, ofPayer.unknown]).toEqual([2, []])
    expect((await listFor(token)).unknown).toHaveLength(1)
    const worker = await aUser()
    expect((await get(CLOCKS, { token: worker.token })).status).toBe(403)
  })

  it('reads the times of a clock in its branch, with the zone where it is another one', async () => {
    await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
    await anEmployee({ employee_id: '1', branch_office: 'Tijuana' })
    await aClock({ serial: 'T1', branch_office: 'Tijuana' })
    await aClock({ serial: 'A1' })
    await pushPunches('T1', [line('31', '2026-11-24 08:00:00'), line('1', '2026-11-24 08:01:00')])
    const { clocks, waiting } = await listFor(token)
    expect(clocks).toMatchObject([
      { serial: 'A1', time_zone: null, last_seen_local_at: null },
      {
        ...{ serial: 'T1', time_zone: 'America/Tijuana' },
        last_seen_local_at: '2026-11-25T08:40:00-08:00',
      },
    ])
    const at = '2026-11-24T08:00:00-08:00'
    expect(waiting).toMatchObject([{ first_local_at: at, last_local_at: at }])
    const sources = (await get('/v2/incidents/sources', { token })).body.data
    expect(sources.map((one: { last_seen_local_at: string }) => one.last_seen_local_at)).toEqual([
      '2026-11-02T08:00:00-06:00',
      '2026-11-25T08:40:00-08:00',
    ])
  })
})

describe('a clock that was just added', () => {
  const BODY = { label: null, branch_office: 'Centro', uses_keys: true, retired: false }
  const add = async (from_day: string) => {
    await anUnknownClock({ serial: 'A1' })
    const body = { ...BODY, from_day, expected_version: 0 }
    return (await call('PUT', `${CLOCKS}/A1`, { token, body })).body.data
  }
  const poll = async (at: string) => {
    stopClock(at)
    await callAsClock('/iclock/getrequest?SN=A1')
  }

  it('is receiving until it has sent what it kept', async () => {
    await anEmployee({ employee_id: '1' })
    expect(await add('2026-11-20')).toMatchObject({
      receiving: true,
      complete_until: '2026-11-19T00:00:00.000Z',
      complete_until_local_at: '2026-11-18T18:00:00-06:00',
    })
    await callAsClock('/iclock/cdata?SN=A1&options=all')
    await pushPunches('A1', [line('1', '2026-11-20 08:00:00'), line('1', '2026-11-25 10:40:00')])
    expect((await listFor(token)).clocks).toMatchObject([{ receiving: true }])
    // A punch of now has measured the clock's error.
    await db.update(clockTable).set({ seconds_off: 0 })
    await poll('2026-11-25T16:43:00.000Z')
    await poll('2026-11-25T16:46:00.000Z')
    expect((await listFor(token)).clocks).toMatchObject([{ receiving: false }])
  })

  it('says nothing of the days before its first one', async () => {
    await paysFrom('2026-11-16')
    await anEmployee({ employee_id: '1' })
    await add('2026-11-20')
    await pushPunches('A1', [
      line('1', '2026-11-20 08:00:00'),
      line('1', '2026-11-20 17:00:00', '1'),
    ])
    const reader = payrollOf(token)
    const days = async (from: string) => {
      const rows = await reader.hours(`from=${from}&to=2026-11-24&by=employee`)
      return rows.map(({ unsynced_from }) => unsynced_from)
    }
    expect(await days('2026-11-16')).toEqual(['2026-11-20'])
    expect(await days('2026-11-22')).toEqual(['2026-11-22'])
  })
})
