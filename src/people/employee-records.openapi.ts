import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import { PEOPLE_SUBJECTS } from '../core/log-values.ts'
import {
  anyFailure,
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  failureResponse,
  InvalidInput,
  idField,
  invalidResponse,
  NamedUser,
  pageSizeParameter,
  pathParameters,
  queryParameters,
  response,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import {
  BulkEmployeesBody,
  ChangesQuery,
  EmployeeBody,
  EmployeePath,
  EmployeesQuery,
} from './employee-records.schemas.ts'

const LinkedUser = component('LinkedUser', {
  id: idField,
  email: z.string(),
  role: z.string(),
  active: z.int().meta({ description: '1 = activo.' }),
})

const EmployeeRecord = component('EmployeeRecord', {
  employee_id: z.string(),
  full_name: z.string(),
  rfc: z.string(),
  phone: z.string(),
  cellphone: z.string(),
  started_at: z.iso.date(),
  job_position: z.string(),
  department: z.string(),
  branch_office: z.string(),
  profile_image: z.string(),
  payroll_group: z.string().meta({ description: 'El grupo de nómina; vacío, el General.' }),
  ended_at: z.iso.date().nullable().meta({ description: 'El último día de trabajo, o null.' }),
  paid_from: z.iso.date().nullable().meta({
    description:
      'El primer día que se le paga aquí, en vez del de su grupo y del de ingreso. Casi siempre null.',
  }),
  version: z.int().meta({ description: 'Se envía de vuelta como `expected_version`.' }),
  user: LinkedUser.nullable().meta({ description: 'El usuario vinculado, o null.' }),
})

const Warnings = z
  .record(z.string(), z.array(z.string()).min(1))
  .meta({ description: 'Lo que conviene confirmar, por campo. No impide guardar.' })

const EmployeePage = component('EmployeePage', {
  employees: z.array(EmployeeRecord),
  next_cursor: z.string().nullable(),
})

const SavedEmployee = component('SavedEmployee', { employee: EmployeeRecord, warnings: Warnings })

const EmployeeConflict = component(
  'EmployeeConflict',
  {
    ...Failure.shape,
    errors: InvalidInput.shape.errors.optional(),
    current: EmployeeRecord.optional(),
  },
  'El registro cambió (`current`, si se puede ver), el número ya existe, o hay días pagados después del último día.',
)

const BulkResults = component('BulkResults', {
  results: z.array(
    component('BulkResult', {
      employee_id: z.string(),
      result: z.enum(['new', 'changed', 'same']),
      fields: z.array(z.string()).meta({ description: 'Los campos que cambian.' }),
      version: z.int(),
      warnings: Warnings,
    }),
  ),
})

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])

const PeopleChanges = component('PeopleChanges', {
  changes: z.array(
    component('PeopleChange', {
      id: idField,
      at: z.iso.datetime(),
      user: NamedUser.nullable().meta({ description: 'Null: un comando de quien opera.' }),
      subject: z.enum(PEOPLE_SUBJECTS),
      subject_id: z.string(),
      changes: z
        .array(component('FieldChange', { field: z.string(), before: value, after: value }))
        .meta({ description: 'Vacío cuando se olvidó a la persona.' }),
    }),
  ),
  next_after: z.int(),
})

const RECORD = {
  full_name: 'Luis Mendoza Peña',
  rfc: 'MEPL900115QX3',
  phone: '5555010102',
  cellphone: '5512340002',
  started_at: '2021-06-14',
  job_position: 'Almacenista',
  department: 'Almacén',
  branch_office: 'Norte',
  profile_image: '',
  payroll_group: 'semanal',
  ended_at: null,
  paid_from: null,
}
const USER = { id: 2, email: 'luis.mendoza@demo.mx', role: 'employee', active: 1 }
const EMPLOYEE = { employee_id: 'E-002', ...RECORD, version: 3, user: USER }

const conflict = response(
  'El registro cambió (con `current` si se puede ver), el número ya existe, o un cierre pagó días después del último.',
  EmployeeConflict,
  {
    ...failure(messageOf('EMPLOYEE_MOVED'), { expected_version: [messageOf('EMPLOYEE_MOVED')] }),
    current: EMPLOYEE,
  },
)

const bulkConflict = response(
  'Los registros que cambiaron, los números que ya existen, o los días pagados después del último.',
  EmployeeConflict,
  failure(messageOf('EMPLOYEE_MOVED'), {
    'employees.1.expected_version': [messageOf('EMPLOYEE_MOVED')],
  }),
)

const forbiddenWrite = anyFailure(
  'Sin permiso, es el propio registro, o una máquina desactiva a un usuario.',
  ['FORBIDDEN', 'OWN_EMPLOYEE', 'MACHINE_DEACTIVATES'],
)

const path = pathParameters(EmployeePath, {
  employee_id: { description: 'El número de la persona.' },
})

