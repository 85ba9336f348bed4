import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { withoutCaller } from '../../core/db/batch-db.ts'
import { DomainError, ERRORS } from '../../core/errors.ts'
import { dropUnreadBody, readBytes } from '../../core/http/body-limit.ts'
import { type AppEnv, initContext } from '../../core/http/context.ts'
import { isDatabaseFull } from '../../core/http/database-room.ts'
import { RETRY_SECONDS } from '../../core/http/error-responses.ts'
import { clockPath } from '../../core/http/plain-http.ts'
import {
  addressKey,
  isOverClockElsewhere,
  isOverUnknownClocks,
  limitClock,
  tooManyCalls,
} from '../../core/http/rate-limit.ts'
import { logRequest } from '../../core/http/request-log.ts'
import { serialOf } from '../serial.ts'
import { beginCall, type CallingClock } from './calls.queries.ts'
import {
  connectedSince,
  isOwnAddress,
  noteCall,
  noteUnknown,
  receivePunches,
  requireRoom,
} from './calls.ts'
import { believedStamp, optionsOf, timeOf } from './clock-options.ts'
import { saveProblem } from './problems.queries.ts'

/**
 * ZKTeco's push protocol (ADMS), by which wall clocks connect by themselves. All requests and
 * responses are plain text. A clock keeps its punches until it gets `OK`.
 */

interface ClockEnv {
  Bindings: AppEnv['Bindings']
  Variables: AppEnv['Variables'] & { serial: string; clock: CallingClock; address: string }
}

/**
 * The tables that have no punches. Their bodies are acknowledged and not kept: names, passwords,
 * fingerprints, faces, photos, and what the clock itself has done. Whatever else comes is read, so
 * that no punch is acknowledged unread. Of those that are counted, the clock is told how many
 * records have arrived.
 */
const WITHOUT_PUNCHES: Readonly<Record<string, 'acknowledged' | 'counted'>> = {
  OPERLOG: 'counted',
  USERINFO: 'counted',
  BIODATA: 'counted',
  USER: 'acknowledged',
  USERPIC: 'acknowledged',
  IDCARD: 'acknowledged',
  FINGERTMP: 'acknowledged',
  TEMPLATEV10: 'acknowledged',
  FACE: 'acknowledged',
  FVEIN: 'acknowledged',
  PALM: 'acknowledged',
  BIOPHOTO: 'acknowledged',
  ATTPHOTO: 'acknowledged',
  WORKCODE: 'acknowledged',
  SMS: 'acknowledged',
  ERRORLOG: 'acknowledged',
  OPTIONS: 'acknowledged',
  RTSTATE: 'acknowledged',
}

const PUNCHES_BYTES_MAX = 4 * 1024 * 1024

/** From elsewhere, so many bytes of punches count as one call more. A clock's calls have fewer. */
const BYTES_PER_CALL = 64 * 1024

const refuseOtherMethods = createMiddleware<AppEnv>(async (c, next) => {
  if (/^(GET|HEAD|POST)$/.test(c.req.method)) return next()
  c.header('Allow', 'GET, HEAD, POST')
  return c.text('ERROR', 405)
})

/** A browser sends one of these headers. A page must not post punches from inside a company. */
const BROWSER_HEADERS = ['Origin', 'Referer', 'Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest']

const isBrowser = ({ req }: Pick<Context, 'req'>): boolean =>
  BROWSER_HEADERS.some((name) => req.header(name) !== undefined) ||
  /^Mozilla/i.test(req.header('User-Agent') ?? '')

const refuseBrowsers = createMiddleware<AppEnv>(async (c, next) => {
  if (isBrowser(c)) return c.text('ERROR', 403)
  return next()
})

/** A parameter of the query. Clocks write its name in upper or lower case. */
const parameter = (c: Context, name: string): string => {
  const query = Object.entries(c.req.query())
  return query.find(([given]) => given.toUpperCase() === name)?.[1] ?? ''
}

