import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { employee_shifts } from '../../src/core/tables/payroll.ts'
import type { LogKind } from '../../src/core/values/log-values.ts'
import { addDays } from '../../src/core/values/time-zone.ts'
import type { StoredGroup } from '../../src/payroll/rules/groups.queries.ts'
import type { TestResponse } from './api.ts'
import { aLog, anAdmin, anEmployee, aZone, db as drizzleDb, paysFrom } from './factories.ts'
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

interface FirstDay {
  employee_id: string
  group: string
  pays_from: string | null
  paid_from: string | null
  /** The first day by `paid_from`, the group and the start of work. Null if it is not known. */
  rule: string | null
  /** The earliest day that an active closing was the first to pay. Null if there is none. */
  earliest: string | null
  /** The first day that is paid to the person. Null if it is not known. */
  first: string | null
  /** The `before` of the person's last active closing. Null if there is none. */
  closedBefore: string | null
}

const minOf = (days: readonly (string | null)[]): string | null =>
  days.filter((day) => day !== null).toSorted()[0] ?? null

/** The day from which each closing paid its people, by closing and employee, as this file says. */
type FromDays = Map<number, Map<string, string | null>>

/** The first days of all people, before the closing `untilId`, by employee id. */
const firstDays = async (
  fromDays: FromDays,
  untilId = Infinity,
): Promise<Map<string, FirstDay>> => {
  const people = await rowsOf<
    Pick<FirstDay, 'employee_id' | 'group' | 'pays_from' | 'paid_from'> & { started_at: string }
  >(
    `SELECT employee_id, payroll_group AS "group", pays_from, paid_from, started_at
     FROM employees JOIN payroll_groups ON name = payroll_group`,
  )
  const active = await rowsOf<{ id: number; before: string; employee_id: string }>(
    `SELECT id, before, taken.employee_id FROM closings JOIN closing_people AS taken
       ON closing_id = id WHERE completed_at IS NOT NULL AND cancelled_at IS NULL`,
  )
  return new Map(
    people.map(({ started_at, ...person }) => {
      const { employee_id, pays_from, paid_from } = person
      const own = active.filter((row) => row.employee_id === employee_id && row.id < untilId)
      const ofGroup = pays_from === null ? null : [pays_from, started_at].toSorted()[1]
      const rule = paid_from ?? ofGroup ?? null
      const earliest = minOf(own.map(({ id }) => fromDays.get(id)?.get(employee_id) ?? null))
      const closedBefore =
        own
          .map(({ before }) => before)
          .toSorted()
          .at(-1) ?? null
      const first = minOf([rule, earliest])
      return [employee_id, { ...person, rule, earliest, first, closedBefore }]
    }),
  )
}

/** The oracle's days of a person, from the current logs. */
const oracleDays = async (person: Person): Promise<OracleDay[]> => {
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
  return daysByOracle(logs, { longest: (day) => hours(day) * 3600 })
}

/**
 * Expects that a closing has stored the right first day of each person, and the day from which it is
 * the first to pay. Adds these days to `fromDays`.
 */
const expectFirstDays = async (id: number, fromDays: FromDays): Promise<void> => {
  const before = await firstDays(fromDays, id)
  const taken = await rowsOf<
    Record<'employee_id' | 'before' | 'first_day', string> & { from_day: string | null }
  >(
    `SELECT taken.employee_id, before, first_day, from_day FROM closing_people AS taken
     JOIN closings ON id = closing_id WHERE closing_id = ?`,
    id,
  )
  const ofClosing = new Map<string, string | null>()
  for (const row of taken) {
    const { first, earliest, closedBefore } = before.get(row.employee_id) ?? {}
    const brings = earliest == null || (first ?? '') < earliest
    const from = (brings ? first : closedBefore) ?? ''
    const from_day = from < row.before ? from : null
    const name = `${row.employee_id} in closing ${id}`
    expect([row.first_day, row.from_day], name).toEqual([first, from_day])
    ofClosing.set(row.employee_id, from_day)
  }
  fromDays.set(id, ofClosing)
}

/**
 * Expects that a preview names the groups without a first day, and the people with counted hours
 * before their first day that no closing has paid.
 */
