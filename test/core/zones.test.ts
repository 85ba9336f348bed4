import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, timeZone, zonesFrom } from '../../src/core/values/time-zone.ts'
import { type Admin, idsOf, signInAdmin, useAdmin } from '../support/admin.ts'
import { aLog, aLogOf, anEmployee, aZone, inBranches, insertLogs } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { recordQueries } from '../support/record-queries.ts'

/** Two branches with zones of their own. Centro has the company's zone, Mexico City. */
const ZONES = { Tijuana: 'America/Tijuana', Cancún: 'America/Cancun' }

const admin = useAdmin()
beforeEach(async () => {
  for (const [branch_office, time_zone] of Object.entries(ZONES)) {
    await aZone({ branch_office, time_zone })
  }
})

const aLogIn = (branch_office: string, recorded_at: string, row: object = {}) =>
  aLogOf({ branch_office }, { recorded_at, ...row })

const at = (time: string) => new Date(time).toISOString()

describe('a day in a filter', () => {
  it('is the local day of each branch, for one branch or all, in lists, counts and files', async () => {
    const early = await aLogIn('Centro', at('2026-11-10T00:30:00-06:00'))
    const tijuana = await aLogIn('Tijuana', at('2026-11-10T23:30:00-08:00'))
    // In Mexico City's time, the next two logs are on the 10th, but not in their branches' time.
    await aLogIn('Tijuana', at('2026-11-09T23:30:00-08:00'))
    await aLogIn('Cancún', at('2026-11-11T00:30:00-05:00'))
    const cancun = await aLogIn('Cancún', at('2026-11-10T00:10:00-05:00'))
    const expected = [cancun.id, early.id, tijuana.id]

    const day = 'from=2026-11-10&to=2026-11-10'
    expect(idsOf(await admin.list(day))).toEqual(expected)
    expect(idsOf(await admin.list(`${day}&order=newest`))).toEqual(expected.toReversed())
    for (let limit = 1; limit < 4; limit++) {
      expect(await admin.listAll(`${day}&limit=${limit}`)).toEqual(expected)
    }
    expect(idsOf(await admin.list(`${day}&branch_office=Tijuana`))).toEqual([tijuana.id])
    expect(idsOf(await admin.list(`${day}&branch_office=Centro`))).toEqual([early.id])
    expect((await admin.get(`/logs/summary?${day}`)).body.data.total.pending).toBe(3)
    const file = parseLines((await admin.get(`/export?format=ndjson&${day}`)).text)
    expect(file.map(({ local_at }) => local_at)).toEqual([
      '2026-11-10T00:10:00-05:00',
      '2026-11-10T00:30:00-06:00',
      '2026-11-10T23:30:00-08:00',
    ])
  })

  // D1 binds at most 100 values to a statement. Each branch with a zone needs several.
  const SCOPES = [null, '["Tijuana","Centro"]']
  it.each(SCOPES)('takes every filter at once, with scope %s', async (scope) => {
    const { id, employee_id } = await aLogIn('Tijuana', at('2026-11-10T07:00:00-08:00'))
    const reader = await signInAdmin({ scope_branches: scope })
    const { department } = (await reader.get(`/logs/${id}`)).body.data.employee
    const fields = [
      'status=pending',
      'kind=entrada',
      `employee_id=${employee_id}`,
      'branch_office=Tijuana',
      `department=${encodeURIComponent(department)}`,
    ]
    for (let chosen = 0; chosen < 2 ** fields.length; chosen++) {
      const filter = fields.filter((_, i) => chosen & (2 ** i))
      const query = ['from=2026-11-10&to=2026-11-10', ...filter].join('&')
      expect(idsOf(await reader.list(`${query}&nearby=true&order=newest`)), query).toEqual([id])
      expect((await reader.get(`/export?format=ndjson&${query}`)).text, query).toContain(`:${id},`)
      const { total } = (await reader.get(`/logs/summary?${query}`)).body.data
      expect(total.pending, query).toBe(1)
    }
  })

  it('shows the local time of the branch wherever a log is shown', async () => {
    const { id, employee_id } = await aLogIn('Tijuana', at('2026-11-10T07:00:00-08:00'))
    const local_at = '2026-11-10T07:00:00-08:00'
    expect((await admin.list('')).body.data.logs[0]).toMatchObject({ local_at })
    expect((await admin.get(`/logs/${id}`)).body.data).toMatchObject({ local_at })
    expect((await admin.get('/changes')).body.data.changes[0]).toMatchObject({ local_at })
    const other = await aLog({ employee_id, recorded_at: at('2026-11-10T08:00:00-08:00') })
    expect((await admin.list('nearby=true&limit=1')).body.data.logs[0].nearby).toMatchObject([
      { log_id: other.id, local_at: '2026-11-10T08:00:00-08:00' },
    ])
    const person = await signInAdmin({ role: 'employee', employee_id })
    const own = await person.get('/my_logs?from=2026-11-10&to=2026-11-10')
    expect(own.body.data.logs).toMatchObject([{ local_at }, {}])
  })

  it('uses a new zone at once, even in an isolate with outdated zones, then needs one trip', async () => {
    const log = await aLogIn('Norte', at('2026-11-10T00:30:00-06:00'))
    const { recording, DB } = recordQueries(env.DB)
    const list = async () => {
      const before = recording.calls
      const ids = idsOf(await admin.list('from=2026-11-10&to=2026-11-10', { DB }))
      return { ids, trips: recording.calls - before }
    }
    expect((await list()).ids).toEqual([log.id])
    expect(await list()).toEqual({ ids: [log.id], trips: 1 })
    await aZone({ branch_office: 'Norte', time_zone: 'America/Tijuana' })
    // The three trips are the outdated query, the zones, and the query again.
    expect(await list()).toEqual({ ids: [], trips: 3 })
    expect(await list()).toEqual({ ids: [], trips: 1 })
  })

  it('reads no more rows if there are a thousand times as many logs', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Tijuana' })
    const scoped = await signInAdmin({ scope_branches: inBranches('Tijuana', 'Centro') })
    const rowsRead = async (who: Admin) => {
      const { recording, DB } = recordQueries(env.DB)
      await who.list('from=2026-01-01&to=2026-01-01&limit=10', { DB })
      const before = recording.rowsRead
      await who.list('from=2026-01-01&to=2026-01-01&limit=10', { DB })
      return recording.rowsRead - before
    }
    await insertLogs(employee_id, 100)
    const few = [await rowsRead(admin), await rowsRead(scoped)]
    await insertLogs(employee_id, 20_000)
    expect([await rowsRead(admin), await rowsRead(scoped)]).toEqual(few)
  })
})

