import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { anAdmin, anEmployee, aUser, inBranches } from '../support/factories.ts'
import {
  as,
  type Caller,
  changesOf,
  EMPLOYEE,
  INVITATIONS_PATH,
  PEOPLE_PATH,
  type PeopleChange,
  tokenOf,
  USER_ACCESS,
  USER_NAMES,
  USERS_PATH,
} from '../support/people.ts'

let rh: Caller
let norte: Caller

beforeEach(async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  rh = as((await aUser({ role: 'rh' })).token)
  norte = as((await aUser({ role: 'rh', scope_branches: inBranches('Norte') })).token)
})

const put = (id: string, row: object, caller = rh) =>
  caller('PUT', `${PEOPLE_PATH}/${id}`, { ...EMPLOYEE, ...row })
const inSur = { ...EMPLOYEE, branch_office: 'Sur' }

const fieldsOf = (changes: PeopleChange[]) =>
  changes.map((one) => one.changes.map(({ field }) => field))

describe('a clerk of one branch', () => {
  it('does not see the changes of a deleted person whose id somebody else has now', async () => {
    await put('E-9', { ...inSur, expected_version: 0 })
    await put('E-9', { ...inSur, full_name: 'Susana', rfc: 'SURX010101SUR', expected_version: 1 })
    await rh('DELETE', `${PEOPLE_PATH}/E-9`)
    expect((await put('E-9', { expected_version: 0 }, norte)).status).toBe(200)
    const changes = await changesOf(norte)
    expect(changes).toHaveLength(1)
    expect(JSON.stringify(changes)).not.toMatch(/Susana|SURX/)
  })

  it('does not see what another branch changed before a move, nor the move', async () => {
    await put('E-8', { ...inSur, expected_version: 0 })
    await put('E-8', { ...inSur, department: 'Secretos', expected_version: 1 })
    await put('E-8', { expected_version: 2 })
    await put('E-8', { phone: '5', expected_version: 3 })
    expect(fieldsOf(await changesOf(norte))).toEqual([['phone']])
  })

  it('goes on seeing what the branch changed before somebody left it', async () => {
    await put('E-7', { expected_version: 0 })
    await put('E-7', { phone: '5', expected_version: 1 })
    await put('E-7', { ...inSur, phone: '5', expected_version: 2 })
    await put('E-7', { ...inSur, phone: '6', expected_version: 3 })
    expect(fieldsOf(await changesOf(norte)).at(-1)).toEqual(['phone'])
    expect(await changesOf(norte)).toHaveLength(2)
    expect(await changesOf(rh)).toHaveLength(4)
  })

  it('sees the changes of an import in the branch only', async () => {
    const people = (phone: string) =>
      importInto(env.DB, {
        employees: [
          { employee_id: 'E-n', ...EMPLOYEE, phone },
          { employee_id: 'E-s', ...inSur, phone },
        ],
      })
    await people('5')
    await people('6')
    const subjects = (await changesOf(norte)).map(({ subject_id }) => subject_id)
    expect(subjects).toEqual(['E-n', 'E-n'])
  })
})

describe('an administrator who takes over an account', () => {
  it('leaves each step in the changes', async () => {
    const ana = await anAdmin()
    const admin = as(ana.token)
    const { employee_id } = await anEmployee(EMPLOYEE)
    const user = { email: 'luis@empresa.mx', ...USER_NAMES, role: 'employee', employee_id }
    const { id } = (await admin('POST', USERS_PATH, user)).body.data.user
    const other = (await admin('POST', USERS_PATH, { ...user, email: 'x@x.mx', employee_id: null }))
      .body.data.user.id
    const own = { ...USER_NAMES, ...USER_ACCESS, role: 'employee', active: 1 }
    const steps = [
      await admin('PUT', `${USERS_PATH}/${id}`, { ...own, expected_version: 1 }),
      await admin('PUT', `${USERS_PATH}/${other}`, { ...own, employee_id, expected_version: 1 }),
      await admin('POST', `${USERS_PATH}/${other}/invitation`),
    ]
    const token = tokenOf(steps[2]?.body.data.url)
    steps.push(
      await post('/auth/invitation', { token, password: 'una clave larga' }),
      await admin('PUT', `${USERS_PATH}/${other}`, { ...own, expected_version: 2 }),
      await admin('PUT', `${USERS_PATH}/${id}`, { ...own, employee_id, expected_version: 2 }),
    )
    expect(steps.map(({ status }) => status)).toEqual(Array(6).fill(200))

    const changes = (await changesOf(admin, 'user')).slice(2)
    expect(
      changes.map(({ subject_id, user: by, changes: [change] }) => [
        Number(subject_id),
        by?.id,
        change?.field,
        change?.after,
      ]),
    ).toEqual([
      [id, ana.id, 'employee_id', null],
      [other, ana.id, 'employee_id', employee_id],
      [other, ana.id, 'invitation', '2026-11-19T18:00:00.000Z'],
      [other, other, 'password_set', '2026-11-16T18:00:00.000Z'],
      [other, ana.id, 'employee_id', null],
      [id, ana.id, 'employee_id', employee_id],
    ])
  })

  it('leaves in the changes that a user was a machine for a moment and got its token', async () => {
    const admin = as((await anAdmin()).token)
    const luis = await aUser({ ...USER_NAMES, role: 'nomina' })
    const row = { ...USER_NAMES, ...USER_ACCESS, active: 1 }
    const put = (change: object, expected_version: number) =>
      admin('PUT', `${USERS_PATH}/${luis.id}`, { ...row, ...change, expected_version })
    expect((await put({ role: 'rh', machine: true }, 1)).status).toBe(200)
    expect((await admin('POST', `${USERS_PATH}/${luis.id}/token`)).status).toBe(200)
    expect((await put({ role: 'nomina' }, 2)).status).toBe(200)
    expect(fieldsOf(await changesOf(admin, 'user'))).toEqual([
      ['role', 'machine', 'password_cleared'],
      ['machine_access'],
      ['role', 'machine'],
    ])
    const made = await as(luis.token)('POST', INVITATIONS_PATH, { employee_ids: ['E-1'] })
    expect(made.status).toBe(401)
  })
})
