import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { addDays } from '../../src/core/values/time-zone.ts'
import { beginClosing, writePage } from '../../src/payroll/closings/new-closing.queries.ts'
import { anAdmin, paysFrom } from '../support/factories.ts'
import { actBeforeBatch, actBeforeBatches } from '../support/fault-injection.ts'
import { type Payroll, paidDays, payrollOf } from '../support/payroll.ts'
import { aPerson, punch } from '../support/time-card.ts'

/** Tests closings while other requests write, and closings of days that are paid already. */

const H = 3600

let admin: Awaited<ReturnType<typeof anAdmin>>
let payroll: Payroll
beforeEach(async () => {
  admin = await anAdmin()
  payroll = payrollOf(admin.token)
  await paysFrom('2026-11-01')
})

const HASH = '0'.repeat(64)

describe('an unfinished closing of another request', () => {
  const db = () => {
    const claims = { userId: admin.id, version: 0, jti: 'x' }
    return { ...withoutCaller(env.DB), claims } as unknown as AuthorizedDb
  }

  /** Begins a closing as another request does. Returns a function that writes a page of it. */
  const beginAnother = async () => {
    const at = new Date().toISOString()
    const token = crypto.randomUUID()
    const selection = { before: '2026-11-03', payroll_group: null, employee_id: null }
    const snapshot = { last_event_id: 0, closings_before: 0, cancellations_before: 0 }
    const more = { changes_before: 0, rules_before: 0, comment: null, token, at }
    const id = await beginClosing(db(), { ...selection, ...snapshot, ...more })
    const place = { payroll_group: '', branch_office: 'Norte' }
    const pending = { pending: 0, pending_of_period: 0 }
    const days = { first_day: '2026-11-01', from_day: '2026-11-01', end_at: at, lock_at: at }
    const person = { ...place, ...days, ...pending, hash: HASH }
    const line = {
      ...{ day: '2026-11-02', of_period: 1, department: '', branch_office: 'Norte' },
      ...{ first_in: null, last_out: null, pairs: 0, worked_seconds: null, held_by: null },
      ...{ paid_before_seconds: 0, difference_seconds: 0, previous_closing_id: null },
      ...{ held_seconds: 0, detail: '', exceptions: '', notices: '', needs_look: 0 },
      ...{ spans: [], extra_log_ids: [] },
    }
    return (employee_id: string, { hasLine }: { hasLine: boolean }) => {
      const lines = hasLine ? [{ ...line, employee_id }] : []
      const page = { people: [{ ...person, employee_id }], lines }
      return writePage(db(), { id, token }, page).catch(() => undefined)
    }
  }

  it('stays when a closing beside it is refused at its end', async () => {
    await aPerson('02 E08:00 S17:00')
    const { employee_id: bea } = await aPerson('02 E08:00 S17:00')
    const unfinished = 'SELECT count(*) AS n FROM closings WHERE completed_at IS NULL'
    let isBegun = false
    const DB = actBeforeBatches(async () => {
      if (isBegun || (await env.DB.prepare(unfinished).first('n')) === 0) return
      isBegun = true
      await (await beginAnother())(bea, { hasLine: true })
    })
    const body = { before: '2026-11-04', expected_seconds: 1 }
    const res = await payrollOf(admin.token, { DB }).close(body)
    expect([res.status, res.body.code]).toEqual([409, 'OTHER_SECONDS'])
    expect(await env.DB.prepare(unfinished).first('n')).toBe(1)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM closing_lines').first('n')).toBe(1)
  })

  it('that goes on writing never makes a closing fail with a 500', async () => {
    const { employee_id: ana } = await aPerson('02 E08:00 S17:00')
    const { employee_id: bea } = await aPerson('02 E08:00 S17:00')
    let before = '2026-11-04'
    for (const isBegun of [true, false]) {
      for (let batch = 4; batch <= 12; batch++) {
        const writePageOfOther = await beginAnother()
        // The other closing writes one page before this closing begins, or none. Then it writes a
        // page before a batch of this closing. This closing deletes the pages of unfinished ones.
        if (isBegun) await writePageOfOther(ana, { hasLine: false })
        const DB = actBeforeBatch(batch, () => writePageOfOther(bea, { hasLine: true }))
        before = addDays(before, 1)
        const { status } = await payrollOf(admin.token, { DB }).close({ before })
        expect([200, 409], `${isBegun} ${batch}`).toContain(status)
      }
    }
  })
})

/** A database that resolves `reached` before one of its batches, and then waits for `go`. */
const stopBeforeBatch = (batchNumber: number) => {
  const { promise: reached, resolve: onReached } = Promise.withResolvers<void>()
  const { promise: released, resolve: go } = Promise.withResolvers<void>()
  const DB = actBeforeBatch(batchNumber, async () => {
    onReached()
    await released
  })
  return { DB, reached, go }
}

