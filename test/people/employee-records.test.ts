import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { NAMING_TABLES } from '../../src/people/delete-employee.queries.ts'
import { expectRejectedFields, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aLog, anAdmin, anEmployee, aUser, inBranches, paysFrom } from '../support/factories.ts'
import { type Payroll, payrollOf } from '../support/payroll.ts'
import {
  as,
  type Caller,
  changesOf,
  EMPLOYEE,
  INVITATIONS_PATH,
  PEOPLE_PATH,
  tokenOf,
} from '../support/people.ts'
import { punch } from '../support/time-card.ts'

const SETTINGS = { PEOPLE_ROLES: 'rh' }
const NO_WARNINGS = { warnings: {}, warning_codes: {} }

let admin: Caller
let payroll: Payroll
let clerk: Caller

beforeEach(async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  const { token } = await anAdmin()
  admin = as(token, {})
  payroll = payrollOf(token)
  const scope_branches = inBranches('Norte')
  clerk = as((await aUser({ role: 'rh', scope_branches })).token, SETTINGS)
})

/** Writes EMPLOYEE with changes. The expected version is 1 unless the changes have another one. */
const put = (caller: Caller, id: string, changes: object = {}) => {
  const body = { ...EMPLOYEE, expected_version: 1, ...changes }
  return caller('PUT', `${PEOPLE_PATH}/${id}`, body)
}

/** Records and approves eight hours of E-1 on a day of 2026-11, and closes them. Returns the id of the closing. */
const closeDay = async (day: string, closing: object): Promise<number> => {
  const log_ids = await punch('E-1', `${day} E08:00? S16:00?`)
  const change = { log_ids, expected_status: 'pending', status: 'approved', comment: null }
  expect((await payroll.send('POST', '/change_logs_status', change)).status).toBe(200)
  return (await payroll.closed({ employee_id: 'E-1', ...closing })).id
}

/** Adds E-1, pays the day 2026-11-10, and returns the number of the closing. */
const aPaidDay = async (): Promise<number> => {
  await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
  await paysFrom('2026-11-01')
  return closeDay('10', { before: '2026-11-12' })
}

