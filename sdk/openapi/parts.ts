import type * as z from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type FieldErrors, failure, invalidInput, success } from '../../src/http/core/envelope.ts'
import { messageOf } from '../../src/http/core/errors.ts'
import * as schemas from './schemas.ts'

/** Parts that operations are built from. */

export const json = (schema: z.core.$ZodType, example: unknown) => ({
  'application/json': { schema, example },
})

export const described = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  )

export const response = (
  description: string,
  schema: z.core.$ZodType,
  example: unknown,
  headers?: Record<string, string>,
): ZodOpenApiResponseObject => ({
  description,
  ...(headers && { headers: described(headers) }),
  content: json(schema, example),
})

export const failed = (
  description: string,
  code: Parameters<typeof messageOf>[0],
  headers?: Record<string, string>,
) => response(description, schemas.Failure, failure(messageOf(code)), headers)

export const invalid = (errors: FieldErrors) =>
  response('Datos no válidos.', schemas.InvalidInput, invalidInput(errors))

export const done = (description: string, data: z.ZodType, message: string, example: unknown) =>
  response(description, schemas.successOf(data), success(message, example))

/** A file as CSV and NDJSON: what its columns are, the header of its CSV, and a line of NDJSON. */
export const file = (
  lines: readonly string[],
  columns: readonly string[],
  row: z.core.$ZodType,
): ZodOpenApiResponseObject => ({
  description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
  headers: described({
    'Content-Disposition': 'El nombre del archivo.',
    'Content-Encoding': 'gzip, si el cliente lo acepta.',
  }),
  content: {
    'text/csv': {
      schema: { type: 'string', description: `Las columnas: ${lines.join('; ')}.` },
      example: `${columns.join()}\r\n`,
    },
    'application/x-ndjson': { schema: row },
  },
})

export const WWW_AUTHENTICATE = { 'WWW-Authenticate': 'Siempre Bearer.' }

const RETRY_AFTER = { 'Retry-After': 'Segundos de espera.' }

/** The responses that many operations share; the document has each of them once. */
export const sharedResponses = {
  BodyInterrupted: failed('El cuerpo llegó incompleto.', 'BODY_INTERRUPTED'),
  Unauthenticated: failed('Falta un token válido.', 'UNAUTHENTICATED', WWW_AUTHENTICATE),
  Forbidden: failed('Sin permiso.', 'FORBIDDEN'),
  MethodNotAllowed: failed('La ruta no tiene ese método.', 'METHOD_NOT_ALLOWED', {
    Allow: 'Los métodos de la ruta.',
  }),
  BodyTimeout: failed('El cuerpo tarda más de 30 segundos.', 'BODY_TIMEOUT'),
  BodyTooLarge: failed('El cuerpo pasa de 64 KiB.', 'BODY_TOO_LARGE'),
  TooManyRequests: failed('Demasiados intentos.', 'TOO_MANY_REQUESTS', RETRY_AFTER),
  InternalError: failed('Error interno.', 'INTERNAL_ERROR'),
  LegacyDown: failed(
    'Una ruta que solo tiene el sistema anterior, y este no responde.',
    'LEGACY_DOWN',
  ),
  DatabaseBusy: failed('La base de datos está ocupada.', 'DATABASE_BUSY', RETRY_AFTER),
}

export const shared = (name: keyof typeof sharedResponses) => ({
  $ref: `#/components/responses/${name}` as const,
})

/** The responses that any operation may give. */
const commonResponses = {
  '400': shared('BodyInterrupted'),
  '405': shared('MethodNotAllowed'),
  '408': shared('BodyTimeout'),
  '413': shared('BodyTooLarge'),
  '500': shared('InternalError'),
  '502': shared('LegacyDown'),
  '503': shared('DatabaseBusy'),
}

type Operation = Omit<ZodOpenApiOperationObject, 'responses'> & {
  responses: Record<string, ZodOpenApiResponseObject | { $ref: string }>
}

export const operation = (details: Operation): ZodOpenApiOperationObject => ({
  security: [],
  ...details,
  responses: { ...details.responses, ...commonResponses },
})

export const authenticatedOperation = (details: Operation): ZodOpenApiOperationObject =>
  operation({
    security: [{ bearer: [] }],
    ...details,
    responses: { '401': shared('Unauthenticated'), ...details.responses },
  })

export const body = (schema: z.core.$ZodType, example: unknown) => ({
  required: true,
  content: json(schema, example),
})

export const forbiddenChange = failed(
  'Sin permiso, o la checada es propia y la instalación no permite cambiarla.',
  'FORBIDDEN',
)

export const noEmployee = failed(
  'El usuario no está vinculado a un empleado, o la instalación no lo permite.',
  'NO_EMPLOYEE',
)
