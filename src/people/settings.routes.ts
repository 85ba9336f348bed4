import { requireReader } from '../core/http/auth.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { getCaller } from './users.queries.ts'

/** The settings that a page for reviewing logs needs, and the user's permissions. */
export const settings = createApp().get('/settings', requireReader, async (c) => {
  const { authorizedDb, settings, now } = c.var
  const { caller, branches, payrollGroups } = await getCaller(authorizedDb)
  const { role, ...user } = caller
  const data = {
    time_zone: settings.TIME_ZONE,
    require_comment: settings.REQUIRE_COMMENT,
    forbid_self_approval: settings.FORBID_SELF_APPROVAL,
    employee_clock_in: settings.EMPLOYEE_CLOCK_IN,
    seals: settings.SEAL_KEY !== undefined,
    max_shift_hours: settings.MAX_SHIFT_HOURS,
    branches: branches.map((branch_office) => ({
      branch_office,
      time_zone: authorizedDb.zones().nameAt(branch_office, now),
    })),
    payroll_groups: payrollGroups,
    user: {
      ...user,
      may_decide: settings.ADMIN_ROLES.includes(role),
      may_close: settings.PAYROLL_ROLES.includes(role) && user.scope_branches === null,
    },
  }
  return c.json(success('Ajustes de la instalación.', data), 200)
})
