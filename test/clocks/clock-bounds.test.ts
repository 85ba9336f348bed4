import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches, rowsOf } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee, aUser, inBranches } from '../support/factories.ts'
import { recordQueries } from '../support/record-queries.ts'

/** What whoever knows a serial number can do. */

const CLOCKS = '/v2/incidents/clocks'
const NOW = '2026-11-25T16:40:00.000Z'
const later = (minutes: number) =>
  stopClock(new Date(Date.parse(NOW) + minutes * 60_000).toISOString())

const OWN = '203.0.113.7'
const STRANGER = '198.51.100.9'
const poll = (address: string) => callAsClock('/iclock/getrequest?SN=A1', { address })

const two = (value: number) => String(value).padStart(2, '0')
/** A time of a day, one for each number below 86,400. */
const timeOf = (i: number) =>
  `${two(Math.floor(i / 3600))}:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}`
const dayBefore = (days: number) =>
  new Date(Date.parse('2026-11-24T00:00:00Z') - days * 86_400_000).toISOString().slice(0, 10)
/** Punches of a number on a day, one a second. */
const punchesOf = (number: string, count: number, day = '2026-11-24') =>
  Array.from({ length: count }, (_, i) => line(number, `${day} ${timeOf(i)}`))

const logs = () => rowsOf('attendance_logs')
const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n
const waiting = async () =>
  (await rowsOf('waiting_punches')).map((row) => [row.number, row.local_at, row.reason])
const problems = async () =>
  (await rowsOf('intake_problems')).map((row) => [
    row.result,
    row.employee_id,
    row.count,
    row.detail,
  ])

/** The clock A1 of the branch Centro, which calls from its address, and where the employee 4 works. */
beforeEach(async () => {
  stopClock(NOW)
  await aClock({ serial: 'A1' })
  await anEmployee({ employee_id: '4' })
  await poll(OWN)
  later(1)
})

/** Says which address is the clock’s. */
const sayOwn = async () => {
  const { token } = await anAdmin()
  const said = await post(`${CLOCKS}/A1/address`, { address: OWN }, { token })
  expect(said.status).toBe(200)
}

/** Sends the same until it is acknowledged, as a clock does. Returns how often that was. */
const pushUntilOk = async (lines: readonly string[], address: string): Promise<number> => {
  for (let calls = 1; calls < 12; calls++) {
    if ((await pushPunches('A1', lines, { address })).status === 200) return calls
  }
  return Infinity
}

