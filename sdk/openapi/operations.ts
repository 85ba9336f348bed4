import * as z from 'zod'
import type {
  oas31,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import {
  type DetailName,
  type DetailsOf,
  ERRORS,
  type ErrorCode,
  messageOfAny,
} from '../../src/core/errors.ts'
import { CONTRACT_PATHS } from '../../src/core/http/contract.ts'
import { failure, invalidInput } from '../../src/core/http/envelope.ts'
import { LOG_EVENTS, LOG_KINDS, LOG_STATUSES } from '../../src/core/values/log-values.ts'
import seenCodes from './operation-codes.json' with { type: 'json' }

/** What describes the operations of all groups of routes, and the fields that they share. */

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

/** The fields of `details` by name. A name has the same meaning in all codes that have it. */
const ErrorDetails = component(
  'ErrorDetails',
  {
    ids: z.array(idField).optional().meta({ description: 'Las checadas.' }),
    status: logStatus.optional().meta({ description: 'El estado actual de la única checada.' }),
    closing_id: idField.optional(),
    closed_by: z.string().optional().meta({ description: 'El nombre de quien hizo el cierre.' }),
    until: z.iso.date().nullable().optional().meta({
      description: 'El último día del cierre, o el último que cabe; null si ni uno.',
    }),
    employee_id: z.string().optional(),
    payroll_group: z.string().optional(),
    groups: z.array(z.string()).optional(),
    roles: z.array(z.string()).optional().meta({ description: 'Los que nombran los ajustes.' }),
    day: z.iso.date().optional(),
    days: z.int().optional(),
    seconds: z.int().optional(),
    count: z.int().optional().meta({ description: 'Cuántas checadas.' }),
    of_period: z.int().optional().meta({ description: 'De ellas, las del periodo.' }),
    waiting: z.int().optional().meta({ description: 'Las de relojes que esperan.' }),
    local_time: z.string().optional().meta({ description: 'La hora local que no hubo.' }),
    time_zone: z.string().optional(),
    next: z.string().optional().meta({ description: 'La siguiente que sí hubo.' }),
    created: z.int().optional().meta({ description: 'Las que se registraron.' }),
    known: z.int().optional().meta({ description: 'Las que ya estaban.' }),
    left_out: z.int().optional().meta({ description: 'Las que no se guardaron.' }),
    days_max: z.int().optional(),
    people_max: z.int().optional(),
  } satisfies Record<DetailName, z.ZodType>,
  'Los datos del mensaje, para programas. Un código trae siempre los mismos.',
)

const codeFields = {
  code: z.string().optional().meta({
    description:
      'La constante del error; viene siempre. Las de cada respuesta son los nombres de sus ejemplos, y `INVALID_INPUT` la de datos que no cumplen su esquema. Pueden aparecer otras.',
  }),
  details: ErrorDetails.optional(),
}

const failureFields = { success: z.literal(false), message, data: z.null() }
const invalidFields = { ...failureFields, errors: Errors }

const FAILURE = 'Una negativa o un error.'
const INVALID = 'Datos no válidos, con todos los campos que fallan.'

export const Failure = component('Failure', { ...failureFields, ...codeFields }, FAILURE)

export const InvalidInput = component('InvalidInput', { ...invalidFields, ...codeFields }, INVALID)

/** The failures of the contract's endpoints, which have no code. */
export const ContractFailure = component('ContractFailure', failureFields, FAILURE)
export const ContractInvalidInput = component('ContractInvalidInput', invalidFields, INVALID)

/** What the messages of some errors name, in their examples. */
const EXAMPLE_DETAILS: {
  [Code in ErrorCode as undefined extends DetailsOf<Code> ? never : Code]: DetailsOf<Code>
} = {
  TOO_MANY_WAITING: { created: 120, known: 0, waiting: 3, left_out: 40 },
  PERIOD_TOO_LONG: { days_max: 366 },
  CORRECTION_TOO_LARGE: { count: 1_320, until: '2026-11-04' },
  PAID_AFTER_END: { closing_id: 3, day: '2026-11-14' },
  LOCAL_TIME_MISSING: { local_time: '2026-03-08T02:30:00', next: '2026-03-08T03:00:00' },
  UNKNOWN_ZONE: { time_zone: 'America/Coyhaique' },
  TIME_TOO_OLD: { days_max: 400 },
  UNKNOWN_PAYROLL_GROUP: { payroll_group: 'semanal' },
  RULE_PAID: { day: '2026-11-16' },
  ALREADY_CLOSED: { closing_id: 3, until: '2026-11-15', closed_by: 'Rosa Ibarra Vega' },
  INVERTED_DAY: { employee_id: 'E-002', day: '2026-11-09', seconds: 54_000 },
  INVERTED_DAYS: { days: 2, seconds: 108_000 },
  TOO_MANY_PEOPLE: { people_max: 5_000 },
  GROUP_WITHOUT_DAY: { groups: ['semanal'] },
  CLOSES_EARLY: { groups: ['semanal'] },
  PAID_LATER: { employee_id: 'E-002', day: '2026-11-16' },
  OTHER_SECONDS: { seconds: 316_800 },
  PENDING_LOGS: { count: 12, of_period: 11, waiting: 0 },
}

type Details = Partial<Record<ErrorCode, unknown>>

/** The body of an error, with the fields that its schema has. */
const exampleOf = (code: ErrorCode, schema: z.ZodObject, own: Details): object => {
  const details: Details = { ...EXAMPLE_DETAILS, ...own }
  const message = messageOfAny({ code, details: details[code] })
  const { field } = ERRORS[code] as { field?: string }
  const body = {
    ...(field ? invalidInput({ [field]: [message] }) : failure(message)),
    code,
    ...(details[code] !== undefined && { details: details[code] }),
  }
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in schema.shape))
}

