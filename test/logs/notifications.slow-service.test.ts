import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it } from 'vitest'
import { CLOCK_FLAGS } from '../support/clock/flags.ts'
import { failedWith, runInProcess } from '../support/command.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** How the receiver can fail, and the error that the service then shows. */
const FAULTS = {
  'is slow': 'no response in 10 s',
  'is down': 'unreachable',
  redirects: 'HTTP 307',
  'is killed in the middle': 'unreachable',
} as const
type Behaviour = keyof typeof FAULTS | 'works' | 'never ends its response'

let behaviour: Behaviour = 'works'
/** The messages that arrived, even if their response was lost. */
const messages: { id: string; ids: number[] }[] = []
/** The paths of other requests, and the receiver's own errors. */
const others: string[] = []

const take = async (request: IncomingMessage, response: ServerResponse) => {
  if (request.url !== '/avisos') {
    others.push(request.url ?? '')
    return response.writeHead(204).end()
  }
  const body = await text(request)
  const message = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as {
    data: { changes: { id: number }[] }
  }
  const id = String(request.headers['webhook-id'])
  messages.push({ id, ids: message.data.changes.map((change) => change.id) })
  if (behaviour === 'is slow') return
  if (behaviour === 'is killed in the middle') return response.destroy()
  if (behaviour === 'redirects') return response.writeHead(307, { Location: '/otra' }).end()
  response.writeHead(200)
  if (behaviour === 'never ends its response') return response.write('x'.repeat(1_000_000))
  response.end()
}

let receiver: Server | undefined
const open = async (port: number): Promise<number> => {
  receiver = createServer((request, response) => {
    take(request, response).catch((error) => {
      others.push(String(error))
      response.writeHead(400).end()
    })
  })
  receiver.listen(port, '127.0.0.1')
  await once(receiver, 'listening')
  return (receiver.address() as AddressInfo).port
}
const close = async () => {
  if (!receiver?.listening) return
  receiver.closeAllConnections()
  receiver.close()
  await once(receiver, 'close')
}
afterAll(close)

const port = await open(0)
const url = `http://127.0.0.1:${port}/avisos`
const secrets = `NOTIFY_SECRET:whsec_bm90IHRoZSBzYW1lIHNlY3JldCBhcyBiZWZvcmUu ${SECRET}`
const service = useService(['--var', `NOTIFY_URL:${url}`, '--var', secrets])

const notify = (args: string[], input = '') => runInProcess('notify', args, input)
const onDatabase = (args: string[]) => notify([...args, '--persist-to', service.state])
const resume = async () => expect((await onDatabase(['resume'])).err).toBe('')

interface Notices {
  waiting: number
  error: string | null
}

const health = async (): Promise<Notices> => {
  const res = await fetch(new URL('/health', service.api))
  return ((await res.json()) as { data: { notices: Notices } }).data.notices
}

