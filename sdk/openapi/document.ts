import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import {
  bareFailure,
  type FieldErrors,
  failure,
  invalidInput,
  success,
} from '../../src/http/envelope.ts'
import { messageOf } from '../../src/http/errors.ts'
import { LoginBody, PasswordChangeBody } from '../../src/schemas/auth.ts'
import { ConfigPath, EntryCodeBody } from '../../src/schemas/clients.ts'
import {
  LogExportQuery,
  LogFilterQuery,
  LogHistoryQuery,
  LogListQuery,
} from '../../src/schemas/log-query.ts'
import { BulkStatusChangeBody, StatusChangeBody } from '../../src/schemas/log-status.ts'
import * as responses from './responses.ts'

/** The OpenAPI document, built from the schemas that validate requests; not part of the Worker. */

const json = (schema: z.core.$ZodType, example: unknown) => ({
  'application/json': { schema, example },
})

/** Headers of every response; the CORS headers only where the origin is allowed. */
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

const response = (
  description: string,
  schema: z.core.$ZodType,
  example: unknown,
  headers: Record<string, string> = {},
): ZodOpenApiResponseObject => ({
  description,
  headers: { ...shared, ...described(headers) },
  content: json(schema, example),
})

const failed = (
  description: string,
  code: Parameters<typeof messageOf>[0],
  headers?: Record<string, string>,
) => response(description, responses.Failure, failure(messageOf(code)), headers)

const invalid = (errors: FieldErrors) =>
  response('Datos no válidos.', responses.InvalidInput, invalidInput(errors))

const done = (description: string, data: z.ZodType, message: string, example: unknown) =>
  response(description, responses.successOf(data), success(message, example))

const WWW_AUTHENTICATE = { 'WWW-Authenticate': 'Siempre Bearer.' }

const unauthenticated = failed('Falta un token válido.', 'UNAUTHENTICATED', WWW_AUTHENTICATE)

const tooManyRequests = failed('Demasiados intentos.', 'TOO_MANY_REQUESTS', {
  'Retry-After': 'Segundos de espera.',
})

/** The responses that any endpoint may give. */
const commonResponses = {
  '408': failed('El cuerpo tarda más de 30 segundos.', 'BODY_TIMEOUT'),
  '400': failed('El cuerpo llegó incompleto.', 'BODY_INTERRUPTED'),
  '503': response(
    'La base de datos está ocupada.',
    responses.Failure,
    failure(messageOf('DATABASE_BUSY')),
    {
      'Retry-After': 'Segundos de espera.',
    },
  ),
  '413': failed('El cuerpo pasa de 64 KiB.', 'BODY_TOO_LARGE'),
  '500': failed('Error interno.', 'INTERNAL_ERROR'),
}

type Operation = Omit<ZodOpenApiOperationObject, 'responses'> & {
  responses: Record<string, ZodOpenApiResponseObject>
}

const operation = (details: Operation): ZodOpenApiOperationObject => ({
  security: [],
  ...details,
  responses: { ...details.responses, ...commonResponses },
})

