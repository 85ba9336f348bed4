import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import service from '../../src/index.ts'
import { deliver } from '../../src/logs/notifications.http.ts'
import { readNotificationLag, resumeNotifications } from '../../src/logs/notifications.queries.ts'
import { sendNotifications } from '../../src/logs/notifications.ts'
import { runScheduled } from '../../src/scheduled.ts'
import { useAdmin } from '../support/admin.ts'
import { app } from '../support/app.ts'
import {
  aLogOf,
  allDecisions,
  anEmployeeWithLogs,
  aZone,
  failWritesTo,
} from '../support/factories.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { recordQueries } from '../support/record-queries.ts'

const URL = 'https://avisos.example.com/checada'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER_SECRET = 'whsec_bm90IHRoZSBzYW1lIHNlY3JldCBhcyBiZWZvcmUu'
const SETTINGS = { NOTIFY_URL: URL, NOTIFY_SECRET: SECRET }

interface Received {
  id: string
  changes: { id: number; log_id: number }[]
  timestamp: string
  text: string
  headers: Record<string, string>
}

/** The messages that reached the receiver. Standard Webhooks' reference library verifies them. */
let received: Received[] = []
/** Returns the receiver's response to a message. If undefined, the receiver accepts the message. */
let behaviour: (request: Request) => Promise<Response | undefined>

const accept = () => {
  behaviour = async () => undefined
}
const answer = (status: number) => {
  behaviour = async () => new Response(null, { status })
}

const receive = async (request: Request): Promise<Response> => {
  const headers = Object.fromEntries(request.headers)
  const text = await request.clone().text()
  const { type, timestamp, data } = new Webhook(SECRET).verify(text, headers) as {
    type: string
    timestamp: string
    data: Pick<Received, 'changes'>
  }
  expect(type).toBe('logs.decided')
  const { 'webhook-id': id = '' } = headers
  received.push({ id, changes: data.changes, timestamp, text, headers })
  return (await behaviour(request)) ?? new Response(null, { status: 204 })
}

const lines = useLoggedLines()
const admin = useAdmin()
beforeEach(() => {
  received = []
  accept()
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) =>
    receive(new Request(url as string, init as RequestInit)),
  )
})

const loggedLines = () => lines.map((line) => JSON.parse(line))
const noticeLines = () => loggedLines().filter((line) => line.notices !== undefined)

