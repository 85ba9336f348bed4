import { findEmployees } from '../../db/people/employees.ts'
import { createApp } from '../../http/core/context.ts'
import { success } from '../../http/core/envelope.ts'
import { validateQuery } from '../../http/core/validate.ts'
import { requireReader } from '../../http/people/auth.ts'
import { EmployeeQuery } from '../../schemas/people/employees.ts'

const SEARCH_LIMIT = 20

export const employees = createApp().get(
  '/employees',
  requireReader,
  validateQuery(EmployeeQuery),
  async (c) => {
    const { q } = c.req.valid('query')
    const employees = await findEmployees(c.var.authorizedDb, q, SEARCH_LIMIT)
    return c.json(success('Empleados encontrados.', { employees }), 200)
  },
)
