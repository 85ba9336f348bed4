import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aUser, inBranches } from '../support/factories.ts'
import {
  as,
  type Caller,
  changesOf,
  EMPLOYEE,
  PEOPLE_PATH,
  type PeopleChange,
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
