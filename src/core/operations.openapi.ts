import * as z from 'zod'
import type {
  oas31,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { type ErrorCode, messageOfAny } from './errors.ts'
import { type FieldErrors, failure, invalidInput, success } from './http/envelope.ts'
import type { FileRow, fileFormats } from './http/export-file.ts'
import { LOG_EVENTS, LOG_KINDS, LOG_STATUSES } from './log-values.ts'

/** The fields, parameters and parts of operations that several groups of routes share. */

/** An object without additional fields, as a component of the document. */
export const component = <Shape extends z.ZodRawShape>(
  id: string,
  shape: Shape,
  description?: string,
) => z.strictObject(shape).meta({ id, ...(description && { description }) })

/** The enums that are components of the document. Fields with the same values refer to them. */
export const namedEnums: Record<string, { title: string; type: 'string'; enum: string[] }> = {}

export const addNamedEnum = (title: string, values: readonly string[]): void => {
  namedEnums[title] = { title, type: 'string', enum: [...values] }
}

addNamedEnum('LogStatus', LOG_STATUSES)
addNamedEnum('LogKind', LOG_KINDS)
addNamedEnum('LogEventKind', LOG_EVENTS)

/** Replaces the values of an enum field by a reference to the component. */
export const nameEnum = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
  const list = JSON.stringify(jsonSchema.enum)
  const schema = Object.values(namedEnums).find((named) => JSON.stringify(named.enum) === list)
  if (!schema) return
  delete jsonSchema.type
  delete jsonSchema.enum
  jsonSchema.$ref = `#/components/schemas/${schema.title}`
}

export const logStatus = z.enum(LOG_STATUSES)

export const localAtField = z.iso.datetime({ offset: true }).meta({
  description: 'La misma hora en la zona de la sucursal, con su diferencia con UTC.',
  example: '2026-11-02T08:58:12-06:00',
})

export const logKind = z.enum(LOG_KINDS)

/** The fields of an employee that several lists have. */
export const listedEmployeeFields = {
  employee_id: z.string(),
  full_name: z.string(),
  department: z.string(),
  branch_office: z.string(),
}

/** Without the minimum, sdk/openapi/publish.ts would remove the maximum from the document. */
export const idField = z.int().min(1)

export const NamedUser = component('NamedUser', { id: idField, full_name: z.string() })

const message = z.string().meta({ description: 'Texto para personas, en español.' })

const Errors = z.record(z.string(), z.array(z.string()).min(1)).meta({
  description: 'Frases por campo.',
  example: { email: ['El correo electrónico es obligatorio.'] },
})

const failureFields = { success: z.literal(false), message, data: z.null() }

export const Failure = component('Failure', failureFields, 'Una negativa o un error.')

export const InvalidInput = component(
  'InvalidInput',
  { ...failureFields, errors: Errors },
  'Datos no válidos, con todos los campos que fallan.',
)

const json = (schema: z.core.$ZodType, example: unknown) => ({
  'application/json': { schema, example },
})

const described = (headers: Record<string, string>) =>
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

export const failureResponse = (
  description: string,
  code: ErrorCode,
  headers?: Record<string, string>,
) => response(description, Failure, failure(messageOfAny({ code })), headers)

/** A response with one example for each code. All of the codes have the same status. */
export const anyFailure = (
  description: string,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject => ({
  description,
  content: {
    'application/json': {
      schema: Failure,
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: failure(messageOfAny({ code })) }]),
      ),
    },
  },
})

export const invalidWithExamples = (
  errors: Record<string, FieldErrors>,
): ZodOpenApiResponseObject => ({
  description: 'Datos no válidos.',
  content: {
    'application/json': {
      schema: InvalidInput,
      examples: Object.fromEntries(
        Object.entries(errors).map(([name, value]) => [name, { value: invalidInput(value) }]),
      ),
    },
  },
})

export const invalidResponse = (errors: FieldErrors) =>
  response('Datos no válidos.', InvalidInput, invalidInput(errors))

export const successResponse = (
  description: string,
  data: z.ZodType,
  text: string,
  example: unknown,
) =>
  response(
    description,
    z.strictObject({ success: z.literal(true), message, data }),
    success(text, example),
  )