/** Sends one change to the API. Waits for the work that continues after the response. */
const decide = async (
  body: Record<string, unknown>,
  { settings = SETTINGS, DB = env.DB }: { settings?: object; DB?: D1Database } = {},
) => {
  const one = 'approve_log_ids' in body ? 'hours/reviews' : 'change_log_status'
  const path = 'log_ids' in body ? 'change_logs_status' : one
  const ctx = createExecutionContext()
  const request = new Request<unknown, IncomingRequestCfProperties>(
    `http://localhost/api/v2/incidents/${path}`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.token}` },
      body: JSON.stringify(one === 'hours/reviews' ? body : { status: 'approved', ...body }),
    },
  )
  const response = await service.fetch(request, { ...env, ...settings, DB } as Env, ctx)
  await response.text()
  await waitOnExecutionContext(ctx)
  return response.status
}

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

const decideWithoutNotice = (body: Record<string, unknown>) => decide(body, { settings: {} })

/** A decision on the first of some logs, of which the receiver does not know yet. */
const aWaitingDecision = async (logs = 1) => {
  await anEmployeeWithLogs(logs)
  await decideWithoutNotice({ log_id: 1 })
}

const START = Date.parse('2026-12-01T12:00:00.000Z')

/** Sends waiting messages for at most `ms` milliseconds, `minute` minutes after START. */
const run = (minute = 0, ms = 60_000) => {
  const now = new Date(START + minute * 60_000)
  return sendNotifications(withoutCaller(env.DB), {
    deliver: (notice) => deliver(notice, { url: URL, secrets: [SECRET], now: new Date() }),
    clock: () => now,
    since: new Date(0),
    until: new Date(now.getTime() + ms),
  })
}

const cron = (expression: string, settings: object = SETTINGS) =>
  runScheduled({ ...env, ...settings }, expression, () => new Date())

const decidedIds = async () => (await allDecisions()).map(({ id }) => id)
const receivedIds = () => received.flatMap(({ changes }) => changes.map(({ id }) => id))
const receivedLogs = () => received.flatMap(({ changes }) => changes.map(({ log_id }) => log_id))

describe('a decision', () => {
  it('is sent at once also where a review of a day makes it', async () => {
    const { id, employee_id, recorded_at } = await aLogOf({})
    const body = { employee_id, day: recorded_at.slice(0, 10), approve_log_ids: [id] }
    expect(await decide(body)).toBe(200)
    expect(receivedLogs()).toEqual([id])
  })

  it('is sent to the receiver at once, with the fields of the feed', async () => {
    const branch_office = 'Tijuana'
    await aZone({ branch_office, time_zone: 'America/Tijuana' })
    const log = await aLogOf({ branch_office }, { source: 'reloj', source_id: '7' })

    expect(await decide({ log_id: log.id, status: 'rejected', comment: 'Repetida.' })).toBe(200)

    const { body } = await admin.get('/changes?event=decided')
    expect(body.data.changes).toHaveLength(1)
    expect(received.map(({ changes }) => changes)).toEqual([body.data.changes])
    const [message] = received
    expect(message?.changes[0]).toMatchObject({ local_at: '2026-11-02T06:00:00-08:00' })
    expect(message?.timestamp).toBe(body.data.changes[0].created_at)
    expect(message?.headers['content-type']).toBe('application/json')
    expect(noticeLines()).toEqual([
      { notices: 'change', duration_ms: expect.any(Number), messages: 1, decisions: 1 },
    ])
  })

  it('adds no round trip to its request', async () => {
    await anEmployeeWithLogs(2)
    const settings = { ...SETTINGS, NOTIFY_URL: '' }
    const plain = recordQueries(env.DB)
    await decide({ log_id: 1, comment: 'visto' }, { settings, DB: plain.DB })
    const notified = recordQueries(env.DB)
    await decide({ log_id: 2, comment: 'visto' }, { DB: notified.DB })

    expect(received).toHaveLength(1)
    expect(plain.recording.calls).toBe(1)
    // There is one line per request, and one line of the run after the second request. The run took
    // two round trips.
    expect(loggedLines().map(({ round_trips }) => round_trips)).toEqual([1, 1, undefined])
    expect(notified.recording.calls).toBe(3)
  })

  it('starts no run if it was refused', async () => {
    await anEmployeeWithLogs(1)
    await run()
    await decideWithoutNotice({ log_id: 1 })
    expect(await decide({ log_id: 9 })).toBe(422)
    expect(await decide({ log_id: 1, expected_status: 'rejected' })).toBe(409)
    expect(received).toEqual([])
  })

  it('is not lost in a run that is just ending', async () => {
    await anEmployeeWithLogs(20)
    await Promise.all(Array.from({ length: 20 }, (_, i) => decide({ log_id: i + 1 })))
    expect(receivedIds()).toEqual(await decidedIds())
  })
})

describe('a message', () => {
  it('has no name, RFC, telephone or e-mail address, and no hash or salt', async () => {
    const { id } = await aLogOf({ rfc: 'PELL900101AB1', full_name: 'Luisa Peña' })
    await decide({ log_id: id })
    const [message] = received
    expect(message?.changes).toHaveLength(1)
    for (const secret of ['PELL', '5555', '5512', '@', 'Luisa', 'hash', 'salt']) {
      expect(message?.text).not.toContain(secret)
    }
  })

  it('is signed with both secrets while one replaces the other, and with no third', async () => {
    await anEmployeeWithLogs(1)
    const settings = { ...SETTINGS, NOTIFY_SECRET: `${OTHER_SECRET} ${SECRET}` }
    await decide({ log_id: 1 }, { settings })
    const [message] = received
    if (!message) return expect.unreachable()
    expect(message.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const secret of [SECRET, OTHER_SECRET]) {
      expect(new Webhook(secret).verify(message.text, message.headers)).toBeTruthy()
    }
    const third = new Webhook('whsec_YSB0aGlyZCBzZWNyZXQgdGhhdCBub2JvZHkgaGFz')
    expect(() => third.verify(message.text, message.headers)).toThrow('No matching signature')
  })

  it('is the same on each try, even if more was decided meanwhile', async () => {
    await aWaitingDecision(3)
    await decideWithoutNotice({ log_id: 2 })
    answer(500)
    expect(await run()).toMatchObject({ messages: 0, error: 'HTTP 500' })
    await decideWithoutNotice({ log_id: 3 })
    accept()
    expect(await run(1)).toEqual({ messages: 2, decisions: 3 })

    const [first, again, next] = received
    expect([again?.id, again?.text]).toEqual([first?.id, first?.text])
    expect(next?.id).not.toBe(first?.id)
    expect(next?.changes.map(({ log_id }) => log_id)).toEqual([3])
  })

  it('is the last one of a run whose time is up, and the next run sends the rest', async () => {
    await anEmployeeWithLogs(101)
    await decideWithoutNotice({ log_ids: idsFrom(1, 100) })
    await decideWithoutNotice({ log_id: 101 })
    expect(await run(0, 0)).toEqual({ messages: 1, decisions: 100 })
    expect(await run(0, 0)).toEqual({ messages: 1, decisions: 1 })
    expect(receivedIds()).toEqual(await decidedIds())
  })

  it('has at most 100 decisions, in their order, and no arrivals', async () => {
    await anEmployeeWithLogs(2_600)
    await decideWithoutNotice({ log_ids: idsFrom(2_501, 100) })
    await decideWithoutNotice({ log_id: 1 })
    expect(await run(0)).toEqual({ messages: 2, decisions: 101 })
    expect(received.map(({ changes }) => changes.length)).toEqual([100, 1])
    expect(receivedIds()).toEqual(await decidedIds())
  })
})

describe('the first run', () => {
  it('begins with the decision that starts it, and sends nothing older', async () => {
    await aWaitingDecision(2)
    await vi.waitUntil(() => Date.now() % 2 === 0)
    await decide({ log_id: 2 })
    expect(receivedLogs()).toEqual([2])
  })

  it('sends only later decisions if the cron starts it', async () => {
    await aWaitingDecision(2)
    await vi.waitFor(async () => {
      await cron('* * * * *')
      expect(await readNotificationLag(env.DB)).toBeDefined()
    })
    await decideWithoutNotice({ log_id: 2 })
    await cron('* * * * *')
    expect(receivedLogs()).toEqual([2])
  })

  it('does not happen without NOTIFY_URL', async () => {
    await aWaitingDecision()
    await cron('* * * * *', {})
    expect([received, noticeLines()]).toEqual([[], []])
    expect(await readNotificationLag(env.DB)).toBeUndefined()
  })
})

describe('the crons', () => {
  it('send waiting messages each minute, and each hour together with the seal', async () => {
    await anEmployeeWithLogs(2)
    await run()
    await decideWithoutNotice({ log_id: 1 })
    lines.length = 0
    await cron('* * * * *')
    expect(loggedLines()).toMatchObject([{ notices: 'cron', messages: 1 }])
    await decideWithoutNotice({ log_id: 2 })
    lines.length = 0
    await cron('7 * * * *')
    expect(receivedIds()).toEqual(await decidedIds())
    expect(loggedLines()).toContainEqual(expect.objectContaining({ scheduled: 'seal', sealed: 4 }))
  })

  it('log a database that fails, and send nothing', async () => {
    await anEmployeeWithLogs(1)
    await run()
    await decideWithoutNotice({ log_id: 1 })
    lines.length = 0
    await failWritesTo('notify_state')
    await cron('* * * * *')
    expect(received).toEqual([])
    expect(noticeLines()).toMatchObject([{ error: { message: expect.stringContaining('fail') } }])
  })
})

describe('several runs at once', () => {
  it('send a message once', async () => {
    await anEmployeeWithLogs(150)
    await decideWithoutNotice({ log_ids: idsFrom(1, 100) })
    await decideWithoutNotice({ log_ids: idsFrom(101, 50) })
    await Promise.all(Array.from({ length: 10 }, () => run(0)))
    expect(received).toHaveLength(2)
    expect(receivedIds()).toEqual(await decidedIds())
  })

  it('send a message again that an ended run left behind, but not within a minute', async () => {
    await aWaitingDecision()
    // The isolate ends while the receiver is working.
    behaviour = () => new Promise(() => {})
    void run()
    await vi.waitUntil(() => received.length === 1)
    accept()
    await run(1)
    expect(received).toHaveLength(1)
    await run(1.5)
    expect(received.map(({ id }) => id)).toEqual([received[0]?.id, received[0]?.id])
    await run(4)
    expect(received).toHaveLength(2)
  })

  it('keep the position if a run that has lost its lease comes back', async () => {
    await aWaitingDecision(2)
    let release = (_: Response) => {}
    behaviour = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const slow = run()
    await vi.waitUntil(() => received.length === 1)
    accept()
    await run(2)
    await decideWithoutNotice({ log_id: 2 })
    await run(3)
    const before = await readNotificationLag(env.DB)
    release(new Response(null, { status: 500 }))
    expect(await slow).toMatchObject({ error: 'HTTP 500' })
    expect(await readNotificationLag(env.DB)).toEqual(before)
    expect(before).toMatchObject({ waiting: 0, failures: 0 })
  })
})

describe('a receiver that fails', () => {
  it.each([
    ['410', async () => new Response('gone', { status: 410 }), 'HTTP 410'],
    ['500', async () => new Response(null, { status: 500 }), 'HTTP 500'],
    ['a redirect', async () => Response.redirect('https://otra.example.com/', 307), 'HTTP 307'],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed')), 'unreachable'],
  ])('with %s is shown, and is tried again later', async (_, failing, error) => {
    await aWaitingDecision()
    await run(-10)
    received = []
    behaviour = failing
    await decide({ log_id: 1, status: 'rejected' })
    expect(received).toHaveLength(1)
    expect(await readNotificationLag(env.DB)).toMatchObject({ waiting: 1, failures: 1, error })
    expect(noticeLines()).toMatchObject([{ notices: 'change', messages: 0, failures: 1, error }])
    expect(lines.join()).not.toContain('avisos.example.com')
    await decide({ log_id: 1 })
    expect(received).toHaveLength(1)
  })

  it('is tried again after 1, 5, 30 minutes, 2, 5, 10 hours, and then every 10 hours', async () => {
    await aWaitingDecision()
    answer(503)
    let minute = 0
    await run(minute)
    for (const wait of [1, 5, 30, 120, 300, 600, 600, 600]) {
      const tries = received.length
      await run(minute + wait - 0.01)
      expect(received).toHaveLength(tries)
      minute += wait
      await run(minute)
      expect(received).toHaveLength(tries + 1)
    }
    accept()
    await run(minute + 600)
    const none = { waiting: 0, failures: 0, error: null }
    expect(await readNotificationLag(env.DB)).toMatchObject(none)
  })

  it('gets every decision in order, and a message twice if its response was lost', async () => {
    await anEmployeeWithLogs(500)
    let tries = 0
    // Every third message arrives, but its response is lost. Every fourth message is refused.
    behaviour = async () => {
      tries++
      if (tries % 3 === 0) throw new TypeError('fetch failed')
      if (tries % 4 === 0) {
        received.pop()
        return new Response(null, { status: 500 })
      }
    }
    let minute = 0
    for (let log_id = 1; log_id <= 500; log_id += 100) {
      await decideWithoutNotice({ log_ids: idsFrom(log_id, 100) })
      await run(minute++)
    }
    for (; (await readNotificationLag(env.DB))?.waiting; minute += 600) await run(minute)

    const ids = receivedIds()
    expect([...new Set(ids)]).toEqual(await decidedIds())
    const doubles = ids.length - new Set(ids).size
    expect(doubles).toBeGreaterThan(0)
    expect(doubles).toBe((received.length - new Set(received.map(({ id }) => id)).size) * 100)
  })
})

describe('npm run notify -- resume', () => {
  const now = '2026-11-22T10:00:00.000Z'

  it('ends the wait, and sends the message as it was', async () => {
    await aWaitingDecision(2)
    answer(500)
    await run()
    await decideWithoutNotice({ log_id: 2 })
    accept()
    await resumeNotifications(env.DB, { after: null, now })
    await run()
    expect(received.map(({ changes }) => changes.map(({ id }) => id))).toEqual([[3], [3], [4]])
  })

  it('goes back to an earlier event or on to a later one, never past the newest', async () => {
    await aWaitingDecision(2)
    await decideWithoutNotice({ log_id: 2 })
    await run()
    await resumeNotifications(env.DB, { after: 3, now })
    await run()
    expect(receivedIds()).toEqual([3, 4, 4])
    await expect(resumeNotifications(env.DB, { after: 5, now })).rejects.toThrow('never passes')
  })
})

describe('GET /health', () => {
  const health = async (settings: object) => {
    const { recording, DB } = recordQueries(env.DB)
    const response = await app.request('/health', {}, { ...env, ...settings, DB } as Env)
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    return { status: response.status, data, recording }
  }

  it('shows how far the receiver is behind in one round trip, and no name', async () => {
    await anEmployeeWithLogs(3)
    answer(410)
    await decide({ log_id: 1, comment: 'visto' })
    await decide({ log_ids: [2, 3] })
    const { status, data, recording } = await health(SETTINGS)
    expect([status, recording.calls]).toEqual([200, 1])
    expect(data.notices).toEqual({
      waiting: 3,
      waiting_seconds: expect.any(Number),
      failures: 1,
      error: 'HTTP 410',
      next_try_at: expect.stringMatching(/Z$/),
      sent_at: null,
    })
  })

  it('reads a bounded number of rows', async () => {
    await anEmployeeWithLogs(1)
    await run()
    const rowsBehind = async (logs: number) => {
      await anEmployeeWithLogs(logs)
      return (await health(SETTINGS)).recording.rowsRead
    }
    expect(await rowsBehind(5_000)).toBe(await rowsBehind(5_000))
  })

  it('shows nothing without NOTIFY_URL, and is a 503 if the table cannot be read', async () => {
    const { data, recording } = await health({})
    expect([Object.keys(data).includes('notices'), recording.calls]).toEqual([false, 1])
    await env.DB.prepare('ALTER TABLE notify_state RENAME TO hidden').run()
    expect((await health(SETTINGS)).status).toBe(503)
  })
})

it.each([
  'DELETE FROM notify_state',
  'INSERT OR REPLACE INTO notify_state (id, last_event_id) VALUES (1, 0)',
  'INSERT INTO notify_state (id, last_event_id) VALUES (2, 0)',
])('notify_state has one row, which stays: %s', async (attack) => {
  await anEmployeeWithLogs(1)
  await run()
  await expect(env.DB.prepare(attack).run()).rejects.toThrow('has one row, which stays')
})
