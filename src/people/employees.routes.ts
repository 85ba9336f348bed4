import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { validateQuery } from '../core/http/validate.ts'
import { may } from '../session/callers.http.ts'
import { findEmployees } from './employees.queries.ts'
import { EmployeeQuery } from './employees.schemas.ts'

const SEARCH_LIMIT = 20

export const employees = createApp().get(
  '/employees',
  may('read_hours'),
  validateQuery(EmployeeQuery),
  async (c) => {
    const { q } = c.req.valid('query')
    const employees = await findEmployees(c.var.authorizedDb, q, SEARCH_LIMIT)
    return c.json(success('Empleados encontrados.', { employees }), 200)
  },
)