const expectNamed = async (
  people: readonly Person[],
  { before, payroll_group, employee_id }: Record<string, unknown>,
  data: { left_out: unknown; groups_without_day: unknown },
  fromDays: FromDays,
): Promise<void> => {
  const selected = [...(await firstDays(fromDays)).values()].filter(
    (one) =>
      (employee_id ?? one.employee_id) === one.employee_id &&
      (payroll_group ?? one.group) === one.group,
  )
  const unknown = selected.filter(({ first }) => first === null).map(({ group }) => group)
  expect(data.groups_without_day).toEqual([...new Set(unknown)].sort())
  const paid = await paidDays()
  const leftOut = []
  for (const { first, pays_from, paid_from, ...one } of selected) {
    const person = people.find((candidate) => candidate.employee_id === one.employee_id)
    if (!person || first === null || pays_from === null) continue
    const unpaid = (await oracleDays(person)).filter(
      ({ day, worked_seconds }) =>
        day >= pays_from &&
        day < first &&
        day < String(before) &&
        (worked_seconds ?? 0) > 0 &&
        (paid.get(`${one.employee_id} ${day}`) ?? 0) === 0,
    )
    if (unpaid.length === 0) continue
    const seconds = unpaid.reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)
    const reason = paid_from === null ? 'before_start' : 'paid_from'
    leftOut.push({ employee_id: one.employee_id, days: unpaid.length, seconds, reason })
  }
  const shown = (data.left_out as { full_name: string }[]).map(({ full_name: _, ...row }) => row)
  expect(shown).toEqual(leftOut)
}

/**
 * Expects that a closing has paid each day before its end correctly. A held day is paid its
 * `certain_seconds`, or keeps an earlier payment if that is more, and the closing says how many
 * seconds of it wait. Every other day is paid its `worked_seconds`. Returns the number of held days.
 */
