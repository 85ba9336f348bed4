import { beforeEach, expect, it } from 'vitest'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches, rowsOf } from '../support/clocks.ts'
import { aClock, anEmployee } from '../support/factories.ts'

/** What a clock has sent is found again, whatever it looks like. */

const NOW = '2026-11-25T16:40:00.000Z'

const logs = () => rowsOf('attendance_logs')
const sourceIds = async () => (await logs()).map(({ source_id }) => source_id)
const waiting = async () =>
  (await rowsOf('waiting_punches')).map((row) => [row.number, row.local_at, row.reason])
const unreadText = async () =>
  (await rowsOf('intake_problems')).map(({ detail }) => detail).join('\n')

/** The clock A1 of the branch Centro, where the employee 4 works. */
beforeEach(async () => {
  stopClock(NOW)
  await aClock({ serial: 'A1', uses_keys: 1, seconds_off: 0 })
  await anEmployee({ employee_id: '4' })
})

it('reads the transactions of a door, a body without a table, and a table that nobody knows', async () => {
  const post = (query: string, body: string) => callAsClock(`/iclock/cdata?SN=A1${query}`, { body })
  const named = (second: number) =>
    `cardno=0\tpin=4\tverified=1\tdoorid=1\teventtype=0\tinoutstate=1\ttime_second=${second}`
  // 26 years of 372 days, 10 months of 31 days, 24 days, and 08:00:00.
  const second = (26 * 372 + 10 * 31 + 24) * 86_400 + 8 * 3600
  const transaction = await post(
    '&table=tabledata&tablename=transaction&count=1',
    `transaction ${named(second)}\r\n`,
  )
  expect(transaction).toMatchObject({ status: 200, text: 'OK: 1' })
  expect(await post('', line('4', '2026-11-25 08:01:00', '1'))).toMatchObject({ text: 'OK: 1' })
  expect(await post('', 'PIN=4&Time=2026-11-25+08%3A02%3A00&Status=1')).toMatchObject({
    text: 'OK: 1',
  })
  const lines = `4\t2026-11-25 08:03:00\t1\n4\t2026-11-25 08:04:00\t1\n`
  const form = `SN=A1&table=ATTLOG&data=${encodeURIComponent(lines)}`
  expect(await post('', form)).toMatchObject({ text: 'OK: 2' })
  const other = await post('&table=PUNCHES2', line('4', '2026-11-25 08:05:00', '1'))
  expect(other).toMatchObject({ text: 'OK: 1' })

  const minutes = [0, 1, 2, 3, 4, 5].map((minute) => `4 2026-11-25 08:0${minute}:00`)
  expect(await sourceIds()).toEqual(minutes)
  expect((await logs()).every(({ kind }) => kind === 'salida')).toBe(true)
})

it('keeps the text of lines that it cannot read, and no names or passwords', async () => {
  await pushPunches('A1', ['4 ayer 08:00', 'USER PIN=4\tName=Ana\tPasswd=1234', 'x'.repeat(9_000)])
  expect(await rowsOf('intake_problems')).toMatchObject([
    { reason: 'invalid', count: 2, detail: `4 ayer 08:00\n${'x'.repeat(500)}` },
  ])
  await pushPunches('A1', ['otra línea'])
  expect(await unreadText()).toContain('\notra línea')
  // There is room for 8,000 characters.
  const many = Array.from({ length: 200 }, (_, i) => `línea ${i} ${'y'.repeat(90)}`)
  await pushPunches('A1', many)
  const [problem] = await rowsOf('intake_problems')
  expect([problem?.count, String(problem?.detail).length]).toEqual([203, 8_000])
})

it('keeps a date that a clock has lost as waiting, with its number', async () => {
  await aClock({ serial: 'B1', from_day: '2026-11-01' })
  const times = ['2000-01-01 00:03:10', '2009-05-01 08:00:00', '2010-01-01 00:03:10']
  const lost = [...times, '2018-01-01 00:03:10', '2025-10-31 08:00:00']
  const kept = ['2025-11-01 08:00:00', '2026-10-31 08:00:00']
  const sent = await pushPunches(
    'B1',
    [...lost, ...kept].map((time) => line('4', time)),
  )
  expect(sent.text).toBe('OK: 7')
  expect(await waiting()).toEqual(lost.map((time) => ['4', time, 'time']))
})

