import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches, rowsOf } from '../support/clocks.ts'
import {
  aClock,
  anAdmin,
  anEmployee,
  aUser,
  aWaitingPunch,
  inBranches,
  paysFrom,
} from '../support/factories.ts'
import { EMPLOYEE } from '../support/people.ts'

const CLOCKS = '/v2/incidents/clocks'
const NOW = '2026-11-25T16:40:00.000Z'
/** Users with these roles keep the employees of their branches. */
const HR = { env: { PEOPLE_ROLES: 'hr, admin' } }

let token: string
/** The clock A1 of the branch Centro, where the employee E-1 works. */
beforeEach(async () => {
  stopClock(NOW)
  token = (await anAdmin()).token
  await aClock({ serial: 'A1', uses_keys: 1, from_day: '2026-01-01' })
  await anEmployee({ employee_id: 'E-1' })
})

const name = (body: object, caller = token) =>
  post(`${CLOCKS}/waiting`, body, { token: caller, ...HR })
/** Names the number 31, and returns the answer. */
const name31 = (employee_id: string, more: object = {}) =>
  name({ serial: 'A1', number: '31', employee_id, ...more })
const aClerk = (employee_id: string | null = null) =>
  aUser({ role: 'hr', scope_branches: inBranches('Centro'), employee_id })
const upload = (text: string, caller: string) =>
  post(`${CLOCKS}/A1/file`, { text }, { token: caller, ...HR })
const groups = async () =>
  (await get(CLOCKS, { token })).body.data.waiting.map(
    ({ serial, number, reason, count }: Record<string, unknown>) => [serial, number, reason, count],
  )
const owners = async () =>
  (await rowsOf('attendance_logs')).map(({ employee_id, source_id }) => [employee_id, source_id])

