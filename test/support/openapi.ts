import type { Schema } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { document } from '../../sdk/openapi/document.ts'
import { schemaErrors } from '../../sdk/openapi/examples.ts'

/** A response in the OpenAPI document. */
interface Documented {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>
}
type Paths = Record<string, Record<string, { responses: Record<string, Documented> }>>

/**
 * The published document allows additional fields. This version of it does not, so tests find each
 * field that is not documented.
 */
const { paths: documentedPaths, components } = document as unknown as {
  paths: Paths
  components: { responses: Record<string, Documented> }
}

const paths = Object.entries(documentedPaths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const failure: Documented = {
  headers: { Allow: {} },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

/** The responses to unknown paths and methods. They are not in the document. */
const noBody: Documented = { headers: { Allow: {} } }
const UNROUTED: Record<number, Documented> = { 404: failure, 405: failure, 204: noBody }

const documented = (method: string, path: string, status: number): Documented | undefined => {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const known = paths.filter(({ pattern }) => pattern.test(path))
  const operation = known.find(({ operations }) => operations[verb])?.operations[verb]
  const response = operation ? operation.responses[status] : UNROUTED[status]
  const name = response?.$ref?.split('/').at(-1)
  return name ? components.responses[name] : response
}

/** The operations and codes that the tests of this file have seen, and that the document lacks. */
export const missingCodes = new Set<string>()

const noteMissing = (method: string, path: string, status: number, text: string): void => {
  const operation = paths.find(
    ({ operations, pattern }) => operations[method.toLowerCase()] && pattern.test(path),
  )
  const { code } = JSON.parse(text)
  if (!operation || !code || code === 'INVALID_INPUT') return
  const { examples = {} } = documented(method, path, status)?.content?.['application/json'] ?? {}
  if (!(code in examples)) missingCodes.add(`${method} ${operation.template} ${code}`)
}

/** The headers that every response may have. The document's introduction lists them. */
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
  if (status >= 400 && text.startsWith('{')) noteMissing(method, path, status, text)
  const summary = `${method} ${path} returned ${status}`
  const expected = documented(method, path, status)
  expect(expected, `${summary}, which is not documented: npm run openapi`).toBeDefined()

  const own = Object.keys(expected?.headers ?? {}).map((name) => name.toLowerCase())
  const allowed = [...COMMON_HEADERS, ...own]
  const undocumented = [...headers.keys()].filter((name) => !allowed.includes(name))
  expect(undocumented, `${summary} with undocumented headers`).toEqual([])

  const [mediaType = ''] = headers.get('content-type')?.split(';') ?? []
  const schema = expected?.content?.[mediaType]?.schema
  if (expected?.content && text !== '') {
    expect(schema, `${summary} as ${mediaType}`).toBeDefined()
  }
  if (!schema || text === '') return
  const value = mediaType === 'application/json' ? JSON.parse(text) : text
  expect(schemaErrors(schema, value, document), `${summary} with ${text}`).toEqual([])
}