describe('PUT /v2/people/employees/{employee_id}', () => {
  it('adds an employee, changes it, and records each change', async () => {
    const added = await put(admin, 'E-1', { expected_version: 0 })
    expect(added.status).toBe(200)
    expect(added.body.data.employee).toEqual({
      employee_id: 'E-1',
      ...EMPLOYEE,
      version: 1,
      user: null,
    })
    const moved = await put(admin, 'E-1', { branch_office: 'Sur', ended_at: '2026-11-30' })
    expect(moved.body.data.employee).toMatchObject({ branch_office: 'Sur', version: 2 })

    const changes = await changesOf(admin)
    expect(changes).toHaveLength(2)
    expect(changes[1]).toMatchObject({
      subject_id: 'E-1',
      changes: [
        { field: 'branch_office', before: 'Norte', after: 'Sur' },
        { field: 'ended_at', before: null, after: '2026-11-30' },
      ],
    })
    expect(changes[0]?.changes[0]).toEqual({
      field: 'full_name',
      before: null,
      after: 'Luis Mendoza Peña',
    })
  })

  it('saves names composed, so that equal ones are equal texts', async () => {
    const names = { full_name: 'Íñigo Muñiz', department: 'Dirección', job_position: 'Músico' }
    const apart = Object.fromEntries(
      Object.entries(names).map(([name, text]) => [name, text.normalize('NFD')]),
    )
    const { body } = await put(admin, 'E-1', { ...apart, expected_version: 0 })
    expect(body.data.employee).toMatchObject(names)
  })

  it('is a 409 with the current record if somebody was faster, and changes nothing', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    await put(admin, 'E-1', { phone: '55' })
    const late = await put(admin, 'E-1', { phone: '66' })
    expect(late.status).toBe(409)
    expect(late.body.data).toBeNull()
    expect(late.body.current).toMatchObject({ employee_id: 'E-1', phone: '55', version: 2 })
    expect(late.body.errors).toEqual({ expected_version: [late.body.message] })
    const exists = await put(admin, 'E-1', { expected_version: 0 })
    expect(exists.status).toBe(409)
    const missing = await put(admin, 'E-2', { expected_version: 4 })
    expect([missing.status, missing.body.current]).toEqual([409, undefined])
  })

  it('gets a new version from any other statement that changes the row', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    await env.DB.prepare('UPDATE employees SET phone = ? WHERE employee_id = ?')
      .bind('77', employee_id)
      .run()
    const { body } = await admin('GET', `${PEOPLE_PATH}/${employee_id}`)
    expect(body.data.employee.version).toBe(2)
  })

  it.each([
    ['a field that is left out', { rfc: undefined }, 'rfc'],
    ['an end that is left out', { ended_at: undefined }, 'ended_at'],
    ['a wrong day', { started_at: '2026-02-30' }, 'started_at'],
    ['a rule of pay', { max_shift_hours: 26 }, 'max_shift_hours'],
    ['no version', { expected_version: undefined }, 'expected_version'],
    [
      'a user who is not there',
      { ended_at: '2026-11-01', deactivate_user: true },
      'deactivate_user',
    ],
  ])('is a 422 with %s', async (_, change, field) => {
    expectRejectedFields(await put(admin, 'E-1', { expected_version: 0, ...change }), 422, [field])
  })

  it.each(['%20E-1', 'E-1%20', '..%20', 'E%E2%80%8B1', 'e%CC%81', '__proto__', 'x'.repeat(51)])(
    'refuses the new id %s, but keeps one that is stored',
    async (id) => {
      expectRejectedFields(await put(admin, id, { expected_version: 0 }), 422, ['employee_id'])
      await anEmployee({ employee_id: decodeURIComponent(id), ...EMPLOYEE })
      expect((await put(admin, id)).status).toBe(200)
    },
  )

  it.each(['%ED%A0%80', 'E-%FF'])('refuses the path id %s, which is no text', async (id) => {
    expectRejectedFields(await put(admin, id, { expected_version: 0 }), 422, ['employee_id'])
    expect((await put(admin, 'E-100%25', { expected_version: 0 })).status).toBe(200)
  })

  it('warns of what looks like a mistake, and writes all the same', async () => {
    await anEmployee({ employee_id: '007', ...EMPLOYEE })
    const res = await put(admin, '7', {
      branch_office: 'Nrote',
      department: 'Almacén',
      expected_version: 0,
    })
    expect(res.body.data.warnings).toEqual({
      employee_id: ['Se parece al número 007.'],
      rfc: ['También lo tiene 007.'],
      branch_office: ['Nadie más está en esta sucursal.'],
    })
    expect(res.body.data.warning_codes).toEqual({
      employee_id: [{ code: 'ID_NEAR', value: '007' }],
      rfc: [{ code: 'RFC_SHARED', value: '007' }],
      branch_office: [{ code: 'BRANCH_UNUSED', value: 'Nrote' }],
    })
  })

  it('warns of a person who gets no branch, and not again while there is none', async () => {
    const blank = {
      branch_office: [
        'Sin sucursal: solo lo ve quien ve todas, y un reloj de una sucursal no sabe que sus checadas son suyas.',
      ],
    }
    const add = { branch_office: '', expected_version: 0 }
    expect((await put(admin, 'E-1', add)).body.data.warnings).toMatchObject(blank)
    const phone = { branch_office: '', phone: '5' }
    expect((await put(admin, 'E-1', phone)).body.data.warnings).toEqual({})
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE })
    const moved = await put(admin, 'E-2', { branch_office: '' })
    expect(moved.body.data.warnings).toMatchObject(blank)
  })

  it('warns of a blank name, of a year before 1900 and of an end before the start', async () => {
    const slip = { full_name: ' ', started_at: '0026-10-01', ended_at: '0025-11-01' }
    const res = await put(admin, 'E-1', { ...slip, expected_version: 0 })
    expect(res.status).toBe(200)
    expect(res.body.data.warnings).toMatchObject({
      full_name: ['El nombre está en blanco.'],
      started_at: ['¿De verdad el año 0026?'],
      ended_at: ['¿De verdad el año 0025?', 'El último día es anterior a la fecha de ingreso.'],
    })
    expect(res.body.data.warning_codes.ended_at).toEqual([
      { code: 'DAY_TOO_OLD', value: '0025-11-01' },
      { code: 'ENDED_BEFORE_START', value: '0025-11-01' },
    ])
    expect((await put(admin, 'E-1', { ...slip, phone: '5' })).body.data.warnings).toEqual({})
  })

  it('warns of a group with unpaid days, and of a scope that stays', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    await aUser({ role: 'admin', employee_id, scope_branches: inBranches('Norte') })
    await aLog({ employee_id, recorded_at: '2026-11-10T14:00:00.000Z' })
    await anEmployee({ ...EMPLOYEE, branch_office: 'Sur', payroll_group: 'quincenal' })
    const moved = { branch_office: 'Sur', payroll_group: 'quincenal' }
    const res = await put(admin, employee_id, moved)
    expect(res.body.data.warnings).toEqual({
      branch_office: ['Su usuario sigue viendo: Norte.'],
      payroll_group: [
        'Tiene días sin pagar: se pagarán con el grupo nuevo, desde el primer día de ese grupo.',
      ],
    })
  })

  it('warns of days that a new first day leaves unpaid, unless a closing keeps them payable', async () => {
    await paysFrom('2026-11-01')
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE, started_at: '2026-10-05' })
    // The day before the group's first day is nobody's, and a pending log counts for nothing.
    await punch('E-1', '01 E00:30 S08:00 02 E08:00 S17:00 03 E20:00 04 S05:00 05 E08:00?')
    const warned = (days: string) => [
      `${days} con checadas aprobadas antes del nuevo primer día, que ningún cierre pagaría: ciérralos antes, o deja el día como estaba.`,
    ]
    const check = async (changes: object) => {
      const employees = [
        {
          ...EMPLOYEE,
          started_at: '2026-10-05',
          employee_id: 'E-1',
          expected_version: 1,
          ...changes,
        },
      ]
      const { body } = await admin('POST', `${PEOPLE_PATH}/bulk`, { employees, dry_run: true })
      return body.data.results[0].warnings
    }
    const rehired = { ended_at: null, started_at: '2026-11-16' }
    expect(await check(rehired)).toEqual({ started_at: warned('Quedan 4 días') })
    expect(await check({ started_at: '2026-11-02' })).toEqual({ started_at: warned('Queda 1 día') })
    expect(await check({ started_at: '2026-11-01' })).toEqual({})
    expect(await check({ paid_from: '2026-11-04' })).toEqual({ paid_from: warned('Quedan 3 días') })
    await payroll.closed({ before: '2026-11-03', leave_pending: true })
    expect(await check(rehired)).toEqual({})
  })

  it('refuses a group that does not exist, and names it', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    const res = await put(admin, 'E-1', { payroll_group: 'semanal' })
    expect([res.status, res.body.errors]).toEqual([
      422,
      { payroll_group: ['No existe el grupo de nómina «semanal».'] },
    ])
  })

  it('changes the first day that is paid only for who closes and pays all branches', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    const both = { PEOPLE_ROLES: 'rh,nomina', PAYROLL_ROLES: 'nomina' }
    const clerkOf = async (row: Parameters<typeof aUser>[0]) => as((await aUser(row)).token, both)
    const payer = await clerkOf({ role: 'nomina' })
    const { paid_from: _, ...withoutDay } = EMPLOYEE
    const write = async (caller: Caller, changes: object, expected_version = 1) => {
      const body = { ...withoutDay, ...changes, expected_version }
      return caller('PUT', `${PEOPLE_PATH}/E-1`, body)
    }
    for (const row of [{ role: 'rh' }, { role: 'nomina', scope_branches: inBranches('Norte') }]) {
      const refused = await write(await clerkOf(row), { paid_from: '2026-11-02' })
      expectRejectedFields(refused, 422, ['paid_from'])
    }
    expectRejectedFields(await write(payer, { paid_from: '2026-11-31' }), 422, ['paid_from'])
    const saved = await write(payer, { paid_from: '2026-11-02' })
    expect(saved.body.data.employee).toMatchObject({ paid_from: '2026-11-02', version: 2 })
    // Somebody else may send the stored day, or leave it out. It stays.
    const other = await clerkOf({ role: 'rh' })
    for (const [i, changes] of [{ paid_from: '2026-11-02' }, {}].entries()) {
      const kept = await write(other, { ...changes, phone: `${i}` }, 2 + i)
      expect(kept.body.data.employee).toMatchObject({ paid_from: '2026-11-02', phone: `${i}` })
    }
    expectRejectedFields(await write(other, { paid_from: null }, 4), 422, ['paid_from'])
    const removed = await write(payer, { paid_from: null, phone: '1' }, 4)
    expect(removed.body.data.employee).toMatchObject({ paid_from: null, version: 5 })
    expect((await changesOf(payer)).at(-1)?.changes).toEqual([
      { field: 'paid_from', before: '2026-11-02', after: null },
    ])
  })

  it('deactivates the user of somebody who has left only if that is requested', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const user = await aUser({ role: 'employee', employee_id })
    const ended = { ended_at: '2026-11-15' }
    await put(admin, employee_id, ended)
    expect((await get('/auth/me', { token: user.token })).status).toBe(200)
    // The last day is today.
    const today = { ended_at: '2026-11-16', expected_version: 2, deactivate_user: true }
    expectRejectedFields(await put(admin, employee_id, today), 422, ['deactivate_user'])
    const again = { ...ended, expected_version: 2, deactivate_user: true }
    const res = await put(admin, employee_id, again)
    expect(res.body.data.employee.user).toMatchObject({ active: 0 })
    expect((await get('/auth/me', { token: user.token })).status).toBe(401)
  })

  it('refuses a last day before a day that a closing paid', async () => {
    const closing = await aPaidDay()
    const end = (ended_at: string) => put(admin, 'E-1', { ended_at })
    const early = await end('2026-11-09')
    expect([early.status, Object.keys(early.body.errors)]).toEqual([409, ['ended_at']])
    expect(early.body.message).toContain(`El cierre ${closing} pagó el 10/11/2026`)
    expect((await end('2026-11-10')).status).toBe(200)
  })

  it('names the closing that paid the last paid day, not a later one of an earlier day', async () => {
    const closing = await aPaidDay()
    await closeDay('09', { before: '2026-11-13' })
    const { body } = await put(admin, 'E-1', { ended_at: '2026-11-08' })
    expect(body.message).toContain(`El cierre ${closing} pagó el 10/11/2026`)
  })

  it('still changes a person whose stored end is before a paid day', async () => {
    await aPaidDay()
    await env.DB.prepare("UPDATE employees SET ended_at = '2026-11-09'").run()
    const row = { ...EMPLOYEE, ended_at: '2026-11-09', phone: '55', expected_version: 2 }
    const employees = [{ employee_id: 'E-1', ...row }]
    for (const dry_run of [true, false]) {
      expect((await admin('POST', `${PEOPLE_PATH}/bulk`, { employees, dry_run })).status).toBe(200)
    }
    expect((await put(admin, 'E-1', { ...row, phone: '66', expected_version: 3 })).status).toBe(200)
    const earlier = await put(admin, 'E-1', { ended_at: '2026-11-08', expected_version: 4 })
    expectRejectedFields(earlier, 409, ['ended_at'])
  })

  it('hires somebody again with the same id, although a day before the old end is paid', async () => {
    await aPaidDay()
    expect((await put(admin, 'E-1', { ended_at: '2026-11-12' })).status).toBe(200)
    const again = await put(admin, 'E-1', { expected_version: 2 })
    expect(again.body.data.employee).toMatchObject({ ended_at: null, version: 3 })
    expect((await changesOf(admin)).at(-1)?.changes).toEqual([
      { field: 'ended_at', before: '2026-11-12', after: null },
    ])
  })

  it('warns of a move while a clock of the old branch is behind, whoever used it', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE })
    await anEmployee({ employee_id: 'E-3', ...EMPLOYEE, branch_office: 'Sur' })
    const employees = [
      { employee_id: 'E-1', ...EMPLOYEE, branch_office: 'Sur', expected_version: 1 },
    ]
    const warnings = async (employee_id: string, complete_until: string | null) => {
      await env.DB.batch([
        env.DB.prepare('DELETE FROM employee_sources'),
        env.DB.prepare(`INSERT OR REPLACE INTO intake_sources (source, complete_until, last_seen_at)
          VALUES ('reloj', ?, '2026-11-16T14:00:00.000Z')`).bind(complete_until),
        env.DB.prepare(`INSERT INTO employee_sources (employee_id, source, last_recorded_at)
          VALUES (?, 'reloj', '2026-11-10T14:00:00.000Z')`).bind(employee_id),
      ])
      const { body } = await admin('POST', `${PEOPLE_PATH}/bulk`, { employees, dry_run: true })
      return body.data.results[0].warnings.branch_office
    }
    const behind = ['Un reloj no ha enviado todo: lo que llegue tendrá la sucursal nueva.']
    expect(await warnings('E-2', '2026-11-16T16:59:59.999Z')).toEqual(behind)
    expect(await warnings('E-1', '2026-11-16T16:59:59.999Z')).toEqual(behind)
    expect(await warnings('E-2', '2026-11-16T17:00:00.000Z')).toBeUndefined()
    expect(await warnings('E-3', '2026-11-16T10:00:00.000Z')).toBeUndefined()
    expect(await warnings('E-2', null)).toBeUndefined()
  })

  it.each(['XAXX010101000', 'XEXX010101000'])('lets many have the generic RFC %s', async (rfc) => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE, rfc })
    const added = await put(admin, 'E-2', { rfc, expected_version: 0 })
    expect(added.body.data.warnings).toEqual({})
  })

  it('ends the link of a user who is deactivated with the employee', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    const made = await admin('POST', INVITATIONS_PATH, { employee_ids: ['E-1'] })
    const token = tokenOf(made.body.data.invitations[0].url)
    await put(admin, 'E-1', { ended_at: '2026-11-14', deactivate_user: true })
    await env.DB.prepare("UPDATE users SET active = 1 WHERE employee_id = 'E-1'").run()
    expect((await post('/auth/invitation/check', { token })).status).toBe(410)
  })
})

