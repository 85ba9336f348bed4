import * as z from 'zod'
import {
  authenticatedOperation,
  body,
  component,
  done,
  failed,
  InvalidInput,
  id,
  invalid,
  operation,
  pathParameters,
  response,
  shared,
  status,
} from '../core/operations.openapi.ts'
import { VERSION } from '../core/version.ts'
import { ConfigPath, EntryCodeBody } from './clients.schemas.ts'

const Module = component('Module', {
  id,
  name: z.string(),
  description: z.string(),
  icon: z.string().meta({ description: 'Clase del icono.' }),
  enabled: z.boolean(),
  enabled_app: z.literal(true),
})

const ActiveClient = component('ActiveClient', {
  id,
  code: z.string(),
  name: z.string(),
  status: z
    .string()
    .meta({ description: 'Tal como está guardado: "activo", en mayúsculas o minúsculas.' }),
  url_base: z.string().meta({
    description: 'El origen al que la app hace todas las llamadas que siguen, sin `/api`.',
  }),
})

const BareInvalidInput = InvalidInput.pick({ message: true, errors: true }).meta({
  id: 'BareInvalidInput',
  description: 'Mensaje y errores, sin `success` ni `data`.',
})

const ConfigEntry = component('ConfigEntry', {
  key: z.string(),
  tipo: z.string().meta({ description: 'Qué es, como "archivo"; lo dice la instalación.' }),
  nombre: z.string().meta({ description: 'Para mostrarlo.' }),
  valor: z.string().meta({ description: 'El texto guardado; la ruta de un archivo es relativa.' }),
})

const InstallationSettings = component('InstallationSettings', {
  time_zone: z.string(),
  require_comment: z
    .array(status)
    .meta({ description: 'Los estados cuya decisión lleva comentario.' }),
  forbid_self_approval: z
    .boolean()
    .meta({ description: 'Nadie decide checadas propias ni las que agregó.' }),
  employee_clock_in: z.boolean().meta({
    description: 'Si las personas usan su propia app, donde leen los comentarios.',
  }),
  seals: z.boolean().meta({ description: 'Si hay evidencia que descargar.' }),
  max_shift_hours: z.int().meta({
    description: 'Cuánto dura la jornada más larga de quien no tiene una regla propia.',
  }),
  branches: z
    .array(component('SettingsBranch', { branch_office: z.string(), time_zone: z.string() }))
    .meta({ description: 'Las sucursales que ve, con su zona de ahora.' }),
  payroll_groups: z
    .array(z.string())
    .meta({ description: 'Los grupos de nómina de quienes ve; vacío: hay quienes no tienen.' }),
  user: component('SettingsUser', {
    id,
    full_name: z.string(),
    employee_id: z.string().nullable(),
    scope_branches: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Las sucursales que ve y decide; nulo: todas.' }),
    may_decide: z.boolean().meta({ description: 'Si puede decidir checadas.' }),
    may_close: z.boolean().meta({ description: 'Si puede cerrar periodos.' }),
  }),
})

const age = (description: string) => z.int().nullable().meta({ description })

const Notices = component('Notices', {
  waiting: z.int().meta({
    description: 'Decisiones que el receptor aún no tiene, entre los 1000 eventos siguientes.',
  }),
  waiting_seconds: z.int().meta({ description: 'Desde la más antigua de ellas.' }),
  failures: z.int().meta({ description: 'Intentos fallidos del mismo mensaje.' }),
  error: z.string().nullable().meta({ description: 'Por qué falló el último, como HTTP 410.' }),
  next_try_at: z.iso.datetime().nullable(),
  sent_at: z.iso.datetime().nullable(),
})

const Health = component('Health', {
  version: z.string().meta({ description: 'La del servicio, como 1.0.0.' }),
  database_bytes: z.int(),
  limit_bytes: z.int(),
  newest_log_age_seconds: age('Desde que llegó la checada más reciente; nulo si no hay ninguna.'),
  newest_seal_age_seconds: age('Desde el sello más reciente; nulo si no hay ninguno.'),
  oldest_unsealed_age_seconds: age('Del evento más antiguo que espera un sello; nulo si no hay.'),
  unsealed_events: z.int(),
  newest_clock_age_seconds: age('Desde la última señal de algún reloj; nulo si no hay ninguno.'),
  clocks: z.int(),
  silent_clocks: z.int().meta({ description: 'Sin señal desde hace 24 horas.' }),
  notices: Notices.optional().meta({ description: 'Solo con NOTIFY_URL.' }),
})

