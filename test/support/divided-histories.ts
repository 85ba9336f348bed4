import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { employee_shifts } from '../../src/core/db/schema.ts'
import type { LogKind } from '../../src/core/log-values.ts'
import { addDays, later } from '../../src/core/time-zone.ts'
import { stopClock } from './clock/clock.ts'
import { resetUsedDatabase } from './database.ts'
import { anAdmin, anEmployee, aZone, db } from './factories.ts'
import { paidDays, payrollOf } from './payroll.ts'
import { createRandom } from './random.ts'

/** Random histories, played in one installation and then divided by a day between two others. */

const START = '2026-06-10'
const DAYS = 40
const dayAt = (index: number): string => addDays(START, index)
const END = dayAt(DAYS)
const OFFSET_S = 6 * 3600

interface Log {
  source_id: string
  employee_id: string
  kind: LogKind
  recorded_at: string
}

type Step =
  | { name: 'hire'; employee_id: string; started_at: string; branch: string; hours?: number }
  | { name: 'leave'; employee_id: string; ended_at: string }
  | { name: 'move'; employee_id: string; branch: string }
  | { name: 'send'; logs: Log[] }
  | { name: 'decide'; ids: string[]; status: 'approved' | 'rejected' | 'pending' }
  | { name: 'close'; before: string; selection: object }
  | { name: 'cancel'; closing: number }
  | { name: 'unlock'; from: string; to: string }

interface Person {
  employee_id: string
  /** The first and the last day of work, as numbers of days after `START`. */
  from: number
  to: number
  startsAt: number
  hours: number
  /** Whether the punches have a kind. Otherwise only a pause makes their pairs certain. */
  hasKinds: boolean
  works: (day: number) => boolean
}

/** 2026-06-10 is a Wednesday. */
const isWeekday = (day: number): boolean => ![3, 4].includes(day % 7)

const peopleOf = ({ int }: ReturnType<typeof createRandom>): Person[] => {
  const always = { from: 0, to: DAYS, hasKinds: true, works: isWeekday, startsAt: 8, hours: 8 }
  const guard = int(2)
  return [
    { ...always, employee_id: 'day' },
    { ...always, employee_id: 'night', startsAt: 22 },
    {
      ...always,
      employee_id: 'guard',
      startsAt: 7,
      hours: 24,
      works: (day) => day % 2 === guard,
    },
    // Shifts of ten hours leave no long pause between weekdays. So a missing punch inverts all
    // pairs until Saturday.
    { ...always, employee_id: 'no-kinds', hasKinds: false, hours: 10 },
    { ...always, employee_id: 'hired', from: 14 + int(12) },
    { ...always, employee_id: 'left', startsAt: 21, to: 14 + int(12) },
  ]
}

