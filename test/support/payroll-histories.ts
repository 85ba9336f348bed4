import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { employee_shifts } from '../../src/core/db/schema.ts'
import type { LogKind } from '../../src/core/log-values.ts'
import { addDays } from '../../src/core/time-zone.ts'
import type { TestResponse } from './api.ts'
import { aLog, anAdmin, anEmployee, aZone, db as drizzleDb } from './factories.ts'
import { actBeforeBatches, failStatement } from './fault-injection.ts'
import { daysByOracle, type OracleDay, type OracleLog } from './pairing-oracle.ts'
import { paidDays, payrollOf } from './payroll.ts'
import { createRandom } from './random.ts'

/** Random histories of logs, decisions and closings, sent through the API. */

const FIRST_DAY = '2026-03-01'
const dayAt = (index: number): string => addDays(FIRST_DAY, index)
/** The offset of Mexico City. Local times in Tijuana are an hour or two earlier. */
const OFFSET_S = 6 * 3600
const zoneOf = (branch: string) =>
  branch === 'Tijuana' ? 'America/Tijuana' : 'America/Mexico_City'
/** One person has two new longest shifts, in hours, from the same day. The newer one applies. */
const CHANGE_DAY = dayAt(16)
const FIRST_SHIFT_HOURS = 10
const LAST_SHIFT_HOURS = 20
const MAX_SHIFT_HOURS = 16
const momentAt = (day: number, second: number): string =>
  new Date(Date.parse(dayAt(day)) + (second + OFFSET_S) * 1000).toISOString()