describe('an approver of several branches', () => {
  it.each([
    ['none of them', ['Mérida'], []],
    ['one', ['Norte'], ['Norte']],
    ['two', ['Norte', 'Sur'], ['Norte', 'Sur']],
    ['all', null, ['Norte', 'Sur', 'Oeste']],
  ])('sees the logs of %s, in order of time', async (_, branches, expected) => {
    const branchOf = new Map<number, string>()
    for (let hour = 0; hour < 12; hour++) {
      const branch = ['Norte', 'Sur', 'Oeste'][hour % 3] ?? ''
      const time = `2026-11-10T${String(hour).padStart(2, '0')}:00:00.000Z`
      const status = hour % 2 ? 'approved' : 'pending'
      const kind = hour % 4 ? 'entrada' : 'checada'
      branchOf.set((await aLogIn(branch, time, { status, kind })).id, branch)
    }
    const ids = [...branchOf].filter(([, branch]) => expected.includes(branch)).map(([id]) => id)
    const scope = branches && inBranches(...branches)
    const approver = await signInAdmin({ scope_branches: scope })

    expect(idsOf(await approver.list())).toEqual(ids)
    expect(idsOf(await approver.list('order=newest'))).toEqual(ids.toReversed())
    expect(await approver.listAll('limit=2')).toEqual(ids)
    const { total } = (await approver.get('/logs/summary')).body.data
    expect(total.pending + total.approved).toBe(ids.length)
    const { text } = await approver.get('/export?format=ndjson')
    expect(parseLines(text)).toHaveLength(ids.length)
    const own = idsOf(await approver.list('branch_office=Sur&status=pending&kind=entrada'))
    expect(own.every((id) => branchOf.get(id) === 'Sur')).toBe(true)
    expect(own.length > 0).toBe(expected.includes('Sur'))
    const outside = [...branchOf.keys()].find((id) => !ids.includes(id))
    if (outside) expect((await approver.get(`/logs/${outside}`)).status).toBe(404)
  })
})