export const fileResponse = (
  content: Record<string, ZodOpenApiMediaTypeObject>,
): ZodOpenApiResponseObject => ({
  description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
  headers: described({
    'Content-Disposition': 'El nombre del archivo.',
    'Content-Encoding': 'gzip, si el cliente lo acepta.',
  }),
  content,
})

/** Client generators read this type as bytes. Some read no text type except `text/plain`. */
export const BINARY = { type: 'string', format: 'binary' } as const

/** A file of lines. `contentSchema` describes a line. */
const ndjsonOf = (row: z.ZodType) =>
  z.array(row).meta({
    override: ({ jsonSchema }) => {
      const { type, items } = jsonSchema
      delete jsonSchema.items
      Object.assign(jsonSchema, {
        ...BINARY,
        description: 'Un objeto JSON por línea.',
        contentMediaType: 'application/x-ndjson',
        contentSchema: { type, items },
      })
    },
  })

/** A file of rows as CSV and NDJSON, with one example row for each kind. */
export const rowsFile = (
  row: z.ZodType,
  kinds: Record<string, readonly [ReturnType<typeof fileFormats>, FileRow]>,
) => {
  const examples = (format: 'csv' | 'ndjson') =>
    Object.fromEntries(
      Object.entries(kinds).map(([kind, [formats, example]]) => [
        kind,
        { value: `${formats[format].head}${formats[format].line(example)}` },
      ]),
    )
  // NDJSON comes first because generators use the first type, and all of them treat it as a file.
  // One of them would return `text/csv` as text.
  return fileResponse({
    'application/x-ndjson': { schema: ndjsonOf(row), examples: examples('ndjson') },
    'text/csv': {
      schema: { type: 'string', description: 'Con encabezado; comienza con la marca UTF-8.' },
      examples: examples('csv'),
    },
  })
}

export const WWW_AUTHENTICATE = { 'WWW-Authenticate': 'Siempre Bearer.' }

const RETRY_AFTER = { 'Retry-After': 'Segundos de espera.' }

/** The responses that many operations share. They are components of the document. */
export const sharedResponses = {
  BodyInterrupted: failureResponse('El cuerpo llegó incompleto.', 'BODY_INTERRUPTED'),
  Unauthenticated: failureResponse('Falta un token válido.', 'UNAUTHENTICATED', WWW_AUTHENTICATE),
  Forbidden: failureResponse('Sin permiso.', 'FORBIDDEN'),
  MethodNotAllowed: failureResponse('La ruta no tiene ese método.', 'METHOD_NOT_ALLOWED', {
    Allow: 'Los métodos de la ruta.',
  }),
  BodyTimeout: failureResponse('El cuerpo tarda más de 30 segundos.', 'BODY_TIMEOUT'),
  BodyTooLarge: failureResponse('El cuerpo pasa de 64 KiB.', 'BODY_TOO_LARGE'),
  TooManyRequests: failureResponse('Demasiados intentos.', 'TOO_MANY_REQUESTS', RETRY_AFTER),
  InternalError: failureResponse('Error interno.', 'INTERNAL_ERROR'),
  LegacyDown: failureResponse(
    'Una ruta que solo tiene el sistema anterior, y este no responde.',
    'LEGACY_DOWN',
  ),
  DatabaseFull: failureResponse(
    'La base de datos está llena, o le falta poco y la petición agrega checadas, personas o firmas; se puede enviar después.',
    'DATABASE_FULL',
  ),
  DatabaseBusy: failureResponse('La base de datos está ocupada.', 'DATABASE_BUSY', RETRY_AFTER),
}

export const sharedResponse = (name: keyof typeof sharedResponses) => ({
  $ref: `#/components/responses/${name}` as const,
})