/** The steps of a history in their order, and the first day of the newer installation. */
const historyOf = (seed: number): { steps: Step[]; firstDay: string } => {
  const random = createRandom(seed)
  const { next, int, pick } = random
  const people = peopleOf(random)
  const steps: Step[] = []
  const sentIds: string[] = []
  let closings = 0
  const hire = ({ employee_id, from, hours }: Person) => {
    const branch = employee_id === 'night' ? 'Tijuana' : 'Centro'
    const rule = hours > 16 ? { hours: hours + 2 } : {}
    steps.push({ name: 'hire', employee_id, started_at: dayAt(from), branch, ...rule })
  }
  for (const person of people) if (person.from === 0) hire(person)
  const logAt = ({ employee_id }: Person, day: number, second: number, kind: LogKind): Log => {
    const recorded_at = new Date(Date.parse(dayAt(day)) + (second + OFFSET_S) * 1000).toISOString()
    return { source_id: `${employee_id} ${kind} ${recorded_at}`, employee_id, kind, recorded_at }
  }
  const shiftOf = (person: Person, day: number): Log[] => {
    if (day < person.from || day > person.to || !person.works(day)) return []
    const start = person.startsAt * 3600 + int(1200)
    const end = start + person.hours * 3600 + int(1200) - 600
    const kinds: [number, LogKind][] = person.hasKinds
      ? [
          [start, 'entrada'],
          [end, 'salida'],
        ]
      : [
          [start, 'checada'],
          [end, 'checada'],
        ]
    return kinds
      .filter(() => next() > 0.06)
      .map(([second, kind]) => logAt(person, day, second, kind))
  }
  const send = (logs: Log[]) => {
    if (logs.length === 0) return
    steps.push({ name: 'send', logs })
    const ids = logs.map(({ source_id }) => source_id)
    sentIds.push(...ids)
    const approved = ids.filter(() => next() < 0.75)
    if (approved.length > 0) steps.push({ name: 'decide', ids: approved, status: 'approved' })
  }
  const kept: Log[] = []
  for (let today = 1; today <= DAYS; today++) {
    for (const person of people) if (person.from === today) hire(person)
    const left = people.find(({ to }) => to === today - 1)
    if (left) {
      const { employee_id } = left
      steps.push({ name: 'leave', employee_id, ended_at: dayAt(left.to) })
      closings++
      steps.push({ name: 'close', before: dayAt(today), selection: { employee_id } })
    }
    const logs = people.flatMap((person) => shiftOf(person, today - 1))
    // Some logs are sent on a later day.
    kept.push(...logs.filter(() => next() < 0.08))
    send(logs.filter((log) => !kept.includes(log)))
    if (next() < 0.3) send(kept.splice(0))
    if (next() < 0.5) {
      const status = pick(['approved', 'rejected', 'pending'] as const)
      steps.push({ name: 'decide', ids: [pick(sentIds)], status })
    }
    if (next() < 0.05) {
      const employee_id = pick(['day', 'no-kinds'])
      steps.push({ name: 'move', employee_id, branch: pick(['Centro', 'Tijuana']) })
    }
    if (next() < 0.25) {
      const before = dayAt(Math.max(3, today - int(4)))
      const { employee_id } = pick(people.filter(({ from }) => from < today))
      closings++
      steps.push({ name: 'close', before, selection: pick([{}, {}, { employee_id }]) })
    }
    if (closings > 0 && next() < 0.05) steps.push({ name: 'cancel', closing: int(closings) })
    if (next() < 0.06) {
      const from = int(today)
      steps.push({ name: 'unlock', from: dayAt(from), to: dayAt(Math.min(from + 6, today)) })
    }
  }
  send(kept)
  steps.push({ name: 'unlock', from: START, to: END })
  const rejected = new Set(sentIds.filter(() => next() < 0.1))
  const approved = sentIds.filter((id) => !rejected.has(id))
  for (let start = 0; start < approved.length; start += 100) {
    const ids = approved.slice(start, start + 100)
    steps.push({ name: 'decide', ids, status: 'approved' })
  }
  steps.push({ name: 'decide', ids: [...rejected], status: 'rejected' })
  steps.push({ name: 'close', before: END, selection: {} })
  return { steps, firstDay: dayAt(16 + int(9)) }
}

interface Division {
  firstDay?: string
  lastDay?: string
}

interface Played {
  /** The seconds that are paid, by person and day. */
  paid: Map<string, number>
  /** The numbers of the steps that were refused. */
  refused: Set<number>
  /** The people whose pairing a preview has named as uncertain. */
  uncertain: Set<string>
  closings: number
}

/**
 * Plays a history in an empty installation.
 * @param refusedBefore the numbers of the steps to leave out, because the undivided installation
 * refused them
 */