/** The local day of a moment, as the platform's Intl formats it. */
const dayIn = (time_zone: string, moment: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(moment)

describe('the zones of branches', () => {
  const RULES = [
    { branch_office: 'A', valid_from: '', time_zone: 'America/Mexico_City' },
    { branch_office: 'A', valid_from: '2026-03-10', time_zone: 'America/Tijuana' },
    { branch_office: 'A', valid_from: '2026-11-10', time_zone: 'America/Cancun' },
  ]
  const COMPANY = { branch_office: null, valid_from: '', time_zone: 'UTC' }
  const zones = zonesFrom([COMPANY, ...RULES])

  it('changes at the later of the two midnights, so that no day is counted twice', () => {
    const nameAt = (moment: string) => zones.nameAt('A', new Date(moment))
    // From Mexico City west to Tijuana: midnight comes later in Tijuana (UTC-7 in March).
    expect(nameAt('2026-03-10T06:59:59.999Z')).toBe('America/Mexico_City')
    expect(nameAt('2026-03-10T07:00:00.000Z')).toBe('America/Tijuana')
    // From Tijuana east to Cancún: midnight is at 08:00 UTC in Tijuana and at 05:00 UTC in Cancún.
    expect(nameAt('2026-11-10T07:59:59.999Z')).toBe('America/Tijuana')
    expect(nameAt('2026-11-10T08:00:00.000Z')).toBe('America/Cancun')
    expect(zones.nameAt('B', new Date())).toBe('UTC')
    const startOf = (day: string) => zones.startOfDay('A', day).toISOString()
    expect(startOf('2026-03-10')).toBe('2026-03-10T06:00:00.000Z')
    expect(startOf('2026-03-11')).toBe('2026-03-11T07:00:00.000Z')
    expect(startOf('2026-11-10')).toBe('2026-11-10T08:00:00.000Z')
  })

  it('agrees with the platform, puts each moment in its own day, and leaves no gaps', () => {
    const times = fc.integer({ min: Date.UTC(2026, 1, 1), max: Date.UTC(2026, 11, 31) })
    fc.assert(
      fc.property(times, (ms) => {
        const moment = new Date(ms)
        const day = dayIn(zones.nameAt('A', moment), moment)
        expect(zones.zoneAt('A', moment).localAt(moment).slice(0, 10)).toBe(day)
        const [start, end] = [zones.startOfDay('A', day), zones.startOfDay('A', addDays(day, 1))]
        expect(start <= moment && moment < end).toBe(true)
      }),
      { numRuns: 500, seed: 25 },
    )
  })

  it('writes a local time that is the same instant', () => {
    for (const name of ['America/Tijuana', 'Asia/Kolkata', 'UTC', 'America/St_Johns']) {
      const moment = new Date('2026-11-10T15:00:00.000Z')
      const local = timeZone(name).localAt(moment)
      expect(new Date(local).getTime()).toBe(moment.getTime())
    }
  })
})