describe('a number that nobody is known to have', () => {
  beforeEach(async () => {
    await anEmployee({ employee_id: 'E-2' })
    await pushPunches('A1', [line('31', '2026-11-24 08:00:00'), line('31', '2026-11-24 17:00:00')])
  })

  it('is listed with its punches, and naming it turns them into logs', async () => {
    const { waiting } = (await get(CLOCKS, { token })).body.data
    const between = {
      ...{ first_at: '2026-11-24T14:00:00.000Z', first_local_at: '2026-11-24T08:00:00-06:00' },
      ...{ last_at: '2026-11-24T23:00:00.000Z', last_local_at: '2026-11-24T17:00:00-06:00' },
    }
    expect(waiting).toEqual([
      { serial: 'A1', number: '31', reason: 'number', over_bound: false, count: 2, ...between },
    ])
    const named = await name31('E-1', { serial: 'a1' })
    expect(named.body.data).toEqual({ taken: 2, dismissed: 0 })
    expect(await owners()).toEqual([
      ['E-1', '31 2026-11-24 08:00:00'],
      ['E-1', '31 2026-11-24 17:00:00'],
    ])
    expect(await groups()).toEqual([])
    // The answer may have been lost. The same request changes nothing.
    const again = await name31('E-1')
    expect(again.body.data).toEqual({ taken: 0, dismissed: 0 })
    expect(await rowsOf('clock_numbers')).toHaveLength(1)
    await pushPunches('A1', [line('31', '2026-11-25 08:00:00')])
    expect((await owners()).at(-1)).toEqual(['E-1', '31 2026-11-25 08:00:00'])
  })

  it('can be a typo: these punches alone are somebody’s, and the next ones wait again', async () => {
    const admin = await anAdmin()
    const only = { only_these: true, reason: 'number' }
    const taken = await name(
      { serial: 'A1', number: '31', employee_id: 'E-1', ...only },
      admin.token,
    )
    expect(taken.body.data).toEqual({ taken: 2, dismissed: 0 })
    expect(await owners()).toEqual([
      ['E-1', '31 2026-11-24 08:00:00'],
      ['E-1', '31 2026-11-24 17:00:00'],
    ])
    expect(await rowsOf('clock_numbers')).toEqual([])
    // Who said whose they are is sealed as who recorded them.
    const recorded = (await rowsOf('log_events')).map(({ user_id }) => user_id)
    expect(recorded).toEqual([admin.id, admin.id])
    await pushPunches('A1', [line('31', '2026-11-25 08:00:00')])
    expect(await groups()).toEqual([['A1', '31', 'number', 1]])
    expect((await name31('E-1', only)).body.data.taken).toBe(1)
    expect((await name31('E-1', only)).body.data.taken).toBe(0)
    expect((await name31('E-1', { only_these: true, all_clocks: true })).status).toBe(422)
  })

  it('is probably of somebody whose id is alike, or who punches at that clock', async () => {
    await anEmployee({ employee_id: '0031', full_name: 'Igual', branch_office: 'Sur' })
    await anEmployee({ employee_id: '37', full_name: 'Casi' })
    await anEmployee({ employee_id: '88', full_name: 'Vecina' })
    await anEmployee({ employee_id: '13', full_name: 'Lejos' })
    await anEmployee({ employee_id: '32', full_name: 'Se fue', ended_at: '2026-01-31' })
    await pushPunches('A1', [line('88', '2026-11-24 08:00:00')])
    const path = `${CLOCKS}/A1/candidates?number=31`
    const candidates = async (caller = token) =>
      (await get(path, { token: caller, ...HR })).body.data.candidates
    expect(await candidates()).toEqual([
      { employee_id: '0031', full_name: 'Igual', branch_office: 'Sur', why: 'same' },
      { employee_id: '37', full_name: 'Casi', branch_office: 'Centro', why: 'one_digit' },
      { employee_id: '88', full_name: 'Vecina', branch_office: 'Centro', why: 'clock' },
    ])
    const ofCentro = await candidates((await aClerk()).token)
    expect(ofCentro.map(({ why }: { why: string }) => why)).toEqual(['one_digit', 'clock'])
    expect((await get(`${CLOCKS}/B9/candidates?number=31`, { token })).status).toBe(404)
  })

  it('is sealed with who said whose it is', async () => {
    await name31('E-1')
    const [event] = await rowsOf('log_events')
    expect(event).toMatchObject({ event: 'ruled', employee_id: 'E-1' })
    expect(event?.user_id).not.toBeNull()
    expect(JSON.parse(String(event?.details))).toMatchObject({ rule: 'number', value: 'a1\t31' })
  })

  it('waits for another reason once its person is known, of another branch', async () => {
    expect(await groups()).toEqual([['A1', '31', 'number', 2]])
    await anEmployee({ employee_id: '31', branch_office: 'Norte' })
    await env.DB.prepare('UPDATE clocks SET compared_change = -1').run()
    await callAsClock('/iclock/cdata?SN=A1&options=all')
    expect(await groups()).toEqual([['A1', '31', 'branch', 2]])
    await env.DB.prepare(
      "UPDATE employees SET branch_office = 'Centro' WHERE employee_id = '31'",
    ).run()
    await env.DB.prepare('UPDATE clocks SET compared_change = -1').run()
    await callAsClock('/iclock/cdata?SN=A1&options=all')
    expect(await groups()).toEqual([])
    expect(await owners()).toHaveLength(2)
  })

  it('is dismissed with the reason, and never waits again', async () => {
    const dismissed = await name({ serial: 'A1', number: '31', dismiss: 'Una prueba.' })
    expect(dismissed.body.data).toEqual({ taken: 0, dismissed: 2 })
    await pushPunches('A1', [line('31', '2026-11-24 08:00:00')])
    expect(await groups()).toEqual([])
    const body = { serial: 'A1', number: '31', dismiss: 'Otra vez.' }
    expect((await name(body)).status).toBe(404)
  })

  it('can be given to somebody else from today on, and what was the first person’s stays theirs', async () => {
    await name31('E-1')
    await pushPunches('A1', [line('31', '2026-10-05 08:00:00')])
    expect((await name31('E-2')).body.data.taken).toBe(0)
    expect(await rowsOf('clock_numbers')).toMatchObject([
      { employee_id: 'E-1', valid_from: '' },
      { employee_id: 'E-2', valid_from: '2026-11-25' },
    ])
    await pushPunches('A1', [line('31', '2026-11-23 08:00:00'), line('31', '2026-11-25 09:00:00')])
    expect((await owners()).slice(2)).toEqual([
      ['E-1', '31 2026-11-23 08:00:00'],
      ['E-2', '31 2026-11-25 09:00:00'],
    ])
    // The first person's old punch still waits, and is theirs.
    expect(await groups()).toEqual([['A1', '31', 'too_old', 1]])
    expect((await name31('E-1')).body.data.taken).toBe(1)
    expect((await owners()).at(-1)).toEqual(['E-1', '31 2026-10-05 08:00:00'])
  })

  it('is dismissed for one reason only, or with all that waits at the clock', async () => {
    const lines = [line('31', '2000-01-01 00:00:00'), line('x', '2026-11-24 08:00:00')]
    await pushPunches('A1', lines)
    const dismiss = 'No son de nadie.'
    const ofTime = { serial: 'A1', number: '31', dismiss, reason: 'time' }
    expect((await name(ofTime)).body.data.dismissed).toBe(1)
    expect(await groups()).toEqual([
      ['A1', '31', 'number', 2],
      ['A1', 'x', 'number', 1],
    ])
    expect((await name({ serial: 'A1', dismiss })).status).toBe(422)
    const all = { serial: 'A1', all_numbers: true, dismiss }
    expect((await name(all)).body.data.dismissed).toBe(3)
    expect((await name({ ...all, dismiss: undefined, employee_id: 'E-1' })).status).toBe(422)
  })

  it('is named on all clocks at once, but a row of one clock goes first', async () => {
    await aClock({ serial: 'B1', branch_office: 'Norte' })
    await aWaitingPunch({ serial: 'B1', number: '31' })
    expect((await name31('E-1', { all_clocks: true })).body.data.taken).toBe(3)
    await anEmployee({ employee_id: 'E-9', branch_office: 'Norte' })
    await name31('E-9', { serial: 'B1' })
    await pushPunches('B1', [line('31', '2026-11-25 09:00:00')])
    await pushPunches('A1', [line('31', '2026-11-25 09:00:05')])
    expect((await owners()).slice(3)).toEqual([
      ['E-9', '31 2026-11-25 09:00:00'],
      ['E-1', '31 2026-11-25 09:00:05'],
    ])
  })

  it('is rejected with unknown clocks, people and fields', async () => {
    expect((await name31('E-1', { serial: 'NADIE' })).status).toBe(404)
    expect((await name31('E-nadie')).status).toBe(422)
    for (const wrong of [
      { employee_id: undefined },
      { dismiss: 'x' },
      { number: '3 1' },
      { x: 1 },
    ]) {
      expect((await name31('E-1', wrong)).status).toBe(422)
    }
    expect(await rowsOf('clock_numbers')).toEqual([])
  })
})