const tableOf = (c: Context): string => parameter(c, 'TABLE').toUpperCase()

/** Of `tabledata`, one table has the punches of a door, and the others have people. */
const hasPunches = (c: Context): boolean => {
  const table = tableOf(c)
  if (table === 'TABLEDATA') return parameter(c, 'TABLENAME').toUpperCase() === 'TRANSACTION'
  return !Object.hasOwn(WITHOUT_PUNCHES, table)
}

const sendsPunches = (c: Context): boolean =>
  c.req.method === 'POST' && /\/cdata(\.aspx)?$/.test(c.req.path) && hasPunches(c)

/** The serial number has one spelling, so that the limits count all calls of a clock together. */
const requireSerial = createMiddleware<ClockEnv>(async (c, next) => {
  const serial = serialOf(parameter(c, 'SN'))
  if (!serial) return c.text('ERROR', 403)
  c.set('serial', serial)
  return next()
})

/**
 * Finds the clock that calls, and stores that its punches begin to arrive. Responds with 403 to a
 * clock that nobody has added, or that is retired, so that it keeps its punches.
 */
const requireClock = createMiddleware<ClockEnv>(async (c, next) => {
  const serial = c.get('serial')
  const db = withoutCaller(c.get('db'))
  const now = new Date()
  const address = addressKey(c)
  const at = now.toISOString()
  const receiving = { address, at, connected_since: connectedSince(now) }
  const today = at.slice(0, 10)
  const clock = await beginCall(db, serial, today, sendsPunches(c) ? receiving : undefined)
  if (!clock) {
    if (await isOverUnknownClocks(c)) return tooManyCalls(c)
    await noteUnknown(db, serial, { address, now })
  }
  if (!clock || clock.retired) return c.text('ERROR', 403)
  c.set('clock', clock)
  c.set('address', address)
  // The clock's own calls have a limit of their own, which nobody else can use up.
  if (isElsewhere(c) && (await isOverElsewhere(c))) return tooManyCalls(c)
  c.set('now', now)
  return next()
})

const isElsewhere = (c: Context<ClockEnv>): boolean =>
  !isOwnAddress(c.get('clock'), c.get('address'))

/**
 * Whether too many calls come from elsewhere. An address from which the clock last called or sent is
 * counted alone: it may be its second line.
 */
const isOverElsewhere = (c: Context<ClockEnv>, count?: number): Promise<boolean> => {
  const { serial, address, sent_from } = c.get('clock')
  const from = c.get('address')
  const isKnownLine = from === address || from === sent_from
  return isOverClockElsewhere(c, isKnownLine ? `${serial} line ${from}` : serial, count)
}

/** Notes the call of a clock that sends no punches, and answers it with a text. */
const noted =
  (kind: 'poll' | 'options', textFor: (c: Context<ClockEnv>) => string | Promise<string>) =>
  async (c: Context<ClockEnv>) => {
    const call = { address: c.get('address'), now: c.get('now') }
    await noteCall(withoutCaller(c.get('db')), c.get('clock'), call, kind)
    return c.text(await textFor(c))
  }

/** Acknowledges whatever else a clock sends. Nothing of its body is kept. */
const acknowledge = noted('poll', () => 'OK')

const LINE_END = 10

/** The number of lines of a body, of which nothing is kept. Undefined if it is too large. */
const countLines = async (body: ReadableStream<Uint8Array>): Promise<number | undefined> => {
  let [size, count, last] = [0, 0, LINE_END]
  for await (const chunk of body.values({ preventCancel: true })) {
    size += chunk.length
    if (size > PUNCHES_BYTES_MAX) return undefined
    for (const byte of chunk) {
      if (byte === LINE_END && last !== LINE_END) count++
      last = byte
    }
  }
  return last === LINE_END ? count : count + 1
}

