import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { type CheckIn, createCheckIns } from '../../docs/check-in.ts'
import { attendance_logs as logs } from '../../src/core/tables/logs.ts'
import { NETWORKS, NOW, noAnswer, SITUATIONS } from '../support/check-in-cases.ts'
import { anEmployee, aUser, db } from '../support/factories.ts'
import { Phone } from '../support/phone.ts'

/** docs/check-in.ts, on the phones of `check-ins.test.ts`. */

afterEach(Phone.leave)

/** What an app has: a store on the disk, and who is signed in. */
const startApp = (
  phone: Phone,
  user: { id: number; token: string },
  disk: Map<string, CheckIn>,
) => {
  phone.start()
  const store = {
    put: async (one: CheckIn) => void disk.set(one.client_id, one),
    all: async () => [...disk.values()],
    delete: async (id: string) => void disk.delete(id),
  }
  const tokens = new Map([[user.id, user.token]])
  const app = createCheckIns({ url_base: 'http://localhost', store, tokens })
  const retry = async () => {
    tokens.set(user.id, user.token)
    const sent = app.sendAll()
    await phone.settle()
    await phone.pass(1_000)
    await sent
  }
  return { ...app, retry }
}

const faultsOf = async (network: string, situation: string, wasOnline: boolean) => {
  const { ahead = 0, meanwhile, looksLikeSleep } = SITUATIONS[situation] ?? expect.unreachable()
  const { employee_id } = await anEmployee()
  const user = await aUser({ employee_id })
  const disk = new Map<string, CheckIn>()
  const phone = new Phone(NOW)
  phone.ahead = ahead
  const app = startApp(phone, user, disk)
  if (wasOnline) await app.readServiceTime(user.token)
  else phone.network = noAnswer
  await phone.pass(3_000)

  phone.network = (NETWORKS[network] ?? expect.unreachable())(phone)
  const pressedAt = phone.now
  const faults: string[] = []
  void app.checkIn('entrada', user.id)
  await phone.settle()
  const isGone = () => disk.size === 0 && phone.recorded.size === 0
  if (isGone()) faults.push('lost')
  await meanwhile(phone)
  await phone.arrive()
  await phone.settle()
  if (isGone()) faults.push('lost')
  phone.network = phone.online
  await app.retry()
  await app.retry()

  const rows = await db.select().from(logs).where(eq(logs.employee_id, employee_id))
  const off = Date.parse(rows[0]?.recorded_at ?? '') - pressedAt
  const isRight = Math.abs(off) <= 5_000 || (looksLikeSleep && !wasOnline && off < 0)
  if (rows.length !== 1 || !isRight) faults.push(`stored ${rows.length} times, ${off} ms off`)
  if (disk.size > 0) faults.push('still waits')
  return faults
}

it.each(Object.keys(SITUATIONS))('stores a check-in once, at its time: %s', async (situation) => {
  const wrong: Record<string, string[]> = {}
  for (const [index, network] of Object.keys(NETWORKS).entries()) {
    const wasOnline = index % 2 === 0
    const faults = await faultsOf(network, situation, wasOnline)
    if (faults.length > 0) wrong[`${network} · online: ${wasOnline}`] = faults
  }
  Phone.leave()
  expect(wrong).toEqual({})
})

it('sends the phone’s time with sent_at after it was closed, and keeps what is refused', async () => {
  const { employee_id } = await anEmployee()
  const user = await aUser({ employee_id })
  const disk = new Map<string, CheckIn>()
  const phone = new Phone(NOW)
  phone.network = noAnswer
  phone.ahead = 4 * 60_000
  const before = startApp(phone, user, disk)
  await before.checkIn('entrada', user.id)
  phone.ahead = 3_600_000
  await before.checkIn('salida', user.id)
  await phone.settle()

  phone.network = phone.online
  phone.ahead = 0
  await startApp(phone, user, disk).retry()
  Phone.leave()

  expect(phone.received).toMatchObject([
    { kind: 'entrada', recorded_at: '2026-11-25T16:44:00.000Z', sent_at: NOW },
    { kind: 'salida', recorded_at: '2026-11-25T17:40:00.000Z', sent_at: NOW },
  ])
  expect([...disk.values()]).toMatchObject([{ kind: 'salida', refusal: 'future' }])
})
