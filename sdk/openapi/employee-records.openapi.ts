import * as z from 'zod'
import {
  BulkEmployeesBody,
  ChangesQuery,
  EmployeeBody,
  EmployeePath,
  EmployeesQuery,
} from '../../src/people/employee-records.schemas.ts'
import { WARNING_CODES } from '../../src/people/warnings.ts'
import {
  component,
  Failure,
  InvalidInput,
  idField,
  NamedUser,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
} from './operations.ts'

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

const WarningCodes = z
  .record(
    z.string(),
    z
      .array(
        component('WarningCode', {
          code: z.enum(WARNING_CODES).meta({ id: 'EmployeeWarning' }),
          value: z.string().meta({ description: 'El dato del texto, o el valor del campo.' }),
        }),
      )
      .min(1),
  )
  .meta({ description: 'Para programas, lo mismo que `warnings`, en su orden.' })

const warningFields = { warnings: Warnings, warning_codes: WarningCodes }

const EmployeePage = component('EmployeePage', {
  employees: z.array(EmployeeRecord),
  next_cursor: z.string().nullable(),
})

const SavedEmployee = component('SavedEmployee', { employee: EmployeeRecord, ...warningFields })

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
      ...warningFields,
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
      subject: z.string().meta({ description: 'El que se pidió.' }),
      subject_id: z.string(),
      changes: z
        .array(component('FieldChange', { field: z.string(), before: value, after: value }))
        .meta({ description: 'Vacío cuando se olvidó a la persona.' }),
    }),
  ),
  next_after: z.int(),
})

const path = pathParameters(EmployeePath, {
  employee_id: 'El número de la persona.',
})

export const employeeRecordOperations = operations('people', {
  'GET /v2/people/employees': {
    id: 'listEmployeeRecords',
    summary: 'Listar los empleados, por nombre',
    parameters: queryParameters(EmployeesQuery, {
      q: 'Partes del nombre o del número, separadas por espacios.',
      branch_office: 'Solo los de esta sucursal.',
      department: 'Solo los de este departamento.',
      payroll_group: 'Solo los de este grupo; vacío: el General.',
      active: 'true: quienes trabajan hoy; false: quienes ya no.',
      limit: pageSizeParameter(500),
    }),
    data: EmployeePage,
  },
  'POST /v2/people/employees/bulk': {
    id: 'putEmployees',
    summary: 'Dar de alta o reemplazar hasta 500 empleados, todos o ninguno',
    description:
      'Con `dry_run` solo dice qué cambiaría. Los errores se nombran como `employees.3.rfc`.',
    body: ['BulkEmployeesBody', BulkEmployeesBody],
    data: BulkResults,
    bodies: { 409: EmployeeConflict },
    limited: true,
  },
  'GET /v2/people/employees/{employee_id}': {
    id: 'getEmployee',
    summary: 'Consultar un empleado',
    parameters: path,
    data: SavedEmployee,
  },
  'PUT /v2/people/employees/{employee_id}': {
    id: 'putEmployee',
    summary: 'Dar de alta o reemplazar un empleado',
    description:
      'Todos los campos van siempre, salvo `paid_from`: si falta, queda como estaba; null lo quita. `expected_version` es la versión que se leyó; 0 si todavía no existe.',
    parameters: path,
    body: ['EmployeeBody', EmployeeBody],
    data: SavedEmployee,
    bodies: { 409: EmployeeConflict },
    limited: true,
  },
  'DELETE /v2/people/employees/{employee_id}': {
    id: 'deleteEmployee',
    summary: 'Borrar un empleado al que nada se refiere',
    parameters: path,
    limited: true,
  },
  'GET /v2/people/changes': {
    id: 'listPeopleChanges',
    summary: 'Listar quién cambió qué, el más antiguo primero',
    description:
      'De empleados, usuarios, grupos de nómina, relojes que se conectan solos (con la sucursal de cada uno), otros orígenes o la empresa. Los de un reloj, un origen o la empresa están además en la evidencia.',
    parameters: queryParameters(ChangesQuery, {
      subject: 'De qué son los cambios.',
      subject_id:
        'Solo los de este empleado, usuario, grupo u origen (`clock` y la serie en minúsculas).',
      after: 'El `next_after` de la página anterior.',
      limit: pageSizeParameter(500),
    }),
    data: PeopleChanges,
  },
})
