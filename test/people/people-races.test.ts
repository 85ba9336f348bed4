import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { writeEmployees } from '../../src/people/employee-records.ts'
import { inviteEmployees } from '../../src/users/employee-invitations.ts'
import { inviteUser } from '../../src/users/user-access.ts'
import { call } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import {
  adminDb,
  aLog,
  allRows,
  anAdmin,
  anEmployee,
  aUser,
  inBranches,
  paysFrom,
} from '../support/factories.ts'
import { failStatement } from '../support/fault-injection.ts'
import { payrollOf } from '../support/payroll.ts'
import { as, EMPLOYEE, PEOPLE_PATH } from '../support/people.ts'

/** Tests what happens if something changes between the read and the write of a request. */

const now = new Date('2026-11-16T18:00:00.000Z')

beforeEach(() => stopClock(now))

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

/** Makes a database handle call `act` once, before its second batch. */
const actingBeforeWrite = (db: AuthorizedDb, act: () => Promise<unknown>): AuthorizedDb => {
  let count = 0
  const pass = async () => {
    if (++count === 2) await act()
  }
  const batch = db.batch.bind(db)
  const batchOfAllBranches = db.batchOfAllBranches.bind(db)
  db.batch = async (build) => {
    await pass()
    return batch(build)
  }
  db.batchOfAllBranches = async (statements) => {
    await pass()
    return batchOfAllBranches(statements)
  }
  return db
}

const write = (db: AuthorizedDb, employee_id: string, row: object) => {
  const defaults = { ...EMPLOYEE, expected_version: 1, deactivate_user: false }
  return writeEmployees(db, [{ employee_id, ...defaults, ...row }], { now, payRoles: [] })
}

const rowsOfPeople = async () => {
  const { employees = [], people_changes = [], invitations = [] } = await allRows()
  return { employees, people_changes, invitations }
}

describe('a write of an employee', () => {
  it('is refused if the caller becomes that employee meanwhile', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const me = await anAdmin()
    const before = await rowsOfPeople()
    const link = 'UPDATE users SET employee_id = ? WHERE id = ?'
    const db = actingBeforeWrite(adminDb(me), () => run(link, employee_id, me.id))
    await expect(write(db, employee_id, { job_position: 'Jefa' })).rejects.toMatchObject({
      code: 'OWN_EMPLOYEE',
    })
    expect(await rowsOfPeople()).toEqual(before)
  })

  it.each([
    ['is promoted', "UPDATE users SET role = 'admin' WHERE id = ?", 'USER_NOT_DEACTIVATED'],
    ['is unlinked', 'UPDATE users SET employee_id = NULL WHERE id = ?', 'USER_NOT_DEACTIVATED'],
  ])('does not deactivate a user who %s meanwhile', async (_, act, code) => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const { id } = await aUser({ employee_id, role: 'employee' })
    const before = await rowsOfPeople()
    const db = actingBeforeWrite(adminDb(await anAdmin()), () => run(act, id))
    const end = { ended_at: '2026-11-01', deactivate_user: true }
    await expect(write(db, employee_id, end)).rejects.toMatchObject({ code })
    expect(await rowsOfPeople()).toEqual(before)
    const user = await env.DB.prepare('SELECT active FROM users WHERE id = ?').bind(id).first()
    expect(user).toEqual({ active: 1 })
  })

  /** Records and approves nine hours of 2026-11-10. Returns the ids of the logs. */
  const aDay = async (employee_id: string): Promise<number[]> => {
    const status = 'approved'
    const begin = { employee_id, kind: 'entrada', recorded_at: '2026-11-10T14:00:00.000Z' } as const
    const end = { employee_id, kind: 'salida', recorded_at: '2026-11-10T23:00:00.000Z' } as const
    return [(await aLog({ ...begin, status })).id, (await aLog({ ...end, status })).id]
  }

  it('does not end somebody before a day that is paid again by a cancellation meanwhile', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const { token, ...admin } = await anAdmin()
    const payroll = payrollOf(token)
    const log_ids = await aDay(employee_id)
    await paysFrom('2026-11-01')
    await payroll.closed({ before: '2026-11-12' })
    const rejection = { log_ids, status: 'rejected', comment: 'No vino.' }
    expect((await payroll.send('POST', '/change_logs_status', rejection)).status).toBe(200)
    const deducting = await payroll.closed({ before: '2026-11-14' })
    const db = actingBeforeWrite(adminDb(admin), () => payroll.cancel(deducting.id))
    await expect(write(db, employee_id, { ended_at: '2026-11-09' })).rejects.toMatchObject({
      code: 'PAID_AFTER_END',
    })
  })

  it('does not end somebody before a day that a closing pays meanwhile', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const admin = await anAdmin()
    await aDay(employee_id)
    await paysFrom('2026-11-01')
    const close = () => payrollOf(admin.token).closed({ before: '2026-11-12' })
    const db = actingBeforeWrite(adminDb(admin), close)
    await expect(write(db, employee_id, { ended_at: '2026-11-09' })).rejects.toMatchObject({
      code: 'PAID_AFTER_END',
    })
    expect((await rowsOfPeople()).employees).toMatchObject([{ ended_at: null }])
  })

  it('is refused if somebody else has changed the employee meanwhile', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const change = 'UPDATE employees SET phone = ? WHERE employee_id = ?'
    const db = actingBeforeWrite(adminDb(await anAdmin()), () => run(change, '55', employee_id))
    await expect(write(db, employee_id, { phone: '66' })).rejects.toMatchObject({
      code: 'EMPLOYEE_MOVED',
    })
    expect((await rowsOfPeople()).employees).toMatchObject([{ phone: '55' }])
  })
})