it('is announced when a person with such an id is hired into the branch of the clock', async () => {
  await aWaitingPunch({ serial: 'A1', number: '00031' })
  await anEmployee({ branch_office: 'Norte' })
  const hire = async (employee_id: string, branch_office: string) => {
    const body = { ...EMPLOYEE, rfc: '', branch_office, expected_version: 0 }
    const path = `/v2/people/employees/${employee_id}`
    return (await call('PUT', path, { token, body })).body.data.warnings.employee_id
  }
  expect(await hire('31', 'Norte')).toBeUndefined()
  expect(await hire('031', 'Centro')).toContain(
    'Espera 1 checada de ese número en un reloj de su sucursal: serán suyas.',
  )
})

it('belongs to whom a user has named, even if somebody’s id is equal', async () => {
  await anEmployee({ employee_id: '31' })
  await anEmployee({ employee_id: 'E-2' })
  await pushPunches('A1', [line('31', '2026-11-24 08:00:00')])
  await name31('E-2', { all_clocks: true })
  await pushPunches('A1', [line('31', '2026-11-24 09:00:00')])
  await name31('31')
  await pushPunches('A1', [line('31', '2026-11-25 08:00:00')])
  await name31('E-2')
  await pushPunches('A1', [line('31', '2026-11-25 09:00:00')])
  expect((await owners()).map(([employee_id]) => employee_id)).toEqual(['31', 'E-2', '31', 'E-2'])
})

it('keeps who uploaded it and that it came from elsewhere, when it becomes a log', async () => {
  const { id: user_id } = await aUser()
  await aWaitingPunch({ serial: 'A1', user_id })
  const recorded_at = '2026-11-02T15:00:00.000Z'
  const elsewhere = { local_at: '2026-11-02 09:00:00', recorded_at, other_network: 1 }
  await aWaitingPunch({ serial: 'A1', ...elsewhere })
  await name({ serial: 'A1', number: '317', employee_id: 'E-1' })
  const rows = await rowsOf('attendance_logs')
  expect(rows.map(({ source_id, recorded_by }) => [source_id, recorded_by])).toEqual([
    ['317 2026-11-02 08:00:00', user_id],
    ['317 2026-11-02 09:00:00', null],
  ])
  expect(await rowsOf('other_network_logs')).toEqual([{ log_id: rows[1]?.id }])
})

