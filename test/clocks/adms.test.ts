import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { clocks } from '../../src/core/tables/clocks.ts'
import { intake_sources } from '../../src/core/tables/intake.ts'
import service from '../../src/index.ts'
import { call, get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches, rowsOf } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee, aZone, db } from '../support/factories.ts'
import { failStatement } from '../support/fault-injection.ts'
import { EMPLOYEE } from '../support/people.ts'

const CLOCKS = '/v2/incidents/clocks'
const NOW = '2026-11-25T16:40:00.000Z'
const at = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString()
const later = (minutes: number) => stopClock(at(minutes))

const options = async (serial: string) =>
  (await callAsClock(`/iclock/cdata?SN=${serial}&options=all&pushver=2.4.1&language=69`)).text
const poll = (serial: string, address?: string) =>
  callAsClock(`/iclock/getrequest?SN=${serial}&INFO=Ver,1,1,1`, address ? { address } : {})

const logs = () => rowsOf('attendance_logs')
const waiting = async () =>
  (await rowsOf('waiting_punches')).map((row) => [row.number, row.local_at, row.reason])
const problems = async () =>
  (await rowsOf('intake_problems')).map(({ reason, count }) => [reason, count])

/** Lets 10,000 punches wait, the most for one clock. They take more than a megabyte. */
const fillWaiting = (serial: string) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
     INSERT INTO waiting_punches (serial, number, local_at, kind, recorded_at, reason, arrived_at)
     SELECT ?1, 'x' || i, '2026-11-25 08:00:00', 'checada', ?2, 'number', ?2 FROM n`,
  )
    .bind(serial, '2026-11-25T14:00:00.000Z')
    .run()

/** The clock A1 of the branch Centro, where the employee 4 works. */
beforeEach(async () => {
  stopClock(NOW)
  await aClock({ serial: 'A1', uses_keys: 1, seconds_off: 0 })
  await anEmployee({ employee_id: '4' })
})

it('connects a new clock: refused, remembered, added, and its punches are logs', async () => {
  const { token } = await anAdmin()
  await anEmployee({ employee_id: '317', branch_office: 'Norte' })

  // It is plugged in. The service takes nothing, so that the clock keeps its punches.
  expect(await callAsClock('/iclock/cdata?SN=hxpush21&options=all')).toMatchObject({ status: 403 })
  const refused = await pushPunches('HXPUSH21', [line('317', '2026-11-25 07:58:03')])
  expect(refused).toMatchObject({ status: 403 })
  const { unknown } = (await get(CLOCKS, { token })).body.data
  const called = { first_at: NOW, last_at: NOW, address: '127.0.0.1' }
  expect(unknown).toEqual([{ serial: 'HXPU····', ...called }])

  // Somebody reads the last four characters from its sticker.
  const clock = {
    ...{ label: 'Puerta norte', branch_office: 'Norte', uses_keys: true },
    ...{ from_day: '2026-11-01', retired: false },
  }
  const body = { ...clock, expected_version: 0 }
  const added = await call('PUT', `${CLOCKS}/hxpush21`, { token, body })
  const unseen = {
    ...{ last_seen_at: null, last_seen_local_at: null, address: null, seconds_off: null },
    ...{ receiving: true, complete_until: '2026-10-31T00:00:00.000Z', time_zone: null },
    complete_until_local_at: '2026-10-30T18:00:00-06:00',
  }
  const author = { added_by: 'Ana Torres Rivas', confirmed_by: null, unconfirmed: true }
  const rest = { ...unseen, ...author, unconfirmed_numbers: 0, may_confirm: false }
  expect(added.body.data).toEqual({ serial: 'HXPUSH21', ...clock, version: 1, ...rest })
  expect((await get(CLOCKS, { token })).body.data.unknown).toEqual([])

  // It connects by itself within a minute, and sends what it has kept.
  expect(await options('HXPUSH21')).toContain('GET OPTION FROM: HXPUSH21\nATTLOGStamp=None\n')
  const punches = [
    line('317', '2026-11-25 07:58:03'),
    line('317', '2026-11-25 10:01:00', '1'),
    line('317', '2026-10-31 08:00:00'),
  ]
  const sent = await pushPunches('HXPUSH21', punches, { stamp: '77' })
  expect(sent).toMatchObject({ status: 200, text: 'OK: 3' })
  const log = { employee_id: '317', source: 'clock hxpush21' }
  const [first, second] = ['2026-11-25T13:58:03.000Z', '2026-11-25T16:01:00.000Z']
  expect(await logs()).toMatchObject([
    { ...log, kind: 'entrada', recorded_at: first, source_id: '317 2026-11-25 07:58:03' },
    { ...log, kind: 'salida', recorded_at: second, source_id: '317 2026-11-25 10:01:00' },
  ])
  expect(await options('HXPUSH21')).toContain('\nATTLOGStamp=77\n')

  // The evidence has who added the clock, whose number it is, and that the clock itself has sent the
  // logs.
  const [change, ...events] = await rowsOf('log_events')
  expect(change).toMatchObject({ event: 'ruled', source: 'clock hxpush21', user_id: 1 })
  expect(events.map(({ event, actor, user_id }) => [event, actor, user_id])).toEqual([
    ['ruled', 'clock', null],
    ['recorded', 'clock', null],
    ['recorded', 'clock', null],
  ])
  const ruled = { branch: null, rule: 'number', valid_from: null, value: 'hxpush21\t317' }
  expect(JSON.parse(String(events[0]?.details))).toEqual(ruled)
})

it('stores a punch once, however often it is sent', async () => {
  const morning = line('4', '2026-11-25 08:00:00')
  expect((await pushPunches('A1', [morning, morning])).text).toBe('OK: 2')
  // The key is not part of the id.
  expect((await pushPunches('A1', [line('4', '2026-11-25 08:00:00', '1')])).text).toBe('OK: 1')
  expect(await logs()).toHaveLength(1)
  expect(await waiting()).toEqual([])
  expect(await problems()).toEqual([])
})

it('loses nothing if a statement fails: the clock keeps its Stamp and sends again', async () => {
  const punches = [line('4', '2026-11-25 08:00:00'), line('9', '2026-11-25 08:00:10')]
  let failures = 0
  for (let n = 0; ; n++) {
    const { DB, failed } = failStatement(n)
    const { status } = await pushPunches('A1', punches, { stamp: '5', env: { DB } })
    if (!failed()) {
      expect(status).toBe(200)
      break
    }
    failures++
    expect(status).toBe(500)
    expect(await options('A1')).toContain('ATTLOGStamp=None')
    // Each transaction is whole: the punches are there, or they are not.
    expect((await logs()).length).toBe((await waiting()).length)
  }
  expect(failures).toBeGreaterThan(10)
  expect(await options('A1')).toContain('ATTLOGStamp=5')
  expect(await logs()).toHaveLength(1)
  expect(await waiting()).toEqual([['9', '2026-11-25 08:00:10', 'number']])
})

it('stores each punch once if ten clocks send theirs at once, and again', async () => {
  const clocks = Array.from({ length: 10 }, (_, i) => i)
  for (const i of clocks) await aClock({ serial: `R-${i}` })
  // One punch of four has a number that nobody has.
  const send = (clock: number) => {
    const numberOf = (i: number) => (i % 4 === 0 ? '404' : '4')
    const punch = (i: number) => line(numberOf(i), `2026-11-25 0${clock}:00:${10 + i}`)
    return pushPunches(
      `R-${clock}`,
      Array.from({ length: 40 }, (_, i) => punch(i)),
    )
  }
  const answers = await Promise.all([...clocks, ...clocks].map(send))
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['OK: 40']))
  expect([(await logs()).length, (await waiting()).length]).toEqual([300, 100])
})

it('keeps every punch that cannot be a log, with the reason', async () => {
  await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
  await aClock({ serial: 'T1', branch_office: 'Tijuana', from_day: '2026-01-01' })
  await anEmployee({ employee_id: '5', branch_office: 'Norte' })
  await anEmployee({ employee_id: '317' })
  await anEmployee({ employee_id: '0317' })
  const sent = await pushPunches('A1', [
    line('99', '2026-11-25 08:00:00'),
    line('317', '2026-11-25 08:00:01'),
    line('5', '2026-11-25 08:00:02'),
    line('4', '2026-11-25 10:46:00'),
    line('4', '2026-10-01 08:00:00'),
    line('4', '2000-01-01 00:03:00'),
    line('4', '2026-11-25 23:59:60'),
    line('4', 'ayer'),
    line('4', '2026-09-30 08:00:00'),
    'esto no es una checada',
  ])
  expect(sent.text).toBe('OK: 10')
  expect(await waiting()).toEqual([
    ['317', '2026-11-25 08:00:01', 'number'],
    ['4', '2000-01-01 00:03:00', 'time'],
    ['4', '2026-10-01 08:00:00', 'too_old'],
    ['4', '2026-11-25 10:46:00', 'future'],
    ['4', '2026-11-25 23:59:60', 'time'],
    ['4', 'ayer', 'time'],
    ['5', '2026-11-25 08:00:02', 'branch'],
    ['99', '2026-11-25 08:00:00', 'number'],
  ])
  expect(await logs()).toEqual([])
  expect(await problems()).toEqual([['invalid', 1]])
  await pushPunches('T1', [line('4', '2026-03-08 02:30:00')])
  expect(await waiting()).toContainEqual(['4', '2026-03-08 02:30:00', 'time'])
})

it('takes a waiting punch in at the next call, once its person has been added', async () => {
  const { token } = await anAdmin()
  // Numbers that nobody has do not stand in the way.
  const others = Array.from({ length: 600 }, (_, i) => line(`000${i}x`, '2026-11-25 08:00:00'))
  await pushPunches('A1', [...others, line('00024', '2026-11-25 08:00:00')])
  expect(await waiting()).toHaveLength(601)
  const body = { ...EMPLOYEE, branch_office: 'Centro', expected_version: 0 }
  await call('PUT', '/v2/people/employees/24', { token, body })
  later(3)
  expect((await poll('A1')).text).toBe('OK')
  expect(await waiting()).toHaveLength(600)
  const source_id = '00024 2026-11-25 08:00:00'
  expect(await logs()).toMatchObject([{ employee_id: '24', source_id }])
})

describe('what a clock has sent', () => {
  const completeUntil = async () =>
    (await db.select().from(intake_sources)).map(({ complete_until }) => complete_until)
  const push = (minutes: number, time: string, call: Parameters<typeof pushPunches>[2] = {}) => {
    later(minutes)
    return pushPunches('A1', [line('4', `2026-11-25 ${time}`)], call)
  }
  const pollAt = (minutes: number, address?: string) => {
    later(minutes)
    return poll('A1', address)
  }

  it('is everything from before the first of two calls without punches in between', async () => {
    await push(0, '08:00:00')
    await pollAt(1)
    expect(await completeUntil()).toEqual([null])
    await pollAt(3)
    expect(await completeUntil()).toEqual([NOW])
    // After punches, and after a pause, there may be more.
    await push(4, '10:44:00')
    await pollAt(5)
    expect(await completeUntil()).toEqual([NOW])
    await pollAt(7)
    expect(await completeUntil()).toEqual([at(4)])
    await pollAt(60)
    expect(await completeUntil()).toEqual([at(4)])
  })

  it('is not known while punches arrive, or if they could not be stored', async () => {
    await push(0, '08:00:00')
    later(1)
    expect((await pushPunches('A1', ['x'.repeat(4 * 1024 * 1024 + 1)])).status).toBe(413)
    for (const minutes of [3, 6]) await pollAt(minutes)
    const { DB } = failStatement(4)
    expect((await push(7, '09:00:00', { env: { DB } })).status).toBe(500)
    for (const minutes of [10, 13]) await pollAt(minutes)
    expect(await completeUntil()).toEqual([null])
    await push(14, '09:00:00')
    await pollAt(17)
    expect(await completeUntil()).toEqual([at(14)])
  })

  it('is not known from an address that has sent no punches, nor is its Stamp believed', async () => {
    await push(0, '08:00:00', { stamp: '3' })
    const stranger = '198.51.100.9'
    later(11)
    await pushPunches('A1', [], { address: stranger, stamp: '99999' })
    for (const minutes of [14, 17, 20]) await pollAt(minutes, stranger)
    expect(await completeUntil()).toEqual([null])
    // The clock itself sends everything again, unless it calls from the address of its punches.
    const answer = await callAsClock('/iclock/cdata?SN=A1&options=all', { address: stranger })
    expect(answer.text).toContain('ATTLOGStamp=None')
    expect(await options('A1')).toContain('ATTLOGStamp=3')
  })

  it('is not known of a clock that has just connected again, or whose time is not known', async () => {
    await push(0, '08:00:00')
    later(5)
    await options('A1')
    await pollAt(6)
    expect(await completeUntil()).toEqual([null])
    await pollAt(8)
    expect(await completeUntil()).toEqual([at(5)])
    await db.update(clocks).set({ seconds_off: null })
    await pollAt(11)
    expect(await completeUntil()).toEqual([at(5)])
  })

  it('is not held back by calls from elsewhere', async () => {
    await push(0, '08:00:00')
    later(1)
    const address = '198.51.100.9'
    expect((await pushPunches('A1', [], { address })).text).toBe('OK: 0')
    await pollAt(3)
    expect(await completeUntil()).toEqual([NOW])
  })

  it('begins again with an earlier first day, which the clock is told', async () => {
    const { token } = await anAdmin()
    await push(0, '08:00:00', { stamp: '55' })
    await pollAt(3)
    const body = {
      ...{ label: null, branch_office: 'Centro', uses_keys: false, from_day: '2026-09-01' },
      ...{ retired: false, expected_version: 1 },
    }
    expect((await call('PUT', `${CLOCKS}/A1`, { token, body })).status).toBe(200)
    expect(await completeUntil()).toEqual(['2026-08-31T00:00:00.000Z'])
    await push(4, '10:44:00', { stamp: '56' })
    for (const minutes of [7, 10]) await pollAt(minutes)
    expect(await completeUntil()).toEqual(['2026-08-31T00:00:00.000Z'])
    later(11)
    expect(await options('A1')).toContain('ATTLOGStamp=None')
    await push(12, '10:52:00', { stamp: '57' })
    expect(await options('A1')).toContain('ATTLOGStamp=57')
  })

  it('is as much less as the clock is behind', async () => {
    await pollAt(0)
    // A single punch of a connected clock was made just now: the clock is 30 minutes behind.
    await push(2, '10:12:00')
    const { token } = await anAdmin()
    expect((await get(CLOCKS, { token })).body.data.clocks).toMatchObject([{ seconds_off: -1800 }])
    await pollAt(5)
    expect(await completeUntil()).toEqual([at(2 - 30)])
    // A punch that may have been kept says nothing about the time.
    await push(60, '08:00:00')
    expect((await get(CLOCKS, { token })).body.data.clocks).toMatchObject([{ seconds_off: -1800 }])
  })
})

it('takes named values, file ends with NULs, and all paths with and without .aspx', async () => {
  const body = 'time=2026-11-25 08:00:00\tpin=4\tinoutstatus=1\r\n\0\0'
  expect((await callAsClock('/iclock/cdata.aspx?SN=A1&table=rtlog', { body })).text).toBe('OK: 1')
  expect(await logs()).toMatchObject([{ kind: 'salida' }])
  for (const path of ['getrequest', 'devicecmd', 'ping', 'fdata', 'ping.aspx', 'rtdata']) {
    expect(await callAsClock(`/iclock/${path}?SN=A1`)).toMatchObject({ status: 200, text: 'OK' })
  }
  const textOf = async (path: string, call = {}) => (await callAsClock(path, call)).text
  expect(await textOf('/iclock/registry?SN=A1', { body: 'x=1' })).toBe('RegistryCode=A1')
  expect(await textOf('/iclock/push?SN=A1')).toMatch(/^ATTLOGStamp=None\n/)
  expect(await textOf('/iclock/rtdata?SN=A1&type=time')).toMatch(/^DateTime=\d+,ServerTZ=-0600$/)
  expect(await callAsClock('/iclock/otro?SN=A1')).toMatchObject({ status: 404 })
})

it('reads no names, fingerprints and photos, whatever their size', async () => {
  const before = await rowsOf('waiting_punches')
  const names = new Uint8Array([85, 83, 69, 82, 32, 0xd5, 0xc5, 0xc8, 0xfd, 10])
  for (const [table, body, text] of [
    ['OPERLOG', names, 'OK: 1'],
    ['ATTPHOTO', new Uint8Array(2_000_000), 'OK'],
    ['BIODATA', new Uint8Array(6_000_000), 'OK'],
  ] as const) {
    const answer = await callAsClock(`/iclock/cdata?SN=A1&table=${table}&Stamp=9`, { body })
    expect(answer).toMatchObject({ status: 200, text })
  }
  expect(await rowsOf('waiting_punches')).toEqual(before)
  expect(await options('A1')).toContain('ATTLOGStamp=None')
})

it('stores 5,000 lines of one call, and refuses more than 4 MiB', async () => {
  for (let i = 0; i < 90; i++) await anEmployee({ employee_id: `p${i}` })
  // Each of them has 28 or fewer on each of two days.
  const many = Array.from({ length: 5_000 }, (_, i) => {
    const minute = String(Math.floor(i / 180)).padStart(2, '0')
    return line(`p${i % 90}`, `2026-11-2${Math.floor(i / 90) % 2} 08:${minute}:00`)
  })
  expect((await pushPunches('A1', many)).text).toBe('OK: 5000')
  expect(await logs()).toHaveLength(5_000)
  const large = 'x'.repeat(4 * 1024 * 1024 + 1)
  expect(await pushPunches('A1', [large])).toMatchObject({ status: 413 })
  expect(await problems()).toEqual([['too_large', 1]])
})

it('keeps at most 10,000 waiting punches of a clock, and shows that it refused more', async () => {
  await fillWaiting('A1')
  const sent = await pushPunches('A1', [line('77', '2026-11-25 08:00:00')])
  expect(sent).toMatchObject({ status: 409, text: 'ERROR' })
  expect(await problems()).toEqual([['too_many_waiting', 1]])
  expect((await waiting()).length).toBe(10_000)
  // Known people's lines of the same call are stored.
  await pushPunches('A1', [line('77', '2026-11-25 08:00:00'), line('4', '2026-11-25 08:00:00')])
  expect(await logs()).toHaveLength(1)
})

it('refuses whoever is no clock', async () => {
  const push = (headers: Record<string, string>) =>
    pushPunches('A1', [line('77', '2026-11-25 08:00:00')], { headers })
  // A page inside the company's network could post in the clock's name.
  for (const header of ['Origin', 'Referer', 'Sec-Fetch-Site']) {
    expect(await push({ [header]: 'https://x.mx' })).toMatchObject({ status: 403 })
  }
  expect(await push({ 'User-Agent': 'Mozilla/5.0' })).toMatchObject({ status: 403 })
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await callAsClock('/iclock/cdata?SN=A1', { method })
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
  }
  for (const serial of ['', '..', 'A B', `${'A'.repeat(51)}`]) {
    const { status } = await callAsClock(`/iclock/cdata?SN=${encodeURIComponent(serial)}`)
    expect(status).toBe(403)
  }
  expect(await rowsOf('unknown_clocks')).toEqual([])
  expect(await waiting()).toEqual([])
})

it('refuses a retired clock, which keeps its punches', async () => {
  await db.update(intake_sources).set({ retired_at: NOW })
  const sent = await pushPunches('A1', [line('77', '2026-11-25 08:00:00')])
  expect(sent).toMatchObject({ status: 403 })
  expect(await poll('A1')).toMatchObject({ status: 403 })
  expect(await waiting()).toEqual([])
})

it('marks punches from a second address as long as the first one calls', async () => {
  const [own, other] = ['203.0.113.7', '198.51.100.9']
  await poll('A1', own)
  later(2)
  await pushPunches('A1', [line('4', '2026-11-25 08:00:00')], { address: other, stamp: '999' })
  await pushPunches('A1', [line('4', '2026-11-25 09:00:00')], { address: own, stamp: '1' })
  expect(await problems()).toEqual([['otra_red', 1]])
  expect(await rowsOf('other_network_logs')).toEqual([{ log_id: 1_000_000_000 }])
  // Who decides sees it in the list, in the log itself and in the feed.
  const { token: reader } = await anAdmin()
  const read = async (path: string) =>
    (await get(`/v2/incidents/${path}`, { token: reader })).body.data
  const marked = [
    [1_000_000_000, true],
    [1_000_000_001, false],
  ]
  const marksOf = (rows: { log_id: number; other_network: boolean }[]) =>
    rows.map(({ log_id, other_network }) => [log_id, other_network])
  expect(marksOf((await read('logs')).logs)).toEqual(marked)
  expect(marksOf([await read('logs/1000000000')])).toEqual(marked.slice(0, 1))
  expect(marksOf((await read('changes')).changes)).toEqual(marked)
  const ownOptions = await callAsClock('/iclock/cdata?SN=A1&options=all', { address: own })
  expect(ownOptions.text).toContain('ATTLOGStamp=1\n')
  // A new worker does not keep the others' punches back. The worker's own waits.
  const punches = [line('77', '2026-11-25 08:00:00'), line('4', '2026-11-25 09:30:00')]
  const mixed = await pushPunches('A1', punches, { address: other })
  expect(mixed).toMatchObject({ status: 200, text: 'OK: 2' })
  expect(await waiting()).toEqual([['77', '2026-11-25 08:00:00', 'number']])
  expect(await rowsOf('other_network_logs')).toHaveLength(2)

  // Such a day is never without exception.
  const { token } = await anAdmin()
  const query = 'format=ndjson&from=2026-11-25&to=2026-11-25&exceptions=true&preview=true'
  const { text } = await get(`/v2/incidents/hours?${query}`, { token })
  expect(JSON.parse(text.trim()).notices).toContain('otra_red')

  // After ten silent minutes the clock may have another address, and nothing is marked. Its own
  // address is still its own.
  later(14)
  await poll('A1', other)
  await pushPunches('A1', [line('4', '2026-11-25 10:00:00')], { address: other })
  await pushPunches('A1', [line('4', '2026-11-25 10:10:00')], { address: own })
  expect(await rowsOf('other_network_logs')).toHaveLength(2)
  await pushPunches('A1', [line('4', '2026-11-25 10:20:00')], { address: other })
  expect(await rowsOf('other_network_logs')).toHaveLength(3)
})

it('reads a long line, a year out of range and events of doors without harm', async () => {
  const door = (pin: string, event: number) =>
    `time=2026-11-25 08:00:0${event % 10}\tpin=${pin}\tevent=${event}\tinoutstatus=0`
  const sent = await pushPunches('A1', [
    'a'.repeat(100_000),
    line('4', '9999-12-31 23:59:59'),
    line('4 5', '2026-11-25 08:00:00'),
    line('', '2026-11-25 08:00:01'),
    line('4', '2026-11-25T08:00:02'),
    ...[door('4', 0), door('4', 23), door('0', 202)],
  ])
  expect(sent.text).toBe('OK: 8')
  expect(await waiting()).toEqual([
    ['4', '9999-12-31 23:59:59', 'time'],
    ['4_5', '2026-11-25 08:00:00', 'number'],
    ['?', '2026-11-25 08:00:01', 'number'],
  ])
  expect((await logs()).map(({ source_id }) => source_id)).toEqual([
    '4 2026-11-25 08:00:02',
    '4 2026-11-25 08:00:00',
  ])
  expect(await problems()).toEqual([['invalid', 1]])
})

it('counts all spellings of a serial number in one limit', async () => {
  const keys = new Set<string>()
  const limiter = {
    limit: async ({ key }: { key: string }) => {
      keys.add(key)
      return { success: true }
    },
  }
  for (const spelling of ['A1', 'a1', '%20a1', 'A1%C2%A0']) {
    const call = { address: '203.0.113.7', env: { CLOCK_BY_SERIAL_AND_ADDRESS: limiter } }
    expect((await callAsClock(`/iclock/ping?SN=${spelling}`, call)).status).toBe(200)
  }
  expect([...keys]).toEqual(['A1 203.0.113.7'])
})

it('limits the calls of a clock, and the unknown clocks of an address', async () => {
  const address = '203.0.113.7'
  const none = { limit: async () => ({ success: false }) }
  const call = (serial: string, settings: Partial<Env>) =>
    callAsClock(`/iclock/getrequest?SN=${serial}`, { address, env: settings })
  expect(await call('A1', { CLOCK_BY_SERIAL_AND_ADDRESS: none })).toMatchObject({ status: 429 })
  // The calls of an address count before the database is read.
  const unread = { UNKNOWN_BY_ADDRESS: none, DB: undefined as unknown as D1Database }
  expect(await call('NUEVO1', unread)).toMatchObject({ status: 429 })
  const keys: string[] = []
  const noneUnknown = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key)
      return { success: !key.startsWith('clock ') }
    },
  }
  expect(await call('A1', { UNKNOWN_BY_ADDRESS: noneUnknown })).toMatchObject({ status: 200 })
  expect(keys).toEqual([`call ${address}`])
  expect(await call('NUEVO1', { UNKNOWN_BY_ADDRESS: noneUnknown })).toMatchObject({ status: 429 })
  // Ten clocks that nobody has added are as many as the limit of 1,200 has.
  expect(keys.filter((key) => key === `clock ${address}`)).toHaveLength(120)
  expect(await rowsOf('unknown_clocks')).toEqual([])
})

it('remembers 20 unknown clocks of an address, and a genuine one behind any number of them', async () => {
  const invent = (address: string, count: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       INSERT INTO unknown_clocks SELECT 'X' || ?2 || '-' || i, ?1, ?1, ?2 FROM n`,
    )
      .bind(NOW, address, count)
      .run()
  await invent('127.0.0.1', 200)
  for (let i = 0; i < 60; i++) await invent(`198.51.100.${i}`, 20)
  const rows = async () => await rowsOf('unknown_clocks')
  const serials = async () => (await rows()).map(({ serial }) => serial)
  await poll('N1')
  expect(await serials()).toContain('N1')
  const ofAddress = (await rows()).filter(({ address }) => address === '127.0.0.1')
  expect(ofAddress.length).toBeLessThanOrEqual(21)
  expect((await rows()).length).toBeLessThanOrEqual(1_001)
  // Each address has its newest one shown first.
  await poll('N9', '203.0.113.99')
  const { token } = await anAdmin()
  const { unknown } = (await get(CLOCKS, { token })).body.data
  expect(unknown.slice(0, 62)).toContainEqual(expect.objectContaining({ address: '203.0.113.99' }))
})