it('two closings at the same time pay a day once, at whatever batch each one stops', async () => {
  const statuses = new Set<string>()
  // The earliest stop is before the rows of unfinished closings are deleted. The latest is before
  // the last batch.
  for (let first = 7; first <= 12; first++) {
    for (let second = 10; second <= 12; second++) {
      const { employee_id } = await aPerson('02 E08:00 S17:00 10 E08:00 S17:00')
      await payroll.closed({ before: '2026-11-09', employee_id })
      const body = { before: '2026-11-16', employee_id }
      const [one, other] = [stopBeforeBatch(first), stopBeforeBatch(second)]
      const closeWith = ({ DB }: { DB: D1Database }) => payrollOf(admin.token, { DB }).close(body)
      const closingOne = closeWith(one)
      await Promise.race([one.reached, closingOne])
      const closingOther = closeWith(other)
      await Promise.race([other.reached, closingOther])
      one.go()
      const ends = [(await closingOne).status]
      other.go()
      ends.push((await closingOther).status)
      statuses.add(ends.join(' '))
      const paid = await paidDays()
      const seconds = ['02', '10'].map((day) => paid.get(`${employee_id} 2026-11-${day}`))
      expect(seconds, `${first} ${second}: ${ends}`).toEqual([9 * H, 9 * H])
    }
  }
  expect([...statuses].sort()).toEqual(['200 409', '409 200'])
})

it('a closing fails if a group’s first day becomes earlier while it is written', async () => {
  await paysFrom('2026-11-09')
  await aPerson('02 E08:00 S17:00 10 E08:00 S17:00')
  await payroll.closed({ before: '2026-11-12' })
  const group = { payroll_group: '', calendar: 'half month', pays_from: '2026-11-01' }
  const move = () => payroll.send('PUT', '/payroll_groups', { ...group, expected_version: 1 })
  // The group changes after the people were selected, and before the closing has a row.
  const DB = actBeforeBatch(6, move)
  const { status } = await payrollOf(admin.token, { DB }).close({ before: '2026-11-16' })
  expect(status).toBe(409)
  const res = await payroll.close({ before: '2026-11-16' })
  expect(res.body.data).toMatchObject({ added_seconds: 9 * H })
})

describe('days that are paid already', () => {
  it('are a 409 that names the closing, and a preview says who made it', async () => {
    await aPerson('02 E08:00 S17:00')
    const body = { before: '2026-11-16' }
    const [one, other] = await Promise.all([payroll.close(body), payroll.close(body)])
    expect([one.status, other.status].sort()).toEqual([200, 409])
    const { data } = one.status === 200 ? one.body : other.body
    const { id, before, user, created_at } = data
    const again = await payroll.close(body)
    expect([again.status, again.body.message]).toEqual([
      409,
      `Estos días ya se cerraron: los pagó el cierre ${id}, hasta el 15/11/2026, que hizo ${user.full_name}. No hay nada más que pagar.`,
    ])
    const preview = (await payroll.preview('before=2026-11-16')).body.data
    expect(preview).toMatchObject({
      closed_already: { id, before, user, created_at },
      people: 1,
      period_seconds: 0,
    })
    expect((await payroll.preview('before=2026-11-17')).body.data.closed_already).toBe(null)
  })

  it('name the closing of the group, not a later closing of a single person', async () => {
    const { employee_id } = await aPerson('02 E08:00 S17:00')
    await aPerson('02 E08:00 S17:00')
    const body = { before: '2026-11-16' }
    const { id } = await payroll.closed(body)
    const alone = { before: '2026-11-20', employee_id }
    expect((await payroll.close(alone)).status).toBe(200)
    const again = await payroll.close(body)
    expect([again.status, again.body.message]).toEqual([
      409,
      expect.stringContaining(`los pagó el cierre ${id}, hasta el 15/11/2026`),
    ])
    const preview = (await payroll.preview('before=2026-11-16')).body.data
    expect(preview.closed_already.id).toBe(id)
  })

  it('of a leaver are not closed again while a pending log holds them', async () => {
    await aPerson('02 E08:00 S17:00')
    const { employee_id: leaver } = await aPerson('02 E08:00 S17:00', { ended_at: '2026-11-06' })
    const { id } = await payroll.closed({ before: '2026-11-09' })
    const created_at = new Date().toISOString()
    const log_ids = await punch(leaver, '02 E12:00?', { created_at })
    const selection = { before: '2026-11-16', employee_id: leaver }
    const again = await payroll.close({ ...selection, leave_pending: true })
    expect([again.status, again.body.message]).toEqual([
      409,
      expect.stringContaining(`los pagó el cierre ${id}, hasta el 08/11/2026`),
    ])
    const preview = await payroll.preview(`before=2026-11-16&employee_id=${leaver}`)
    expect(preview.body.data).toMatchObject({ people: 1, closed_already: { id } })
    await payroll.send('POST', '/change_logs_status', { log_ids, status: 'approved' })
    expect((await payroll.close(selection)).body.data).toMatchObject({ deducted_seconds: 4 * H })
  })

  it('of a week in which nobody worked are closed once', async () => {
    await aPerson('02 E08:00 S17:00')
    expect((await payroll.close({ before: '2026-11-09' })).status).toBe(200)
    expect((await payroll.close({ before: '2026-11-16' })).status).toBe(200)
    expect((await payroll.close({ before: '2026-11-16' })).status).toBe(409)
  })
})

it('writes every employee id into its files, also above U+FFFF', async () => {
  const ids = ['\u{10ffff}z', '🦊-1', '\uffee', 'E-1']
  for (const employee_id of ids) await aPerson('02 E08:00 S17:00', { employee_id })
  const res = await payroll.close({ before: '2026-11-16' })
  const inOrder = ['E-1', '\uffee', '🦊-1', '\u{10ffff}z']
  for (const rows of [
    await payroll.lines(res.body.data.id),
    await payroll.persons(res.body.data.id),
    await payroll.weeks(res.body.data.id),
  ]) {
    expect(rows.map(({ employee_id }) => employee_id)).toEqual(inOrder)
  }
})