it('of the person who uploads the file waits for somebody else', async () => {
  await anEmployee({ employee_id: '3' })
  const hr = await aClerk('3')
  const sent = await upload('3\t2026-11-24 08:00:00\t1\t0\n', hr.token)
  expect(sent.body.data).toMatchObject({ created: 0, waiting: 1 })
  expect(await groups()).toEqual([['A1', '3', 'own', 1]])
  const own = { serial: 'A1', number: '3', employee_id: '3' }
  expect((await name(own, hr.token)).status).toBe(403)
  expect((await name(own)).body.data.taken).toBe(1)
})

it('is never dismissed by the person, under any number that is theirs', async () => {
  await anEmployee({ employee_id: '3' })
  await name({ serial: 'A1', number: '317', employee_id: '3' })
  const hr = await aClerk('3')
  const numbers = ['3', '003', '317']
  const lines = numbers.map((number) => `${number}\t2000-01-01 08:00:00\t1\t0\n`)
  await upload(lines.join(''), hr.token)
  const dismiss = { serial: 'A1', dismiss: 'Llegué tarde.' }
  for (const body of [...numbers.map((number) => ({ number })), { all_numbers: true }]) {
    expect((await name({ ...dismiss, ...body }, hr.token)).status).toBe(404)
  }
  expect((await name({ ...dismiss, number: '317' })).status).toBe(200)
})

it('of the person who uploads it in another branch is not taken in by a move', async () => {
  await anEmployee({ employee_id: '3', branch_office: 'Norte' })
  await upload('3\t2026-11-24 08:00:00\t1\t0', (await aClerk('3')).token)
  const body = { ...EMPLOYEE, branch_office: 'Centro', expected_version: 1 }
  await call('PUT', '/v2/people/employees/3', { token, body })
  await callAsClock('/iclock/cdata?SN=A1&options=all')
  expect(await owners()).toEqual([])
  expect(await groups()).toEqual([['A1', '3', 'own', 1]])
})

it('that was dismissed stays so, though its person is named and it is sent again', async () => {
  const punch = [line('31', '2026-11-24 08:00:00')]
  await pushPunches('A1', punch)
  await name({ serial: 'A1', number: '31', dismiss: 'Una prueba.' })
  await name31('E-1')
  expect((await pushPunches('A1', punch)).text).toBe('OK: 1')
  expect(await owners()).toEqual([])
})

it('of a number that somebody of another branch has is not taken over from here', async () => {
  await anEmployee({ employee_id: 'E-9', branch_office: 'Norte' })
  await name31('E-9')
  const hr = await aClerk()
  const naming = { serial: 'A1', number: '31', employee_id: 'E-1' }
  const refused = await name(naming, hr.token)
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'Ese número es de alguien de otra sucursal.',
  ])
  // Once it is somebody's here, it can be changed from here.
  await name31('E-1')
  await anEmployee({ employee_id: 'E-2' })
  expect((await name({ ...naming, employee_id: 'E-2' }, hr.token)).status).toBe(200)
})

it('is named only by who keeps the branches of clock and person, and never by the person', async () => {
  await aClock({ serial: 'B1', branch_office: 'Norte' })
  await aWaitingPunch({ serial: 'A1' })
  await aWaitingPunch({ serial: 'B1' })
  await anEmployee({ employee_id: 'E-2', branch_office: 'Norte' })
  await anEmployee({ employee_id: 'E-3' })
  const hr = await aClerk('E-3')
  const asHr = (body: object) => name({ number: '317', ...body }, hr.token)
  const listed = (await get(CLOCKS, { token: hr.token, ...HR })).body.data
  expect(listed.clocks.map(({ serial }: { serial: string }) => serial)).toEqual(['A1'])
  expect(listed.waiting.map(({ serial }: { serial: string }) => serial)).toEqual(['A1'])
  expect((await asHr({ serial: 'B1', employee_id: 'E-1' })).status).toBe(404)
  expect((await asHr({ serial: 'B1', dismiss: 'x' })).status).toBe(404)
  expect((await asHr({ serial: 'A1', employee_id: 'E-2' })).status).toBe(422)
  expect((await asHr({ serial: 'A1', employee_id: 'E-3' })).status).toBe(403)
  expect((await asHr({ serial: 'A1', employee_id: 'E-1', all_clocks: true })).status).toBe(403)
  expect(await rowsOf('clock_numbers')).toEqual([])
  expect((await asHr({ serial: 'A1', employee_id: 'E-1' })).body.data.taken).toBe(1)
})

