import { findEmployees } from '../db/employees.ts'
import { requireReader } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { validateQuery } from '../http/validate.ts'
import { EmployeeQuery } from '../schemas/employees.ts'

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
