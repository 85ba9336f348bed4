import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { requestAsClock } from '../support/clock-requests.ts'
import { dateDaysAgo } from '../support/console-api.ts'
import { useService } from '../support/server.ts'

const service = useService()

const CLOCKS = 50
const PUNCHES = 400
const LINES = 100
/** A person has fewer than 50 on a day at each clock. */
const SECONDS_APART = 600
/** People of the branch Centro, and a number that nobody has. */
const NUMBERS = ['E-001', 'E-003', 'E-005', '404']

const serialOf = (clock: number) => `RELOJ-${clock}`

/** The punches of a clock, as it keeps them: each in a second of its own. */
const linesOf = (clock: number): string[] => {
  const start = Date.parse(`${dateDaysAgo(3)}T00:00:00Z`)
  return Array.from({ length: PUNCHES }, (_, i) => {
    const time = new Date(start + (i * SECONDS_APART + clock) * 1_000).toISOString()
    return `${NUMBERS[i % NUMBERS.length]}\t${time.slice(0, 19).replace('T', ' ')}\t0\t1`
  })
}

/** The clocks connect again, and send from where the service's Stamp says that they are. */
const sendAll = async (clock: number, onSent: () => void): Promise<void> => {
  const url = `${new URL(service.api).origin}/iclock/cdata?SN=${serialOf(clock)}`
  const { text } = await requestAsClock(`${url}&options=all`)
  const lines = linesOf(clock)
  const stamp = Number(/ATTLOGStamp=(\d+)/.exec(text)?.[1] ?? 0)
  for (let sent = stamp; sent < lines.length; ) {
    const chunk = lines.slice(sent, sent + LINES)
    const path = `${url}&table=ATTLOG&Stamp=${sent + chunk.length}`
    const answer = await requestAsClock(path, `${chunk.join('\r\n')}\r\n`)
    if (answer.text !== `OK: ${chunk.length}`) throw new Error(`${answer.status}: ${answer.text}`)
    sent += chunk.length
    onSent()
  }
}

const count = (query: string): number => {
  const [file = ''] = globSync(`${service.state}/v3/d1/**/*.sqlite`).filter(
    (path) => !path.includes('metadata'),
  )
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(Object.values(database.prepare(query).get() ?? {})[0])
  } finally {
    database.close()
  }
}

it('50 clocks send a weekend at once, and a crash in the middle loses and doubles nothing', async () => {
  let token: string | undefined
  const client = createClient(new URL(service.api).origin, { token: () => token })
  const json = { email: DEMO_ADMIN, password: DEMO_PASSWORD }
  token = (await dataOf(client.auth.login.$post({ json }))).token
  const clocks = Array.from({ length: CLOCKS }, (_, i) => i)
  for (const clock of clocks) {
    await dataOf(
      client.v2.incidents.clocks[':serial'].$put({
        param: { serial: serialOf(clock) },
        json: {
          ...{ label: null, branch_office: 'Centro', uses_keys: false, retired: false },
          ...{ from_day: dateDaysAgo(10), expected_version: 0, has_not_called: true },
        },
      }),
    )
  }
  let answered = 0
  let killed: Promise<void> | undefined
  await Promise.allSettled(
    clocks.map((clock) =>
      sendAll(clock, () => {
        if (++answered === CLOCKS) killed ??= service.kill()
      }),
    ),
  )
  await killed
  expect(answered).toBeLessThan((CLOCKS * PUNCHES) / LINES)
  await service.start()
  await Promise.all(clocks.map((clock) => sendAll(clock, () => {})))
  await service.stop()
  const total = CLOCKS * PUNCHES
  const isOfClocks = "source GLOB 'clock reloj-*'"
  expect(count(`SELECT count(*) FROM attendance_logs WHERE ${isOfClocks}`)).toBe((total * 3) / 4)
  expect(
    count(
      `SELECT count(DISTINCT source || ' ' || source_id) FROM attendance_logs WHERE ${isOfClocks}`,
    ),
  ).toBe((total * 3) / 4)
  expect(count('SELECT count(*) FROM waiting_punches')).toBe(total / 4)
  await service.start()
})