interface Person {
  employee_id: string
  startsOn: number
  isGuard: boolean
  /** Whether the person's longest shift changes on `CHANGE_DAY`. */
  changesShift: boolean
  branch: string
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

const rowsOf = async <Row>(query: string, ...values: unknown[]): Promise<Row[]> => {
  const statement = env.DB.prepare(query).bind(...values)
  return (await statement.all<Row>()).results
}

/** The first day for which each person is paid, by employee id. */
const openingsOfAll = async (): Promise<Map<string, string>> => {
  const rows = await rowsOf<{ employee_id: string; first_day: string }>(
    'SELECT employee_id, first_day FROM openings GROUP BY employee_id HAVING id = max(id)',
  )
  return new Map(rows.map(({ employee_id, first_day }) => [employee_id, first_day]))
}

/** The oracle's days of a person since their first paid day, from the current logs. */
const daysSince = async (person: Person, opening: string): Promise<OracleDay[]> => {
  const rows = await rowsOf<OracleLog & { branch_office: string }>(
    `SELECT id AS log_id, kind, status, recorded_at, branch_office FROM attendance_logs
     WHERE employee_id = ?`,
    person.employee_id,
  )
  const logs = rows.map((log) => ({ ...log, time_zone: zoneOf(log.branch_office) }))
  const hours = (day: string) => {
    if (person.isGuard) return 26
    return person.changesShift && day >= CHANGE_DAY ? LAST_SHIFT_HOURS : MAX_SHIFT_HOURS
  }
  const days = daysByOracle(logs, { longest: (day) => hours(day) * 3600 })
  return days.filter(({ day }) => day >= opening)
}

/**
 * Expects that a closing has paid each day before its end correctly. A held day is paid its
 * `certain_seconds`, or keeps an earlier payment if that is more. Every other day is paid its
 * `worked_seconds`. Returns the number of held days.
 */
const expectPaidRightly = async (people: readonly Person[], id: number): Promise<number> => {
  const taken = await rowsOf<{ employee_id: string; before: string }>(
    `SELECT taken.employee_id, before FROM closing_people AS taken JOIN closings ON id = closing_id
     WHERE closing_id = ?`,
    id,
  )
  const [paid, openings] = [await paidDays(), await openingsOfAll()]
  const lines = await rowsOf<{ name: string; seconds: number }>(
    `SELECT employee_id || ' ' || day AS name, difference_seconds AS seconds FROM closing_lines
     WHERE closing_id = ?`,
    id,
  )
  const paidHere = new Map(lines.map(({ name, seconds }) => [name, seconds]))
  let held = 0
  for (const { employee_id, before } of taken) {
    const person = people.find((one) => one.employee_id === employee_id)
    if (!person) throw new Error(`${employee_id} is not of this history.`)
    const opening = openings.get(employee_id) ?? ''
    const days = new Map((await daysSince(person, opening)).map((day) => [day.day, day]))
    const names = [...paid.keys()].filter((name) => name.startsWith(`${employee_id} `))
    for (const day of new Set([...days.keys(), ...names.map((name) => name.slice(-10))])) {
      if (day >= before) continue
      const name = `${employee_id} ${day}`
      const figure = days.get(day)
      const paidBefore = (paid.get(name) ?? 0) - (paidHere.get(name) ?? 0)
      const isHeld = (figure?.held_by ?? null) !== null
      if (isHeld) held++
      const expected = isHeld
        ? Math.max(paidBefore, figure?.certain_seconds ?? 0)
        : (figure?.worked_seconds ?? 0)
      expect(paid.get(name) ?? 0, `${name} in closing ${id}`).toBe(expected)
    }
  }
  return held
}

/** Whether a closing was rejected because other closings had paid all of its days. */
const isClosedAlready = ({ status, body }: TestResponse): boolean =>
  status === 409 && body.message.startsWith('Estos días ya se cerraron')

/** Runs a random history. In the end each day must be paid exactly its worked seconds. */
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
    changesShift: i === 2,
    branch: i === 1 || i === 4 ? 'Tijuana' : 'Centro',
    group: pick(GROUPS),
    isHired: false,
  }))
  const hire = async (person: Person) => {
    person.isHired = true
    await anEmployee({
      employee_id: person.employee_id,
      started_at: dayAt(person.startsOn),
      payroll_group: person.group,
      branch_office: person.branch,
    })
    const { employee_id } = person
    const rules = [
      ...(person.isGuard ? [{ employee_id, max_shift_hours: 26 }] : []),
      ...(person.changesShift
        ? [FIRST_SHIFT_HOURS, LAST_SHIFT_HOURS].map((max_shift_hours) => ({
            employee_id,
            valid_from: CHANGE_DAY,
            max_shift_hours,
          }))
        : []),
    ]
    if (rules.length > 0) await drizzleDb.insert(employee_shifts).values(rules)
  }
  await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
  for (const person of people) if (person.startsOn === 0) await hire(person)
  const hired = () => people.filter(({ isHired }) => isHired)
  const logIds: number[] = []
  const add = async ({ employee_id }: Person, day: number, second: number, kind: LogKind) => {
    const { id } = await aLog({ employee_id, kind, recorded_at: momentAt(day, second) })
    logIds.push(id)
    if (next() < 0.6) await decide(id, 'approved')
  }
  // Without a comment, a paid log keeps its status.
  const decide = (log_id: number, status: string) => {
    const comment = next() < 0.5 ? 'Se revisó otra vez.' : null
    return payroll.send('POST', '/change_log_status', { log_id, status, comment })
  }
  const addShift = async (person: Person) => {
    const day = next() < 0.8 ? today - 1 - int(3) : today - 1 - int(18)
    if (day < person.startsOn) return
    const start = (person.isGuard ? 7 : next() < 0.2 ? 22 : 8) * 3600 + int(1200)
    const end = start + (person.isGuard ? 24 : 8) * 3600 + int(1200) - 600
    const addPunch = async (second: number, kind: LogKind) => {
      if (next() <= 0.07) return
      await add(person, day, second, person.isGuard || next() < 0.1 ? 'checada' : kind)
    }
    await addPunch(start, 'entrada')
    await addPunch(end, 'salida')
  }
  const aRequest = () => {
    const selection = pick([
      {},
      {},
      { payroll_group: 'semanal' },
      { payroll_group: 'quincenal' },
      { employee_id: pick(hired()).employee_id },
    ])
    const before = dayAt(today - int(4))
    const from = dayAt(Math.max(today - 10, 14))
    return { before, from, leave_pending: true, ...selection }
  }
  /** Adds the seconds of the inverted days in the preview, so that the closing pays them. */
  const confirmed = async (body: Record<string, unknown>) => {
    const { leave_pending, openings, ...selection } = body
    const query = new URLSearchParams(selection as Record<string, string>)
    if (openings) query.set('openings', JSON.stringify(openings))
    const { data } = (await payroll.preview(`${query}`)).body
    return { ...body, confirm_inverted: data?.inverted_seconds }
  }
  const close = async (body: Record<string, unknown> = aRequest(), DB: D1Database = env.DB) => {
    const res = await payrollOf(admin.token, { DB }).close(await confirmed(body))
    if (isClosedAlready(res)) return 200
    if (res.status !== 200) return res.status
    counts.closings++
    if (DB === env.DB) counts.held += await expectPaidRightly(people, res.body.data.id)
    return res.status
  }
  /** Sends two closings at the same time. One of them may be rejected. */
  const closeTwice = async () => {
    const bodies = [aRequest(), aRequest()]
    const responses = await Promise.all(bodies.map(payroll.close))
    for (const { status } of responses) expect([200, 409, 422]).toContain(status)
  }
  /** Fails one statement of a closing. Then the closing must pay nothing. */
  const breakOff = async () => {
    const before = await paidDays()
    const { DB, failed } = failStatement(int(45))
    const status = await close(aRequest(), DB)
    if (failed()) {
      expect(status).toBe(500)
      expect(await paidDays()).toEqual(before)
    }
  }
  /** Somebody decides between two batches of a closing. */
  const closeWhileDeciding = async () => {
    let left = 3 + int(12)
    const decideOnce = async () => {
      if (--left === 0 && logIds.length > 0)
        await decide(pick(logIds), pick(['approved', 'rejected']))
    }
    expect([200, 409, 422]).toContain(await close(aRequest(), actBeforeBatches(decideOnce)))
  }
  /** Moves a person's first paid day to an earlier day. */
  const moveOpening = async () => {
    const [employee_id, opening] = pick([...(await openingsOfAll())]) ?? []
    if (!employee_id || !opening || opening <= dayAt(3)) return
    await env.DB.prepare(
      `INSERT INTO openings (employee_id, first_day, closings_before, created_at)
       SELECT ?, ?, coalesce((SELECT max(id) FROM closings WHERE completed_at IS NOT NULL), 0), ?`,
    )
      .bind(employee_id, addDays(opening, -1 - int(3)), new Date().toISOString())
      .run()
  }
  const leaveOrReturn = async () => {
    const { employee_id, startsOn } = pick(hired())
    const ended_at = next() < 0.6 ? dayAt(Math.max(today - int(6), startsOn)) : null
    await rowsOf('UPDATE employees SET ended_at = ? WHERE employee_id = ?', ended_at, employee_id)
  }
  const cancelOne = async () => {
    const active = await rowsOf<{ id: number }>(
      'SELECT id FROM closings WHERE completed_at IS NOT NULL AND cancelled_at IS NULL',
    )
    if (active.length === 0) return
    expect((await payroll.cancel(pick(active).id)).status).toBe(200)
    counts.cancelled++
  }
  for (let step = 0; step < steps; step++) {
    for (const person of people) {
      // A person is entered some days after they were hired.
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
      const { group, employee_id } = person
      await rowsOf(
        'UPDATE employees SET payroll_group = ? WHERE employee_id = ?',
        group,
        employee_id,
      )
    } else if (r < 0.81) expect([200, 422]).toContain(await close())
    else if (r < 0.82) await closeTwice()
    else if (r < 0.83) await breakOff()
    else if (r < 0.84) await closeWhileDeciding()
    else if (r < 0.85) await moveOpening()
    else if (r < 0.86) await leaveOrReturn()
    else if (r < 0.88) await cancelOne()
    else today++
  }
  const pending = await rowsOf<{ id: number }>(
    "SELECT id FROM attendance_logs WHERE status = 'pending' ORDER BY id",
  )
  const statusById = new Map(pending.map(({ id }) => [id, pick(['approved', 'rejected'])]))
  for (const status of ['approved', 'rejected']) {
    const log_ids = [...statusById.keys()].filter((id) => statusById.get(id) === status)
    for (let start = 0; start < log_ids.length; start += 100) {
      const body = { log_ids: log_ids.slice(start, start + 100), status }
      expect((await payroll.send('POST', '/change_logs_status', body)).status).toBe(200)
    }
  }
  const closeAll = async () => {
    const last = await confirmed({ before: dayAt(today + 4), from: dayAt(14) })
    const res = await payroll.close(last)
    if (!isClosedAlready(res)) expect(res.status, res.text).toBe(200)
  }
  await closeAll()
  await cancelOne()
  await closeAll()

  const openings = await openingsOfAll()
  const oracleDays = await Promise.all(
    hired().map(async (person) =>
      (await daysSince(person, openings.get(person.employee_id) ?? '9999'))
        .filter(({ log_ids }) => log_ids.length > 0)
        .map((day) => [`${person.employee_id} ${day.day}`, day.worked_seconds] as const),
    ),
  )
  const figures = new Map<string, number>(
    oracleDays.flat().map(([name, seconds]) => [name, seconds ?? 0]),
  )
  const shown = (await payroll.hours(`from=${FIRST_DAY}&to=${dayAt(today + 3)}`))
    .filter((row) => String(row.day) >= (openings.get(String(row.employee_id)) ?? '9999'))
    .filter(({ log_ids }) => (log_ids as number[]).length > 0)
    .map((row) => [`${row.employee_id} ${row.day}`, row.worked_seconds ?? 0] as const)
  expect(new Map(shown)).toEqual(figures)
  const paid = await paidDays()
  counts.days = figures.size
  for (const day of new Set([...figures.keys(), ...paid.keys()])) {
    expect(paid.get(day) ?? 0, `${day}, seed ${seed}`).toBe(figures.get(day) ?? 0)
  }
  return counts
}