it('keeps the Status of named rows', async () => {
  await pushPunches('A1', ['PIN=4\tTime=2026-11-25 08:00:00\tStatus=1'])
  expect(await logs()).toMatchObject([{ kind: 'salida' }])
})

it('answers what models ask before they send', async () => {
  expect(await callAsClock('/iclock/test')).toMatchObject({ status: 200, text: 'Test' })
  expect(await callAsClock('/iclock/test?SN=A1')).toMatchObject({ status: 200, text: 'Test' })
  const counted = (table: string, body: string) =>
    callAsClock(`/iclock/cdata?SN=A1&table=${table}&OpStamp=9`, { body })
  const oplog = 'OPLOG 4\t0\t2026-11-25 08:00:00\t0\t0\t0\t0\n'
  expect((await counted('OPERLOG', `${oplog}USER PIN=4\tName=Ana\r\n${oplog}`)).text).toBe('OK: 3')
  expect((await counted('ATTPHOTO', 'PIN=4.jpg\nSN=A1')).text).toBe('OK')
  expect(await waiting()).toEqual([])
  expect(await rowsOf('intake_problems')).toEqual([])
})

it('takes sn= and //iclock/ for what they are', async () => {
  const body = line('4', '2026-11-25 08:00:00')
  const sent = await callAsClock('//iclock/cdata?sn=a1&TABLE=attlog&stamp=7', { body })
  expect(sent).toMatchObject({ status: 200, text: 'OK: 1' })
  expect(await logs()).toHaveLength(1)
  const options = await callAsClock('//iclock//cdata?sn=A1&options=all')
  expect(options.text).toContain('ATTLOGStamp=7')
})

/** Numbers that look random, and are the same in each run. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

it.each([1, 2, 3, 4])('loses no line of mixed ones (%i)', async (seed) => {
  const random = randomOf(seed)
  const two = (value: number) => String(value).padStart(2, '0')
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  const separators = ['\t', '|', ',', ';', ' ']
  const sent = Array.from({ length: 60 }, (_, i) => {
    const number = pick(['4', '77', '000', 'A-9', ''])
    const time = `${two(random(24))}:${two(random(60))}:${two(i)}`
    const date = pick(['2026-11-24', '2026/11/23', '2018-01-01', '2099-01-01', '2026-02-30'])
    const separator = pick(separators)
    const text = pick([
      [number, `${date} ${time}`, '0', '1'].join(separator),
      [number, date, time, '1'].join(separator),
      `PIN=${number}\tTime=${date} ${time}\tStatus=1`,
      `pin=${number}${separator}time=${date} ${time}${separator}status=0`,
      `${date} ${time}${separator}${number}`,
      `${number}${separator}${time}`,
      `sin sentido ${i} ${separator}${time}`,
    ])
    return { text, number, written: `${date.replaceAll('/', '-')} ${time}` }
  })
  const body = sent.map(({ text }) => `${text}\n`).join('')
  const table = pick([
    '&table=ATTLOG',
    '',
    '&table=rtlog',
    '&table=tabledata&tablename=transaction',
  ])
  const { text } = await callAsClock(`/iclock/cdata?SN=A1${table}`, { body })
  expect(text).toBe('OK: 60')
  const punches = [...(await sourceIds()), ...(await waiting()).map(([n, at]) => `${n} ${at}`)]
  const unread = await unreadText()
  const lost = sent.filter(({ text, number, written }) => {
    const isPunch = punches.includes(`${number || '?'} ${written}`)
    // Between tabs, the time may be any text.
    const [first = '', second = ''] = text.split('\t').map((cell) => cell.trim())
    const isAsWritten = punches.includes(`${first.replaceAll(' ', '_') || '?'} ${second}`)
    return !isPunch && !isAsWritten && !unread.includes(text.trimEnd())
  })
  expect(lost.map((one) => one.text)).toEqual([])
})