const expectPaidRightly = async (
  people: readonly Person[],
  id: number,
  fromDays: FromDays,
): Promise<number> => {
  const taken = await rowsOf<{ employee_id: string; before: string }>(
    `SELECT taken.employee_id, before FROM closing_people AS taken JOIN closings ON id = closing_id
     WHERE closing_id = ?`,
    id,
  )
  const [paid, firsts] = [await paidDays(), await firstDays(fromDays)]
  const lines = await rowsOf<{ name: string; seconds: number; held: number }>(
    `SELECT employee_id || ' ' || day AS name, difference_seconds AS seconds, held_seconds AS held
     FROM closing_lines
     WHERE closing_id = ?`,
    id,
  )
  const paidHere = new Map(lines.map(({ name, seconds }) => [name, seconds]))
  const heldHere = new Map(lines.map(({ name, held }) => [name, held]))
  let held = 0
  for (const { employee_id, before } of taken) {
    const person = people.find((one) => one.employee_id === employee_id)
    if (!person) throw new Error(`${employee_id} is not of this history.`)
    const first = firsts.get(employee_id)?.first ?? ''
    const days = new Map((await oracleDays(person)).map((day) => [day.day, day]))
    const names = [...paid.keys()].filter((name) => name.startsWith(`${employee_id} `))
    for (const day of new Set([...days.keys(), ...names.map((name) => name.slice(-10))])) {
      if (day < first || day >= before) continue
      const name = `${employee_id} ${day}`
      const figure = days.get(day)
      const paidBefore = (paid.get(name) ?? 0) - (paidHere.get(name) ?? 0)
      const isHeld = (figure?.held_by ?? null) !== null
      if (isHeld) held++
      const expected = isHeld
        ? Math.max(paidBefore, figure?.certain_seconds ?? 0)
        : (figure?.worked_seconds ?? 0)
      expect(paid.get(name) ?? 0, `${name} in closing ${id}`).toBe(expected)
      const waits = isHeld ? Math.abs((figure?.worked_seconds ?? 0) - expected) : 0
      expect(heldHere.get(name) ?? 0, `held on ${name} in closing ${id}`).toBe(waits)
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
  const fromDays: FromDays = new Map()
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
  await paysFrom(dayAt(14), 'semanal')
  await paysFrom(pick([dayAt(14), null]), 'quincenal')
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
    return { before: dayAt(today - int(4)), leave_pending: true, ...selection }
  }
  /** Adds the seconds of the preview: those of inverted days, and those of the whole closing. */
  const confirmed = async (body: Record<string, unknown>) => {
    const { leave_pending, ...selection } = body
    const query = new URLSearchParams(selection as Record<string, string>)
    const { status, body: response } = await payroll.preview(`${query}`)
    const { data } = response
    if (status !== 200) return body
    await expectNamed(people, selection, data, fromDays)
    return { ...body, confirm_inverted: data.inverted_seconds }
  }
  /** Checks the closings that this file has not checked yet, in the order of their ids. */
  const checkClosings = async () => {
    const rows = await rowsOf<{ id: number }>(
      'SELECT id FROM closings WHERE completed_at IS NOT NULL ORDER BY id',
    )
    for (const { id } of rows) if (!fromDays.has(id)) await expectFirstDays(id, fromDays)
  }
  const close = async (body: Record<string, unknown> = aRequest(), DB: D1Database = env.DB) => {
    const res = await payrollOf(admin.token, { DB }).close(await confirmed(body))
    if (isClosedAlready(res)) return 200
    if (res.status !== 200) return res.status
    counts.closings++
    await checkClosings()
    if (DB === env.DB) counts.held += await expectPaidRightly(people, res.body.data.id, fromDays)
    return res.status
  }
  /** Sends two closings at the same time. One of them may be rejected. */
  const closeTwice = async () => {
    const bodies = [aRequest(), aRequest()]
    const responses = await Promise.all(bodies.map(payroll.close))
    for (const { status } of responses) expect([200, 409, 422]).toContain(status)
    await checkClosings()
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
  /** Sets the first day of a group, of one without a first day if there is one. */
  const moveGroup = async () => {
    const day = dayAt(pick([5, 10, 14, 18, today - 3, today + 2]))
    const { body } = await payroll.send('GET', '/payroll_groups')
    const groups: StoredGroup[] = body.data.groups.slice(1)
    const group = groups.find(({ pays_from }) => pays_from === null) ?? pick(groups)
    const { payroll_group, version: expected_version } = group
    const write = { payroll_group, calendar: 'half month', pays_from: day, expected_version }
    expect((await payroll.send('PUT', '/payroll_groups', write)).status).toBe(200)
  }
  const change = (column: string, value: string | null) => {
    const update = `UPDATE employees SET ${column} = ? WHERE employee_id = ?`
    return rowsOf(update, value, pick(hired()).employee_id)
  }
  const leaveOrReturn = async () => {
    const { employee_id, startsOn } = pick(hired())
    if (next() < 0.6) {
      const ended_at = dayAt(Math.max(today - int(6), startsOn))
      await rowsOf('UPDATE employees SET ended_at = ? WHERE employee_id = ?', ended_at, employee_id)
      return
    }
    const rehire = 'UPDATE employees SET ended_at = NULL, started_at = ? WHERE employee_id = ?'
    await rowsOf(rehire, dayAt(today - int(3)), employee_id)
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
    } else if (r < 0.81) {
      const status = await close()
      expect([200, 409, 422]).toContain(status)
      if (status === 409) await moveGroup()
    } else if (r < 0.82) await closeTwice()
    else if (r < 0.83) await breakOff()
    else if (r < 0.84) await closeWhileDeciding()
    else if (r < 0.855) await moveGroup()
    else if (r < 0.865)
      await change('paid_from', next() < 0.4 ? null : dayAt(pick([8, 16, today - 4])))
    else if (r < 0.875) await change('started_at', dayAt(pick([0, 12, today - 5, today - 2])))
    else if (r < 0.885) await leaveOrReturn()
    else if (r < 0.9) await cancelOne()
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
  await paysFrom(dayAt(12), 'quincenal')
  const closeAll = async () => {
    const res = await payroll.close(await confirmed({ before: dayAt(today + 4) }))
    if (!isClosedAlready(res)) expect(res.status, res.text).toBe(200)
    await checkClosings()
  }
  /** Expects that every day from the first day on is paid its worked seconds. Returns their number. */
  const expectAllPaid = async (): Promise<number> => {
    const firsts = await firstDays(fromDays)
    const isPayable = (employee_id: string, day: string): boolean =>
      day >= (firsts.get(employee_id)?.first ?? '')
    const figures = new Map<string, number>()
    for (const person of hired()) {
      for (const { day, log_ids, worked_seconds } of await oracleDays(person)) {
        if (log_ids.length === 0 || !isPayable(person.employee_id, day)) continue
        figures.set(`${person.employee_id} ${day}`, worked_seconds ?? 0)
      }
    }
    const shown = (await payroll.hours(`from=${FIRST_DAY}&to=${dayAt(today + 3)}`))
      .filter(({ employee_id, day }) => isPayable(String(employee_id), String(day)))
      .filter(({ log_ids }) => (log_ids as number[]).length > 0)
      .map((row) => [`${row.employee_id} ${row.day}`, row.worked_seconds ?? 0] as const)
    expect(new Map(shown)).toEqual(figures)
    const paid = await paidDays()
    for (const name of new Set([...figures.keys(), ...paid.keys()])) {
      if (!isPayable(name.slice(0, -11), name.slice(-10))) continue
      expect(paid.get(name) ?? 0, `${name}, seed ${seed}`).toBe(figures.get(name) ?? 0)
    }
    return figures.size
  }
  await closeAll()
  await cancelOne()
  await closeAll()
  counts.days = await expectAllPaid()
  // Without any closing, the rules alone say what is paid.
  const active = await rowsOf<{ id: number }>(
    'SELECT id FROM closings WHERE completed_at IS NOT NULL AND cancelled_at IS NULL',
  )
  for (const { id } of active) expect((await payroll.cancel(id)).status).toBe(200)
  for (const { first, rule } of (await firstDays(fromDays)).values()) expect(first).toBe(rule)
  await closeAll()
  await expectAllPaid()
  const firsts = await firstDays(fromDays)
  for (const [name, seconds] of await paidDays()) {
    const { rule } = firsts.get(name.slice(0, -11)) ?? {}
    expect(seconds > 0 && name.slice(-10) < (rule ?? ''), name).toBe(false)
  }
  return counts
}
