import { type Schema, Validator } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { document } from '../../sdk/openapi/document.ts'

/** A response as the document describes it. */
interface Documented {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}
type Paths = Record<string, Record<string, { responses: Record<string, Documented> }>>

/** As JSON: before the publication opens its schemas, so that no field more or less passes. */
const { paths: documentedPaths, components } = JSON.parse(JSON.stringify(document)) as {
  paths: Paths
  components: { responses: Record<string, Documented> }
}

const paths = Object.entries(documentedPaths).map(([template, operations]) => ({
  operations,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const failure: Documented = {
  headers: { Allow: {} },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

/** The responses to unknown paths and methods, which the document does not describe. */
const UNROUTED: Record<number, Documented> = {
  404: failure,
  405: failure,
  204: { headers: { Allow: {} } },
}

const documented = (method: string, path: string, status: number): Documented | undefined => {
  const known = paths.find(({ pattern }) => pattern.test(path))
  const operation = known?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]
  const response = operation ? operation.responses[status] : UNROUTED[status]
  const name = response?.$ref?.split('/').at(-1)
  return name ? components.responses[name] : response
}

const validators = new Map<string, Validator>()

/** A validator of one schema, with the document's components beside it. */
const validatorOf = (schema: Schema): Validator => {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known) return known
  const validator = new Validator({ ...schema, components } as Schema, '2020-12', false)
  validators.set(key, validator)
  return validator
}

/** Headers of any response, which the document's introduction names. */
const COMMON_HEADERS = [
  'content-type',
  'x-request-id',
  'cache-control',
  'strict-transport-security',
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
]

/** Fails if a response has a status, a header or a body that the document does not describe. */
export const expectDocumented = (
  method: string,
  path: string,
  response: { status: number; headers: Headers; text: string },
): void => {
  if (method === 'OPTIONS') return
  const { status, headers, text } = response
  const summary = `${method} ${path} returned ${status}`
  const expected = documented(method, path, status)
  expect(expected, `${summary}, which is not documented: npm run openapi`).toBeDefined()

  const own = Object.keys(expected?.headers ?? {}).map((name) => name.toLowerCase())
  const allowed = [...COMMON_HEADERS, ...own]
  const undocumented = [...headers.keys()].filter((name) => !allowed.includes(name))
  expect(undocumented, `${summary} with undocumented headers`).toEqual([])

  const schema = expected?.content?.['application/json']?.schema
  if (!schema || text === '') return
  const { errors } = validatorOf(schema).validate(JSON.parse(text))
  expect(errors, `${summary} with ${text}`).toEqual([])
}
