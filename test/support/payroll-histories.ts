import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { employee_shifts } from '../../src/db/schema.ts'
import { addDays } from '../../src/shared/time-zone.ts'
import { call } from './api.ts'
import { aLog, anAdmin, anEmployee, db as drizzleDb } from './factories.ts'
import { type Payroll, paidDays, payrollOf } from './payroll.ts'

/** Random histories of a company that pays, over the API. */

/** Repeatable: a linear congruential generator (Numerical Recipes). */
const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
  const int = (n: number) => Math.floor(next() * n)
  return { next, int, pick: <T>(list: readonly T[]): T => list[int(list.length)] as T }
}

const FIRST_DAY = '2026-03-01'
const dayAt = (index: number): string => addDays(FIRST_DAY, index)
/** Local times of the zone of all, which has no clock changes. */
const OFFSET_S = 6 * 3600
const momentAt = (day: number, second: number): string =>
  new Date(Date.parse(dayAt(day)) + (second + OFFSET_S) * 1000).toISOString()

interface Person {
  employee_id: string
  startsOn: number
  isGuard: boolean
  group: string
  isHired: boolean
}

interface History {
  closings: number
  cancelled: number
  held: number
  days: number
}

const GROUPS = ['semanal', 'quincenal'] as const

/** The held lines of a closing: nothing is taken back from any of them. */
const expectNothingTakenBack = async (payroll: Payroll, id: number): Promise<number> => {
  const lines = await payroll.lines(id)
  const held = lines.filter(({ held_by }) => held_by !== null)
  for (const line of held) {
    expect(line.difference_seconds, JSON.stringify(line)).toBeGreaterThanOrEqual(0)
  }
  return held.length
}