it('keeps punches of another branch until somebody says whose number it is there', async () => {
  await anEmployee({ employee_id: '5', branch_office: 'Norte' })
  await pushPunches('A1', [line('5', '2026-11-25 08:00:00')])
  expect(await groups()).toEqual([['A1', '5', 'branch', 1]])
  await name({ serial: 'A1', number: '5', employee_id: '5' })
  await pushPunches('A1', [line('5', '2026-11-25 10:00:00')])
  expect(await owners()).toHaveLength(2)
})

it('takes old punches in if somebody asks for it, but none whose time cannot be', async () => {
  await anEmployee({ employee_id: '5' })
  const lines = ['2026-09-01 08:00:00', '2026-11-25 10:50:00', '2000-01-01 00:00:00']
  const punches = lines.map((time) => line('5', time))
  await pushPunches('A1', punches)
  const body = { serial: 'A1', number: '5', employee_id: '5' }
  expect((await name(body)).body.data.taken).toBe(1)
  expect(await groups()).toEqual([
    ['A1', '5', 'future', 1],
    ['A1', '5', 'time', 1],
  ])
  stopClock('2026-11-25T16:51:00.000Z')
  expect((await name(body)).body.data.taken).toBe(1)
})

it('reads the file of a USB stick, whose fourth column is the key, and knows it the second time', async () => {
  await anEmployee({ employee_id: '4' })
  const text = [
    '   4\t2026-11-24 08:00:00\t1\t0\t1\t0',
    '   4\t2026-11-24 17:00:00\t1\t1\t1\t0',
    '  99\t2026-11-24 08:00:00\t1\t0\t1\t0',
    '   4\t2025-12-31 08:00:00\t1\t0\t1\t0',
    'hola',
  ].join('\r\n')
  const rest = { before_from_day: 1, invalid: 1 }
  for (const counts of [
    { created: 2, known: 0, waiting: 1 },
    { created: 0, known: 3, waiting: 0 },
  ]) {
    expect((await upload(text, token)).body.data).toEqual({ ...counts, ...rest })
  }
  // What the clock itself sends later is known too.
  await pushPunches('A1', [line('4', '2026-11-24 08:00:00')])
  const rows = await rowsOf('attendance_logs')
  expect(rows.map(({ kind }) => kind)).toEqual(['entrada', 'salida'])
  expect(rows.every(({ recorded_by }) => recorded_by !== null)).toBe(true)
  expect((await post(`${CLOCKS}/NADIE/file`, { text }, { token })).status).toBe(404)
})

it('reads the person and all punches of files with a heading, and refuses any other file', async () => {
  await anEmployee({ employee_id: '4' })
  const heading = 'No\tMchn\tEnNo\t\tName\t\tMode\tIOMd\tDateTime\t'
  const rows = [
    '000001\t1\t000000004\tAna Sol  \t1\t0\t2026/11/24  08:00:00\t',
    '000002\t1\t000000004\tAna Sol  \t1\t1\t2026/11/24  17:00:00\t',
    '000003\t1\t000000099\t\t1\t0\t2026/11/24  08:00:00\t',
  ]
  const file = await upload([heading, ...rows].join('\r\n'), token)
  expect(file.body.data).toMatchObject({ created: 2, waiting: 1, invalid: 0 })
  const logs = await rowsOf('attendance_logs')
  expect(logs.map(({ employee_id, kind }) => [employee_id, kind])).toEqual([
    ['4', 'entrada'],
    ['4', 'salida'],
  ])
  const named = ['08:00:01', '17:00:01'].map((time) => `4\tAna Sol\t2026-11-24 ${time}\t1\t0`)
  expect((await upload(named.join('\n'), token)).body.data).toMatchObject({ created: 2 })
  for (const text of [rows.join('\n'), 'hola\t1', 'No,Name\n1,Ana']) {
    const refused = await upload(text, token)
    expect([refused.status, refused.body.code]).toEqual([422, 'NOT_OF_A_CLOCK'])
    expect(refused.body.message).toContain('GLG_001.TXT')
  }
  expect(await groups()).toEqual([['A1', '000000099', 'number', 1]])
})