describe('from any address but the clock’s own', () => {
  it('50 punches of a person and day are stored, and the clock keeps the rest', async () => {
    const punches = punchesOf('4', 120)
    const sent = await pushPunches('A1', punches, { address: STRANGER })
    expect(sent).toMatchObject({ status: 503, text: 'ERROR' })
    expect(sent.headers.get('Retry-After')).toBe('1')
    expect((await pushPunches('A1', punches, { address: '192.0.2.1' })).status).toBe(503)
    expect(await logs()).toHaveLength(50)
    expect(await problems()).toEqual([['created', '', 2, '192.0.2.1']])
    expect(await pushPunches('A1', punches.slice(0, 50), { address: STRANGER })).toMatchObject({
      text: 'OK: 50',
    })
  })

  it('2,000 of all days that arrive on one day are stored, and more on the next', async () => {
    for (let i = 5; i < 64; i++) await anEmployee({ employee_id: `${i}` })
    const all = Array.from({ length: 60 * 40 }, (_, i) =>
      line(`${4 + (i % 60)}`, `${dayBefore(Math.floor(i / 60))} 08:00:${two(i % 60)}`),
    )
    expect(await pushUntilOk(all, STRANGER)).toBe(Infinity)
    expect(await count('elsewhere_punches')).toBe(2_000)
    // A clock with a new address needs nobody: it goes on the next day.
    later(24 * 60)
    expect(await pushUntilOk(all, STRANGER)).toBeLessThan(6)
    expect(await count('attendance_logs')).toBe(60 * 40)
  })

  it('a clock on two lines loses nothing, however much comes from the second one', async () => {
    for (let i = 5; i < 164; i++) await anEmployee({ employee_id: `${i}` })
    const ofDay = Array.from({ length: 640 }, (_, i) =>
      line(`${4 + (i % 160)}`, `2026-11-24 ${two(8 + Math.floor(i / 160))}:00:${two(i % 60)}`),
    )
    expect(await pushUntilOk(ofDay.slice(0, 500), '192.0.2.1')).toBe(3)
    await poll(OWN)
    expect(await pushUntilOk(ofDay.slice(500), '192.0.2.1')).toBe(Infinity)
    expect(await logs()).toHaveLength(500)
    expect(await pushUntilOk(ofDay.slice(500), OWN)).toBe(1)
    expect(await logs()).toHaveLength(640)
    expect((await problems()).filter(([result]) => result === 'refused')).toEqual([])
  })

  it('once somebody has said which is its own, the rest is counted in one problem', async () => {
    await sayOwn()
    const sent = await pushPunches('A1', punchesOf('4', 120), { address: STRANGER })
    expect(sent).toMatchObject({ status: 200, text: 'OK: 120' })
    expect(await logs()).toHaveLength(50)
    const period = '2026-11-24 00:00:50 a 2026-11-24 00:01:59'
    expect(await problems()).toEqual([
      ['created', '', 1, STRANGER],
      ['refused', '4', 70, period],
    ])
    // From a third address there is no more room. The clock itself has its own.
    const late = [line('4', '2026-11-24 23:00:00'), line('4', '2026-11-24 23:00:01')]
    await pushPunches('A1', late, { address: '192.0.2.1' })
    expect(await logs()).toHaveLength(50)
    expect((await problems())[1]).toEqual([
      'refused',
      '4',
      72,
      '2026-11-24 00:00:50 a 2026-11-24 23:00:01',
    ])
    await pushPunches('A1', late, { address: OWN })
    expect(await logs()).toHaveLength(52)
  })

  it('20,000 lines of 20 addresses at once make the database grow by a bound', async () => {
    await sayOwn()
    for (let i = 5; i < 25; i++) await anEmployee({ employee_id: `${i}` })
    const flood = (address: number) =>
      pushPunches(
        'A1',
        Array.from({ length: 1_000 }, (_, i) =>
          line(`${4 + (i % 40)}`, `2026-11-24 ${timeOf(address * 1_000 + i)}`),
        ),
        { address: `198.51.100.${address}` },
      )
    const addresses = Array.from({ length: 20 }, (_, i) => i + 1)
    // Calls that find the room taken by others come again.
    for (let rest = addresses; rest.length > 0; ) {
      const answers = await Promise.all(rest.map(flood))
      rest = rest.filter((_, i) => answers[i]?.status !== 200)
    }
    expect(await count('elsewhere_punches')).toBe(500)
    expect(Number(await count('attendance_logs')) + Number(await count('waiting_punches'))).toBe(
      500,
    )
    expect(Number(await count('intake_problems'))).toBeLessThan(30)
    const counted = (await problems()).filter(([result]) => result === 'refused')
    const sum = counted.reduce((total, [, , many]) => total + Number(many), 0)
    expect(sum).toBe(20_000 - 500)
    const sent = await pushPunches('A1', [line('4', '2026-11-24 23:59:59')], { address: OWN })
    expect(sent.text).toBe('OK: 1')
    expect((await logs()).at(-1)).toMatchObject({ source_id: '4 2026-11-24 23:59:59' })
  })

  it('what is counted never displaces what the clock itself has sent and nobody can read', async () => {
    await sayOwn()
    const days = Array.from({ length: 40 }, (_, i) => dayBefore(i))
    for (let i = 5; i < 31; i++) await anEmployee({ employee_id: `${i}` })
    await env.DB.prepare(
      `INSERT INTO elsewhere_punches SELECT 'A1', value, 'x' || n, '', '' FROM json_each(?1),
        (WITH RECURSIVE c(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM c WHERE n < 500) SELECT n FROM c)`,
    )
      .bind(JSON.stringify(days))
      .run()
    const flood = days.flatMap((day) =>
      Array.from({ length: 26 }, (_, i) => line(`${i + 5}`, `${day} 03:00:00`)),
    )
    expect((await pushPunches('A1', flood, { address: STRANGER })).text).toBe('OK: 1040')
    expect((await problems()).filter(([result]) => result === 'refused')).toHaveLength(500)
    expect((await pushPunches('A1', ['ilegible'], { address: OWN })).text).toBe('OK: 1')
    await pushPunches('A1', flood, { address: STRANGER })
    expect((await problems()).map(([, , , detail]) => detail)).toContain('ilegible')
  })

  it('what waits is bounded too, and uses up nothing of the clock’s', async () => {
    await sayOwn()
    const ghosts = Array.from({ length: 600 }, (_, i) => line(`x${i}`, '2026-11-24 08:00:00'))
    const dates = Array.from({ length: 600 }, (_, i) =>
      line('4', `20${two((i % 70) + 27)}-01-01 ${timeOf(i)}`),
    )
    // One call stores 200.
    expect(await pushUntilOk([...ghosts, ...dates], STRANGER)).toBe(3)
    expect(await waiting()).toHaveLength(550)
    expect((await problems()).filter(([result]) => result === 'refused')).toEqual([
      ['refused', '', 100, '2026-11-24 08:00:00 a 2026-11-24 08:00:00'],
      ['refused', '4', 550, null],
    ])
  })

  it('nothing is only counted while the clock itself is silent: it may have a new address', async () => {
    later(12)
    const sent = await pushPunches('A1', punchesOf('4', 60), { address: STRANGER })
    expect(sent).toMatchObject({ status: 503, text: 'ERROR' })
    expect(await logs()).toHaveLength(50)
    expect(await problems()).toEqual([['created', '', 1, STRANGER]])
    // Somebody says that this is its address now.
    const { token } = await anAdmin()
    const said = await post(`${CLOCKS}/A1/address`, { address: STRANGER }, { token })
    expect(said).toMatchObject({ status: 200 })
    expect(said.body.data).toMatchObject({ serial: 'A1', address: STRANGER })
    expect(await pushPunches('A1', punchesOf('4', 60), { address: STRANGER })).toMatchObject({
      status: 200,
    })
    expect(await rowsOf('other_network_logs')).toEqual([])
  })
})

