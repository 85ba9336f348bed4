import { type Schema, Validator } from '@cfworker/json-schema'
import { expect } from 'vitest'
import document from '../../public/openapi.json' with { type: 'json' }

/** A response as the document describes it. */
interface Documented {
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}
type Paths = Record<string, Record<string, { responses: Record<string, Documented> }>>

const paths = Object.entries(document.paths as unknown as Paths).map(([template, operations]) => ({
  operations,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const failure: Documented = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

/** The responses to unknown paths and methods, which the document does not describe. */
const UNROUTED: Record<number, Documented> = { 404: failure, 405: failure, 204: {} }

const documented = (method: string, path: string, status: number): Documented | undefined => {
  const known = paths.find(({ pattern }) => pattern.test(path))
  const operation = known?.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]
  return operation ? operation.responses[status] : UNROUTED[status]
}

const validators = new Map<string, Validator>()

/** A validator of one schema, with the document's components beside it. */
const validatorOf = (schema: Schema): Validator => {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  if (known) return known
  const { components } = document
  const validator = new Validator({ ...schema, components } as Schema, '2020-12', false)
  validators.set(key, validator)
  return validator
}

const COMMON_HEADERS = Object.keys(document.components.headers).map((name) => name.toLowerCase())

/** The headers of those responses. */
const UNROUTED_HEADERS = ['allow', ...COMMON_HEADERS]

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

  const allowed = expected?.headers
    ? Object.keys(expected.headers).map((name) => name.toLowerCase())
    : UNROUTED_HEADERS
  const undocumented = [...headers.keys()].filter(
    (name) => name !== 'content-type' && !allowed.includes(name),
  )
  expect(undocumented, `${summary} with undocumented headers`).toEqual([])

  const schema = expected?.content?.['application/json']?.schema
  if (!schema || text === '') return
  const { errors } = validatorOf(schema).validate(JSON.parse(text))
  expect(errors, `${summary} with ${text}`).toEqual([])
}
