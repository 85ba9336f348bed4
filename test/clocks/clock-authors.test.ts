import { beforeEach, describe, expect, it } from 'vitest'
import { call, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches, rowsOf } from '../support/clocks.ts'
import { aClock, anEmployee, aUser, inBranches } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'

/** Who adds a clock, or says whose its numbers are, approves none of its logs alone. */

const CLOCKS = '/v2/incidents/clocks'
const SETTINGS = { env: { PEOPLE_ROLES: 'rh, admin', FORBID_SELF_APPROVAL: 'on' } }
const CLOCK = {
  ...{ label: null, branch_office: 'Centro', uses_keys: true, from_day: '2026-11-01' },
  ...{ retired: false, expected_version: 0, has_not_called: true },
}
const NAMES = { mother_last_name: '' }

let ana: string
let beto: string
beforeEach(async () => {
  stopClock('2026-11-25T16:40:00.000Z')
  ana = (await aUser({ role: 'admin', first_name: 'Ana', last_name: 'Paz', ...NAMES })).token
  beto = (await aUser({ role: 'admin', first_name: 'Beto', last_name: 'Ruiz', ...NAMES })).token
  await anEmployee({ employee_id: 'E-1' })
})

const put = (caller: string, row: object = {}) =>
  call('PUT', `${CLOCKS}/A1`, { token: caller, body: { ...CLOCK, ...row }, ...SETTINGS })
const confirm = (caller: string, serial = 'A1') =>
  post(`${CLOCKS}/${serial}/confirm`, {}, { token: caller, ...SETTINGS })
const name = (caller: string, number: string, more: object = {}) =>
  post(
    `${CLOCKS}/waiting`,
    { serial: 'A1', number, employee_id: 'E-1', ...more },
    { token: caller, ...SETTINGS },
  )
const clockOf = async (caller = ana) =>
  (await get(CLOCKS, { token: caller, ...SETTINGS })).body.data.clocks[0]
const newestLog = async () => Number((await rowsOf('attendance_logs')).at(-1)?.id)
const decide = (caller: string, log_id: number, status = 'approved') =>
  post('/v2/incidents/change_log_status', { log_id, status }, { token: caller, ...SETTINGS })
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status