describe('from the clock’s own address', () => {
  it('more than 50 punches of a person and day wait, until somebody takes them', async () => {
    const { token } = await anAdmin()
    const sent = await pushPunches('A1', punchesOf('4', 60), { address: OWN })
    expect(sent.text).toBe('OK: 60')
    expect(await logs()).toHaveLength(50)
    const listed = (await get(CLOCKS, { token })).body.data.waiting
    expect(listed).toMatchObject([{ number: '4', over_bound: true, count: 10 }])
    // Neither a repetition nor the next call takes them by itself.
    await pushPunches('A1', punchesOf('4', 60), { address: OWN })
    later(5)
    await poll(OWN)
    expect(await logs()).toHaveLength(50)
    // They are not dismissed with those whose time cannot be.
    const body = { serial: 'A1', number: '4', dismiss: 'Una prueba.', reason: 'time' }
    expect((await post(`${CLOCKS}/waiting`, body, { token })).status).toBe(404)
    const named = await post(
      `${CLOCKS}/waiting`,
      { serial: 'A1', number: '4', employee_id: '4' },
      { token },
    )
    expect(named.body.data).toEqual({ taken: 10, dismissed: 0 })
    expect(await logs()).toHaveLength(60)
  })

  it('45 days of 60 people pass, and none is doubled', async () => {
    for (let i = 5; i < 64; i++) await anEmployee({ employee_id: `${i}` })
    const backlog = Array.from({ length: 45 * 60 * 4 }, (_, i) => {
      const [person, punch, days] = [i % 60, Math.floor(i / 60) % 4, Math.floor(i / 240)]
      return line(`${4 + person}`, `${dayBefore(43 - days)} ${two(6 + punch)}:00:${two(person)}`)
    })
    // One call takes 5,000. The clock sends the same again until it is told OK.
    const answers = []
    while (answers.at(-1) !== 'OK: 10800') {
      answers.push((await pushPunches('A1', backlog, { address: OWN })).text)
      if (answers.length > 5) break
    }
    expect(answers).toEqual(['ERROR', 'ERROR', 'OK: 10800'])
    expect(await count('attendance_logs')).toBe(10_800)
    expect(await waiting()).toEqual([])
    expect(await problems()).toEqual([])
  })
})

