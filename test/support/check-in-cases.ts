import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { attendance_logs as logs } from '../../src/core/tables/logs.ts'
import { anEmployee, aUser, db } from './factories.ts'
import { type Network, Phone, type PhoneStorage } from './phone.ts'

/**
 * The worker's page on every phone: what answers × what the clocks do × what the storage does. Two
 * laws hold in each case. A check-in is confirmed only by the service's own answer for it. It is
 * stored once, at the time of the press if one of the phone's clocks went right; otherwise at the
 * phone's time, never silently later.
 */

export const NOW = '2026-11-25T16:40:00.000Z'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const EXACT_MS = 5_000

const html = (status: number) => async () =>
  new Response('<html><h1>Sign in to Wi-Fi</h1></html>', {
    status,
    headers: { 'Content-Type': 'text/html' },
  })
const json = (status: number, body: unknown) => async () => Response.json(body, { status })
/** A failure of the service. */
export const failure = (status: number, code: string, message: string) =>
  json(status, { success: false, message, data: null, code })
export const noAnswer: Network = () => Promise.reject(new TypeError('Failed to fetch'))
const isCheckIn = ({ method, url }: Request) => method === 'POST' && url.endsWith('/my_logs')

/** What comes back at the press. Afterwards, the service answers. */
export const NETWORKS: Record<string, (phone: Phone) => Network> = {
  service: ({ online }) => online,
  offline: () => noAnswer,
  'sign-in page of a network': () => html(200),
  'page of a proxy, 401': () => html(401),
  'page of a proxy, 403': () => html(403),
  'page of a proxy, 407': () => html(407),
  'page of a proxy, 422': () => html(422),
  'page of a proxy, 502': () => html(502),
  'JSON of another server': () => json(200, { success: true, data: {} }),
  'JSON of another server, named as ours': () =>
    json(200, { success: true, message: 'OK', data: { result: 'created', log_id: 7, logs: [] } }),
  'JSON of another server, 403': () => json(403, { success: false, message: 'Forbidden' }),
  'JSON of another server, 401': () => json(401, { message: 'Unauthorized' }),
  'a token that has ended': () => failure(401, 'UNAUTHENTICATED', 'No autenticado.'),
  'too many requests': () => failure(429, 'TOO_MANY_WRITES', 'Demasiados intentos.'),
  'a busy database': () => failure(503, 'DATABASE_BUSY', 'Inténtalo de nuevo.'),
  'an error of the service': () => failure(500, 'INTERNAL', 'Error interno.'),
  'an unknown address': () => failure(404, 'NOT_FOUND', 'No existe.'),
  'no answer for a long time': () => () => new Promise(() => {}),
  'an answer that is lost':
    ({ online }) =>
    async (request) => {
      const response = await online(request)
      return isCheckIn(request) ? noAnswer(request) : response
    },
  'a request that arrives when the phone wakes': (phone) => (request) =>
    new Promise((resolve) => {
      phone.late.push(async () => resolve(await phone.online(request)))
    }),
}

interface Situation {
  /** How much the phone's clock is ahead at the press. */
  ahead?: number
  meanwhile: (phone: Phone) => Promise<void>
  /**
   * Whether the phone cannot tell this from another situation, unless it knew the service's time at
   * the press: a clock that is put forward looks like sleep.
   */
  looksLikeSleep?: boolean
}

export const SITUATIONS: Record<string, Situation> = {
  'awake for a minute': { meanwhile: (phone) => phone.pass(MINUTE) },
  'awake for 20 minutes': { meanwhile: (phone) => phone.pass(20 * MINUTE) },
  'asleep for 50 minutes': { meanwhile: (phone) => phone.sleep(50 * MINUTE) },
  'an hour behind': { ahead: -HOUR, meanwhile: (phone) => phone.pass(MINUTE) },
  'an hour ahead': { ahead: HOUR, meanwhile: (phone) => phone.pass(MINUTE) },
  'four minutes ahead': { ahead: 4 * MINUTE, meanwhile: (phone) => phone.pass(MINUTE) },
  'an hour ahead and asleep': { ahead: HOUR, meanwhile: (phone) => phone.sleep(50 * MINUTE) },
  'an hour ahead, then set right': {
    ahead: HOUR,
    meanwhile: async (phone) => {
      await phone.setAhead(0)
      await phone.pass(70 * MINUTE)
    },
  },
  'asleep, and an hour ahead until then': {
    ahead: HOUR,
    meanwhile: async (phone) => {
      await phone.sleep(50 * MINUTE)
      await phone.setAhead(0)
    },
  },
  'an hour behind, then set right': {
    ahead: -HOUR,
    meanwhile: async (phone) => {
      await phone.setAhead(0)
      await phone.pass(MINUTE)
    },
    looksLikeSleep: true,
  },
  'put an hour back': { meanwhile: (phone) => phone.setAhead(-HOUR) },
  'put an hour forward': { meanwhile: (phone) => phone.setAhead(HOUR), looksLikeSleep: true },
}