/** The responses that every operation may give. */
const commonResponses = {
  '400': sharedResponse('BodyInterrupted'),
  '405': sharedResponse('MethodNotAllowed'),
  '408': sharedResponse('BodyTimeout'),
  '413': sharedResponse('BodyTooLarge'),
  '500': sharedResponse('InternalError'),
  '502': sharedResponse('LegacyDown'),
  '503': sharedResponse('DatabaseBusy'),
  '507': sharedResponse('DatabaseFull'),
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
    responses: { '401': sharedResponse('Unauthenticated'), ...details.responses },
  })

export const authorizedOperation = (details: Operation): ZodOpenApiOperationObject =>
  authenticatedOperation({
    ...details,
    responses: { '403': sharedResponse('Forbidden'), ...details.responses },
  })

/** A required JSON body. Its schema becomes the component `name` of the document. */
export const bodyComponent = (name: string, schema: z.core.$ZodType, example: unknown) => {
  z.globalRegistry.add(schema, { id: name })
  return { required: true, content: json(schema, example) }
}

export const forbiddenChange = failureResponse(
  'Sin permiso, o la checada es propia y la instalación no permite cambiarla.',
  'FORBIDDEN',
)

export const noEmployee = failureResponse(
  'El usuario no está vinculado a un empleado, o la instalación no lo permite.',
  'NO_EMPLOYEE',
)

export const requestCommentField = z.string().nullable().meta({
  description: 'Lo que escribió la persona que solicitó la checada; nulo en las demás.',
})

/**
 * Describes a parameter. If `schema` is set, it replaces the field's own schema, which describes
 * only the text in the URL.
 */
interface Parameter {
  description: string
  schema?: oas31.SchemaObject
}

export const integer = (
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): oas31.SchemaObject => ({
  type: 'integer',
  minimum,
  maximum,
})

export const pageSizeParameter = (maximum: number): Parameter => ({
  description: 'Cuántos elementos lleva una página, como máximo.',
  schema: integer(1, maximum),
})

/**
 * A text with a pattern, and not a date, because generators would make date types that cannot be
 * sent.
 */
const MOMENT: oas31.SchemaObject = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$`,
}

/** The parameters that several operations share. An operation gives its other parameters itself. */
const PARAMETERS: Record<string, Parameter> = {
  status: { description: 'Solo las checadas con este estado.' },
  kind: { description: 'Solo las checadas de este tipo.' },
  employee_id: { description: 'Solo las checadas de este empleado.' },
  department: { description: 'Solo las checadas de este departamento.' },
  branch_office: { description: 'Solo las checadas de esta sucursal.' },
  from: {
    description:
      'Desde este día (`2026-11-02`), en la zona de la sucursal de cada checada, o desde este instante con zona (`2026-11-02T08:00:00-06:00`).',
    schema: MOMENT,
  },
  to: {
    description:
      'Hasta este día, incluido (`2026-11-15`), en la zona de la sucursal de cada checada, o hasta este instante con zona (`2026-11-15T14:00:00-06:00`).',
    schema: MOMENT,
  },
  order: { description: 'Primero lo más antiguo (oldest) o lo más reciente (newest).' },
  limit: pageSizeParameter(200),
  cursor: { description: 'El `next_cursor` de la página anterior.' },
  format: { description: 'El formato del archivo.' },
}

const schemaOf = (field: z.core.$ZodType): oas31.SchemaObject => {
  const { $schema: _, ...schema } = z.toJSONSchema(field, {
    io: 'input',
    unrepresentable: 'any',
    override: nameEnum,
  })
  return schema as oas31.SchemaObject
}

const parametersIn =
  (place: 'query' | 'path') =>
  ({ shape }: { shape: Record<string, z.core.$ZodType> }, own: Record<string, Parameter> = {}) =>
    Object.entries(shape).map(([name, field]): oas31.ParameterObject => {
      const parameter = own[name] ?? PARAMETERS[name]
      if (!parameter) throw new Error(`The parameter ${name} has no description.`)
      const required = field._zod.optin === undefined
      return {
        name,
        in: place,
        ...(required && { required }),
        schema: schemaOf(field),
        ...parameter,
      }
    })

/**
 * The parameters of a query. `own` describes the parameters that are missing from PARAMETERS or
 * differ there.
 */
export const queryParameters = parametersIn('query')

export const pathParameters = parametersIn('path')
