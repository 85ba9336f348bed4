import { zValidator } from '@hono/zod-validator'
import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import es from 'zod/v4/locales/es.js'
import { ERRORS, type FieldCode } from '../errors.ts'
import type { AppEnv } from './context.ts'
import { withCode } from './contract.ts'
import {
  ERRORS_MAX,
  type FailureShape,
  type FieldErrors,
  type failure,
  invalidInput,
} from './envelope.ts'

z.config(es())

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Stands for a malformed body. `validate` knows it by identity, since an empty body is `{}`. */
const NOT_JSON: Record<string, unknown> = Object.freeze({})

const NOT_JSON_MESSAGE = 'El cuerpo no es JSON en UTF-8 sin comprimir.'

/**
 * The body as a JSON object. An empty or malformed body, or one that is not an object, becomes
 * `{}`.
 */
const readBody = async (c: Context): Promise<Record<string, unknown>> => {
  let bytes = new ArrayBuffer()
  try {
    bytes = await c.req.arrayBuffer()
    const body: unknown = JSON.parse(utf8.decode(bytes))
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : {}
  } catch {
    return bytes.byteLength > 0 ? NOT_JSON : {}
  }
}

/**
 * The first message of each field, in the order of the schema. It uses a Map, because a client may
 * name a field `constructor`.
 */
const fieldErrors = ({ issues }: z.core.$ZodError): FieldErrors => {
  const errors = new Map<string, string[]>()
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    for (const name of names) {
      if (errors.size === ERRORS_MAX) return Object.fromEntries(errors)
      if (!errors.has(name)) errors.set(name, [issue.message])
    }
  }
  return Object.fromEntries(errors)
}

/** Sorts errors by field, in the order of the schema's fields, and then by list index. */
const sortErrors = (errors: FieldErrors, fields: readonly string[]): FieldErrors => {
  const sorted = Object.entries(errors).map(([name, messages]) => {
    const [field = '', index = '-1'] = name.split('.')
    return { name, messages, field: fields.indexOf(field), index: Number(index) }
  })
  sorted.sort((a, b) => a.field - b.field || a.index - b.index)
  return Object.fromEntries(sorted.map(({ name, messages }) => [name, messages]))
}

interface BodyOptions<Shape extends FailureShape, E extends { Variables: object }> {
  shape?: Shape
  /** The required field whose error says that a body is malformed, instead of that it is missing. */
  notJson?: string
  /**
   * The error about a field that depends on the request's context, such as its settings. It is found
   * even if the schema rejects the body.
   */
  rule?: (c: Context<E>, body: Record<string, unknown>) => FieldCode | undefined
  /**
   * Errors that need a query. They are looked for only if the body has failed already, so that the
   * response has all errors at once.
   */
  moreErrors?: (c: Context<E>, body: Record<string, unknown>) => Promise<FieldErrors>
}

/** A 422 as a typed client sees it. */
type Unprocessable<Shape extends FailureShape> = Response &
  TypedResponse<ReturnType<Shape> & { errors: FieldErrors }, 422, 'json'>

/** Parses the body, whatever its content type is. Responds with 422 in the endpoint's own shape. */
export const validate = <
  S extends z.ZodMiniType,
  Shape extends FailureShape = typeof failure,
  E extends { Bindings: Env; Variables: object } = AppEnv,
>(
  schema: S,
  { shape, notJson, rule, moreErrors }: BodyOptions<Shape, E> = {},
) =>
  createMiddleware<
    E,
    string,
    { in: { json: z.input<S> }; out: { json: z.output<S> } },
    Unprocessable<Shape>
  >(async (c, next) => {
    const body = await readBody(c)
    const result = schema.safeParse(body)
    const broken = rule?.(c, body)
    if (result.success && !broken) {
      c.req.addValidatedData('json', result.data as object)
      return next()
    }
    const errors = {
      ...(await moreErrors?.(c, body)),
      ...(broken && { [ERRORS[broken].field]: [ERRORS[broken].message] }),
      ...(!result.success && fieldErrors(result.error)),
      ...(notJson && body === NOT_JSON && { [notJson]: [NOT_JSON_MESSAGE] }),
    }
    const fields = Object.keys((schema as { shape?: object }).shape ?? {})
    const answer = invalidInput(sortErrors(errors, fields), shape)
    const code = (result.success && broken) || 'INVALID_INPUT'
    return c.json(withCode(c, answer, code), 422) as Unprocessable<Shape>
  })

const invalidRequest = (c: Context, error: z.core.$ZodError) =>
  c.json(withCode(c, invalidInput(fieldErrors(error)), 'INVALID_INPUT'), 422)

/**
 * Parses the parameters of the path. zValidator would take twice the time, and each app reads
 * `/config/:config` when it starts.
 */
export const validatePath = <S extends z.ZodMiniType>(schema: S) =>
  createMiddleware<
    AppEnv,
    string,
    { in: { param: z.input<S> }; out: { param: z.output<S> } },
    Unprocessable<typeof failure>
  >((c, next) => {
    const result = schema.safeParse(c.req.param())
    if (!result.success) return invalidRequest(c, result.error) as never
    c.req.addValidatedData('param', result.data as object)
    return next()
  })

export const validateQuery = <S extends z.ZodMiniType>(schema: S) =>
  zValidator('query', schema, (result, c) => {
    if (!result.success) return invalidRequest(c, result.error)
  })