/** A clock that is told too few sends the same for ever. */
const acknowledgeCounted = noted('poll', async ({ req }) => {
  const count = req.raw.body ? await countLines(req.raw.body) : 0
  return count === undefined ? 'OK' : `OK: ${count}`
})

const utf8 = new TextDecoder()

const storePunches = async (c: Context<ClockEnv>) => {
  if (isDatabaseFull(c)) throw new DomainError('DATABASE_FULL')
  const db = withoutCaller(c.get('db'))
  await requireRoom(db, c.get('clock'), { address: c.get('address'), now: c.get('now') })
  const { body } = c.req.raw
  const bytes = body ? await readBytes(body, PUNCHES_BYTES_MAX) : new ArrayBuffer()
  const call = { address: c.get('address'), now: new Date() }
  if (!bytes) {
    await saveProblem(db, c.get('clock'), 'too_large', { at: call.now.toISOString() })
    return c.text('ERROR', 413)
  }
  const more = Math.floor(bytes.byteLength / BYTES_PER_CALL)
  if (isElsewhere(c) && (await isOverElsewhere(c, more))) return tooManyCalls(c)
  const stamp = believedStamp(parameter(c, 'STAMP'), call.now)
  const began = c.get('now').toISOString()
  const text = utf8.decode(bytes)
  const count = await receivePunches(db, c.get('clock'), { ...call, text, stamp, began })
  return c.text(`OK: ${count}`)
}

const receive = (c: Context<ClockEnv>): Promise<Response> => {
  if (sendsPunches(c)) return storePunches(c)
  return WITHOUT_PUNCHES[tableOf(c)] === 'counted' ? acknowledgeCounted(c) : acknowledge(c)
}

/**
 * The options of the clock. The `Stamp` is returned only to the address that sent it: from another
 * one, the clock sends everything again, which is known.
 */
const options = (c: Context<ClockEnv>): string => {
  const { sent_from, stamp, resend, ...clock } = c.get('clock')
  const ownStamp = sent_from === c.get('address') && !resend ? stamp : null
  return optionsOf({ ...clock, stamp: ownStamp }, c.get('now'))
}

const sendOptions = noted('options', (c) => `GET OPTION FROM: ${c.get('serial')}\n${options(c)}`)

/** Clocks of the third generation register, and get their options without a first line. */
const register = noted('options', (c) => `RegistryCode=${c.get('serial')}`)

const sendOptionsAlone = noted('options', options)

const sendTime = noted('poll', (c) => {
  const asksForTime = /^(rt)?time$/i.test(parameter(c, 'TYPE'))
  return asksForTime ? timeOf(c.get('clock'), c.get('now')) : 'OK'
})

/** Older clocks add the extension of the vendor's server. */
const pathsOf = (name: string) => [`/${name}`, `/${name}.aspx`]

export const clockPush = new Hono<AppEnv>({ getPath: (request) => clockPath(request) ?? '' })
  .basePath('/iclock')
  .use(logRequest, initContext, refuseOtherMethods, refuseBrowsers)
  // Some models ask whether this is a server before they say who they are.
  .on('GET', pathsOf('test'), (c) => c.text('Test'))
  .use(dropUnreadBody, requireSerial, limitClock, requireClock)
  .on('GET', pathsOf('cdata'), sendOptions)
  .on('POST', pathsOf('cdata'), receive)
  .on(['GET', 'POST'], ['getrequest', 'devicecmd', 'ping', 'fdata'].flatMap(pathsOf), acknowledge)
  .on(['GET', 'POST'], pathsOf('registry'), register)
  .on(['GET', 'POST'], pathsOf('push'), sendOptionsAlone)
  .on(['GET', 'POST'], pathsOf('rtdata'), sendTime)

clockPush.notFound((c) => c.text('ERROR', 404))
clockPush.onError((error, c) => {
  const status = error instanceof DomainError ? ERRORS[error.code].status : 500
  if (status === 503) c.header('Retry-After', RETRY_SECONDS)
  return c.text('ERROR', status as 500)
})