describe('a bulk with faults of several kinds', () => {
  const bulk = (...employees: object[]) =>
    clerk('POST', `${PEOPLE_PATH}/bulk`, {
      employees: employees.map((changes, i) => ({
        ...EMPLOYEE,
        employee_id: `E-${i}`,
        expected_version: 0,
        ...changes,
      })),
    })

  it('has the code of the first kind, with the details of that code', async () => {
    const res = await bulk({ paid_from: '2026-11-02' }, { payroll_group: 'semanal' })
    expectRejectedFields(res, 422, ['employees.0.paid_from', 'employees.1.payroll_group'])
    expect(res.body).toMatchObject({
      code: 'UNKNOWN_PAYROLL_GROUP',
      details: { payroll_group: 'semanal' },
    })
  })

  it('has no details of another code', async () => {
    const res = await bulk({ payroll_group: 'semanal' }, { branch_office: 'Sur' })
    expect(res.body.code).toBe('BRANCH_OUT_OF_SCOPE')
    expect(res.body).not.toHaveProperty('details')
  })
})

describe('a clerk of one branch', () => {
  // scope-leaks.test.ts tests that the clerk sees nobody of another branch.
  it('deletes and moves nobody of another branch, or to it', async () => {
    await anEmployee({ employee_id: 'E-n', ...EMPLOYEE })
    await anEmployee({ employee_id: 'E-s', ...EMPLOYEE, branch_office: 'Sur' })
    expect((await clerk('DELETE', `${PEOPLE_PATH}/E-s`)).status).toBe(404)
    expectRejectedFields(await put(clerk, 'E-n', { branch_office: 'Sur' }), 422, ['branch_office'])
    expect((await put(clerk, 'E-n', { phone: '5' })).status).toBe(200)
  })

  it('learns only that an id of another branch exists, whatever values are guessed', async () => {
    await anEmployee({
      employee_id: 'E-s',
      ...EMPLOYEE,
      branch_office: 'Sur',
      rfc: 'SURE900115QX3',
    })
    const guesses = [
      { ...EMPLOYEE, expected_version: 0 },
      { ...EMPLOYEE, expected_version: 1 },
      { ...EMPLOYEE, expected_version: 1, rfc: 'SURE900115QX3', branch_office: 'Sur' },
      { ...EMPLOYEE, expected_version: 9, ended_at: '2026-01-01', deactivate_user: true },
    ]
    for (const dry_run of [undefined, true]) {
      const answers = new Set<string>()
      for (const guess of guesses) {
        const res =
          dry_run === undefined
            ? await put(clerk, 'E-s', guess)
            : await clerk('POST', `${PEOPLE_PATH}/bulk`, {
                employees: [{ employee_id: 'E-s', ...guess }],
                dry_run,
              })
        expect(res.status).toBe(409)
        answers.add(res.text)
      }
      expect(answers.size).toBe(1)
      expect([...answers][0]).not.toContain('SURE')
    }
    const near = await put(clerk, 'e-S', { rfc: 'SURE900115QX3', expected_version: 0 })
    expect(Object.keys(near.body.data.warnings)).not.toContain('employee_id')
    expect(Object.keys(near.body.data.warnings)).not.toContain('rfc')
  })

  it('moves people between branches of the scope, and sees the move', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    const scope_branches = inBranches('Norte', 'Este')
    const both = as((await aUser({ role: 'rh', scope_branches })).token, SETTINGS)
    const moved = await put(both, 'E-1', { branch_office: 'Este' })
    expect(moved.body.data.employee.branch_office).toBe('Este')
    expect((await changesOf(both))[0]?.changes).toEqual([
      { field: 'branch_office', before: 'Norte', after: 'Este' },
    ])
    expect(await changesOf(clerk)).toEqual([])
  })

  it('does not learn which other branches a moved person sees', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const scope = (...branches: string[]) => ({
      role: 'rh',
      scope_branches: inBranches(...branches),
    })
    const { id } = await aUser({ employee_id, ...scope('Norte', 'Secreta') })
    const both = as((await aUser(scope('Norte', 'Este'))).token, SETTINGS)
    const row = { employee_id, ...EMPLOYEE, branch_office: 'Este', expected_version: 1 }
    const bulk = async () => {
      const body = { employees: [row], dry_run: true }
      return (await both('POST', `${PEOPLE_PATH}/bulk`, body)).body.data.results[0].warnings
    }
    const unused = 'Nadie más está en esta sucursal.'
    expect(await bulk()).toEqual({ branch_office: [unused, 'Su usuario sigue viendo: Norte.'] })
    await env.DB.prepare('UPDATE users SET scope_branches = ? WHERE id = ?')
      .bind(inBranches('Secreta'), id)
      .run()
    expect(await bulk()).toEqual({ branch_office: [unused] })
  })

  it('never changes their own record, not even in bulk', async () => {
    const { employee_id } = await anEmployee(EMPLOYEE)
    const me = as((await aUser({ role: 'rh', employee_id })).token, SETTINGS)
    const row = { ...EMPLOYEE, job_position: 'Jefa', expected_version: 1 }
    expect((await put(me, employee_id, row)).status).toBe(403)
    const employees = [{ employee_id, ...row }]
    expect((await me('POST', `${PEOPLE_PATH}/bulk`, { employees })).status).toBe(403)
    expect((await me('DELETE', `${PEOPLE_PATH}/${employee_id}`)).status).toBe(403)
  })
})

