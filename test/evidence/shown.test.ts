import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { aLog, anEmployee, aUser } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'

/** Tests the event with which a file of a person ends, and which says who got the file, and when. */

const OF_ANA = 'employee_id=E-ana&from=2026-11-01&to=2026-11-30'

let admin: Admin
let logId: number
beforeEach(async () => {
  admin = await signInAdmin()
  await anEmployee({ employee_id: 'E-ana' })
  const log = await aLog({ employee_id: 'E-ana', recorded_at: '2026-11-03T14:00:00.000Z' })
  logId = log.id
})

const evidence = async (query = OF_ANA, token = admin.token) => {
  const { status, text } = await get(`/v2/audit/evidence?${query}`, { token })
  expect(status, text).toBe(200)
  return text
}

const leavesOf = (text: string) =>
  parseLines(text).flatMap(({ entry }) => (entry ? [JSON.parse(entry)] : []))

const shownIn = async () => leavesOf(await evidence('')).filter(({ event }) => event === 'shown')

describe('shown', () => {
  it('ends each file of a person, and is in the whole record', async () => {
    const { id, token } = await aUser({ employee_id: 'E-ana' })
    const ends = [leavesOf(await evidence()).at(-1), leavesOf(await evidence(OF_ANA, token)).at(-1)]
    expect(ends).toMatchObject([
      { event: 'shown', employee_id: 'E-ana', user_id: admin.id, events: 1, previous: null },
      { event: 'shown', employee_id: 'E-ana', user_id: id, events: 1, previous: null },
    ])
    expect(await shownIn()).toEqual(ends)
    expect(await faultsOf(await evidence(''))).toEqual([])
  })

  it('is one for the same file of the same reader within a day', async () => {
    const first = await evidence()
    expect(leavesOf(await evidence())).toEqual(leavesOf(first))
    await evidence(`log_id=${logId}`)
    await admin.change({ log_id: logId, status: 'approved' })
    await evidence()
    expect((await shownIn()).map(({ log_id, events }) => [log_id, events])).toEqual([
      [null, 1],
      [logId, 1],
      [null, 2],
    ])
    vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ['Date'] })
    const { token } = await signInAdmin()
    await evidence(OF_ANA, token)
    vi.useRealTimers()
    expect(await shownIn()).toHaveLength(4)
  })

  it.each([
    'to=0001-01-01',
    'to=0000-06-01',
    'from=0000-01-01T00:00:00%2B14:00&to=0000-02-01',
    'from=9999-12-31T20:00:00-10:00&to=9999-12-31T23:00:00-10:00',
  ])('has a period that can be sealed and read: %s', async (period) => {
    const text = await evidence(`employee_id=E-ana&${period}`)
    expect(await faultsOf(text)).toEqual([])
    expect(await faultsOf(await evidence(''))).toEqual([])
  })

  it('is refused by the database with a moment that is no stored one', async () => {
    const insert = (from: string) =>
      env.DB.prepare(
        `INSERT INTO log_events (event, user_id, created_at, actor, details)
         SELECT 'shown', id, '2026-11-25T00:00:00.000Z', actor_hash, ? FROM users LIMIT 1`,
      )
        .bind(JSON.stringify({ from, before: ':' }))
        .run()
    await expect(insert('-000001-12-31T23:00:00.001Z')).rejects.toThrow('stored moments only')
    await insert('')
  })

  it('is named by no later event, and is no change of the person’s hours', async () => {
    await evidence()
    await admin.change({ log_id: logId, status: 'approved' })
    expect(leavesOf(await evidence('')).map(({ id, previous }) => [id, previous])).toEqual([
      [1, null],
      [2, null],
      [3, 1],
    ])
  })

  it('must be in the file, last, of the same period and log, and of the same events', async () => {
    await admin.change({ log_id: logId, status: 'approved' })
    const text = await evidence()
    expect((await verifyText(text)).shown?.id).toBe(3)
    const lines = parseLines(text)
    const textOf = (all: object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('')
    const at = lines.findIndex(({ entry }) => entry?.includes('"shown"'))
    const [head, ...rest] = lines
    for (const [changed, fault] of [
      [lines.toSpliced(at, 1), 'Falta el último evento, que dice qué se entregó.'],
      [lines.toSpliced(1, 1), 'se entregó con 2 eventos más, y trae 1.'],
      [
        lines.toSpliced(at - 1, 2, ...lines.slice(at - 1, at + 1).toReversed()),
        'viene después del evento que dice qué se entregó.',
      ],
      ...[{ from: '2026-11-02T06:00:00.000Z' }, { log_id: logId }].map((other) => [
        [{ ...head, about: { ...head.about, ...other } }, ...rest],
        'lo que se entregó no es lo que dice la primera línea.',
      ]),
    ] as [object[], string][]) {
      expect((await faultsOf(textOf(changed))).join('\n')).toContain(fault)
    }
  })
})