describe('POST /v2/incidents/clocks/{serial}/address', () => {
  const say = (address: string, token: string) =>
    post(`${CLOCKS}/A1/address`, { address }, { token })

  it('makes the clock its own again, and the stranger marked for good', async () => {
    later(12)
    await pushPunches('A1', [line('4', '2026-11-24 08:00:00')], { address: STRANGER })
    expect(await rowsOf('other_network_logs')).toEqual([])
    const { token } = await anAdmin()
    await say(OWN, token)
    await pushPunches('A1', [line('4', '2026-11-24 09:00:00')], { address: STRANGER })
    expect(await rowsOf('other_network_logs')).toHaveLength(1)
    later(60)
    await pushPunches('A1', [line('4', '2026-11-24 10:00:00')], { address: STRANGER })
    expect(await rowsOf('other_network_logs')).toHaveLength(2)
    await pushPunches('A1', [line('4', '2026-11-24 11:00:00')], { address: OWN })
    expect(await rowsOf('other_network_logs')).toHaveLength(2)
  })

  it('gives the clock back what was taken for another’s, if a stranger has called first', async () => {
    await aClock({ serial: 'B1' })
    await callAsClock('/iclock/getrequest?SN=B1', { address: STRANGER })
    // The clock itself: more than is stored from elsewhere.
    later(2)
    const punches = [...punchesOf('4', 60), line('317', '2026-11-24 08:00:00')]
    expect((await pushPunches('B1', punches, { address: OWN, stamp: '7' })).text).toBe('ERROR')
    await anEmployee({ employee_id: '5' })
    await pushPunches('B1', [line('5', '2026-11-24 22:00:00')], { address: '192.0.2.1' })
    expect(await logs()).toHaveLength(51)
    // While the stranger is silent, the clock is believed, and gets back what it has sent last.
    later(20)
    const last = line('5', '2026-11-24 23:00:00')
    await pushPunches('B1', [last], { address: OWN, stamp: '8' })
    punches.push(last)

    const { token } = await anAdmin()
    await post(`${CLOCKS}/B1/address`, { address: OWN }, { token })
    const options = () => callAsClock('/iclock/cdata?SN=B1&options=all', { address: OWN })
    expect((await options()).text).toContain('ATTLOGStamp=None\n')
    expect((await pushPunches('B1', punches, { address: OWN, stamp: '9' })).text).toBe('OK: 62')
    expect((await options()).text).toContain('ATTLOGStamp=9\n')
    expect(await logs()).toHaveLength(62)
    expect(await waiting()).toEqual([['317', '2026-11-24 08:00:00', 'number']])

    // Only what the clock itself has never sent is rejected.
    const period = { from: '2026-11-24', to: '2026-11-24', comment: 'No las envió el reloj.' }
    const rejected = await post(`${CLOCKS}/B1/reject`, { ...period, elsewhere: true }, { token })
    expect(rejected.body.data).toEqual({ rejected: 1, left: 0 })
    const gone = (await logs()).filter(({ status }) => status === 'rejected')
    expect(gone.map(({ source_id }) => source_id)).toEqual(['5 2026-11-24 22:00:00'])
  })

  it('what the clock itself sends is its own, also if a stranger had sent the same second', async () => {
    const forged = [line('4', '2026-11-24 08:00:00'), line('004', '2026-11-24 17:00:00')]
    await pushPunches('A1', [...forged, line('4', '2026-11-24 23:00:00')], { address: STRANGER })
    expect(await count('elsewhere_punches')).toBe(3)
    const real = [line('4', '2026-11-24 08:00:00'), line('4', '2026-11-24 17:00:00')]
    expect((await pushPunches('A1', real, { address: OWN })).text).toBe('OK: 2')
    expect(await rowsOf('elsewhere_punches')).toMatchObject([{ local_at: '2026-11-24 23:00:00' }])
    const { token } = await anAdmin()
    const period = { from: '2026-11-24', to: '2026-11-24', comment: 'No las envió el reloj.' }
    await post(`${CLOCKS}/A1/reject`, { ...period, elsewhere: true }, { token })
    const pending = (await logs()).filter(({ status }) => status === 'pending')
    expect(pending.map(({ source_id }) => source_id)).toEqual([
      '4 2026-11-24 08:00:00',
      '004 2026-11-24 17:00:00',
    ])
  })

  it('takes an IPv6 address as its network of 64 bits', async () => {
    const { token } = await anAdmin()
    const said = await say('2001:db8:1:2:aaaa::1', token)
    expect(said.body.data.address).toBe('2001:0db8:0001:0002')
    await pushPunches('A1', punchesOf('4', 60), { address: '2001:db8:1:2:bbbb::9' })
    expect(await problems()).toEqual([])
  })

  it('is for who decides in the branch of the clock, and wants an address', async () => {
    await aClock({ serial: 'B1', branch_office: 'Norte' })
    const decider = await aUser({ role: 'admin', scope_branches: inBranches('Centro') })
    expect((await say(STRANGER, decider.token)).status).toBe(200)
    const other = await post(`${CLOCKS}/B1/address`, { address: OWN }, { token: decider.token })
    expect(other.status).toBe(404)
    const { token } = await aUser({ role: 'employee' })
    expect((await say(OWN, token)).status).toBe(403)
    for (const address of ['', 'casa', '999.1.1.1', '1.2.3']) {
      expect((await say(address, decider.token)).status).toBe(422)
    }
  })
})