describe('a clock that one person has added', () => {
  beforeEach(async () => {
    expect((await put(ana)).status).toBe(200)
    await pushPunches('A1', [line('E-1', '2026-11-24 08:00:00')])
  })

  it('sends logs that its author does not approve, until somebody else confirms it', async () => {
    const log = await newestLog()
    const refused = await decide(ana, log)
    expect([refused.status, refused.body.message]).toEqual([403, failureOf('OWN_LOG').message])
    expect(await clockOf()).toMatchObject({
      ...{ added_by: 'Ana Paz', confirmed_by: null, unconfirmed: true, may_confirm: false },
    })
    expect(await clockOf(beto)).toMatchObject({ may_confirm: true })

    const own = await confirm(ana)
    expect([own.status, own.body]).toEqual([403, failureOf('OWN_CLOCK')])
    const confirmed = await confirm(beto)
    expect([confirmed.status, confirmed.body.data]).toEqual([
      200,
      expect.objectContaining({ confirmed_by: 'Beto Ruiz', unconfirmed: false, serial: 'A1' }),
    ])
    expect(await clockOf(beto)).toMatchObject({ added_by: 'Ana Paz', may_confirm: false })
    // The answer may have been lost.
    expect((await confirm(beto)).status).toBe(200)
    expect((await decide(ana, log)).status).toBe(200)
  })

  it('has no way round: in a bulk, by a review, or in the list', async () => {
    const log_id = await newestLog()
    const bulk = { log_ids: [log_id], status: 'approved' }
    const options = { token: ana, ...SETTINGS }
    expect(await statusOf(post('/v2/incidents/change_logs_status', bulk, options))).toBe(403)
    const review = { employee_id: 'E-1', day: '2026-11-24', approve_log_ids: [log_id] }
    const reviewed = await post('/v2/incidents/hours/reviews', review, options)
    expect([reviewed.status, reviewed.body]).toEqual([403, failureOf('OWN_LOG')])
    const own = async (token: string) =>
      (await get('/v2/incidents/logs', { token, ...SETTINGS })).body.data.logs[0].own
    expect([await own(ana), await own(beto)]).toEqual([true, false])
    expect(await rowsOf('day_reviews')).toEqual([])
    expect((await decide(beto, log_id)).status).toBe(200)
  })

  it('is confirmed anew once it has been moved to another branch', async () => {
    await confirm(beto)
    expect((await put(beto, { branch_office: 'Norte', expected_version: 1 })).status).toBe(200)
    expect(await clockOf(beto)).toMatchObject({ unconfirmed: true, confirmed_by: null })
    const log = await newestLog()
    expect((await decide(beto, log)).status).toBe(403)
    expect((await confirm(beto)).status).toBe(403)
    expect((await confirm(ana)).status).toBe(200)
    expect((await decide(beto, log)).status).toBe(200)
  })

  it('is not confirmed by who moves it before anybody has confirmed it', async () => {
    await put(beto, { branch_office: 'Norte', expected_version: 1 })
    expect([await statusOf(confirm(ana)), await statusOf(confirm(beto))]).toEqual([403, 403])
    const caro = (await aUser({ role: 'rh' })).token
    expect((await confirm(caro)).status).toBe(200)
    expect(await clockOf()).toMatchObject({ unconfirmed: false })
  })

  it('stays confirmed if only its label or its retirement changes', async () => {
    await confirm(beto)
    await put(ana, { label: 'Puerta', expected_version: 1 })
    await put(ana, { label: 'Puerta', retired: true, expected_version: 2 })
    expect(await clockOf()).toMatchObject({ unconfirmed: false, confirmed_by: 'Beto Ruiz' })
  })

  it('is confirmed by who keeps the people of its branch, and by nobody of another', async () => {
    const aClerk = async (branch: string) =>
      (await aUser({ role: 'rh', scope_branches: inBranches(branch) })).token
    expect((await confirm(await aClerk('Norte'))).body).toEqual(failureOf('CLOCK_NOT_FOUND'))
    expect((await confirm((await aUser({ role: 'employee' })).token)).status).toBe(403)
    expect((await confirm(await aClerk('Centro'))).status).toBe(200)
    expect((await confirm(beto, 'NADIE')).status).toBe(404)
  })

  it('is everybody’s to decide if people may decide their own logs', async () => {
    const log_id = await newestLog()
    const body = { log_id, status: 'approved' }
    expect((await post('/v2/incidents/change_log_status', body, { token: ana })).status).toBe(200)
  })
})