/** After everything is decided and everybody closed, each day was paid its figure, no more or less. */
export const runHistory = async (seed: number, steps = 120): Promise<History> => {
  const { next, int, pick } = createRandom(seed)
  const admin = await anAdmin()
  const payroll = payrollOf(admin.token)
  let today = 20
  const counts: History = { closings: 0, cancelled: 0, held: 0, days: 0 }
  const people: Person[] = Array.from({ length: 6 }, (_, i) => ({
    employee_id: `E${i}`,
    startsOn: i < 4 ? 0 : 22 + int(8),
    isGuard: i === 3,
    group: pick(GROUPS),
    isHired: false,
  }))
  const hire = async (person: Person) => {
    person.isHired = true
    await anEmployee({
      employee_id: person.employee_id,
      started_at: dayAt(person.startsOn),
      payroll_group: person.group,
    })
    if (person.isGuard) {
      await drizzleDb
        .insert(employee_shifts)
        .values({ employee_id: person.employee_id, max_shift_hours: 26 })
    }
  }
  for (const person of people) if (person.startsOn === 0) await hire(person)
  const hired = () => people.filter(({ isHired }) => isHired)
  const logIds: number[] = []
  const add = async (
    person: Person,
    day: number,
    second: number,
    kind: 'entrada' | 'salida' | 'checada',
  ) => {
    const recorded_at = momentAt(day, second)
    const row = { employee_id: person.employee_id, kind, recorded_at }
    const log = await aLog(row)
    logIds.push(log.id)
    if (next() < 0.6) await decide(log.id, 'approved')
  }
  const decide = (log_id: number, status: string) =>
    call('POST', '/v2/incidents/change_log_status', {
      token: admin.token,
      body: { log_id, status },
    })
  const addShift = async (person: Person) => {
    const day = next() < 0.8 ? today - 1 - int(3) : today - 1 - int(18)
    if (day < person.startsOn) return
    const start = (person.isGuard ? 7 : next() < 0.2 ? 22 : 8) * 3600 + int(1200)
    const end = start + (person.isGuard ? 24 : 8) * 3600 + int(1200) - 600
    for (const [second, kind] of [
      [start, 'entrada'],
      [end, 'salida'],
    ] as const) {
      if (next() > 0.07)
        await add(person, day, second, person.isGuard || next() < 0.1 ? 'checada' : kind)
    }
  }
  const close = async () => {
    const selection = pick([
      {},
      {},
      { payroll_group: 'semanal' },
      { payroll_group: 'quincenal' },
      { employee_id: pick(hired()).employee_id },
    ])
    const before = dayAt(today - int(4))
    const from = dayAt(Math.max(today - 10, 14))
    const res = await payroll.close({ before, from, leave_pending: true, ...selection })
    if (res.status === 422) return
    expect(res.status, res.text).toBe(200)
    counts.closings++
    counts.held += await expectNothingTakenBack(payroll, res.body.data.id)
  }
  const activeIds = async () =>
    (
      await env.DB.prepare(
        'SELECT id FROM closings WHERE completed_at IS NOT NULL AND cancelled_at IS NULL',
      ).raw<[number]>()
    ).flat()
  const cancelOne = async () => {
    const ids = await activeIds()
    if (ids.length === 0) return
    expect((await payroll.cancel(pick(ids))).status).toBe(200)
    counts.cancelled++
  }
  for (let step = 0; step < steps; step++) {
    for (const person of people) {
      // Hired, and entered days later.
      if (!person.isHired && today > person.startsOn + 3) await hire(person)
    }
    const r = next()
    if (r < 0.4) await addShift(pick(hired()))
    else if (r < 0.48) {
      const person = pick(hired())
      const day = today - 1 - int(15)
      if (day >= person.startsOn)
        await add(person, day, int(86_400), pick(['entrada', 'salida', 'checada']))
    } else if (r < 0.72 && logIds.length > 0) {
      await decide(pick(logIds), pick(['approved', 'approved', 'rejected', 'pending']))
    } else if (r < 0.76) {
      const person = pick(hired())
      person.group = pick(GROUPS)
      await env.DB.prepare('UPDATE employees SET payroll_group = ? WHERE employee_id = ?')
        .bind(person.group, person.employee_id)
        .run()
    } else if (r < 0.84) await close()
    else if (r < 0.87) {
      const [from, to] = [dayAt(today - 8), dayAt(today - 2)]
      const selection = pick([{}, { payroll_group: 'semanal' }])
      // Nobody may be in the group.
      expect([200, 422]).toContain((await payroll.unlock({ from, to, ...selection })).status)
    } else if (r < 0.9) await cancelOne()
    else today++
  }
  await payroll.unlock({ from: FIRST_DAY, to: dayAt(today + 3) })
  for (const id of logIds) {
    const { status } = (await env.DB.prepare('SELECT status FROM attendance_logs WHERE id = ?')
      .bind(id)
      .first<{ status: string }>()) ?? { status: '' }
    if (status === 'pending')
      expect((await decide(id, pick(['approved', 'rejected']))).status).toBe(200)
  }
  const closeAll = async () => {
    const res = await payroll.close({ before: dayAt(today + 4), from: dayAt(14) })
    expect(res.status, res.text).toBe(200)
  }
  await closeAll()
  await cancelOne()
  await closeAll()

  const openings = new Map(
    await env.DB.prepare(
      'SELECT employee_id, first_day FROM openings GROUP BY employee_id HAVING id = max(id)',
    ).raw<[string, string]>(),
  )
  const figures = new Map(
    (await payroll.hours(`from=${FIRST_DAY}&to=${dayAt(today + 3)}`))
      .filter((row) => String(row.day) >= (openings.get(String(row.employee_id)) ?? '9999'))
      .map((row) => [`${row.employee_id} ${row.day}`, Number(row.worked_seconds ?? 0)]),
  )
  const paid = await paidDays()
  counts.days = figures.size
  for (const day of new Set([...figures.keys(), ...paid.keys()])) {
    expect(paid.get(day) ?? 0, `${day}, seed ${seed}`).toBe(figures.get(day) ?? 0)
  }
  return counts
}