it('counts as pending for a closing of more than one person', async () => {
  await paysFrom('2026-11-02')
  await aWaitingPunch({ serial: 'A1', local_at: '2026-11-15 08:00:00' })
  await aWaitingPunch({ serial: 'A1', local_at: '2026-11-16 08:00:00' })
  await aWaitingPunch({ serial: 'A1', local_at: '2000-01-01 08:00:00', recorded_at: null })
  const payroll = { token, env: { PAYROLL_ROLES: 'admin' } }
  const closing = { before: '2026-11-16' }
  const preview = '/v2/incidents/closings/preview?before=2026-11-16'
  expect((await get(preview, payroll)).body.data).toMatchObject({ pending: 0, waiting: 2 })
  expect((await get(`${preview}&employee_id=E-1`, payroll)).body.data.waiting).toBe(0)
  const refused = await call('POST', '/v2/incidents/closings', { ...payroll, body: closing })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'Esperan 2 checadas de relojes: falta saber de quién es, o su hora no puede ser.',
  ])
  const body = { ...closing, leave_pending: true }
  expect((await call('POST', '/v2/incidents/closings', { ...payroll, body })).status).toBe(200)
})

describe('PUT /v2/incidents/clocks/{serial}', () => {
  const clock = {
    ...{ label: null, branch_office: 'Centro', uses_keys: false },
    ...{ from_day: '2026-11-01', retired: false },
  }
  const put = (body: object, serial = 'A1') => call('PUT', `${CLOCKS}/${serial}`, { token, body })

  it('adds no clock that has not called, unless somebody says so', async () => {
    const body = { ...clock, expected_version: 0 }
    const added = await put(body, 'B1')
    const message = 'Ningún reloj con ese número de serie ha llamado.'
    expect([added.status, added.body.message]).toEqual([409, message])
    expect((await put({ ...body, has_not_called: true }, 'B1')).status).toBe(200)
  })

  it('changes what was read, and returns the current clock if it has changed since', async () => {
    const changed = await put({ ...clock, label: 'Puerta', retired: true, expected_version: 1 })
    expect(changed.body.data).toMatchObject({ label: 'Puerta', retired: true, version: 2 })
    const stale = await put({ ...clock, expected_version: 1 })
    expect([stale.status, stale.body.current.version]).toEqual([409, 2])
    expect((await put({ ...clock, expected_version: 1 }, 'NADIE')).status).toBe(404)
    const twice = await put({ ...clock, expected_version: 0 })
    expect([twice.status, twice.body.message]).toEqual([409, 'Ese reloj ya está agregado.'])
  })

  it('keeps a clock retired whatever is done with its punches', async () => {
    await aWaitingPunch({ serial: 'A1' })
    await put({ ...clock, retired: true, expected_version: 1 })
    await name({ serial: 'A1', number: '317', employee_id: 'E-1' })
    await upload('E-1\t2026-11-24 08:00:00\t1\t0', token)
    expect((await get(CLOCKS, { token })).body.data.clocks).toMatchObject([{ retired: true }])
    expect((await pushPunches('A1', [line('E-1', '2026-11-25 08:00:00')])).status).toBe(403)
  })

  it('takes in what waits of people of the branch to which a clock moves', async () => {
    await anEmployee({ employee_id: '4', branch_office: 'Norte' })
    await pushPunches('A1', [line('4', '2026-11-25 08:00:00')])
    expect(await groups()).toEqual([['A1', '4', 'branch', 1]])
    await put({ ...clock, branch_office: 'Norte', expected_version: 1 })
    await callAsClock('/iclock/cdata?SN=A1&options=all')
    expect(await owners()).toEqual([['4', '4 2026-11-25 08:00:00']])
  })

  it('is for who keeps people of all branches', async () => {
    const body = { ...clock, expected_version: 1 }
    const asHr = await call('PUT', `${CLOCKS}/A1`, { token: (await aClerk()).token, body, ...HR })
    expect(asHr.status).toBe(403)
  })

  it('leaves the source to the clock: no other sender uses its name, and no page renames it', async () => {
    const source = '/v2/incidents/sources/clock%20a1'
    const renamed = await call('PUT', source, { token, body: { label: null, retired: true } })
    expect(renamed.status).toBe(409)
    const item = { source_id: '1', employee_id: 'E-1', kind: 'entrada', recorded_at: NOW }
    const sent = await post('/v2/incidents/logs', { source: 'Clock A1', logs: [item] }, { token })
    expect(sent.status).toBe(422)
  })
})