describe('a clock of version 2.0', () => {
  beforeEach(() => aClock({ serial: 'A1' }))

  it('counts as confirmed, and nobody is known to have added it', async () => {
    const author = { added_by: null, confirmed_by: null, unconfirmed: false, may_confirm: false }
    expect(await clockOf()).toMatchObject(author)
    await pushPunches('A1', [line('E-1', '2026-11-24 08:00:00')])
    expect((await decide(ana, await newestLog())).status).toBe(200)
    expect((await confirm(ana)).status).toBe(200)
    expect(await clockOf()).toMatchObject(author)
  })

  it('has numbers whose logs are not approved by who named them, until somebody confirms', async () => {
    await pushPunches('A1', [line('31', '2026-11-24 08:00:00'), line('32', '2026-11-24 09:00:00')])
    expect((await name(ana, '31')).body.data.taken).toBe(1)
    const log = await newestLog()
    expect((await decide(ana, log)).status).toBe(403)
    expect(await clockOf(beto)).toMatchObject({ unconfirmed_numbers: 1, may_confirm: true })
    expect((await confirm(ana)).body).toEqual(failureOf('OWN_CLOCK'))
    // Who has named another number confirms the first one, and not the own.
    await name(beto, '32')
    expect((await confirm(beto)).status).toBe(200)
    expect(await clockOf(beto)).toMatchObject({ unconfirmed_numbers: 1, may_confirm: false })
    expect((await decide(ana, log)).status).toBe(200)
    expect((await decide(beto, await newestLog())).status).toBe(403)
    expect((await confirm(ana)).status).toBe(200)
    expect(await clockOf()).toMatchObject({ unconfirmed_numbers: 0 })
    expect((await decide(beto, await newestLog())).status).toBe(200)
  })

  it('has a number that is named on all clocks, which is confirmed at any of them', async () => {
    await aClock({ serial: 'B1' })
    await pushPunches('A1', [line('31', '2026-11-24 08:00:00')])
    await name(ana, '31', { all_clocks: true })
    expect((await decide(ana, await newestLog())).status).toBe(403)
    expect((await confirm(beto, 'B1')).status).toBe(200)
    expect((await decide(ana, await newestLog())).status).toBe(200)
  })

  it('has a file whose logs are not approved by who uploaded it', async () => {
    const text = 'E-1\t2026-11-24 08:00:00\t1\t0\t1\t0\n'
    await post(`${CLOCKS}/A1/file`, { text }, { token: ana, ...SETTINGS })
    const log = await newestLog()
    expect((await decide(ana, log)).status).toBe(403)
    await confirm(beto)
    expect((await decide(ana, log)).status).toBe(403)
    expect((await decide(beto, log)).status).toBe(200)
  })
})

it('a machine neither adds nor confirms a clock, and says of no number whose it is', async () => {
  const machine = (await aUser({ role: 'rh', machine: true, password_hash: '' })).token
  expect((await put(machine)).body).toEqual(failureOf('FORBIDDEN'))
  await put(ana)
  expect((await confirm(machine)).body).toEqual(failureOf('FORBIDDEN'))
  expect((await name(machine, '31')).body).toEqual(failureOf('FORBIDDEN'))
  expect(await clockOf()).toMatchObject({ unconfirmed: true })
})

