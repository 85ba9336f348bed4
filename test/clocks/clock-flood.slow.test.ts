import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { callAsClock, line, pushPunches } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee } from '../support/factories.ts'

/**
 * A flood in a clock's name during a day, while the clock itself sends what it has kept. By hand it
 * also runs with a million lines from 100 addresses.
 */

const LINES = 1_000_000
const ADDRESSES = 100
const ROUNDS = 20
const PEOPLE = 60
const DAYS = 45
const OWN = '203.0.113.7'
const START = Date.parse('2026-11-25T16:40:00.000Z')

const MINUTES_OF_DAY = 1_440
/** Beyond the honest data, the database grows by at most this much. */
const BYTES_MAX = 5_000_000
/** Nobody else waits longer. On a busy computer some rounds take longer than the service does. */
const WAIT_MS_MAX = 1_000

const two = (value: number) => String(value).padStart(2, '0')
const dayBefore = (days: number) => new Date(START - days * 86_400_000).toISOString().slice(0, 10)

/** Four punches of each person on each day, the oldest first. */
const backlog = Array.from({ length: DAYS * PEOPLE * 4 }, (_, i) => {
  const [person, punch, day] = [i % PEOPLE, Math.floor(i / PEOPLE) % 4, Math.floor(i / PEOPLE / 4)]
  return line(`${4 + person}`, `${dayBefore(DAYS - 1 - day)} ${two(6 + punch)}:00:${two(person)}`)
})
/** What a slow line carries in a call. */
const LINES_PER_CALL = 200

/** Invented punches: of all people and of nobody, of all days, each with a second of its own. */
const inventedLine = (i: number): string => {
  const second = i % 86_400
  const time = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map(two)
  return line(`${i % (2 * PEOPLE)}`, `${dayBefore((i * 7) % (DAYS + 2))} ${time.join(':')}`)
}

/** The service's limits count by the minute of the simulated day. */
const limiterOf = (max: number) => {
  const counts = new Map<string, number>()
  return {
    limit: async ({ key }: { key: string }) => {
      const window = `${key} ${Math.floor(Date.now() / 60_000)}`
      counts.set(window, (counts.get(window) ?? 0) + 1)
      return { success: (counts.get(window) ?? 0) <= max }
    },
  }
}
const limits = {
  env: {
    CLOCK_BY_SERIAL_AND_ADDRESS: limiterOf(120),
    CLOCK_BY_SERIAL: limiterOf(120),
    UNKNOWN_BY_ADDRESS: limiterOf(1_200),
  } as Partial<Env>,
}