/** What the responses of each status have in common. */
const STATUSES: Record<number, string> = {
  400: 'El cuerpo llegó incompleto.',
  401: 'Falta un token válido, o las credenciales no son correctas.',
  403: 'Sin permiso.',
  404: 'No existe.',
  405: 'La ruta no tiene ese método.',
  408: 'El cuerpo tarda más de 30 segundos.',
  409: 'Algo cambió mientras tanto, o lo impide. No se guardó nada.',
  410: 'Ya no sirve.',
  413: 'El cuerpo pasa de 64 KiB.',
  422: 'Datos no válidos.',
  429: 'Demasiados intentos.',
  500: 'Error interno.',
  502: 'Una ruta que solo tiene el sistema anterior, y este no responde.',
  503: 'La base de datos no responde o está ocupada, por un momento. Si se perdió la conexión con ella, una escritura pudo guardarse: se repite igual (`client_id`, `source_id` o `expected_version` evitan que cuente dos veces), o se mira antes.',
  507: 'La base de datos está llena, o le falta poco y la petición agrega checadas, personas o firmas; se puede enviar después.',
}

const described = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  )

const RETRY_AFTER = described({ 'Retry-After': 'Segundos de espera.' })
const WWW_AUTHENTICATE = described({ 'WWW-Authenticate': 'Siempre Bearer.' })

