import * as z from 'zod'
import { companyFields } from '../company/company.openapi.ts'
import { messageOf } from '../core/errors.ts'
import { failure } from '../core/http/envelope.ts'
import {
  authorizedOperation,
  bodyComponent,
  component,
  Failure,
  invalidResponse,
  response,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { ShiftBody, ZoneBody } from './rules-of-hours.schemas.ts'

const valid_from = z.iso
  .date()
  .nullable()
  .meta({ description: 'El primer día en que vale; null: siempre.' })

const Zone = component('ZoneOfBranch', {
  branch_office: z.string().nullable().meta({ description: 'Null: la empresa.' }),
  time_zone: z.string(),
  valid_from,
})

const Shift = component('LongestShift', {
  employee_id: z.string().nullable().meta({ description: 'Null: todos.' }),
  full_name: z.string().nullable(),
  max_shift_hours: z.int(),
  valid_from,
})

const ChangedPair = component('ChangedPair', {
  employee_id: z.string(),
  day: z.iso.date(),
  before_seconds: z.int().nullable(),
  after_seconds: z.int().nullable(),
})

const changed_pairs = z.array(ChangedPair).meta({
  description: 'Los días de los últimos 31 cuyas horas cambian; null: sin horas.',
})

const Company = component('Company', {
  ...companyFields,
  zones: z.array(Zone),
  shifts: z.array(Shift),
})

const ChangedZones = component('ChangedZones', { zones: z.array(Zone), changed_pairs })
const ChangedShifts = component('ChangedShifts', { shifts: z.array(Shift), changed_pairs })

const ZONES = [
  { branch_office: null, time_zone: 'America/Mexico_City', valid_from: null },
  { branch_office: 'Tijuana', time_zone: 'America/Tijuana', valid_from: '2026-11-16' },
]
const SHIFTS = [{ employee_id: null, full_name: null, max_shift_hours: 16, valid_from: null }]

const DESCRIPTION =
  'Vale desde su primer día, que no puede ser anterior a un día ya pagado a alguien a quien toca; la misma regla otra vez no cambia nada, y la del mismo día se reemplaza. Con `dry_run` no guarda nada: las reglas son las de ahora, y `changed_pairs` dice qué días cambiarían. Solo para PAYROLL_ROLES sin sucursal asignada.'

const paid = response(
  'Esos días ya se pagaron.',
  Failure,
  failure(messageOf('RULE_PAID', { day: '2026-11-16' })),
)

export const ruleOfHoursPaths = {
  '/v2/company': {
    get: authorizedOperation({
      operationId: 'getCompany',
      tags: ['payroll'],
      summary: 'Consultar la empresa: su nombre, sus zonas horarias y sus jornadas más largas',
      responses: {
        '200': successResponse('La empresa.', Company, 'Empresa.', {
          name: 'Comercial del Centro, S.A. de C.V.',
          version: 2,
          zones: ZONES,
          shifts: SHIFTS,
        }),
      },
    }),
  },
  '/v2/company/zones': {
    post: authorizedOperation({
      operationId: 'addZone',
      tags: ['payroll'],
      summary: 'Poner la zona horaria de la empresa o de una sucursal, desde un día',
      description: DESCRIPTION,
      requestBody: bodyComponent('ZoneBody', ZoneBody, {
        branch_office: 'Tijuana',
        time_zone: 'America/Tijuana',
        valid_from: '2026-11-16',
        dry_run: true,
      }),
      responses: {
        '200': successResponse('Guardada.', ChangedZones, 'La zona horaria se guardó.', {
          zones: ZONES,
          changed_pairs: [],
        }),
        '409': paid,
        '422': invalidResponse({ branch_office: [messageOf('UNKNOWN_BRANCH')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/company/shifts': {
    post: authorizedOperation({
      operationId: 'addShift',
      tags: ['payroll'],
      summary: 'Poner la jornada más larga de todos o de una persona, desde un día',
      description: DESCRIPTION,
      requestBody: bodyComponent('ShiftBody', ShiftBody, {
        employee_id: 'E-002',
        max_shift_hours: 26,
        valid_from: null,
      }),
      responses: {
        '200': successResponse('Guardada.', ChangedShifts, 'La jornada más larga se guardó.', {
          shifts: SHIFTS,
          changed_pairs: [
            {
              employee_id: 'E-002',
              day: '2026-11-17',
              before_seconds: null,
              after_seconds: 86_400,
            },
          ],
        }),
        '409': paid,
        '422': invalidResponse({ employee_id: [messageOf('UNKNOWN_EMPLOYEE')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
}