describe('POST /v2/people/employees/bulk', () => {
  it('says of a body that is not JSON in UTF-8 what is wrong with it', async () => {
    const employees = async (body: unknown) => {
      const { status, body: failed } = await post(`${PEOPLE_PATH}/bulk`, body, { token })
      return [status, failed.errors.employees]
    }
    const { token } = await anAdmin()
    const NOT_JSON = 'El cuerpo no es JSON en UTF-8 sin comprimir.'
    for (const body of [
      '{"employees": [',
      'employees',
      '{"a":"\xf1"}',
      '\xff\xfe{\0}\0',
      '\x1f\x8b\x08',
    ]) {
      const bytes = Uint8Array.from(body, (letter) => letter.charCodeAt(0))
      expect(await employees(bytes), body).toEqual([422, [NOT_JSON]])
    }
    for (const body of ['', '{}', '[]', 'null', '{"employees":null}']) {
      expect(await employees(body), body).toEqual([422, ['La lista de empleados es obligatoria.']])
    }
  })

  const row = (employee_id: string, more: object = {}) => ({
    employee_id,
    ...EMPLOYEE,
    rfc: '',
    expected_version: 0,
    ...more,
  })
  const bulk = (employees: object[], dry_run = false) =>
    admin('POST', `${PEOPLE_PATH}/bulk`, { employees, dry_run })

  it('says what is new, changed and the same, and writes all of it', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE, rfc: '' })
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE, rfc: '' })
    const employees = [
      row('E-1', { expected_version: 1 }),
      row('E-2', { expected_version: 1, phone: '55' }),
      row('E-3'),
    ]
    const expected = [
      { employee_id: 'E-1', result: 'same', fields: [], version: 1, ...NO_WARNINGS },
      { employee_id: 'E-2', result: 'changed', fields: ['phone'], version: 2, ...NO_WARNINGS },
      { employee_id: 'E-3', result: 'new', fields: [], version: 1, ...NO_WARNINGS },
    ]
    expect((await bulk(employees, true)).body.data.results).toEqual(expected)
    expect((await admin('GET', `${PEOPLE_PATH}/E-3`)).status).toBe(404)
    expect((await bulk(employees)).body.data.results).toEqual(expected)
    const again = await bulk(employees)
    expect([again.status, again.body.errors]).toEqual([
      409,
      {
        'employees.1.expected_version': [again.body.message],
        'employees.2.expected_version': [again.body.message],
      },
    ])
  })

  it('warns of no RFC that two rows exchange', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE, rfc: 'X1' })
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE, rfc: 'X2' })
    const swapped = [
      row('E-1', { rfc: 'X2', expected_version: 1 }),
      row('E-2', { rfc: 'X1', expected_version: 1 }),
    ]
    const { results } = (await bulk(swapped, true)).body.data
    expect(results.map(({ warnings }: { warnings: object }) => warnings)).toEqual([{}, {}])
  })

  it.each([
    ['１２３', '123'],
    ['Ç1', 'ç1'],
    ['ab\u00a0c', 'abc'],
    ['007', '7'],
    ['5.10', '5.1'],
    ['10.0', '10'],
    ['00007', '7.0'],
    ['1E5', '100000'],
    ['1e5', '1.00E+05'],
    ['8:30', '08:30:00'],
  ])('warns that the new id %2$j looks like the stored %1$j', async (stored, added) => {
    await anEmployee({ employee_id: stored, ...EMPLOYEE })
    const [{ warnings }] = (await bulk([row(added)], true)).body.data.results
    expect(warnings.employee_id).toEqual([`Se parece al número ${stored}.`])
  })

  it.each([
    ['5.10', '5.11'],
    ['12345678901234567', '12345678901234568'],
    ['8:30', '8:30:15'],
    ['1E5', '1E6'],
    ['E-10', 'E-1'],
  ])('does not warn of the stored id %j beside the new %j', async (stored, added) => {
    await anEmployee({ employee_id: stored, ...EMPLOYEE })
    const [{ warnings }] = (await bulk([row(added)], true)).body.data.results
    expect(warnings.employee_id).toBeUndefined()
  })

  it('warns of rows with similar ids or the same RFC, also of full-width letters', async () => {
    await anEmployee({ employee_id: 'D-9', ...EMPLOYEE, rfc: '' })
    const rows = [row('D-1', { rfc: 'X1' }), row('d-1', { rfc: 'X1' }), row('Ｄ-9')]
    const { results } = (await bulk(rows, true)).body.data
    expect(results.map(({ warnings }: { warnings: object }) => warnings)).toEqual([
      { employee_id: ['Se parece al número d-1.'], rfc: ['También lo tiene d-1.'] },
      { employee_id: ['Se parece al número D-1.'], rfc: ['También lo tiene D-1.'] },
      { employee_id: ['Se parece al número D-9.'] },
    ])
  })

  it('writes nothing if one row has a fault, and names each one', async () => {
    const twice = [row('E-1'), row('E-1'), row(' x')]
    const input = await bulk([...twice, row('E-4', { started_at: 'ayer' })])
    expectRejectedFields(input, 422, ['employees.3.started_at'])
    expectRejectedFields(await bulk(twice), 422, [
      'employees.1.employee_id',
      'employees.2.employee_id',
    ])
    expect((await admin('GET', PEOPLE_PATH)).body.data.employees).toEqual([])
  })

  it('takes 500 employees at once, also in a body of more than 64 KiB, and no more', async () => {
    const many = Array.from({ length: 501 }, (_, i) =>
      row(`E-${i}`, { job_position: 'x'.repeat(99) }),
    )
    expect((await bulk(many)).status).toBe(422)
    const res = await bulk(many.slice(0, 500))
    expect([res.status, res.body.data.results.length]).toEqual([200, 500])
    const large = await bulk([row('E-9000', { job_position: 'x'.repeat(600_000) })])
    expect(large.status).toBe(413)
  })
})