const HEADERS: Record<number, typeof RETRY_AFTER> = {
  401: WWW_AUTHENTICATE,
  405: described({ Allow: 'Los métodos de la ruta.' }),
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** The response of one status, with an example for each of its codes. */
const errorResponse = (
  status: number,
  codes: readonly ErrorCode[],
  schema: z.ZodObject,
  details: Details,
): ZodOpenApiResponseObject => {
  const headers = HEADERS[status]
  const examples = codes.map((code) => [code, { value: exampleOf(code, schema, details) }] as const)
  return {
    description: STATUSES[status] ?? '',
    ...(headers && { headers }),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

/** The errors that every operation may have. */
const COMMON = [
  'BODY_INTERRUPTED',
  'METHOD_NOT_ALLOWED',
  'BODY_TIMEOUT',
  'BODY_TOO_LARGE',
  'INTERNAL_ERROR',
  'LEGACY_DOWN',
  'DATABASE_BUSY',
  'DATABASE_FULL',
] as const satisfies ErrorCode[]

/** The errors whose response, if it has no other code, is a component of the document. */
const SHARED: readonly ErrorCode[] = [
  ...COMMON,
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
]

/** `TooManyRequests` */
const componentName = (code: ErrorCode): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The schemas of failures, and a prefix for the components that use them. */
const CODED = { prefix: '', failure: Failure, invalid: InvalidInput }
const OF_CONTRACT = {
  prefix: 'Contract',
  failure: ContractFailure,
  invalid: ContractInvalidInput,
}

/** The responses that are components. `operations` adds those that it refers to. */
export const sharedResponses: Record<string, ZodOpenApiResponseObject> = {}

/** Client generators read this type as bytes. Some read no text type except `text/plain`. */
export const BINARY = { type: 'string', format: 'binary' } as const

export const fileResponse = (
  content: Record<string, ZodOpenApiMediaTypeObject>,
  headers: Record<string, string> = {},
): ZodOpenApiResponseObject => ({
  description: 'El archivo, por partes. Si se interrumpe, la transferencia falla.',
  headers: described({
    'Content-Disposition': 'El nombre del archivo.',
    'Content-Encoding': 'gzip, si el cliente lo acepta.',
    ...headers,
  }),
  content,
})

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

/** A row of a file, as a component with the columns of the file. Their schemas are in `fields`. */
export const rowComponent = (
  id: string,
  { names }: { names: readonly string[] },
  fields: Readonly<Record<string, z.ZodType>>,
) =>
  component(
    id,
    Object.fromEntries(
      names.map((name) => {
        const field = fields[name]
        if (!field) throw new Error(`The column ${name} of ${id} has no schema.`)
        return [name, field]
      }),
    ),
  )

/** A file of rows as CSV and NDJSON. */
export const rowsFile = (row: z.ZodType) =>
  // NDJSON comes first because generators use the first type, and all of them treat it as a file.
  // One of them would return `text/csv` as text.
  fileResponse({
    'application/x-ndjson': { schema: ndjsonOf(row) },
    'text/csv': {
      schema: { type: 'string', description: 'Con encabezado; comienza con la marca UTF-8.' },
    },
  })

interface Operation {
  id: string
  /** The default is a user with the permission. */
  caller?: 'anyone' | 'signedIn'
  summary: string
  description?: string
  parameters?: oas31.ParameterObject[]
  /** The name of the body's component, and its schema. */
  body?: readonly [name: string, schema: z.core.$ZodType]
  /** The `data` of a good answer. The default is null. */
  data?: z.ZodType
  /** The good answer, if it is a file. */
  file?: ZodOpenApiResponseObject
  /**
   * The errors that not every operation has, where failures do not say their code: those of the
   * contract's operations, and /health. The others stand in operation-codes.json, which the tests
   * write. The status and message of an error follow from ERRORS.
   */
  errors?: readonly ErrorCode[]
  /** The values in the messages of errors, where they differ from those of other operations. */
  details?: { [Code in ErrorCode]?: DetailsOf<Code> }
  /** The schemas of errors that have other fields than most errors of their status. */
  bodies?: Readonly<Record<number, z.ZodObject>>
  /** Whether the number of requests in a minute is limited. */
  limited?: true
}

const errorResponses = (
  { id, caller, parameters, body, ...row }: Operation,
  seen: readonly ErrorCode[],
  { prefix, failure, invalid }: typeof CODED | typeof OF_CONTRACT,
) => {
  const { errors = seen, details = {}, bodies = {}, limited } = row
  const codes: ErrorCode[] = [
    ...(caller === 'anyone' ? [] : (['UNAUTHENTICATED'] as const)),
    ...(caller ? [] : (['FORBIDDEN'] as const)),
    ...errors,
    ...(limited ? (['TOO_MANY_REQUESTS'] as const) : []),
    ...COMMON,
  ]
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status as number)
  if (parameters || body) byStatus.set(422, byStatus.get(422) ?? [])
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => {
      const [code] = ofStatus
      const isShared = ofStatus.length === 1 && code && SHARED.includes(code) && !bodies[status]
      const schema = bodies[status] ?? (status === 422 ? invalid : failure)
      const response = errorResponse(status, ofStatus, schema, details)
      if (!isShared) return [status, response]
      const name = prefix + componentName(code)
      sharedResponses[name] ??= response
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

/** The codes that the tests have seen, by method and path, besides those that the row implies. */
const SEEN: Readonly<Record<string, readonly string[]>> = seenCodes

const toOperation = (tag: string, name: string, row: Operation): ZodOpenApiOperationObject => {
  const [, path = ''] = name.split(' ')
  const { id, caller, summary, description, parameters, body, data, file } = row
  const [bodyName, schema] = body ?? []
  if (schema) z.globalRegistry.add(schema, { id: bodyName })
  const answer = z.strictObject({ success: z.literal(true), message, data: data ?? z.null() })
  return {
    security: caller === 'anyone' ? [] : [{ bearer: [] }],
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(parameters && { parameters }),
    ...(schema && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: {
      '200': file ?? {
        description: 'Hecho.',
        content: { 'application/json': { schema: answer } },
      },
      ...errorResponses(
        row,
        (SEEN[name] ?? []) as readonly ErrorCode[],
        CONTRACT_PATHS.includes(path) ? OF_CONTRACT : CODED,
      ),
    },
  }
}

/**
 * The operations of a tag, by method and path, as `GET /v2/people/users`. Their examples are in
 * sdk/openapi/examples.json.
 */
export const operations = (tag: string, rows: Readonly<Record<string, Operation>>) =>
  Object.entries(rows).map(([name, row]) => {
    const [method = '', path = ''] = name.split(' ')
    return { method: method.toLowerCase(), path, operation: toOperation(tag, name, row) }
  })

export const requestCommentField = z.string().nullable().meta({
  description: 'Lo que escribió la persona que solicitó la checada; nulo en las demás.',
})

/**
 * The description of a parameter. If `schema` is set, it replaces the field's own schema, which
 * describes only the text in the URL.
 */
type Parameter = string | { description: string; schema: oas31.SchemaObject }

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
  status: 'Solo las checadas con este estado.',
  kind: 'Solo las checadas de este tipo.',
  employee_id: 'Solo las checadas de este empleado.',
  department: 'Solo las checadas de este departamento.',
  branch_office: 'Solo las checadas de esta sucursal.',
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
  order: 'Primero lo más antiguo (oldest) o lo más reciente (newest).',
  limit: pageSizeParameter(200),
  cursor: 'El `next_cursor` de la página anterior.',
  format: 'El formato del archivo.',
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
        ...(typeof parameter === 'string' ? { description: parameter } : parameter),
      }
    })

/**
 * The parameters of a query. `own` describes the parameters that are missing from PARAMETERS or
 * differ there.
 */
export const queryParameters = parametersIn('query')

export const pathParameters = parametersIn('path')