export const core = {
  '/v2/clients/modules_enabled': {
    get: operation({
      operationId: 'modulesEnabled',
      tags: ['clients'],
      summary: 'Listar los módulos habilitados para la app',
      responses: {
        '200': done(
          'Los módulos, nunca una lista vacía.',
          z.array(Module).min(1),
          'Módulos habilitados.',
          [
            {
              id: 1,
              name: 'Checador',
              description: 'Registro de entradas y salidas',
              icon: 'fa-solid fa-clock',
              enabled: true,
              enabled_app: true,
            },
          ],
        ),
        '404': failed('No hay ninguno.', 'NO_MODULES'),
      },
    }),
  },
  '/v2/clients/validate-code': {
    post: operation({
      operationId: 'validateCode',
      tags: ['clients'],
      summary: 'Validar el código de entrada de un cliente',
      description: 'El código se compara byte a byte.',
      requestBody: body('EntryCodeBody', EntryCodeBody, { code: 'DEMO-2026' }),
      responses: {
        '200': done('El cliente existe y está activo.', ActiveClient, 'El código es válido.', {
          id: 1,
          code: 'DEMO-2026',
          name: 'Comercial Demo',
          status: 'activo',
          url_base: 'https://demo.example.com',
        }),
        '403': failed('Inactivo o bloqueado.', 'CLIENT_INACTIVE'),
        '404': failed('No existe.', 'CLIENT_NOT_FOUND'),
        '422': response(
          'Falta el código; el cuerpo no lleva `success` ni `data`.',
          BareInvalidInput,
          {
            message: 'El código es obligatorio.',
            errors: { code: ['El código es obligatorio.'] },
          },
        ),
        '429': shared('TooManyRequests'),
      },
    }),
  },
  '/v2/clients/config/{config}': {
    get: operation({
      operationId: 'config',
      tags: ['clients'],
      summary: 'Consultar una entrada de configuración',
      parameters: pathParameters(ConfigPath, {
        config: { description: 'El nombre de la configuración, byte a byte.' },
      }),
      responses: {
        '200': done('La entrada.', ConfigEntry, 'Configuración encontrada.', {
          key: 'logo',
          tipo: 'archivo',
          nombre: 'Logotipo',
          valor: 'config/logo.png',
        }),
        '404': failed('No existe.', 'CONFIG_NOT_FOUND'),
        '422': invalid({
          config: ['El nombre de la configuración contiene caracteres no válidos.'],
        }),
      },
    }),
  },
  '/v2/incidents/settings': {
    get: authenticatedOperation({
      operationId: 'readSettings',
      tags: ['incidents'],
      summary: 'Consultar los ajustes de la instalación y lo que puede su usuario',
      responses: {
        '200': done('Los ajustes.', InstallationSettings, 'Ajustes de la instalación.', {
          time_zone: 'America/Mexico_City',
          require_comment: ['rejected'],
          forbid_self_approval: false,
          employee_clock_in: true,
          seals: true,
          max_shift_hours: 16,
          branches: [{ branch_office: 'Norte', time_zone: 'America/Mexico_City' }],
          payroll_groups: ['quincenal'],
          user: {
            id: 1,
            full_name: 'Ana Torres Rivas',
            employee_id: 'E-001',
            scope_branches: null,
            may_decide: true,
            may_close: true,
          },
        }),
        '403': shared('Forbidden'),
      },
    }),
  },
  '/health': {
    servers: [{ url: '/', description: 'Fuera de /api.' }],
    get: operation({
      operationId: 'health',
      tags: ['health'],
      summary: 'Saber si el servicio y su base de datos responden',
      responses: {
        '200': done('Responden.', Health, 'El servicio funciona.', {
          version: VERSION,
          database_bytes: 282_624,
          limit_bytes: 10_000_000_000,
          newest_log_age_seconds: 62,
          newest_seal_age_seconds: 1_380,
          oldest_unsealed_age_seconds: 1_290,
          unsealed_events: 14,
          newest_clock_age_seconds: 62,
          clocks: 3,
          silent_clocks: 0,
        }),
        '503': failed('La base de datos no responde.', 'DATABASE_DOWN'),
      },
    }),
  },
}