describe('GET /v2/people/employees', () => {
  it('pages through names as people sort them, and filters', async () => {
    for (const [employee_id, full_name, ended_at] of [
      ['3', 'Óscar Luna', null],
      ['1', 'olga Ñúñez', null],
      ['2', 'Oscar Luna', '2026-11-15'],
    ] as const) {
      await anEmployee({ ...EMPLOYEE, employee_id, full_name, ended_at })
    }
    const ids = async (query: string) => {
      const { body } = await admin('GET', `${PEOPLE_PATH}?${query}`)
      return body.data.employees.map((one: { employee_id: string }) => one.employee_id)
    }
    expect(await ids('')).toEqual(['1', '2', '3'])
    expect(await ids('active=true')).toEqual(['1', '3'])
    expect(await ids('active=false')).toEqual(['2'])
    expect(await ids('q=luna oscar')).toEqual(['2', '3'])
    expect(await ids('payroll_group=otro')).toEqual([])
    const first = await admin('GET', `${PEOPLE_PATH}?limit=2`)
    expect(await ids(`limit=2&cursor=${first.body.data.next_cursor}`)).toEqual(['3'])
  })
})

describe('DELETE /v2/people/employees/{employee_id}', () => {
  it('deletes a wrong id, and not somebody who has logs', async () => {
    await anEmployee({ employee_id: 'E-1', ...EMPLOYEE })
    await anEmployee({ employee_id: 'E-2', ...EMPLOYEE })
    await aLog({ employee_id: 'E-2' })
    expect((await admin('DELETE', `${PEOPLE_PATH}/E-1`)).status).toBe(200)
    expect((await admin('DELETE', `${PEOPLE_PATH}/E-1`)).status).toBe(404)
    expect((await admin('DELETE', `${PEOPLE_PATH}/E-2`)).status).toBe(409)
    const changes = await changesOf(admin)
    expect(changes[0]?.changes[0]).toEqual({
      field: 'full_name',
      before: 'Luis Mendoza Peña',
      after: null,
    })
  })

  it('refuses whoever a table names, in each table with a key of employees', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%REFERENCES `employees`%'",
    ).all<{ name: string }>()
    const naming = NAMING_TABLES.map((table): string => getTableName(table))
    expect(results.length).toBeGreaterThan(5)
    expect(naming).toEqual(expect.arrayContaining(results.map(({ name }) => name)))

    await anEmployee({ employee_id: 'E-5', branch_office: 'Norte' })
    await aUser({ employee_id: 'E-5' })
    const refused = await admin('DELETE', `${PEOPLE_PATH}/E-5`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'EMPLOYEE_IN_USE' } })
  })
})
