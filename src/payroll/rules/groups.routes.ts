import { createApp } from '../../core/http/context.ts'
import { success } from '../../core/http/envelope.ts'
import { limitPeople } from '../../core/http/rate-limit.ts'
import { validate, validateQuery } from '../../core/http/validate.ts'
import { mayInAllBranches } from '../../session/callers.http.ts'
import { PayrollGroupBody, PayrollGroupsQuery } from './groups.schemas.ts'
import { listPayrollGroups, putPayrollGroup } from './groups.ts'

const requirePayer = mayInAllBranches('pay')

export const groups = createApp()
  .get('/payroll_groups', requirePayer, validateQuery(PayrollGroupsQuery), async (c) => {
    const { day } = c.req.valid('query')
    const groups = await listPayrollGroups(c.var.authorizedDb, day, c.var.now)
    return c.json(success('Grupos de nómina encontrados.', { groups }), 200)
  })
  .put('/payroll_groups', requirePayer, limitPeople, validate(PayrollGroupBody), async (c) => {
    const group = await putPayrollGroup(c.var.authorizedDb, c.req.valid('json'), c.var.now)
    return c.json(success('El grupo se guardó.', { group }), 200)
  })