describe('the changes of a clock', () => {
  const changesOf = async (subject: string, token = ana, more = '') => {
    const path = `/v2/people/changes?subject=${subject}${more}`
    const { body } = await get(path, { token, ...SETTINGS })
    return body.data.changes as { user: unknown; subject_id: string; changes: object[] }[]
  }

  it('are listed with their authors: added, changed, confirmed, and what was dismissed', async () => {
    await callAsClock('/iclock/getrequest?SN=A1')
    await put(ana, { has_not_called: false })
    await confirm(beto)
    await put(beto, { label: 'Puerta', retired: true, expected_version: 1 })
    await put(beto, { label: 'Puerta', retired: true, expected_version: 2 })
    await put(ana, { label: 'Puerta', expected_version: 3 })
    await pushPunches('A1', [line('97', '2026-11-24 08:00:00'), line('97', '2026-11-24 09:00:00')])
    const dismissal = { serial: 'A1', number: '97', dismiss: 'Juan lo probó.' }
    await post(`${CLOCKS}/waiting`, dismissal, { token: beto, ...SETTINGS })
    await name(ana, '31')
    await confirm(beto)
    await callAsClock('/iclock/getrequest?SN=A1')
    for (const address of ['203.0.113.7', '203.0.113.7', '2001:db8::1']) {
      await post(`${CLOCKS}/A1/address`, { address }, { token: ana, ...SETTINGS })
    }

    const [anaPaz, betoRuiz] = [{ full_name: 'Ana Paz' }, { full_name: 'Beto Ruiz' }]
    const isNew = { before: null }
    expect(await changesOf('clock')).toMatchObject([
      {
        user: anaPaz,
        subject_id: 'clock a1',
        changes: [
          { field: 'branch_office', after: 'Centro', ...isNew },
          { field: 'uses_keys', after: true, ...isNew },
          { field: 'from_day', after: '2026-11-01', ...isNew },
          { field: 'retired', after: false, ...isNew },
        ],
      },
      { user: betoRuiz, changes: [{ field: 'confirmed', before: false, after: true }] },
      {
        user: betoRuiz,
        changes: [
          { field: 'label', before: null, after: 'Puerta' },
          { field: 'retired', before: false, after: true },
        ],
      },
      { user: anaPaz, changes: [{ field: 'retired', before: true, after: false }] },
      { user: betoRuiz, changes: [{ field: 'dismissed_punches', before: null, after: 2 }] },
      { user: betoRuiz, changes: [{ field: 'confirmed_numbers', before: null, after: 1 }] },
      { user: anaPaz, changes: [{ field: 'address', before: null, after: '203.0.113.7' }] },
      {
        user: anaPaz,
        changes: [{ field: 'address', before: '203.0.113.7', after: '2001:0db8:0000:0000' }],
      },
    ])
    expect(await changesOf('clock', ana, '&subject_id=clock%20b1')).toEqual([])
    const events = await rowsOf("log_events WHERE event = 'ruled' AND source IS NOT NULL")
    expect(events.map(({ details }) => String(details)).join()).not.toContain('Juan')
  })

  it('are seen within the scope by the branch of the clock, of a move by both', async () => {
    const clerk = (await aUser({ role: 'rh', scope_branches: inBranches('Norte') })).token
    await put(ana)
    await put(ana, { branch_office: 'Norte', expected_version: 1 })
    await put(ana, { branch_office: 'Norte', label: 'Puerta', expected_version: 2 })
    expect(await changesOf('clock', clerk)).toMatchObject([{ changes: [{ field: 'label' }] }])
    expect(await changesOf('clock')).toHaveLength(3)
  })

  it('are only what changed: a refused write leaves none', async () => {
    await put(ana)
    await put(ana, { label: 'Puerta', expected_version: 7 })
    expect(await changesOf('clock')).toHaveLength(1)
  })

  it('stand beside those of other sources and of the company', async () => {
    const logs = [
      {
        source_id: '1',
        employee_id: 'nadie',
        kind: 'entrada',
        recorded_at: '2026-11-24T08:00:00-06:00',
      },
    ]
    const sent = { source: 'torniquete', logs }
    await post('/v2/incidents/logs', sent, { token: ana, env: { INTAKE_ROLES: 'admin' } })
    const body = { label: 'Puerta', retired: true }
    await call('PUT', '/v2/incidents/sources/torniquete', { token: ana, body, ...SETTINGS })
    const [problem] = await rowsOf('intake_problems')
    const path = `/v2/incidents/sources/torniquete/problems/${problem?.id}/dismiss`
    await post(path, { reason: 'Juan ya no trabaja aquí.' }, { token: beto, ...SETTINGS })
    const company = { name: 'Norte, S.A.', expected_version: 1 }
    const settings = { env: { ...SETTINGS.env, PAYROLL_ROLES: 'admin' } }
    await call('PUT', '/v2/company', { token: ana, body: company, ...settings })

    expect(await changesOf('source')).toMatchObject([
      {
        subject_id: 'torniquete',
        changes: [
          { field: 'label', before: null, after: 'Puerta' },
          { field: 'retired', before: false, after: true },
        ],
      },
      {
        user: { full_name: 'Beto Ruiz' },
        changes: [{ field: 'dismissed_problem', after: 'unknown_employee' }],
      },
    ])
    expect(await changesOf('company')).toMatchObject([
      { subject_id: '', changes: [{ field: 'name', before: '', after: 'Norte, S.A.' }] },
    ])
    const clerk = (await aUser({ role: 'rh', scope_branches: inBranches('Norte') })).token
    expect(await changesOf('source', clerk)).toEqual([])
    expect(await changesOf('company', clerk)).toEqual([])
  })
})