export const employeeRecordPaths = {
  '/v2/people/employees': {
    get: authorizedOperation({
      operationId: 'listEmployeeRecords',
      tags: ['people'],
      summary: 'Listar los empleados, por nombre',
      parameters: queryParameters(EmployeesQuery, {
        q: { description: 'Partes del nombre o del número, separadas por espacios.' },
        branch_office: { description: 'Solo los de esta sucursal.' },
        department: { description: 'Solo los de este departamento.' },
        payroll_group: { description: 'Solo los de este grupo; vacío: el General.' },
        active: { description: 'true: quienes trabajan hoy; false: quienes ya no.' },
        limit: pageSizeParameter(500),
      }),
      responses: {
        '200': successResponse('Una página.', EmployeePage, 'Empleados.', {
          employees: [EMPLOYEE],
          next_cursor: null,
        }),
        '422': invalidResponse({ limit: ['El límite debe ser un número entero de 1 a 500.'] }),
      },
    }),
  },
  '/v2/people/employees/bulk': {
    post: authenticatedOperation({
      operationId: 'putEmployees',
      tags: ['people'],
      summary: 'Dar de alta o reemplazar hasta 500 empleados, todos o ninguno',
      description:
        'Con `dry_run` solo dice qué cambiaría. Los errores se nombran como `employees.3.rfc`.',
      requestBody: bodyComponent('BulkEmployeesBody', BulkEmployeesBody, {
        employees: [{ employee_id: 'E-002', ...RECORD, expected_version: 3 }],
        dry_run: true,
      }),
      responses: {
        '200': successResponse('Qué cambió.', BulkResults, 'Los empleados se guardaron.', {
          results: [
            {
              employee_id: 'E-002',
              result: 'changed',
              fields: ['department'],
              version: 4,
              warnings: {},
            },
          ],
        }),
        '403': forbiddenWrite,
        '409': bulkConflict,
        '422': invalidResponse({ 'employees.3.rfc': ['El RFC debe ser texto.'] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/employees/{employee_id}': {
    get: authorizedOperation({
      operationId: 'getEmployee',
      tags: ['people'],
      summary: 'Consultar un empleado',
      parameters: path,
      responses: {
        '200': successResponse('El empleado.', SavedEmployee, 'Empleado.', {
          employee: EMPLOYEE,
          warnings: {},
        }),
        '404': failureResponse('No existe, o es de otra sucursal.', 'EMPLOYEE_NOT_FOUND'),
        '422': invalidResponse({
          employee_id: ['El número de empleado contiene caracteres no válidos.'],
        }),
      },
    }),
    put: authenticatedOperation({
      operationId: 'putEmployee',
      tags: ['people'],
      summary: 'Dar de alta o reemplazar un empleado',
      description:
        'Todos los campos van siempre, salvo `paid_from`: si falta, queda como estaba; null lo quita. `expected_version` es la versión que se leyó; 0 si todavía no existe.',
      parameters: path,
      requestBody: bodyComponent('EmployeeBody', EmployeeBody, { ...RECORD, expected_version: 3 }),
      responses: {
        '200': successResponse('Guardado.', SavedEmployee, 'El empleado se guardó.', {
          employee: EMPLOYEE,
          warnings: { department: ['Nadie más está en este departamento.'] },
        }),
        '403': forbiddenWrite,
        '409': conflict,
        '422': invalidResponse({
          started_at: ['La fecha de ingreso debe ser una fecha (AAAA-MM-DD).'],
        }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
    delete: authenticatedOperation({
      operationId: 'deleteEmployee',
      tags: ['people'],
      summary: 'Borrar un empleado al que nada se refiere',
      parameters: path,
      responses: {
        '200': successResponse('Borrado.', z.null(), 'El empleado se borró.', null),
        '403': anyFailure('Sin permiso, o es el propio registro.', ['FORBIDDEN', 'OWN_EMPLOYEE']),
        '404': failureResponse('No existe, o es de otra sucursal.', 'EMPLOYEE_NOT_FOUND'),
        '409': anyFailure('Ya tiene checadas, usuario o cierres.', [
          'EMPLOYEE_IN_USE',
          'EMPLOYEE_MOVED',
        ]),
        '422': invalidResponse({
          employee_id: ['El número de empleado contiene caracteres no válidos.'],
        }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/people/changes': {
    get: authorizedOperation({
      operationId: 'listPeopleChanges',
      tags: ['people'],
      summary:
        'Listar los cambios de empleados, usuarios o grupos de nómina, el más antiguo primero',
      parameters: queryParameters(ChangesQuery, {
        subject: { description: 'De qué son los cambios.' },
        subject_id: { description: 'Solo los de este empleado, usuario o grupo.' },
        after: { description: 'El `next_after` de la página anterior.' },
        limit: pageSizeParameter(500),
      }),
      responses: {
        '200': successResponse('Una página.', PeopleChanges, 'Cambios.', {
          changes: [
            {
              id: 7,
              at: '2026-11-16T15:00:00.000Z',
              user: { id: 1, full_name: 'Ana Torres Rivas' },
              subject: 'employee',
              subject_id: 'E-002',
              changes: [{ field: 'department', before: 'Ventas', after: 'Almacén' }],
            },
          ],
          next_after: 7,
        }),
        '422': invalidResponse({ subject: ['Los cambios son de employee, user o payroll_group.'] }),
      },
    }),
  },
}