const CRON = '* * * * *'
const runMinute = async () => {
  const path = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent(CRON)}`
  expect((await fetch(new URL(path, service.api))).status).toBe(200)
}

let decisions = 0
/** Decides logs on five connections at once. Each connection decides one log after another. */
const decide = async (count: number) => {
  const admin = await signInToService(service)
  const list = await admin.get('/v2/incidents/logs?order=newest&limit=20')
  const logs = JSON.parse(list).data.logs.map((log: { log_id: number }) => log.log_id) as number[]
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      for (let i = 0; i < count / 5; i++) {
        const n = decisions++
        const answer = await admin.decide(logs[n % 20] ?? 0, n % 40 < 20 ? 'approved' : 'rejected')
        expect(answer).toContain('"success":true')
      }
    }),
  )
}

const decidedIds = async () => {
  const admin = await signInToService(service)
  const decided = await admin.changes<{ id: number }>('&event=decided')
  return decided.map(({ id }) => id)
}

it('the cron of notifications runs each minute', () => {
  expect(readFileSync('wrangler.toml', 'utf8')).toContain(`"${CRON}"`)
})

describe('380 decisions', () => {
  it('all arrive in order despite failures, and only whole messages are repeated', async () => {
    await decide(50)
    await expect.poll(health).toMatchObject({ waiting: 0, error: null })
    expect(messages.length).toBeGreaterThan(0)

    for (const [fault, error] of Object.entries(FAULTS)) {
      behaviour = fault as Behaviour
      if (fault === 'is down') await close()
      const taken = messages.length
      await resume()
      await decide(60)
      await expect.poll(health, { message: service.output() }).toMatchObject({ error })
      // The service tried once. It does not try again before the wait is over.
      await runMinute()
      expect(messages).toHaveLength(fault === 'is down' ? taken : taken + 1)
      if (fault === 'is down') await open(port)
    }

    behaviour = 'is slow'
    await resume()
    const taken = messages.length
    await decide(50)
    await expect.poll(() => messages.length).toBe(taken + 1)
    // The service is killed while the receiver is working.
    await service.stop()
    behaviour = 'never ends its response'
    await service.start()
    await resume()
    await decide(40)
    await runMinute()
    await expect.poll(health).toMatchObject({ waiting: 0, error: null })

    const decided = await decidedIds()
    expect(decided).toHaveLength(380)
    const ids = messages.flatMap((message) => message.ids)
    expect([...new Set(ids)]).toEqual(decided)
    // A repeated message has the same content. No decision is in two different messages.
    const contents = new Map(messages.map((message) => [message.id, message.ids]))
    for (const message of messages) expect(message.ids).toEqual(contents.get(message.id))
    expect([...contents.values()].flat()).toEqual(decided)
    expect(ids.length - decided.length).toBeGreaterThan(0)
    expect(others).toEqual([])
  })
})

describe('npm run notify', () => {
  it('shows the state, and tests a receiver without a decision', async () => {
    behaviour = 'works'
    const { out } = await onDatabase(['status'])
    expect(out).toMatch(
      /^last_event_id: \d+\nwaiting: 0\nwaiting_since: -\nfailures: 0\nerror: -\n/,
    )
    const taken = messages.length
    const accepted = { status: 0, out: 'The receiver accepted it.\n' }
    expect(await notify(['test', url], SECRET)).toMatchObject(accepted)
    expect(messages.slice(taken)).toMatchObject([{ ids: [] }])
    behaviour = 'redirects'
    const refused = { status: 1, err: 'The receiver did not accept it: HTTP 307.\n' }
    expect(await notify(['test', url], SECRET)).toMatchObject(refused)
  })

  it.each([
    [['test', 'http://avisos.empresa.mx/'], 'The URL must be https, or http on loopback.'],
    [['test'], 'Give a URL: there is no NOTIFY_URL.'],
    [['test', url], 'NOTIFY_SECRET is not valid.'],
  ])('refuses %j', async (args, error) => {
    expect(await notify(args, 'whsec_corta')).toEqual(failedWith(`${error}\n`))
  })

  it('says that nothing is sent without NOTIFY_URL, since the settings have none', async () => {
    expect((await onDatabase(['resume'])).out).toMatch(
      /^Nothing is sent without NOTIFY_URL, and wrangler.toml has none\.\nWith it, the next run sends/,
    )
  })

  it('never goes past the newest event', async () => {
    const { status, err } = await onDatabase(['resume', '--after', '999999'])
    expect([status, err]).toEqual([1, '--after is past the newest event.\n'])
    expect((await onDatabase(['resume', '--after', '-1'])).status).toBe(1)
  })
})

describe('the receiver of docs/receiver.mjs', () => {
  const { folder, write } = useTemporaryFolder()
  let child: ChildProcess | undefined
  let printed = ''
  afterAll(() => stop())

  const program = readFileSync('docs/receiver.mjs', 'utf8')

  const start = async () => {
    const env = { ...process.env, PORT: `${port}`, NOTIFY_SECRET: SECRET }
    child = spawn(process.execPath, [...CLOCK_FLAGS, 'receiver.mjs'], { cwd: folder, env })
    child.stdout?.on('data', (chunk) => {
      printed += chunk
    })
    child.stderr?.on('data', (chunk) => others.push(String(chunk)))
    const status = () => fetch(url, { method: 'POST' }).then((res) => res.status)
    await expect.poll(() => status().catch(() => 0)).toBe(400)
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const told = () =>
    printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(line.split(' ')[0]))

  it('has about thirty lines, and tells each person once, also after it was killed', async () => {
    expect(program.split('\n').length).toBeLessThan(36)
    write('receiver.mjs', program)
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    await close()
    const before = (await decidedIds()).at(-1) ?? 0
    await start()
    expect((await notify(['test', url], SECRET)).status).toBe(0)

    await decide(10)
    await expect.poll(health).toMatchObject({ waiting: 0 })
    await stop()
    await decide(10)
    await expect.poll(health).toMatchObject({ error: 'unreachable' })
    await start()
    // Sends the messages since `before` again, as if their responses had been lost.
    const args = ['resume', '--after', `${before}`]
    expect((await onDatabase(args)).status).toBe(0)
    await runMinute()
    await expect.poll(health).toMatchObject({ waiting: 0, error: null })

    expect(told()).toEqual((await decidedIds()).filter((id) => id > before))
    expect(told()).toHaveLength(20)
    expect(others).toEqual([])
  })
})