it('says what was stored of a file of which too many would wait', async () => {
  const { token } = await anAdmin()
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
     INSERT INTO waiting_punches (serial, number, local_at, kind, recorded_at, reason, arrived_at)
     SELECT 'A1', 'x' || i, '2026-11-25 08:00:00', 'checada', ?1, 'number', ?1 FROM n`,
  )
    .bind(NOW)
    .run()
  const text = ['4', 'y1', 'y2', '4'].map(
    (number, i) => `${number}\t2026-11-24 08:00:0${i}\t1\t0\n`,
  )
  const sent = await post(`${CLOCKS}/A1/file`, { text: text.join('') }, { token })
  expect([sent.status, sent.body.code]).toEqual([409, 'TOO_MANY_WAITING'])
  expect(sent.body.details).toEqual({ created: 2, known: 0, waiting: 1, left_out: 1 })
  expect(await logs()).toHaveLength(2)
})

it.each([
  ['that are no punches', 'x', 400_000],
  ['of doors', 'pin=0\ttime=2026-11-24 08:00:00', 30_000],
  ['of one punch', line('4', '2026-11-24 08:00:00'), 20_000],
])('asks the database as often for many lines %s as for one', async (_, text, many) => {
  const asks = async (count: number) => {
    const { DB, recording } = recordQueries(env.DB)
    const lines = Array.from({ length: count }, () => text)
    const sent = await pushPunches('A1', lines, { address: STRANGER, env: { DB } })
    expect(sent.text).toBe(`OK: ${count}`)
    return recording.calls
  }
  await asks(1)
  expect(await asks(many)).toBe(await asks(1))
})

it('asks the database seldom for many punches that are only counted', async () => {
  await sayOwn()
  await poll(OWN)
  const { DB, recording } = recordQueries(env.DB)
  const punches = punchesOf('4', 8_000)
  const sent = await pushPunches('A1', punches, { address: STRANGER, env: { DB } })
  expect(sent.text).toBe('OK: 8000')
  expect(await logs()).toHaveLength(50)
  expect(recording.calls).toBeLessThan(20)
})

it('never gives back a Stamp that lies in the future', async () => {
  await pushPunches('A1', [line('4', '2026-11-24 08:00:00')], { address: OWN, stamp: '864460800' })
  await pushPunches('A1', [line('4', '2099-01-01 08:00:00')], { address: OWN, stamp: '3210000000' })
  const options = await callAsClock('/iclock/cdata?SN=A1&options=all', { address: OWN })
  expect(options.text).toContain('ATTLOGStamp=864460800\n')
})

describe('POST /v2/incidents/clocks/{serial}/reject', () => {
  const reject = (body: object, token: string, serial = 'A1') =>
    post(
      `${CLOCKS}/${serial}/reject`,
      { from: '2026-11-24', to: '2026-11-24', comment: 'No las envió el reloj.', ...body },
      { token },
    )
  const statuses = async () =>
    Object.fromEntries((await logs()).map(({ source_id, status }) => [source_id, status]))

  it('rejects the pending logs of a period, only those from elsewhere if asked, with events', async () => {
    const { token } = await anAdmin()
    await pushPunches('A1', [line('4', '2026-11-24 08:00:00')], { address: OWN })
    const forged = [line('4', '2026-11-24 23:00:00'), line('4', '2026-11-23 23:00:00')]
    await pushPunches('A1', forged, { address: STRANGER })
    const elsewhere = await reject({ elsewhere: true }, token)
    expect(elsewhere.body.data).toEqual({ rejected: 1, left: 0 })
    expect(await statuses()).toEqual({
      '4 2026-11-24 08:00:00': 'pending',
      '4 2026-11-24 23:00:00': 'rejected',
      '4 2026-11-23 23:00:00': 'pending',
    })
    const decided = (await rowsOf('log_events')).filter(({ event }) => event === 'decided')
    expect(decided).toMatchObject([{ from_status: 'pending', to_status: 'rejected' }])
    expect(await rowsOf('log_comments')).toMatchObject([{ comment: 'No las envió el reloj.' }])
    expect((await reject({}, token)).body.data).toEqual({ rejected: 1, left: 0 })
    expect((await reject({}, token)).body.data).toEqual({ rejected: 0, left: 0 })
    expect(await logs()).toHaveLength(3)
  })

  it('rejects 1,000 in a call, and says how many are left', async () => {
    const { token } = await anAdmin()
    for (let i = 5; i < 30; i++) await anEmployee({ employee_id: `${i}` })
    const many = Array.from({ length: 26 }, (_, i) => punchesOf(`${i + 4}`, 45)).flat()
    await pushPunches('A1', many, { address: OWN })
    expect((await reject({}, token)).body.data).toEqual({ rejected: 1_000, left: 170 })
    expect((await reject({}, token)).body.data).toEqual({ rejected: 170, left: 0 })
  })

  it('is for who decides, in the branches of their scope, with a reason', async () => {
    await anEmployee({ employee_id: '9', branch_office: 'Norte' })
    await aClock({ serial: 'B1', branch_office: 'Norte' })
    await pushPunches('B1', [line('9', '2026-11-24 08:00:00')], { address: OWN })
    const scoped = await aUser({ role: 'admin', scope_branches: inBranches('Centro') })
    expect((await reject({}, scoped.token, 'B1')).status).toBe(404)
    const { token } = await aUser({ role: 'employee' })
    expect((await reject({}, token)).status).toBe(403)
    for (const wrong of [{ comment: '' }, { to: '2026-11-23' }, { from: 'ayer' }]) {
      expect((await reject(wrong, scoped.token)).status).toBe(422)
    }
    expect(await statuses()).toEqual({ '9 2026-11-24 08:00:00': 'pending' })
  })

  it('leaves the caller’s own to somebody else where nobody decides their own', async () => {
    await anEmployee({ employee_id: '5' })
    const { token } = await anAdmin({ employee_id: '5' })
    const both = [line('4', '2026-11-24 08:00:00'), line('5', '2026-11-24 08:00:00')]
    await pushPunches('A1', both, { address: OWN })
    const period = { from: '2026-11-24', to: '2026-11-24', comment: 'No las envió el reloj.' }
    const strict = { token, env: { FORBID_SELF_APPROVAL: 'true' } }
    const done = await post(`${CLOCKS}/A1/reject`, period, strict)
    expect(done.body.data).toEqual({ rejected: 1, left: 0 })
    expect(await statuses()).toEqual({
      '4 2026-11-24 08:00:00': 'rejected',
      '5 2026-11-24 08:00:00': 'pending',
    })
  })

  it('leaves alone what somebody has decided or paid', async () => {
    const { token } = await anAdmin()
    await pushPunches('A1', [line('4', '2026-11-24 08:00:00')], { address: OWN })
    const [log] = await logs()
    const approval = { log_id: log?.id, status: 'approved', comment: 'Estuvo.' }
    expect((await post('/v2/incidents/change_log_status', approval, { token })).status).toBe(200)
    expect((await reject({}, token)).body.data).toEqual({ rejected: 0, left: 0 })
    expect(await statuses()).toEqual({ '4 2026-11-24 08:00:00': 'approved' })
  })
})

it('limits the calls in a clock’s name by its serial alone, but never its own', async () => {
  const keys: string[] = []
  const limiter = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key)
      return { success: key !== 'A1' }
    },
  }
  const call = (address: string) =>
    callAsClock('/iclock/ping?SN=A1', {
      address,
      env: { CLOCK_BY_SERIAL_AND_ADDRESS: limiter, CLOCK_BY_SERIAL: limiter },
    })
  expect((await call(OWN)).status).toBe(200)
  expect((await call(STRANGER)).status).toBe(429)
  expect(keys).toEqual([`A1 ${OWN}`, `A1 ${STRANGER}`, 'A1'])
  // A line from which the clock called while its own was silent is counted alone.
  const LINE = '192.0.2.1'
  later(20)
  await pushPunches('A1', [line('4', '2026-11-24 08:00:00')], { address: LINE })
  await poll(OWN)
  expect((await call(LINE)).status).toBe(200)
  expect(keys.at(-1)).toBe(`A1 line ${LINE}`)
  expect((await call(STRANGER)).status).toBe(429)
})

it('counts a large call from elsewhere as many, because reading it costs as much', async () => {
  const keys: string[] = []
  const limiter = {
    limit: async ({ key }: { key: string }) => {
      keys.push(key)
      return { success: key !== 'A1' || keys.filter((one) => one === 'A1').length <= 3 }
    },
  }
  const send = (count: number, address: string) =>
    pushPunches('A1', punchesOf('4', count), {
      address,
      env: { CLOCK_BY_SERIAL_AND_ADDRESS: limiter, CLOCK_BY_SERIAL: limiter },
    })
  expect((await send(10_000, OWN)).status).toBe(503)
  expect(keys).toEqual([`A1 ${OWN}`])
  expect((await send(2_500, STRANGER)).status).toBe(200)
  expect(keys.filter((key) => key === 'A1')).toHaveLength(2)
  // 310 KB are four calls more.
  const refused = await send(10_000, STRANGER)
  expect(refused).toMatchObject({ status: 429, text: 'ERROR' })
  expect(refused.headers.get('Retry-After')).toBe('60')
  expect((await send(1, OWN)).status).toBe(200)
})
