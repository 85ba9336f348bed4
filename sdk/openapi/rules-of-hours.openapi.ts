import * as z from 'zod'
import { ShiftBody, ZoneBody } from '../../src/payroll/rules/rules.schemas.ts'
import { companyFields } from './company.openapi.ts'
import { component, operations } from './operations.ts'

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

const changed_pending_pairs = z.array(ChangedPair).meta({
  description:
    'Los demás días cuyas horas cambian si se aprueba lo pendiente; las cifras lo cuentan como aprobado.',
})

const Company = component('Company', {
  ...companyFields,
  zones: z.array(Zone),
  shifts: z.array(Shift),
})

const changes = { changed_pairs, changed_pending_pairs }
const ChangedZones = component('ChangedZones', { zones: z.array(Zone), ...changes })
const ChangedShifts = component('ChangedShifts', { shifts: z.array(Shift), ...changes })

const DESCRIPTION =
  'Vale desde su primer día, que no puede ser anterior a un día ya pagado a alguien a quien toca; la misma regla otra vez no cambia nada, y la del mismo día se reemplaza. Con `dry_run` no guarda nada: las reglas son las de ahora, y `changed_pairs` dice qué días cambiarían, y `changed_pending_pairs` cuáles de los que están por aprobar. Solo para PAYROLL_ROLES sin sucursal asignada.'

export const ruleOfHoursOperations = operations('payroll', {
  'GET /v2/company': {
    id: 'getCompany',
    summary: 'Consultar la empresa: su nombre, sus zonas horarias y sus jornadas más largas',
    data: Company,
  },
  'POST /v2/company/zones': {
    id: 'addZone',
    summary: 'Poner la zona horaria de la empresa o de una sucursal, desde un día',
    description: DESCRIPTION,
    body: ['ZoneBody', ZoneBody],
    data: ChangedZones,
    limited: true,
  },
  'POST /v2/company/shifts': {
    id: 'addShift',
    summary: 'Poner la jornada más larga de todos o de una persona, desde un día',
    description: DESCRIPTION,
    body: ['ShiftBody', ShiftBody],
    data: ChangedShifts,
    limited: true,
  },
})
