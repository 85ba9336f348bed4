import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { isToReview } from '../../console/hours/clean-day.ts'
import {
  type Cell,
  columnsOf,
  countsOf,
  type PersonDays,
  peopleDays,
} from '../../console/hours/people-days.ts'
import type { HoursDay, HoursTotal, HoursWeek } from '../../sdk/api-types.ts'
import { employees } from '../../src/core/tables/people.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { stopClock } from '../support/clock/clock.ts'
import { anEmployee, db, paysFrom } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import { createRandom } from '../support/random.ts'
import { punch } from '../support/time-card.ts'

/** Tests the picture of people and days on the service's own answers. */

const PERIOD = { from: '2026-11-01', to: '2026-11-15' }
const TODAY = '2026-11-13'

let admin: Admin
let payroll: Payroll
beforeEach(async () => {
  stopClock(`${TODAY}T18:00:00.000Z`)
  admin = await signInAdmin()
  payroll = payrollOf(admin.token)
  await paysFrom('2026-11-01')
})

const NORTE = { department: 'Ventas', branch_office: 'Norte', started_at: '2026-01-01' }
const hire = (employee_id: string, fields: object = {}) =>
  anEmployee({ employee_id, full_name: `Persona ${employee_id}`, ...NORTE, ...fields })

/** Logs have the branch that their person has when they arrive. */
const moveTo = (employee_id: string, branch_office: string) =>
  db.update(employees).set({ branch_office }).where(eq(employees.employee_id, employee_id))

const read = async () => {
  const query = `from=${PERIOD.from}&to=${PERIOD.to}`
  const days = (await payroll.hours(query)) as unknown as HoursDay[]
  const totals = (await payroll.hours(`${query}&by=employee`)) as unknown as HoursTotal[]
  const weeks = (await payroll.hours(`${query}&by=week`)) as unknown as HoursWeek[]
  const given = { today: TODAY, needsReview: (row: HoursDay) => isToReview(row, true) }
  return {
    days,
    totals,
    weeks,
    people: peopleDays(columnsOf(PERIOD.from, PERIOD.to), { days, totals, weeks }, given),
  }
}

const dayOf = (people: PersonDays[], employee_id: string, day: string, branch = 'Norte') => {
  const cells = people
    .filter(({ total }) => total.employee_id === employee_id && total.branch_office === branch)
    .flatMap(({ cells }) => cells)
  const found = cells.find(
    (cell): cell is Cell & { day: string } => 'day' in cell && cell.day === day,
  )
  if (!found) throw new Error(`There is no cell of ${day}.`)
  return found as Extract<Cell, { day: string }>
}
const stateOf = (...given: Parameters<typeof dayOf>) => dayOf(...given).state

it('has a column for each day, and one after each week', () => {
  expect(columnsOf('2026-11-14', '2026-11-17')).toEqual([
    { day: '2026-11-14', weekday: 5, holiday: null },
    { day: '2026-11-15', weekday: 6, holiday: null },
    { monday: '2026-11-09' },
    { day: '2026-11-16', weekday: 0, holiday: 'Revolución' },
    { day: '2026-11-17', weekday: 1, holiday: null },
    { monday: '2026-11-16' },
  ])
})

it('tells approved, pending, to be looked at and at work apart', async () => {
  await hire('E-1')
  await punch('E-1', '02 E08:00 S17:00 03 E08:00? S17:00? 04 E08:00 13 E08:00')
  const { people } = await read()
  expect(['02', '03', '04', '13'].map((day) => stateOf(people, 'E-1', `2026-11-${day}`))).toEqual([
    ...['approved', 'pending', 'review', 'working'],
  ])
  const counts = countsOf(people)
  expect([counts.get('pending'), counts.get('review'), counts.get('over_limit')]).toEqual([1, 1, 0])
})

