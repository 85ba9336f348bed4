import * as z from 'zod'
import { ABILITIES } from '../../src/session/can.ts'
import { component, idField, logStatus, operations } from './operations.ts'

const can = z.array(z.enum(ABILITIES)).meta({
  description:
    'Decidir checadas; pagar (con todas las sucursales, cerrar periodos); ver checadas y horas; llevar empleados; llevar usuarios; enviar checadas; ver los acuerdos.',
})

const InstallationSettings = component('InstallationSettings', {
  time_zone: z.string(),
  require_comment: z
    .array(logStatus)
    .meta({ description: 'Los estados cuya decisión lleva comentario.' }),
  forbid_self_approval: z
    .boolean()
    .meta({ description: 'Nadie decide checadas propias ni las que agregó.' }),
  employee_clock_in: z.boolean().meta({
    description: 'Si las personas usan su propia app, donde leen los comentarios.',
  }),
  employee_requests: z
    .boolean()
    .meta({ description: 'Si las personas solicitan las checadas que les faltan.' }),
  seals: z.boolean().meta({ description: 'Si hay evidencia que descargar.' }),
  max_shift_hours: z.int().meta({
    description: 'Cuánto dura la jornada más larga de quien no tiene una regla propia.',
  }),
  branches: z
    .array(component('SettingsBranch', { branch_office: z.string(), time_zone: z.string() }))
    .meta({ description: 'Las sucursales que ve, con su zona de ahora.' }),
  zones: z
    .array(
      component('SettingsZone', {
        time_zone: z.string(),
        utc_offsets: z.array(component('UtcOffset', { from: z.string(), seconds: z.int() })),
      }),
    )
    .meta({
      description:
        'Sus zonas, con sus diferencias con UTC y desde cuándo rigen, seis años antes y después: los datos de zonas de un navegador pueden ser otros.',
    }),
  payroll_groups: z
    .array(z.string())
    .meta({ description: 'Los grupos de nómina de quienes ve; vacío: hay quienes no tienen.' }),
  user: component('SettingsUser', {
    id: idField,
    full_name: z.string(),
    employee_id: z.string().nullable(),
    scope_branches: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Las sucursales que ve y decide; nulo: todas.' }),
    can,
  }),
  roles: z
    .array(component('SettingsRole', { role: z.string(), can, can_in_scope: can }))
    .nullable()
    .meta({
      description:
        'Los roles que puede tener un usuario, y lo que puede quien ve todas las sucursales (`can`) o solo algunas (`can_in_scope`); null si no cambia usuarios.',
    }),
  machine_roles: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Los que puede tener una máquina; null si no cambia usuarios.' }),
})

export const settingsOperations = operations('incidents', {
  'GET /v2/incidents/settings': {
    id: 'readSettings',
    summary: 'Consultar los ajustes de la instalación y lo que puede su usuario',
    data: InstallationSettings,
  },
})