export const storages: PhoneStorage[] = ['fine', 'dead', 'refuses', 'full', 'unreadable']

export interface Case {
  network: string
  situation: string
  storage: PhoneStorage
  /** Whether the page has had an answer of the service before the press. */
  wasOnline: boolean
  /** Whether the page is closed and opened again before the service answers. */
  isReloaded?: boolean
}

const ENGLISH = /<|The service|responded|undefined|Forbidden|Unauthorized|OK/

/** Everything that the page says about check-ins. */
const textsOf = ({ page }: Phone): string[] => [
  page.ui.ui.get().message,
  page.sending.sendingProblem.get().problem ?? '',
  ...page.checkIns.checkIns.get().all.map(({ message }: { message?: string }) => message ?? ''),
]

/** Presses «Entrada» in one case. Returns what was wrong, in sentences. */
const faultsOf = async (one: Case): Promise<string[]> => {
  const { ahead = 0, meanwhile, looksLikeSleep } = SITUATIONS[one.situation] as Situation
  const faults: string[] = []
  const { employee_id } = await anEmployee()
  const { id, email, token } = await aUser({ employee_id })
  const session = { user_id: id, name: 'Ana', email, token }
  const phone = new Phone(NOW)
  phone.ahead = ahead
  phone.storage = one.storage

  const watch = () => {
    const { ui } = phone.page.ui
    ui.subscribe(() => {
      const isConfirmed = /quedó registrada/.test(ui.get().message)
      if (isConfirmed && phone.recorded.size === 0) faults.push('confirmed without the service')
    })
  }
  if (!one.wasOnline) phone.network = noAnswer
  await phone.load(session)
  watch()
  if (one.wasOnline) await phone.page.own.readOwnLogs()
  await phone.pass(3_000)

  phone.network = (NETWORKS[one.network] as (phone: Phone) => Network)(phone)
  const pressedAt = phone.now
  const phoneTime = phone.now + phone.ahead
  let isFree = false
  phone.page.press.press('entrada').then(() => {
    isFree = true
  })
  await phone.settle()
  await phone.pass(1_500)
  const wasRecorded = phone.recorded.size > 0
  await meanwhile(phone)
  await phone.arrive()
  await phone.pass(30_000)
  if (!isFree) faults.push('the buttons cannot be used')
  if (textsOf(phone).some((text) => ENGLISH.test(text))) faults.push(`says ${textsOf(phone)}`)
  const { all, unsaved } = phone.page.checkIns.checkIns.get()
  if (phone.recorded.size === 0 && all.length === 0) faults.push('lost')
  const isUnsaved = one.storage !== 'fine' && one.storage !== 'unreadable'
  if (all.length > 0 && isUnsaved !== unsaved.length > 0) faults.push('nothing warns')
  const isSignedOut = phone.page.session.currentSession.get().session?.token === undefined
  if (isSignedOut !== (one.network === 'a token that has ended')) faults.push('signed out')

  phone.network = phone.online
  if (one.isReloaded) {
    await phone.load(session)
    watch()
  }
  phone.page.session.currentSession.set({ session })
  await phone.fire('online')
  await phone.pass(2 * MINUTE)

  const rows = await db.select().from(logs).where(eq(logs.employee_id, employee_id))
  const [row] = rows
  const left = phone.page.checkIns.checkIns.get().all
  if (rows.length > 1) faults.push('stored twice')
  if (row && left.length > 0) faults.push('still shown as not sent')
  const off = row ? Date.parse(row.recorded_at) - pressedAt : undefined
  const isExact = off !== undefined && Math.abs(off) <= EXACT_MS
  if (isExact) return faults
  // Only the phone's clock is left, and the service has been told what it says now.
  const isMemoryGone = one.isReloaded && !one.wasOnline && !wasRecorded
  if (isMemoryGone) {
    const isRefused = ['clock', 'future'].includes(left[0]?.refusal)
    const isPhoneTime = row && Math.abs(Date.parse(row.recorded_at) - phoneTime) <= 1_000
    const isSaid = phone.received.every(({ sent_at }) => sent_at !== undefined)
    const isMarked =
      row && phone.page.time.arrivalDelay({ ...row, received_at: row.created_at }) !== undefined
    if (!isRefused && !(isPhoneTime && isSaid && isMarked)) {
      faults.push(`stored ${off} ms off, unmarked`)
    }
  } else if (looksLikeSleep && !one.wasOnline) {
    if (off === undefined || off > 0) faults.push(`stored ${off} ms off`)
  } else faults.push(off === undefined ? 'not stored' : `stored ${off} ms off`)
  return faults
}

export const networks = Object.keys(NETWORKS)
export const situations = Object.keys(SITUATIONS)

/** Expects that both laws hold in each case. */
export const expectNoFaults = async (cases: Case[]): Promise<void> => {
  const wrong: Record<string, string[]> = {}
  for (const one of cases) {
    const faults = await faultsOf(one)
    if (faults.length > 0) wrong[Object.values(one).join(' · ')] = faults
  }
  Phone.leave()
  expect(wrong).toEqual({})
}