it('says that there are no punches on a day on which the branch works, and on no other', async () => {
  await hire('E-1')
  await hire('E-2')
  await hire('E-3', { started_at: '2026-11-05' })
  await hire('E-4', { ended_at: '2026-11-04' })
  await punch('E-1', '03 E08:00 S17:00 06 E08:00 S17:00 08 E08:00 S17:00')
  await punch('E-2', '03 E08:00 S17:00 05 E08:00 S17:00')
  await punch('E-3', '05 E08:00 S17:00 06 E08:00 S17:00')
  await punch('E-4', '03 E08:00 S17:00')
  const { people } = await read()
  const states = (day: string) =>
    ['E-1', 'E-2', 'E-3', 'E-4'].map((id) => stateOf(people, id, `2026-11-${day}`))
  expect(states('03')).toEqual(['approved', 'approved', 'blank', 'approved'])
  expect(states('05')).toEqual(['absent', 'approved', 'approved', 'blank'])
  expect(states('06')).toEqual(['approved', 'absent', 'approved', 'blank'])
  // One of three came on Sunday. Today may still bring somebody, and tomorrow has not come.
  expect(states('08')).toEqual(['approved', 'rest', 'rest', 'blank'])
  expect(states('13')).toEqual(['blank', 'blank', 'blank', 'blank'])
  expect(states('14')).toEqual(['blank', 'blank', 'blank', 'blank'])
  expect(dayOf(people, 'E-1', '2026-11-05').text).toBe('Sin checadas')
  expect(dayOf(people, 'E-3', '2026-11-03').text).toBe('Antes de su ingreso')
})

it('shows a day at another branch in the row of that branch, and as no day without punches', async () => {
  await hire('E-1')
  await hire('E-2')
  await punch('E-1', '03 E08:00 S17:00')
  await moveTo('E-1', 'Sur')
  await punch('E-1', '04 E08:00 S17:00')
  await moveTo('E-1', 'Norte')
  await punch('E-2', '03 E08:00 S17:00 04 E08:00 S17:00')
  const { people } = await read()
  expect(stateOf(people, 'E-1', '2026-11-04', 'Sur')).toBe('approved')
  expect(dayOf(people, 'E-1', '2026-11-04')).toMatchObject({
    state: 'blank',
    text: 'Checó en Sur',
  })
})

it('shows the week and the limit as the service has them, and counts a week over it once', async () => {
  await hire('E-1')
  await punch('E-1', '02 E07:00 S19:00 03 E07:00 S19:00 04 E07:00 S19:00')
  await moveTo('E-1', 'Sur')
  await punch('E-1', '05 E07:00 S19:00 06 E07:00 S19:00')
  const { people } = await read()
  const weeks = people.flatMap(({ cells }) => cells.filter((cell) => 'week' in cell))
  expect(people).toHaveLength(2)
  expect(weeks[1]?.week).toMatchObject({
    ...{ week_from: '2026-11-02', week_seconds: 60 * 3600, limit_seconds: 48 * 3600 },
  })
  expect(weeks[0]?.week).toBeUndefined()
  expect(countsOf(people).get('over_limit')).toBe(1)
})

it('has the seconds of the totals in the cells of each row, whatever is pending or missing', async () => {
  const random = createRandom(75)
  for (let person = 1; person <= 8; person++) {
    const employee_id = `E-${person}`
    await hire(employee_id)
    for (let day = 1; day <= 12; day++) {
      if (day === 7 && person % 3 === 0) await moveTo(employee_id, 'Sur')
      const [minute, status] = [10 + random.int(50), random.pick(['', '', '?', 'x'])]
      const card = [` E08:${minute}${status}`, ` S17:${minute}${random.pick(['', '', '?'])}`]
      const kept = card.filter(() => random.int(9) > 0)
      if (kept.length > 0) await punch(employee_id, String(day).padStart(2, '0') + kept.join(''))
    }
  }
  const { days, people } = await read()
  // Some have worked at both branches.
  expect(people.length).toBeGreaterThan(8)
  const cells = people.flatMap(({ cells }) => cells)
  expect(cells.filter((cell) => 'found' in cell)).toHaveLength(days.length)
  for (const { total, cells } of people) {
    const found = cells.flatMap((cell) => ('found' in cell && cell.found ? [cell.found] : []))
    const worked = found.reduce((sum, { worked_seconds }) => sum + (worked_seconds ?? 0), 0)
    const pending = found.reduce((sum, { pending_seconds }) => sum + pending_seconds, 0)
    expect([total.employee_id, total.branch_office, worked, pending]).toEqual([
      ...[total.employee_id, total.branch_office],
      ...[total.worked_seconds ?? 0, total.pending_seconds],
    ])
  }
})