it('writes the calls of an unknown clock once in ten minutes, for 30 days', async () => {
  await poll('N1')
  const lastAt = async () => (await rowsOf('unknown_clocks'))[0]?.last_at
  later(9)
  await poll('N1')
  expect(await lastAt()).toBe(NOW)
  later(11)
  await poll('N1')
  expect(await lastAt()).toBe(at(11))
  later(31 * 24 * 60)
  await poll('N2')
  expect((await rowsOf('unknown_clocks')).map(({ serial }) => serial)).toEqual(['N2'])
})

it('takes nothing while the database is full, so that the clock keeps its punches', async () => {
  await fillWaiting('A1')
  const call = { env: { DB_LIMIT_MB: '1' } }
  const sent = await pushPunches('A1', [line('4', '2026-11-25 08:00:00')], call)
  expect(sent).toMatchObject({ status: 507, text: 'ERROR' })
  expect(await logs()).toEqual([])
})

it('answers nothing but clocks without HTTPS, except locally, where phones have an address', async () => {
  const plain = async (
    path: string,
    method = 'GET',
    { host = 'checada.empresa.mx', ...more }: Record<string, string> = {},
  ) => {
    const headers = { 'CF-Connecting-IP': '203.0.113.7', ...more }
    const url = `http://${host}${path}`
    const request = new Request<unknown, IncomingRequestCfProperties>(url, { method, headers })
    const answer = await service.fetch(request, env, createExecutionContext())
    return [answer.status, answer.headers.get('Location')]
  }
  expect(await plain('/api/health?x=1')).toEqual([308, 'https://checada.empresa.mx/api/health?x=1'])
  expect(await plain('/api/auth/login', 'POST')).toEqual([403, null])
  // A redirect would hide that the token has been sent in the clear.
  expect(await plain('/api/auth/me', 'GET', { Authorization: 'Bearer x' })).toEqual([403, null])
  expect((await plain('/iclock/getrequest?SN=A1'))[0]).toBe(200)
  for (const host of ['10.0.2.2:8787', '192.168.1.20:8787', '[fd00::2]:8787', 'mac.local:8787']) {
    expect([host, ...(await plain('/api/auth/login', 'POST', { host }))]).toEqual([host, 422, null])
  }
  for (const host of ['10.0.2.2.empresa.mx', 'checada.local.mx', 'localhost.mx']) {
    expect([host, ...(await plain('/api/auth/login', 'POST', { host }))]).toEqual([host, 403, null])
  }
})
