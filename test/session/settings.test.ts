import { expect, it } from 'vitest'
import { ABILITIES } from '../../src/session/can.ts'
import { signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import { anEmployee, aUser, aZone, inBranches } from '../support/factories.ts'

const PATH = '/v2/incidents/settings'

it('returns the settings for a review page, and the permissions of its user', async () => {
  const { employee_id } = await anEmployee()
  const admin = await signInAdmin({ employee_id })

  expect((await admin.get('/settings')).body.data).toEqual({
    time_zone: 'America/Mexico_City',
    require_comment: [],
    forbid_self_approval: false,
    seals: true,
    employee_clock_in: true,
    employee_requests: true,
    max_shift_hours: 16,
    branches: [{ branch_office: 'Centro', time_zone: 'America/Mexico_City' }],
    zones: [
      {
        time_zone: 'America/Mexico_City',
        utc_offsets: expect.arrayContaining([
          { from: '2022-10-30T07:00:00.000Z', seconds: -21600 },
        ]),
      },
    ],
    payroll_groups: [''],
    user: {
      id: admin.id,
      full_name: 'Ana Torres',
      employee_id,
      scope_branches: null,
      can: ABILITIES,
    },
    roles: [
      {
        role: 'admin',
        can: ABILITIES,
        can_in_scope: ['decide', 'pay', 'read_hours', 'send_logs', 'read_agreements'],
      },
      { role: 'employee', can: [], can_in_scope: [] },
    ],
    machine_roles: [],
  })
  const env = {
    REQUIRE_COMMENT: 'rejected, pending',
    FORBID_SELF_APPROVAL: 'true',
    INTAKE_ROLES: 'reloj, nomina',
    PAYROLL_ROLES: 'nomina',
    PEOPLE_ROLES: 'rh',
  }
  await aZone({ branch_office: null, time_zone: 'America/Tijuana' })
  expect((await admin.get('/settings', env)).body.data).toMatchObject({
    time_zone: 'America/Tijuana',
    require_comment: ['rejected', 'pending'],
    forbid_self_approval: true,
    // In this test, other roles do payroll and manage employees.
    user: { can: ['decide', 'read_hours', 'keep_users'] },
    roles: [
      {
        role: 'admin',
        can: ['decide', 'read_hours', 'keep_users'],
        can_in_scope: ['decide', 'read_hours'],
      },
      { role: 'employee', can: [] },
      { role: 'nomina', can: ['pay', 'read_hours', 'send_logs', 'read_agreements'] },
      { role: 'reloj', can: ['send_logs'] },
      { role: 'rh', can: ['keep_people', 'read_agreements'] },
    ],
    machine_roles: ['reloj', 'rh'],
  })
})

it('lets payroll read, and shows that payroll may not decide', async () => {
  const { token } = await aUser({ role: 'nomina' })
  const res = await get(PATH, { token, env: { PAYROLL_ROLES: 'nomina' } })
  expect(res.body.data.user).toMatchObject({
    employee_id: null,
    can: ['pay', 'read_hours', 'read_agreements'],
  })
  await anEmployee({ branch_office: 'Sur', payroll_group: 'semanal' })
  await anEmployee({ branch_office: 'Norte', payroll_group: 'quincenal' })
  await aZone({ branch_office: 'Norte', time_zone: 'America/Tijuana' })
  const all = await get(PATH, { token, env: { PAYROLL_ROLES: 'nomina' } })
  expect(all.body.data).toMatchObject({
    branches: [{ branch_office: 'Norte' }, { branch_office: 'Sur' }],
    payroll_groups: ['quincenal', 'semanal'],
  })
  const scoped = await aUser({ role: 'nomina', scope_branches: inBranches('Norte') })
  const limited = await get(PATH, { token: scoped.token, env: { PAYROLL_ROLES: 'nomina' } })
  expect(limited.body.data).toMatchObject({
    branches: [{ branch_office: 'Norte', time_zone: 'America/Tijuana' }],
    payroll_groups: ['quincenal'],
    user: { scope_branches: ['Norte'], can: ['pay', 'read_hours', 'read_agreements'] },
  })
})

it('tells a clerk who keeps only employees that nothing else is allowed', async () => {
  const { token } = await aUser({ role: 'rh', scope_branches: inBranches('Norte') })
  const { body } = await get(PATH, { token, env: { PEOPLE_ROLES: 'rh' } })
  expect(body.data).toMatchObject({
    user: { can: ['keep_people', 'read_agreements'] },
    roles: null,
    machine_roles: null,
  })
})
