import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attendance_logs as logs } from '../../src/core/tables/logs.ts'
import {
  type Case,
  expectNoFaults,
  failure,
  NOW,
  networks,
  noAnswer,
  situations,
  storages,
} from '../support/check-in-cases.ts'
import { anEmployee, aUser, db } from '../support/factories.ts'
import { Phone } from '../support/phone.ts'

const HOUR = 3_600_000

afterEach(Phone.leave)

/** What the page has been through, in turns. */
const PAGES = [
  { wasOnline: true },
  { wasOnline: false },
  { wasOnline: true, isReloaded: true },
  { wasOnline: false, isReloaded: true },
]

/** A third of the networks with each situation. `npm run test:slow` tests all. */
const someCases = (situation: string, index: number): Case[] =>
  networks
    .filter((_, of) => (index + of) % 3 === 0)
    .map((network, turn) => {
      const page = PAGES[(index + turn) % PAGES.length] ?? { wasOnline: true }
      const storage = page.isReloaded
        ? 'fine'
        : (storages[(index + turn) % storages.length] ?? 'fine')
      return { network, situation, storage, ...page }
    })

describe('a check-in', () => {
  it.each(situations.map((situation, index) => [situation, someCases(situation, index)] as const))(
    'is confirmed by the service alone, and stored once at its time: %s',
    (_, cases) => expectNoFaults(cases),
  )
})

describe('the worker’s page', () => {
  let phone: Phone
  let session: { user_id: number; name: string; email: string; token: string }
  beforeEach(async () => {
    const { employee_id } = await anEmployee()
    const { id, email, token } = await aUser({ employee_id })
    session = { user_id: id, name: 'Ana', email, token }
    phone = new Phone(NOW)
  })

  const message = () => phone.page.ui.ui.get().message
  const stored = () => db.select().from(logs)

  it('keeps a check-in that the browser deletes while the page is open', async () => {
    phone.network = noAnswer
    await phone.load(session)
    await phone.page.press.press('entrada')
    expect(phone.stored.size).toBe(1)
    phone.stored.clear()
    await phone.pass(60_000)
    expect(phone.stored.size).toBe(1)
    phone.network = phone.online
    await phone.pass(60_000)
    expect([message(), await stored(), phone.stored.size]).toMatchObject([
      'Tu entrada quedó registrada.',
      [{ kind: 'entrada', recorded_at: NOW }],
      0,
    ])
  })

  it('sends its time after another tab was refused for the phone’s time', async () => {
    phone.ahead = HOUR
    phone.network = noAnswer
    await phone.load(session)
    await phone.page.press.press('entrada')
    const [[id, one] = []] = phone.stored as Map<string, object>
    phone.stored.set(id ?? '', { ...one, refusal: 'clock' })
    phone.network = phone.online
    await phone.pass(60_000)
    expect(await stored()).toMatchObject([{ kind: 'entrada', recorded_at: NOW }])
    expect(phone.page.checkIns.checkIns.get().all).toEqual([])
  })

  it('asks for the service’s time again after the phone’s clock was put forward', async () => {
    await phone.load(session)
    await phone.page.own.readOwnLogs()
    await phone.setAhead(HOUR)
    const pressed = new Date(phone.now).toISOString()
    await phone.page.press.press('entrada')
    expect(await stored()).toMatchObject([{ recorded_at: pressed }])
    expect(message()).toBe('Tu entrada quedó registrada.')
  })

  it('works without https, and where tabs cannot talk to each other', async () => {
    const { getRandomValues, subtle } = crypto
    phone.crypto = { getRandomValues: getRandomValues.bind(crypto), subtle }
    phone.hasBroadcastChannel = false
    await phone.load(session)
    await phone.page.press.press('salida')
    expect(message()).toBe('Tu salida quedó registrada.')
    expect(await stored()).toMatchObject([{ kind: 'salida', recorded_at: NOW }])
  })

  it('takes a press hours after the same one, although the phone slept meanwhile', async () => {
    await phone.load(session)
    await phone.page.press.press('entrada')
    await phone.page.press.press('entrada')
    expect(message()).toBe('Ya habías marcado tu entrada.')
    await phone.sleep(3 * HOUR)
    await phone.page.press.press('entrada')
    expect(message()).toBe('Tu entrada quedó registrada.')
    const times = (await stored()).map(({ recorded_at }) => Date.parse(recorded_at))
    expect(times.map((time) => Math.round((time - Date.parse(NOW)) / 1000))).toEqual([0, 10_801])
  })

  it('stays signed in if only an older token has ended', async () => {
    await phone.load(session)
    let end = (_: Response) => {}
    phone.network = () => new Promise((resolve) => (end = resolve))
    void phone.page.press.press('entrada')
    await phone.settle()
    const newer = { ...session, token: 'a newer one' }
    phone.page.session.currentSession.set({ session: newer })
    end(await failure(401, 'UNAUTHENTICATED', 'No autenticado.')())
    await phone.settle()
    expect(phone.page.session.currentSession.get().session).toEqual(newer)
  })

  it('announces no registration when the person removes a check-in that was refused', async () => {
    await phone.load(session)
    phone.network = failure(403, 'CLOCK_IN_OFF', 'Aquí no se puede checar desde la app.')
    await phone.page.press.press('entrada')
    const { checkIns, removeCheckIn } = phone.page.checkIns
    const [refused] = checkIns.get().all
    expect([message(), refused.message]).toEqual([
      expect.stringMatching(/^Tu entrada de las \d\d:\d\d no se registró\.$/),
      'Aquí no se puede checar desde la app.',
    ])
    await removeCheckIn(refused, 'removed')
    expect([message(), checkIns.get().all]).toEqual([expect.not.stringMatching(/quedó/), []])
  })

  it('says that the network has answered, and keeps the check-in', async () => {
    await phone.load(session)
    phone.network = async () =>
      new Response('<html>', { status: 403, headers: { 'Content-Type': 'text/html' } })
    await phone.page.press.press('entrada')
    expect(phone.page.sending.sendingProblem.get().problem).toBe(
      'Contestó la red, y no el servicio: quizá pide que abras su página para conectarte.',
    )
    const [waiting] = phone.page.checkIns.checkIns.get().all
    expect([waiting.kind, waiting.refusal]).toEqual(['entrada', undefined])
  })

  it('sends what version 2.0 has stored, and says why that version was refused', async () => {
    const of = { user_id: session.user_id, name: 'Ana', kind: 'entrada', recorded_at: NOW }
    const reason = 'Tu usuario no está ligado a un empleado.'
    const [waiting, refused] = [crypto.randomUUID(), crypto.randomUUID()]
    phone.stored.set(waiting, { ...of, client_id: waiting })
    phone.stored.set(refused, { ...of, client_id: refused, refusal: reason })
    await phone.load(session)
    await phone.page.sending.sendCheckIns()
    expect(await stored()).toMatchObject([{ kind: 'entrada', recorded_at: NOW }])
    expect(phone.page.checkIns.checkIns.get().all).toMatchObject([
      { client_id: refused, refusal: reason, message: reason },
    ])
  })
})
