import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { Login, PasswordChange } from '../../src/routes/auth.ts'
import { ConfigName, EntryCode } from '../../src/routes/clients.ts'
import { BulkStatusChange, StatusChange } from '../../src/routes/log-status.ts'
import { LogExport, LogFilter, LogList } from '../../src/routes/logs.ts'
import * as answers from './responses.ts'

/** The OpenAPI document, from the very schemas that validate. Built beside the Worker, not in it. */

const json = (schema: z.core.$ZodType, example: unknown) => ({
  'application/json': { schema, example },
})

/** On every answer; CORS headers stand there where the origin is allowed. */
const HEADERS = {
  'X-Request-Id': 'Identifica la petición en el registro del servicio.',
  'Cache-Control': 'Siempre no-store.',
  'Strict-Transport-Security': 'Solo por HTTPS.',
  'Content-Security-Policy': 'La API no permite cargar ningún recurso.',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Access-Control-Allow-Origin': 'El origen, si está permitido.',
  'Access-Control-Expose-Headers': 'Los encabezados que un navegador puede leer.',
  Vary: 'Origin',
}

const described = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  )

const shared = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

const answer = (
  description: string,
  schema: z.core.$ZodType,
  example: unknown,
  headers: Record<string, string> = {},
): ZodOpenApiResponseObject => ({
  description,
  headers: { ...shared, ...described(headers) },
  content: json(schema, example),
})

const failed = (description: string, message: string, headers?: Record<string, string>) =>
  answer(description, answers.Failure, { success: false, message, data: null }, headers)

const invalid = (errors: Record<string, string[]>) => {
  const [first = '', ...more] = Object.values(errors).flat()
  const message = more.length > 0 ? `${first} (y ${more.length} error más)` : first
  return answer('Datos no válidos.', answers.InvalidInput, {
    success: false,
    message,
    data: null,
    errors,
  })
}

const done = (description: string, data: z.ZodType, message: string, example: unknown) =>
  answer(description, answers.successOf(data), { success: true, message, data: example })

const WWW_AUTHENTICATE = { 'WWW-Authenticate': 'Siempre Bearer.' }

const stranger = failed('Falta un token válido.', 'No autenticado.', WWW_AUTHENTICATE)

const tooMany = failed(
  'Demasiados intentos.',
  'Demasiados intentos. Espera un minuto y vuelve a intentarlo.',
  { 'Retry-After': 'Segundos de espera.' },
)

/** What any endpoint may answer. */
const anywhere = {
  '413': failed('El cuerpo pasa de 64 KiB.', 'El cuerpo de la petición es demasiado grande.'),
  '500': failed('Error interno.', 'Ocurrió un error interno. Inténtalo de nuevo más tarde.'),
}

type Operation = Omit<ZodOpenApiOperationObject, 'responses'> & {
  responses: Record<string, ZodOpenApiResponseObject>
}

const operation = (details: Operation): ZodOpenApiOperationObject => ({
  security: [],
  ...details,
  responses: { ...details.responses, ...anywhere },
})

const behindTheDoor = (details: Operation): ZodOpenApiOperationObject =>
  operation({
    security: [{ bearer: [] }],
    ...details,
    responses: { '401': stranger, ...details.responses },
  })

const body = (schema: z.core.$ZodType, example: unknown) => ({
  required: true,
  content: json(schema, example),
})

const ACCOUNT = {
  id: 1,
  email: 'ana.torres@demo.mx',
  first_name: 'Ana',
  last_name: 'Torres',
  mother_last_name: 'Rivas',
  role: 'admin',
  active: 1,
}
const TOKEN = { user: ACCOUNT, token: '<ACCESS_TOKEN>', token_type: 'Bearer' }
const EMPLOYEE = {
  employee_id: 'E-001',
  full_name: 'Ana Torres Rivas',
  rfc: 'TORA850412AB1',
  phone: '5555010101',
  cellphone: '5512340001',
  started_at: '2019-03-04',
  job_position: 'Jefa de Recursos Humanos',
  department: 'Recursos Humanos',
  branch_office: 'Centro',
  profile_image: 'empleados/ana-torres.jpg',
}

const LOG = {
  log_id: 1,
  status: 'approved',
  kind: 'entrada',
  recorded_at: '2026-11-02T14:58:12.000Z',
  employee: {
    employee_id: 'E-002',
    full_name: 'Luis Mendoza Peña',
    department: 'Almacén',
    branch_office: 'Norte',
  },
  comments: 1,
}

const forbidden = failed('Sin permiso.', 'No tienes permiso para realizar esta acción.')
const forbiddenChange = failed(
  'Sin permiso, o la checada es propia y la instalación no permite cambiarla.',
  'No tienes permiso para realizar esta acción.',
)
const moved = failed(
  'Un registro ya no está en `expected_status`; no se cambió nada.',
  'El registro 1 ya cambió: su estado actual es approved.',
)