const play = async (
  steps: readonly Step[],
  { firstDay, lastDay }: Division,
  refusedBefore: ReadonlySet<number> = new Set(),
): Promise<Played> => {
  await resetUsedDatabase()
  const OTHER_URL = firstDay || lastDay ? 'https://otra.example.com' : ''
  const settings = { FIRST_DAY: firstDay ?? '', LAST_DAY: lastDay ?? '', OTHER_URL }
  const payroll = payrollOf((await anAdmin()).token, settings)
  await aZone({ branch_office: 'Tijuana', time_zone: 'America/Tijuana' })
  const logIds = new Map<string, number>()
  const closingIds: (number | undefined)[] = []
  const refused = new Set<number>()
  const uncertain = new Set<string>()

  const send = async (logs: readonly Log[]): Promise<void> => {
    const { body } = await payroll.send('POST', '/logs', { source: 'reloj', logs })
    for (const [i, { log_id, detail }] of body.data.entries()) {
      const { source_id = '' } = logs[i] ?? {}
      if (log_id === null) expect(detail).toBe('other_installation')
      else logIds.set(source_id, log_id)
    }
  }
  const decide = async (ids: readonly string[], status: string): Promise<number> => {
    const log_ids = ids.flatMap((id) => logIds.get(id) ?? [])
    if (log_ids.length === 0) return 200
    return (await payroll.send('POST', '/change_logs_status', { log_ids, status })).status
  }
  const close = async (before: string, selection: object): Promise<number> => {
    const ownBefore = lastDay && before > addDays(lastDay, 1) ? addDays(lastDay, 1) : before
    const from = later(START, firstDay ?? null)
    closingIds.push(undefined)
    if (ownBefore <= from) return 200
    const request = { before: ownBefore, from, ...selection }
    const preview = await payroll.preview(new URLSearchParams(request).toString())
    for (const id of preview.body.data?.uncertain_pairing ?? []) uncertain.add(id)
    const { status, body } = await payroll.close({ ...request, leave_pending: true })
    closingIds[closingIds.length - 1] = body.data?.id
    return status
  }
  const cancel = async (closing: number): Promise<number> => {
    const id = closingIds[closing]
    return id === undefined ? 200 : (await payroll.cancel(id)).status
  }
  const run = async (step: Step): Promise<number> => {
    if (step.name === 'send') await send(step.logs)
    if (step.name === 'decide') return decide(step.ids, step.status)
    if (step.name === 'close') return close(step.before, step.selection)
    if (step.name === 'cancel') return cancel(step.closing)
    if (step.name === 'unlock') {
      return (await payroll.unlock({ from: step.from, to: step.to })).status
    }
    if (step.name === 'hire') {
      const { employee_id, started_at, branch, hours } = step
      await anEmployee({ employee_id, started_at, branch_office: branch })
      if (hours) await db.insert(employee_shifts).values({ employee_id, max_shift_hours: hours })
    }
    if (step.name === 'leave' || step.name === 'move') {
      const [column, value] =
        step.name === 'leave' ? ['ended_at', step.ended_at] : ['branch_office', step.branch]
      const update = `UPDATE employees SET ${column} = ? WHERE employee_id = ?`
      await env.DB.prepare(update).bind(value, step.employee_id).run()
    }
    return 200
  }
  for (const [number, step] of steps.entries()) {
    if (refusedBefore.has(number)) {
      if (step.name === 'close') closingIds.push(undefined)
      continue
    }
    const status = await run(step)
    expect([200, 409, 422]).toContain(status)
    if (status !== 200) refused.add(number)
  }
  const closings = closingIds.filter((id) => id !== undefined).length
  return { paid: await paidDays(), refused, uncertain, closings }
}

/**
 * Plays a history in one installation, and then divided between two. Each of the two must pay only
 * its own days. Together they must pay the same as the undivided installation, except to people
 * whose pairing is uncertain.
 */
export const compareDivided = async (seed: number) => {
  stopClock(`${END}T18:00:00.000Z`)
  const { steps, firstDay } = historyOf(seed)
  const lastDay = addDays(firstDay, -1)
  const whole = await play(steps, {})
  const older = await play(steps, { lastDay }, whole.refused)
  const newer = await play(steps, { firstDay }, whole.refused)
  const dayOf = (name: string) => name.slice(-10)
  for (const name of older.paid.keys()) expect(dayOf(name) <= lastDay, name).toBe(true)
  for (const name of newer.paid.keys()) expect(dayOf(name) >= firstDay, name).toBe(true)
  const isCertain = ([name]: [string, number]) => !newer.uncertain.has(name.slice(0, -11))
  const sorted = (paid: Iterable<[string, number]>) =>
    [...paid]
      .filter(([, seconds]) => seconds !== 0)
      .filter(isCertain)
      .toSorted()
  expect(sorted([...older.paid, ...newer.paid]), `seed ${seed}`).toEqual(sorted(whole.paid))
  return {
    days: whole.paid.size,
    closings: older.closings + newer.closings,
    uncertain: newer.uncertain.size,
  }
}
