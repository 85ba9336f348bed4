import { zValidator } from '@hono/zod-validator'
import type { Context, TypedResponse } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import es from 'zod/v4/locales/es.js'
import type { AppEnv } from './context.ts'
import { type FailureShape, type FieldErrors, type failure, invalidInput } from './envelope.ts'

z.config(es())

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The body as a JSON object; one that is empty, malformed or not an object counts as `{}`. */
export const readBody = async (c: Context): Promise<Record<string, unknown>> => {
  try {
    const body: unknown = JSON.parse(utf8.decode(await c.req.arrayBuffer()))
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** One message per field, in the order of the schema. A field may be named `constructor`. */
const fieldErrors = ({ issues }: z.core.$ZodError): FieldErrors => {
  const errors = new Map<string, string[]>()
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    for (const name of names) if (!errors.has(name)) errors.set(name, [issue.message])
  }
  return Object.fromEntries(errors)
}

/**
 * Sorts by the fields of the schema, as the contract lists them, then by the index of an element.
 */
const inOrder = (errors: FieldErrors, fields: readonly string[]): FieldErrors => {
  const position = (name: string) => fields.indexOf(name.split('.')[0] ?? '')
  const indexOf = (name: string) => Number(name.split('.')[1] ?? -1)
  return Object.fromEntries(
    Object.entries(errors).sort(([a], [b]) => position(a) - position(b) || indexOf(a) - indexOf(b)),
  )
}

interface BodyOptions<Shape extends FailureShape, E extends { Variables: object }> {
  shape?: Shape
  /** Errors that depend on the settings: of any body, whether the schema accepts it or not. */
  rules?: (c: Context<E>, body: Record<string, unknown>) => FieldErrors
  /** More errors of a body that already failed, which need a query: all are reported at once. */
  moreErrors?: (c: Context<E>, body: Record<string, unknown>) => Promise<FieldErrors>
}

/** A 422 as a typed client sees it. */
type Unprocessable<Shape extends FailureShape> = Response &
  TypedResponse<ReturnType<Shape> & { errors: FieldErrors }, 422, 'json'>

/** Parses the body, whatever its content type; 422 in the endpoint's own shape. */
export const validate = <
  S extends z.ZodMiniType,
  Shape extends FailureShape = typeof failure,
  E extends { Bindings: Env; Variables: object } = AppEnv,
>(
  schema: S,
  { shape, rules, moreErrors }: BodyOptions<Shape, E> = {},
) =>
  createMiddleware<
    E,
    string,
    { in: { json: z.input<S> }; out: { json: z.output<S> } },
    Unprocessable<Shape>
  >(async (c, next) => {
    const body = await readBody(c)
    const result = schema.safeParse(body)
    const failed = {
      ...rules?.(c, body),
      ...(result.success ? {} : fieldErrors(result.error)),
    }
    if (!result.success || Object.keys(failed).length > 0) {
      const errors = { ...(await moreErrors?.(c, body)), ...failed }
      const fields = Object.keys((schema as { shape?: object }).shape ?? {})
      return c.json(invalidInput(inOrder(errors, fields), shape), 422) as Unprocessable<Shape>
    }
    c.req.addValidatedData('json', result.data as object)
    await next()
  })

/**
 * Parses the path's parameters; a launching app waits for it, and zValidator costs twice as much.
 */
export const validatePath = <S extends z.ZodMiniType>(schema: S) =>
  createMiddleware<
    AppEnv,
    string,
    { in: { param: z.input<S> }; out: { param: z.output<S> } },
    Unprocessable<typeof failure>
  >((c, next) => {
    const result = schema.safeParse(c.req.param())
    if (!result.success) return c.json(invalidInput(fieldErrors(result.error)), 422) as never
    c.req.addValidatedData('param', result.data as object)
    return next()
  })

/** Parses the query's parameters. */
export const validateQuery = <S extends z.ZodMiniType>(schema: S) =>
  zValidator('query', schema, (result, c) => {
    if (!result.success) return c.json(invalidInput(fieldErrors(result.error)), 422)
  })
