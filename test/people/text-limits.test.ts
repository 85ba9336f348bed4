import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { document } from '../../sdk/openapi/document.ts'
import { aGroup, anAdmin, aUser } from '../support/factories.ts'
import {
  as,
  EMPLOYEE,
  PEOPLE_PATH,
  USER_ACCESS,
  USER_NAMES,
  USERS_PATH,
} from '../support/people.ts'

/** An emoji counts as one character. */
const long = (count: number) => '😀'.repeat(count)

const EMPLOYEE_TEXTS = {
  full_name: 200,
  ...Object.fromEntries(
    ['rfc', 'phone', 'cellphone', 'job_position', 'department'].map((name) => [name, 100]),
  ),
  ...{ branch_office: 100, profile_image: 100, payroll_group: 100 },
}
const USER_TEXTS = { first_name: 200, last_name: 200, mother_last_name: 200, role: 100 }

it('each text of an employee has a limit', async () => {
  const clerk = as((await aUser({ role: 'rh' })).token)
  const put = (fields: object) =>
    clerk('PUT', `${PEOPLE_PATH}/E-9`, { ...EMPLOYEE, ...fields, expected_version: 0 })
  for (const [field, max] of Object.entries(EMPLOYEE_TEXTS)) {
    const { status, body } = await put({ [field]: long(max + 1) })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    const blank = await put({ [field]: ' '.repeat(max + 1) })
    expect([field, blank.status]).toEqual([field, 422])
  }
  const longest = Object.fromEntries(
    Object.entries(EMPLOYEE_TEXTS).map(([field, max]) => [field, long(max)]),
  )
  await aGroup(long(100))
  expect((await put(longest)).status).toBe(200)
})

it('each text of a user has a limit', async () => {
  const admin = as((await anAdmin()).token)
  const add = (fields: object) =>
    admin('POST', USERS_PATH, {
      email: 'x@y.mx',
      ...USER_NAMES,
      role: 'nomina',
      ...USER_ACCESS,
      ...fields,
    })
  for (const [field, max] of Object.entries(USER_TEXTS)) {
    const { status, body } = await add({ [field]: long(max + 1) })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  }
  const address = (length: number) => `${'x'.repeat(length - 5)}@y.mx`
  expect((await add({ email: address(255) })).status).toBe(422)
  expect((await add({ scope_branches: [long(101)] })).status).toBe(422)
  const names = { first_name: long(200), last_name: long(200), mother_last_name: long(200) }
  expect((await add({ email: address(254), ...names })).status).toBe(200)
})

it('an import has the same limits', async () => {
  const user = {
    ...USER_NAMES,
    ...{ email: 'x@y.mx', role: 'nomina', active: 1, external: 0, employee_id: null },
    ...{ type_user: 'interno', status_user: 'activo', password: 'una clave larga' },
  }
  const { ended_at: _, ...employee } = { ...EMPLOYEE, employee_id: 'E-9' }
  const errorsOf = async (content: object) =>
    (await importInto(env.DB, content)) as { errors?: string[] }
  for (const [field, max] of Object.entries(EMPLOYEE_TEXTS)) {
    const { errors } = await errorsOf({ employees: [{ ...employee, [field]: long(max + 1) }] })
    expect(errors).toEqual([`employees[0] (E-9).${field}: must have at most ${max} characters`])
  }
  const texts = { ...USER_TEXTS, type_user: 100, status_user: 100 }
  for (const [field, max] of Object.entries(texts)) {
    const { errors } = await errorsOf({ users: [{ ...user, [field]: long(max + 1) }] })
    expect(errors).toEqual([`users[0] (x@y.mx).${field}: must have at most ${max} characters`])
  }
  expect(await errorsOf({ employees: [employee], users: [user] })).toHaveProperty('imported')
})

it('the document has the limits', () => {
  const schemas = document.components?.schemas as Record<string, { properties: object }> | undefined
  const limits = Object.entries(schemas?.EmployeeBody?.properties ?? {}).flatMap(
    ([name, { maxLength }]) => (maxLength === undefined ? [] : [[name, maxLength]]),
  )
  expect(Object.fromEntries(limits)).toEqual(EMPLOYEE_TEXTS)
})
