import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { createApp, type UserEnv } from '../core/http/context.ts'
import { isDatabaseFull } from '../core/http/database-room.ts'
import { success } from '../core/http/envelope.ts'
import { limitPeople } from '../core/http/rate-limit.ts'
import { validate, validatePath, validateQuery } from '../core/http/validate.ts'
import { pageByName } from '../core/values/query-fields.schemas.ts'
import { may } from '../session/callers.http.ts'
import { CAN } from '../session/can.ts'
import { listChanges } from './changes.queries.ts'
import { EmployeesError } from './employee-faults.ts'
import { listEmployeeRecords } from './employee-records.queries.ts'
import {
  BulkEmployeesBody,
  ChangesQuery,
  EmployeeBody,
  EmployeePath,
  EmployeesQuery,
} from './employee-records.schemas.ts'
import { checkEmployees, deleteEmployee, getEmployee, writeEmployees } from './employee-records.ts'
import { shownWarnings } from './warnings.ts'

const LIMIT = 100

const mayKeepUsers = may('keep_users')
const mayKeepPeople = may('keep_people')

const mayKeepPeopleOrPay = may('keep_people', 'pay')

/** Who manages users may read their changes, and who manages employees all others. */
const mayReadChanges = createMiddleware<UserEnv>((c, next) => {
  const subject = c.req.query('subject')
  if (subject === 'user') return mayKeepUsers(c, next)
  const isOfPay = subject === 'payroll_group' || subject === 'company'
  return (isOfPay ? mayKeepPeopleOrPay : mayKeepPeople)(c, next)
})

const writeOptions = (c: Context<UserEnv>) => ({
  now: c.var.now,
  isFull: isDatabaseFull(c),
  payRoles: CAN.pay(c.var.settings).roles,
})

/**
 * Adds the texts of an error's faults to the error, under the names of the body's fields.
 * @param fieldOf returns the name in the body of an employee's field
 */
const nameFields =
  (fieldOf: (position: number, field: string) => string) =>
  (error: unknown): never => {
    if (error instanceof EmployeesError && error.code !== 'OWN_EMPLOYEE') {
      const errors = new Map<string, string[]>()
      for (const { position, field, text } of error.faults) {
        const name = fieldOf(position, field)
        errors.set(name, [...(errors.get(name) ?? []), text])
      }
      error.fieldErrors = Object.fromEntries(errors)
    }
    throw error
  }

export const employeeRecords = createApp()
  .get('/employees', mayKeepPeople, validateQuery(EmployeesQuery), async (c) => {
    const { limit = LIMIT, cursor, ...filter } = c.req.valid('query')
    const { authorizedDb: db, now } = c.var
    const position = { limit: limit + 1, now, ...(cursor && { after: cursor }) }
    const rows = await listEmployeeRecords(db, filter, position)
    const { page: employees, next_cursor } = pageByName(
      rows,
      limit,
      ({ employee_id }) => employee_id,
    )
    return c.json(success('Empleados.', { employees, next_cursor }), 200)
  })
  .post(
    '/employees/bulk',
    mayKeepPeople,
    limitPeople,
    validate(BulkEmployeesBody, { notJson: 'employees' }),
    async (c) => {
      const { employees, dry_run = false } = c.req.valid('json')
      const write = dry_run ? checkEmployees : writeEmployees
      const { results } = await write(c.var.authorizedDb, employees, writeOptions(c)).catch(
        nameFields((position, field) => `employees.${position}.${field}`),
      )
      const shown = results.map((row) => ({ ...row, ...shownWarnings(row.warnings) }))
      const message = dry_run ? 'Así quedarían los empleados.' : 'Los empleados se guardaron.'
      return c.json(success(message, { results: shown }), 200)
    },
  )
  .get('/employees/:employee_id', mayKeepPeople, validatePath(EmployeePath), async (c) => {
    const { employee_id } = c.req.valid('param')
    const employee = await getEmployee(c.var.authorizedDb, employee_id)
    return c.json(success('Empleado.', { employee, ...shownWarnings([]) }), 200)
  })
  .put(
    '/employees/:employee_id',
    mayKeepPeople,
    limitPeople,
    validatePath(EmployeePath),
    validate(EmployeeBody),
    async (c) => {
      const { employee_id } = c.req.valid('param')
      const writes = [{ employee_id, ...c.req.valid('json') }]
      const { results, employee } = await writeEmployees(
        c.var.authorizedDb,
        writes,
        writeOptions(c),
      ).catch(nameFields((_, field) => field))
      const warnings = shownWarnings(results[0]?.warnings ?? [])
      return c.json(success('El empleado se guardó.', { employee, ...warnings }), 200)
    },
  )
  .delete(
    '/employees/:employee_id',
    mayKeepPeople,
    limitPeople,
    validatePath(EmployeePath),
    async (c) => {
      const { employee_id } = c.req.valid('param')
      await deleteEmployee(c.var.authorizedDb, employee_id, c.var.now)
      return c.json(success('El empleado se borró.', null), 200)
    },
  )
  .get('/changes', mayReadChanges, validateQuery(ChangesQuery), async (c) => {
    const { subject, after = 0, limit = LIMIT, subject_id = null } = c.req.valid('query')
    const changes = await listChanges(c.var.authorizedDb, subject, { after, limit, subject_id })
    const next_after = changes.at(-1)?.id ?? after
    return c.json(success('Cambios.', { changes, next_after }), 200)
  })
