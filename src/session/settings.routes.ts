import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { timeZone } from '../core/values/time-zone.ts'
import { may } from './callers.http.ts'
import { abilitiesOf, machineRolesOf, rolesOf } from './can.ts'
import { getCaller } from './settings.queries.ts'

/** The settings that a page for reviewing logs needs, and the user's permissions. */
export const settings = createApp().get(
  '/settings',
  may('read_hours', 'keep_people'),
  async (c) => {
    const { authorizedDb, settings, now } = c.var
    const { caller, branches, payrollGroups, longestShift } = await getCaller(authorizedDb, now)
    const { role, ...user } = caller
    const can = abilitiesOf(caller, settings)
    const keepsUsers = can.includes('keep_users')
    const zoneOf = (branch: string) => authorizedDb.zones().nameAt(branch, now)
    const data = {
      time_zone: zoneOf(''),
      require_comment: settings.REQUIRE_COMMENT,
      forbid_self_approval: settings.FORBID_SELF_APPROVAL,
      employee_clock_in: settings.EMPLOYEE_CLOCK_IN,
      employee_requests: settings.EMPLOYEE_REQUESTS,
      seals: settings.SEAL_KEY !== undefined,
      max_shift_hours: longestShift,
      branches: branches.map((branch_office) => ({
        branch_office,
        time_zone: zoneOf(branch_office),
      })),
      zones: [...new Set(['', ...branches].map(zoneOf))].map((time_zone) => ({
        time_zone,
        utc_offsets: timeZone(time_zone).offsetsAround(now),
      })),
      payroll_groups: payrollGroups,
      user: { ...user, can },
      roles: keepsUsers
        ? rolesOf(settings).map((one) => ({
            role: one,
            can: abilitiesOf({ role: one, scope_branches: null }, settings),
            can_in_scope: abilitiesOf({ role: one, scope_branches: [] }, settings),
          }))
        : null,
      machine_roles: keepsUsers ? machineRolesOf(settings) : null,
    }
    return c.json(success('Ajustes de la instalación.', data), 200)
  },
)