/** A day with or without the flood. Returns what was seen of it. */
const liveDay = async (isFlooded: boolean) => {
  stopClock(new Date(START))
  await aClock({ serial: 'A1' })
  for (let i = 0; i < PEOPLE; i++) await anEmployee({ employee_id: `${4 + i}` })
  const { token } = await anAdmin()
  await callAsClock('/iclock/getrequest?SN=A1', { address: OWN, ...limits })

  let [sent, arrivedAfter, invented, isBusy] = [0, 0, 0, false]
  /** The longest wait of each round. */
  const waits: number[] = []
  const answers = new Map<number, number>()
  /** Somebody else, who asks again and again while the flood is on. */
  const ask = async () => {
    const began = performance.now()
    expect((await get('/auth/me', { token })).status).toBe(200)
    return Math.round(performance.now() - began)
  }
  const bystander = async () => {
    let longest = 0
    do longest = Math.max(longest, await ask())
    while (isBusy)
    waits.push(longest)
  }
  const sendHonest = async (minute: number) => {
    const part = backlog.slice(sent, sent + LINES_PER_CALL)
    if (part.length === 0) {
      await callAsClock('/iclock/getrequest?SN=A1', { address: OWN, ...limits })
      return
    }
    const { text } = await pushPunches('A1', part, { address: OWN, ...limits })
    if (text === `OK: ${part.length}`) sent += part.length
    if (sent >= backlog.length) arrivedAfter = minute
  }
  const flood = async (address: number) => {
    const length = LINES / ROUNDS / ADDRESSES
    const lines = Array.from({ length }, () => inventedLine(invented++))
    const call = { address: `198.51.100.${address}`, ...limits }
    const { status } = await pushPunches('A1', lines, call)
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  for (let minute = 1; minute <= MINUTES_OF_DAY; minute++) {
    stopClock(new Date(START + minute * 60_000))
    // Half of it comes while the clock sends what it has kept.
    const isRound = isFlooded && (minute <= 50 ? minute % 5 === 0 : minute % 139 === 0)
    isBusy = isRound
    const calls = isRound ? Array.from({ length: ADDRESSES }, (_, i) => flood(i + 1)) : []
    const others = isRound ? [bystander()] : []
    await Promise.all([sendHonest(minute), ...calls]).finally(() => {
      isBusy = false
    })
    await Promise.all(others)
  }
  const { results } = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM attendance_logs WHERE source = 'clock a1') AS logs,
      (SELECT count(*) FROM elsewhere_punches) AS elsewhere,
      (SELECT count(*) FROM waiting_punches) AS waiting,
      (SELECT count(*) FROM intake_problems) AS problems`,
  ).run<{ logs: number; elsewhere: number; waiting: number; problems: number }>()
  const [rows] = results
  const bytes = (await env.DB.prepare('SELECT 1').run()).meta.size_after
  const seen = { ...rows, bytes: bytes ?? 0, sent, arrivedAfter, invented }
  const sorted = waits.toSorted((a, b) => b - a)
  console.log(JSON.stringify({ ...seen, answers: [...answers], waits: sorted }))
  return { ...seen, longest: sorted[Math.floor(sorted.length / 2)] ?? 0, token }
}

let honestBytes = 0

it('without a flood, all that the clock has kept arrives within an hour', async () => {
  const seen = await liveDay(false)
  honestBytes = seen.bytes
  expect(seen).toMatchObject({ logs: backlog.length, waiting: 0, elsewhere: 0, problems: 0 })
  expect(seen.arrivedAfter).toBeLessThan(60)
})

it('with it all arrives as well, nobody waits, little is stored, and one act rejects it', async () => {
  const { token, ...seen } = await liveDay(true)
  expect(seen.invented).toBe(LINES)
  expect(seen.arrivedAfter).toBeLessThan(60)
  const bytes = seen.bytes - honestBytes
  console.log(
    `The flood has left ${bytes} bytes; somebody else waited ${seen.longest} ms in half of the rounds.`,
  )
  expect(bytes).toBeLessThan(BYTES_MAX)
  const isHonest = `source = 'clock a1' AND source_id IN (SELECT value FROM json_each(?1))`
  const ids = JSON.stringify(backlog.map((text) => text.split('\t').slice(0, 2).join(' ')))
  const countLogs = async () => {
    const { results } = await env.DB.prepare(
      `SELECT count(*) FILTER (WHERE ${isHonest} AND status = 'pending') AS honest,
        count(*) FILTER (WHERE status = 'pending') AS pending, count(*) AS logs FROM attendance_logs`,
    )
      .bind(ids)
      .run()
    return results[0]
  }
  expect(await countLogs()).toMatchObject({ honest: backlog.length, logs: seen.logs })

  // One act, repeated for each thousand. Nothing is deleted.
  const period = { from: dayBefore(DAYS + 2), to: dayBefore(-1), comment: 'No las envió el reloj.' }
  for (let left = 1; left > 0; ) {
    const path = '/v2/incidents/clocks/A1/reject'
    const rejected = await post(path, { ...period, elsewhere: true }, { token })
    left = rejected.body.data.left
  }
  expect(await countLogs()).toEqual({
    ...{ honest: backlog.length, pending: backlog.length, logs: seen.logs },
  })
  expect(seen.longest).toBeLessThan(WAIT_MS_MAX)
})