export const document = createDocument({
  openapi: '3.1.1',
  info: {
    title: 'Checada',
    version: '0.1.0',
    description:
      'Asistencia y clientes: inicio de sesión, arranque de las apps y revisión de checadas. Salvo donde se indica, ' +
      'toda respuesta es `{ success, message, data }`. Los mensajes son para personas: los programas se guían por el estado HTTP.',
    license: { name: 'Propietaria', identifier: 'LicenseRef-Proprietary' },
  },
  servers: [{ url: '/api', description: 'Este servicio.' }],
  tags: [
    { name: 'auth', description: 'Sesiones y contraseñas.' },
    { name: 'clients', description: 'Lo que una app pregunta al arrancar.' },
    { name: 'incidents', description: 'Revisión de checadas.' },
  ],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'El `token` del inicio de sesión.' },
    },
    headers: described(HEADERS),
  },
  paths: {
    '/auth/login': {
      post: operation({
        operationId: 'login',
        tags: ['auth'],
        summary: 'Iniciar sesión',
        description: 'El correo no distingue mayúsculas; la contraseña se compara tal cual.',
        requestBody: body(Login, { email: 'ana.torres@demo.mx', password: 'checada-demo' }),
        responses: {
          '200': done('Sesión iniciada.', answers.SignedIn, 'Inicio de sesión correcto.', TOKEN),
          '401': failed(
            'Credenciales incorrectas.',
            'El correo electrónico o la contraseña no son correctos.',
          ),
          '403': failed('El usuario está inactivo.', 'El usuario está inactivo.'),
          '422': invalid({
            email: ['El correo electrónico es obligatorio.'],
            password: ['La contraseña es obligatoria.'],
          }),
          '429': tooMany,
        },
      }),
    },
    '/auth/me': {
      get: behindTheDoor({
        operationId: 'me',
        tags: ['auth'],
        summary: 'Consultar el usuario de la sesión y su perfil de empleado',
        responses: {
          '200': done('El usuario.', answers.CurrentUser, 'Usuario autenticado.', {
            user: { ...ACCOUNT, external: 0, type_user: 'interno', status_user: 'activo' },
            employee: EMPLOYEE,
          }),
          '401': answer(
            'Falta un token válido; el cuerpo es solo el mensaje.',
            answers.BareFailure,
            { message: 'No autenticado.' },
            WWW_AUTHENTICATE,
          ),
        },
      }),
    },
    '/auth/logout': {
      post: behindTheDoor({
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Cerrar esta sesión',
        responses: { '200': done('Sesión cerrada.', answers.Nothing, 'Sesión cerrada.', null) },
      }),
    },
    '/auth/logout_all': {
      post: behindTheDoor({
        operationId: 'logoutAll',
        tags: ['auth'],
        summary: 'Cerrar todas las sesiones del usuario',
        responses: {
          '200': done(
            'Sesiones cerradas.',
            answers.Nothing,
            'Se cerraron todas las sesiones.',
            null,
          ),
        },
      }),
    },
    '/auth/password': {
      post: behindTheDoor({
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Cambiar la contraseña',
        description: 'Cierra las demás sesiones y devuelve un token nuevo.',
        requestBody: body(PasswordChange, {
          current_password: 'checada-demo',
          password: 'una clave más larga',
        }),
        responses: {
          '200': done('Contraseña cambiada.', answers.SignedIn, 'La contraseña se cambió.', TOKEN),
          '422': invalid({ current_password: ['La contraseña actual no es correcta.'] }),
          '429': tooMany,
        },
      }),
    },
    '/v2/clients/modules_enabled': {
      get: operation({
        operationId: 'modulesEnabled',
        tags: ['clients'],
        summary: 'Listar los módulos habilitados para la app',
        responses: {
          '200': done(
            'Los módulos, nunca una lista vacía.',
            answers.Modules,
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
          '404': failed('No hay ninguno.', 'No hay módulos habilitados.'),
        },
      }),
    },
    '/v2/clients/validate-code': {
      post: operation({
        operationId: 'validateCode',
        tags: ['clients'],
        summary: 'Validar el código de entrada de un cliente',
        description: 'El código se compara byte a byte.',
        requestBody: body(EntryCode, { code: 'DEMO-2026' }),
        responses: {
          '200': done('El cliente existe y está activo.', answers.Client, 'El código es válido.', {
            id: 1,
            code: 'DEMO-2026',
            name: 'Comercial Demo',
            status: 'activo',
            url_base: 'https://demo.example.com',
          }),
          '403': failed('Inactivo o bloqueado.', 'El cliente está inactivo o bloqueado.'),
          '404': failed('No existe.', 'No existe un cliente con ese código.'),
          '422': answer(
            'Falta el código; el cuerpo no lleva `success` ni `data`.',
            answers.BareInvalidInput,
            {
              message: 'El código es obligatorio.',
              errors: { code: ['El código es obligatorio.'] },
            },
          ),
          '429': tooMany,
        },
      }),
    },
    '/v2/clients/config/{config}': {
      get: operation({
        operationId: 'config',
        tags: ['clients'],
        summary: 'Consultar una entrada de configuración',
        requestParams: { path: ConfigName },
        responses: {
          '200': done('La entrada.', answers.ConfigEntry, 'Configuración encontrada.', {
            key: 'logo',
            tipo: 'archivo',
            nombre: 'Logotipo',
            valor: 'config/logo.png',
          }),
          '404': failed('No existe.', 'No existe una configuración con ese nombre.'),
          '422': invalid({
            config: ['El nombre de la configuración contiene caracteres no válidos.'],
          }),
        },
      }),
    },
    '/v2/incidents/change_log_status': {
      post: behindTheDoor({
        operationId: 'changeLogStatus',
        tags: ['incidents'],
        summary: 'Aprobar, rechazar o reabrir una checada',
        description:
          'Solo para administradores. El comentario, la auditoría y el estado se guardan juntos o no se guarda nada.',
        requestBody: body(StatusChange, {
          log_id: 1,
          status: 'approved',
          comment: 'Llegó puntual.',
        }),
        responses: {
          '200': done(
            'Estado cambiado.',
            answers.ChangedLog,
            'El estado del registro se actualizó.',
            {
              log_id: 1,
              status: 'approved',
            },
          ),
          '403': forbiddenChange,
          '409': moved,
          '422': invalid({ log_id: ['No existe un registro con ese identificador.'] }),
        },
      }),
    },
    '/v2/incidents/change_logs_status': {
      post: behindTheDoor({
        operationId: 'changeLogsStatus',
        tags: ['incidents'],
        summary: 'Cambiar el estado de hasta 100 checadas, todas o ninguna',
        description: 'Los errores nombran cada elemento, como `log_ids.3`.',
        requestBody: body(BulkStatusChange, {
          log_ids: [1, 2],
          status: 'approved',
          comment: 'Semana revisada.',
          expected_status: 'pending',
        }),
        responses: {
          '200': done(
            'Estados cambiados, en el orden pedido.',
            answers.ChangedLogs,
            'El estado de los registros se actualizó.',
            [
              { log_id: 1, status: 'approved' },
              { log_id: 2, status: 'approved' },
            ],
          ),
          '403': forbiddenChange,
          '409': moved,
          '422': invalid({ 'log_ids.1': ['No existe un registro con ese identificador.'] }),
        },
      }),
    },
    '/v2/incidents/logs': {
      get: behindTheDoor({
        operationId: 'listLogs',
        tags: ['incidents'],
        summary: 'Listar checadas por revisar',
        description:
          'En orden de tiempo. `from` y `to` aceptan un día, en la zona horaria del servicio, o un instante; `to` incluye su día.',
        requestParams: { query: LogList },
        responses: {
          '200': done('Una página.', answers.LogPage, 'Registros encontrados.', {
            logs: [LOG],
            next_cursor: 'WyIyMDI2LTExLTAyVDE0OjU4OjEyLjAwMFoiLDFd',
          }),
          '403': forbidden,
          '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
        },
      }),
    },
    '/v2/incidents/logs/summary': {
      get: behindTheDoor({
        operationId: 'summarizeLogs',
        tags: ['incidents'],
        summary: 'Contar checadas por estado, sucursal y departamento',
        requestParams: { query: LogFilter },
        responses: {
          '200': done('El resumen.', answers.LogSummary, 'Resumen de registros.', {
            total: { pending: 2, approved: 1, rejected: 0 },
            branches: [
              {
                branch_office: 'Norte',
                department: 'Almacén',
                pending: 2,
                approved: 1,
                rejected: 0,
              },
            ],
          }),
          '403': forbidden,
          '422': invalid({ kind: ['El tipo debe ser entrada o salida.'] }),
        },
      }),
    },
    '/v2/incidents/logs/{log_id}': {
      get: behindTheDoor({
        operationId: 'readLog',
        tags: ['incidents'],
        summary: 'Consultar una checada y su historia, de lo último a lo primero',
        requestParams: { path: z.object({ log_id: z.int().positive().meta({ example: 1 }) }) },
        responses: {
          '200': done('La checada.', answers.LogDetail, 'Registro encontrado.', {
            ...LOG,
            history: [
              {
                from_status: 'pending',
                to_status: 'approved',
                created_at: '2026-11-03T16:20:00.000Z',
                user: { id: 1, full_name: 'Ana Torres Rivas' },
                comment: 'Llegó puntual.',
              },
            ],
          }),
          '403': forbidden,
          '404': failed('No existe.', 'No existe un registro con ese identificador.'),
        },
      }),
    },
    '/v2/incidents/export': {
      get: behindTheDoor({
        operationId: 'exportLogs',
        tags: ['incidents'],
        summary: 'Exportar todas las checadas que cumplan el filtro, con su última decisión',
        requestParams: { query: LogExport },
        responses: {
          '200': {
            description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
            headers: {
              ...shared,
              ...described({ 'Content-Disposition': 'El nombre del archivo.' }),
            },
            content: {
              'text/csv': {
                schema: { type: 'string' },
                example: 'log_id,employee_id,full_name,…',
              },
              'application/x-ndjson': { schema: { type: 'string' } },
            },
          },
          '403': forbidden,
          '422': invalid({ format: ['El formato debe ser csv o ndjson.'] }),
        },
      }),
    },
  },
})