const authenticatedOperation = (details: Operation): ZodOpenApiOperationObject =>
  operation({
    security: [{ bearer: [] }],
    ...details,
    responses: { '401': unauthenticated, ...details.responses },
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

const forbidden = failed('Sin permiso.', 'FORBIDDEN')
const forbiddenChange = failed(
  'Sin permiso, o la checada es propia y la instalación no permite cambiarla.',
  'FORBIDDEN',
)
const moved = response(
  'Un registro ya no está en `expected_status`; no se cambió nada.',
  responses.Failure,
  failure(messageOf('STATUS_MOVED', { log: { id: 1, status: 'approved' } })),
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
        requestBody: body(LoginBody, { email: 'ana.torres@demo.mx', password: 'checada-demo' }),
        responses: {
          '200': done('Sesión iniciada.', responses.SignedIn, 'Inicio de sesión correcto.', TOKEN),
          '401': failed('Credenciales incorrectas.', 'WRONG_CREDENTIALS', WWW_AUTHENTICATE),
          '403': failed('El usuario está inactivo.', 'USER_INACTIVE'),
          '422': invalid({
            email: ['El correo electrónico es obligatorio.'],
            password: ['La contraseña es obligatoria.'],
          }),
          '429': tooManyRequests,
        },
      }),
    },
    '/auth/me': {
      get: authenticatedOperation({
        operationId: 'me',
        tags: ['auth'],
        summary: 'Consultar el usuario de la sesión y su perfil de empleado',
        responses: {
          '200': done('El usuario.', responses.CurrentUser, 'Usuario autenticado.', {
            user: { ...ACCOUNT, external: 0, type_user: 'interno', status_user: 'activo' },
            employee: EMPLOYEE,
          }),
          '401': response(
            'Falta un token válido; el cuerpo es solo el mensaje.',
            responses.BareFailure,
            bareFailure(messageOf('UNAUTHENTICATED')),
            WWW_AUTHENTICATE,
          ),
        },
      }),
    },
    '/auth/logout': {
      post: authenticatedOperation({
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Cerrar esta sesión',
        responses: { '200': done('Sesión cerrada.', responses.Nothing, 'Sesión cerrada.', null) },
      }),
    },
    '/auth/logout_all': {
      post: authenticatedOperation({
        operationId: 'logoutAll',
        tags: ['auth'],
        summary: 'Cerrar todas las sesiones del usuario',
        responses: {
          '200': done(
            'Sesiones cerradas.',
            responses.Nothing,
            'Se cerraron todas las sesiones.',
            null,
          ),
        },
      }),
    },
    '/auth/password': {
      post: authenticatedOperation({
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Cambiar la contraseña',
        description: 'Cierra las demás sesiones y devuelve un token nuevo.',
        requestBody: body(PasswordChangeBody, {
          current_password: 'checada-demo',
          password: 'una clave más larga',
        }),
        responses: {
          '200': done(
            'Contraseña cambiada.',
            responses.SignedIn,
            'La contraseña se cambió.',
            TOKEN,
          ),
          '422': invalid({ current_password: [messageOf('WRONG_CURRENT_PASSWORD')] }),
          '429': tooManyRequests,
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
            responses.Modules,
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
        requestBody: body(EntryCodeBody, { code: 'DEMO-2026' }),
        responses: {
          '200': done(
            'El cliente existe y está activo.',
            responses.Client,
            'El código es válido.',
            {
              id: 1,
              code: 'DEMO-2026',
              name: 'Comercial Demo',
              status: 'activo',
              url_base: 'https://demo.example.com',
            },
          ),
          '403': failed('Inactivo o bloqueado.', 'CLIENT_INACTIVE'),
          '404': failed('No existe.', 'CLIENT_NOT_FOUND'),
          '422': response(
            'Falta el código; el cuerpo no lleva `success` ni `data`.',
            responses.BareInvalidInput,
            {
              message: 'El código es obligatorio.',
              errors: { code: ['El código es obligatorio.'] },
            },
          ),
          '429': tooManyRequests,
        },
      }),
    },
    '/v2/clients/config/{config}': {
      get: operation({
        operationId: 'config',
        tags: ['clients'],
        summary: 'Consultar una entrada de configuración',
        requestParams: { path: ConfigPath },
        responses: {
          '200': done('La entrada.', responses.ConfigEntry, 'Configuración encontrada.', {
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
    '/v2/incidents/change_log_status': {
      post: authenticatedOperation({
        operationId: 'changeLogStatus',
        tags: ['incidents'],
        summary: 'Aprobar, rechazar o reabrir una checada',
        description:
          'Solo para administradores. El comentario, la auditoría y el estado se guardan juntos o no se guarda nada.',
        requestBody: body(StatusChangeBody, {
          log_id: 1,
          status: 'approved',
          comment: 'Llegó puntual.',
        }),
        responses: {
          '200': done(
            'Estado cambiado.',
            responses.ChangedLog,
            'El estado del registro se actualizó.',
            {
              log_id: 1,
              status: 'approved',
            },
          ),
          '403': forbiddenChange,
          '409': moved,
          '422': invalid({ log_id: [messageOf('UNKNOWN_LOG_ID')] }),
        },
      }),
    },
    '/v2/incidents/change_logs_status': {
      post: authenticatedOperation({
        operationId: 'changeLogsStatus',
        tags: ['incidents'],
        summary: 'Cambiar el estado de hasta 100 checadas, todas o ninguna',
        description: 'Los errores nombran cada elemento, como `log_ids.3`.',
        requestBody: body(BulkStatusChangeBody, {
          log_ids: [1, 2],
          status: 'approved',
          comment: 'Semana revisada.',
          expected_status: 'pending',
        }),
        responses: {
          '200': done(
            'Estados cambiados, en el orden pedido.',
            responses.ChangedLogs,
            'El estado de los registros se actualizó.',
            [
              { log_id: 1, status: 'approved' },
              { log_id: 2, status: 'approved' },
            ],
          ),
          '403': forbiddenChange,
          '409': moved,
          '422': invalid({ 'log_ids.1': [messageOf('UNKNOWN_LOG_ID')] }),
        },
      }),
    },
    '/v2/incidents/logs': {
      get: authenticatedOperation({
        operationId: 'listLogs',
        tags: ['incidents'],
        summary: 'Listar checadas por revisar',
        description:
          'En orden de tiempo. `from` y `to` aceptan un día, en la zona horaria del servicio, o un instante; `to` incluye su día.',
        requestParams: { query: LogListQuery },
        responses: {
          '200': done('Una página.', responses.LogPage, 'Registros encontrados.', {
            logs: [LOG],
            next_cursor: 'WyIyMDI2LTExLTAyVDE0OjU4OjEyLjAwMFoiLDFd',
          }),
          '403': forbidden,
          '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
        },
      }),
    },
    '/v2/incidents/logs/summary': {
      get: authenticatedOperation({
        operationId: 'summarizeLogs',
        tags: ['incidents'],
        summary: 'Contar checadas por estado, sucursal y departamento',
        requestParams: { query: LogFilterQuery },
        responses: {
          '200': done('El resumen.', responses.LogSummary, 'Resumen de registros.', {
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
      get: authenticatedOperation({
        operationId: 'readLog',
        tags: ['incidents'],
        summary: 'Consultar una checada y su historia, de lo último a lo primero',
        requestParams: {
          path: z.object({ log_id: z.int().positive().meta({ example: 1 }) }),
          query: LogHistoryQuery,
        },
        responses: {
          '200': done('La checada.', responses.LogDetail, 'Registro encontrado.', {
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
            next_cursor: null,
          }),
          '403': forbidden,
          '422': invalid({ limit: ['El límite debe ser un número entero de 1 a 200.'] }),
          '404': failed('No existe.', 'LOG_NOT_FOUND'),
        },
      }),
    },
    '/v2/incidents/export': {
      get: authenticatedOperation({
        operationId: 'exportLogs',
        tags: ['incidents'],
        summary: 'Exportar todas las checadas que cumplan el filtro, con su última decisión',
        requestParams: { query: LogExportQuery },
        responses: {
          '200': {
            description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
            headers: {
              ...shared,
              ...described({
                'Content-Disposition': 'El nombre del archivo.',
                'Content-Encoding': 'gzip, si el cliente lo acepta.',
              }),
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
          '429': tooManyRequests,
        },
      }),
    },
  },
})