describe('a scope that changes', () => {
  const scope = (...branches: string[]) => ({ role: 'rh', scope_branches: inBranches(...branches) })
  const narrow = 'UPDATE users SET scope_branches = ? WHERE id = ?'

  it('ends a write that has begun, for a known and for an unknown id', async () => {
    await anEmployee({ employee_id: 'E-s', ...EMPLOYEE, branch_office: 'Sur' })
    const { employees } = await rowsOfPeople()
    for (const employee_id of ['E-s', 'E-nueva']) {
      const { id, claims } = await aUser(scope('Norte', 'Sur'))
      const clerk = new AuthorizedDb(env.DB, claims, ['rh'])
      const db = actingBeforeWrite(clerk, () => run(narrow, inBranches('Norte'), id))
      const expected_version = employee_id === 'E-s' ? 1 : 0
      await expect(write(db, employee_id, { phone: '5', expected_version })).rejects.toMatchObject({
        code: 'DATABASE_BUSY',
      })
    }
    expect((await rowsOfPeople()).employees).toEqual(employees)
  })

  it('applies from the next request on, to guesses, searches and cursors', async () => {
    await anEmployee({ employee_id: 'E-s', ...EMPLOYEE, branch_office: 'Sur', full_name: 'Susana' })
    await anEmployee({ employee_id: 'E-n', ...EMPLOYEE, full_name: 'Ana' })
    const { id, token } = await aUser(scope('Norte', 'Sur'))
    const clerk = as(token)
    const { next_cursor } = (await clerk('GET', `${PEOPLE_PATH}?limit=1`)).body.data
    expect((await clerk('GET', `${PEOPLE_PATH}/E-s`)).status).toBe(200)
    const reads = ['?q=susana', '?q=E-s', '?branch_office=Sur', `?cursor=${next_cursor}`]
    await run(narrow, inBranches('Norte'), id)
    const body = { employees: [{ employee_id: 'E-s', ...EMPLOYEE, expected_version: 1 }] }
    const { text } = await clerk('POST', `${PEOPLE_PATH}/bulk`, body)
    expect(text).toContain('Ese número ya existe.')
    for (const query of reads) {
      expect((await clerk('GET', `${PEOPLE_PATH}${query}`)).body.data.employees).toEqual([])
    }
  })
})

describe('fifty bulk calls at once', () => {
  it('each write all of their rows or none, also if a statement fails in the middle', async () => {
    const admin = await anAdmin()
    const before = (await rowsOfPeople()).employees.length
    const calls = Array.from({ length: 50 }, (_, i) => {
      const employees = ['a', 'b', 'c'].map((row) => ({
        ...{ employee_id: `E-${i}-${row}`, ...EMPLOYEE, expected_version: 0 },
      }))
      // Statements 6 to 11 belong to the write, from its first rule to its last read.
      const fault = i % 3 === 0 ? failStatement(6 + ((i / 3) % 6)) : undefined
      const options = { token: admin.token, ...(fault && { env: { DB: fault.DB } }) }
      const body = { employees }
      return { i, fault, answer: call('POST', `${PEOPLE_PATH}/bulk`, { ...options, body }) }
    })
    for (const { i, fault, answer } of calls) {
      const { status } = await answer
      expect([fault?.failed() ?? false, status]).toEqual(fault ? [true, 500] : [false, 200])
      const { results } = await env.DB.prepare(
        'SELECT employee_id FROM employees WHERE employee_id LIKE ?',
      )
        .bind(`E-${i}-%`)
        .all()
      expect(results).toHaveLength(fault ? 0 : 3)
    }
    const { employees, people_changes } = await rowsOfPeople()
    expect([employees.length - before, people_changes.length]).toEqual([33 * 3, 33 * 3])
  })
})

describe('links of employees', () => {
  it('are not made for a user who is promoted meanwhile', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const { id } = await aUser({ employee_id, role: 'employee' })
    const promote = () => run("UPDATE users SET role = 'admin' WHERE id = ?", id)
    const db = actingBeforeWrite(adminDb(await anAdmin()), promote)
    const options = { powerfulRoles: ['admin'], origin: 'https://x.example', now, isFull: false }
    await expect(inviteEmployees(db, [employee_id], options)).rejects.toMatchObject({
      code: 'EMPLOYEE_NOT_INVITED',
    })
    expect((await rowsOfPeople()).invitations).toEqual([])
  })
})

describe('a link of a user', () => {
  it.each([
    ['is deactivated', 'UPDATE users SET active = 0 WHERE id = ?', 'INVITED_INACTIVE'],
    ['becomes a machine', 'UPDATE users SET machine = 1 WHERE id = ?', 'MACHINE_HAS_NO_PASSWORD'],
  ])('is not made if the user %s meanwhile', async (_, act, code) => {
    const [ana, luis] = [await anAdmin(), await aUser()]
    const before = await rowsOfPeople()
    const settings = { ADMIN_ROLES: ['admin'], PAYROLL_ROLES: [], INTAKE_ROLES: [] }
    const writer = { userId: ana.id, settings, now, origin: 'https://checada.example' }
    const db = actingBeforeWrite(adminDb(ana), () => run(act, luis.id))
    await expect(inviteUser(db, luis.id, writer)).rejects.toMatchObject({ code })
    expect(await rowsOfPeople()).toEqual(before)
  })
})
