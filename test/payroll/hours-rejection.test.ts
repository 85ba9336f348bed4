import { eq } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { attendance_logs, log_events } from '../../src/core/tables/logs.ts'
import { employee_shifts } from '../../src/core/tables/payroll.ts'
import { employees } from '../../src/core/tables/people.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { anEmployee, db, inBranches } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { punch } from '../support/time-card.ts'

/** Tests the preview of the hours as they would be after the rejection of a log. */

let admin: Admin
beforeEach(async () => {
  admin = await signInAdmin()
})

const PATH = '/hours?format=ndjson&from=2026-11-01&to=2026-11-15'

const read = (id: number | undefined, more = '', by: Pick<Admin, 'get'> = admin) =>
  by.get(`${PATH}&preview_rejected=${id}${more}`)

const daysOf = async (...given: Parameters<typeof read>) => {
  const { status, text } = await read(...given)
  expect(status).toBe(200)
  return parseLines(text).map(({ day, worked_seconds, detail }) => [day, worked_seconds, detail])
}

const employed = async (branch_office = 'Norte') =>
  (await anEmployee({ branch_office })).employee_id

it('has the day as it would be, only for this person, and writes nothing', async () => {
  const id = await employed()
  const [, , , lastExit] = await punch(id, '09 E08:00 S13:00 E14:00 S17:00 10 E08:00 S17:00')
  await punch(await employed(), '09 E08:00 S17:00')
  const before = [await db.select().from(attendance_logs), await db.select().from(log_events)]
  expect(await daysOf(lastExit)).toEqual([['2026-11-09', 18_000, '08:00–13:00 14:00–?']])
  const after = [await db.select().from(attendance_logs), await db.select().from(log_events)]
  expect(after).toEqual(before)
})

it('is empty if no hours change: a repeated, a rejected or an unpaired log', async () => {
  const id = await employed()
  const logs = await punch(id, '09 E08:00 E08:02 S17:00 10 E08:00x 11 S17:00')
  const [, repeated, , rejected, alone] = logs
  for (const log of [repeated, rejected, alone]) expect(await daysOf(log)).toEqual([])
})

it('counts pending logs as preview does', async () => {
  const id = await employed()
  const [, exit] = await punch(id, '09 E08:00? S17:00? 10 E08:00 S17:00?')
  expect(await daysOf(exit)).toEqual([])
  expect(await daysOf(exit, '&preview=true')).toEqual([['2026-11-09', null, '08:00–?']])
})

it('has each day that the rejection changes when punches are paired again', async () => {
  const id = await employed()
  const logs = await punch(id, '09 C22:00 10 C06:00 C22:00 11 C06:00 C22:00 12 C06:00')
  expect(await daysOf(logs[1])).toEqual([['2026-11-09', null, '22:00–?']])
  const shift = { employee_id: id, valid_from: '2026-11-01', max_shift_hours: 26 }
  await db.insert(employee_shifts).values(shift)
  // With a longest shift of 26 hours, the shift of the 9th ends on the evening of the 10th. Then no
  // log is left for the 10th.
  expect(await daysOf(logs[1])).toEqual([
    ['2026-11-09', 86_400, '22:00–22:00+1'],
    ['2026-11-10', null, ''],
    ['2026-11-11', 57_600, '06:00–22:00'],
  ])
})

it('has only days of the period', async () => {
  const id = await employed()
  const [, exit] = await punch(id, '09 E22:00 10 S06:00')
  const query = `/hours?format=ndjson&from=2026-11-10&to=2026-11-15&preview_rejected=${exit}`
  expect((await admin.get(query)).text).toBe('')
  expect(await daysOf(exit)).toEqual([['2026-11-09', null, '22:00–?']])
})

it('is a 422 for an unknown log, one of another branch, a wrong number and totals', async () => {
  const [south] = await punch(await employed('Sur'), '09 E08:00 S17:00')
  const north = await punch(await employed('Norte'), '09 E08:00 S17:00')
  const scoped = await signInAdmin({ scope_branches: inBranches('Norte') })
  expect(await daysOf(north[0], '', scoped)).toEqual([['2026-11-09', null, '?–17:00']])

  const unknown = await read(999_999)
  expect(unknown.status).toBe(422)
  const errors = { preview_rejected: ['No existe un registro con ese identificador.'] }
  expect(unknown.body.errors).toEqual(errors)
  const foreign = await read(south, '', scoped)
  expect([foreign.status, foreign.body]).toEqual([422, unknown.body])

  for (const value of ['0', 'uno', '1.5', '9999999999999999']) {
    expect((await admin.get(`${PATH}&preview_rejected=${value}`)).body.errors).toEqual({
      preview_rejected: ['La checada debe ser un número entero positivo.'],
    })
  }
  expect((await read(north[0], '&by=employee')).body.errors).toEqual({
    preview_rejected: ['preview_rejected no se combina con by.'],
  })
})

it('hides days of other branches, and shows a day that would move to another branch', async () => {
  const id = await employed('Norte')
  const [entrada] = await punch(id, '09 E08:00')
  await db.update(employees).set({ branch_office: 'Sur' }).where(eq(employees.employee_id, id))
  const [exit] = await punch(id, '09 S17:00')
  const north = await signInAdmin({ scope_branches: inBranches('Norte') })
  const south = await signInAdmin({ scope_branches: inBranches('Sur') })
  // Without the entrada, the day is in Sur. Approvers of Norte may reject the entrada, so they
  // see this day.
  expect(await daysOf(entrada, '', north)).toEqual([['2026-11-09', null, '?–17:00']])
  expect(await daysOf(exit, '', south)).toEqual([])
})
