import { compile, type JSONSchema } from 'json-schema-to-typescript'

interface Content {
  schema: JSONSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Response {
  $ref?: string
  content?: Record<string, Content>
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: JSONSchema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Response>
}

export const METHODS = ['get', 'post', 'put', 'delete'] as const

export interface OpenApiDocument {
  paths: Record<string, { [method in (typeof METHODS)[number]]?: Operation }>
  components: { schemas: Record<string, JSONSchema>; responses: Record<string, Response> }
}

const objectSchema = (
  properties: Record<string, JSONSchema>,
  optional: string[] = [],
): JSONSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

const parametersIn = (
  place: string,
  { parameters = [] }: Operation,
): Record<string, JSONSchema> => {
  const found = parameters.filter((parameter) => parameter.in === place)
  if (found.length === 0) return {}
  const name = place === 'path' ? 'param' : place
  const optional = found.filter(({ required }) => !required).map((parameter) => parameter.name)
  const fields = found.map((parameter) => [parameter.name, parameter.schema] as const)
  return { [name]: objectSchema(Object.fromEntries(fields), optional) }
}

const inputOf = (operation: Operation): JSONSchema => {
  const body = operation.requestBody?.content['application/json']?.schema
  const input: Record<string, JSONSchema> = {
    ...parametersIn('path', operation),
    ...parametersIn('query', operation),
    ...(body && { json: body }),
  }
  // A query without required parameters can be left out.
  const { query } = input
  return objectSchema(
    input,
    Array.isArray(query?.required) && query.required.length === 0 ? ['query'] : [],
  )
}

/** The schema of the JSON body. Responses with files have none, so their body is a string. */
const bodyOf = (response: Response, { components }: OpenApiDocument): JSONSchema => {
  const name = response.$ref?.split('/').at(-1)
  const { content } = name ? (components.responses[name] ?? {}) : response
  return content?.['application/json']?.schema ?? { type: 'string' }
}

const rowOf = ({ responses }: Operation): JSONSchema | undefined => {
  const schema = responses['200']?.content?.['application/x-ndjson']?.schema
  return schema?.contentSchema.items
}

const operationType = (operation: Operation, document: OpenApiDocument): JSONSchema => {
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, bodyOf(response, document)] as const,
  )
  const row = rowOf(operation)
  return objectSchema({
    input: inputOf(operation),
    responses: objectSchema(Object.fromEntries(responses)),
    ...(row && { row }),
  })
}

/** Returns TypeScript types of the input and responses of all operations. */
export const apiTypes = (document: OpenApiDocument): Promise<string> => {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const key = `/api${path.replace(/\{(\w+)\}/g, ':$1')}`
    const methods = METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [[`$${method}`, operationType(operation, document)] as const] : []
    })
    return [key, objectSchema(Object.fromEntries(methods))] as const
  })
  const root = {
    ...objectSchema(Object.fromEntries(paths)),
    components: { schemas: document.components.schemas },
  }
  return compile(root as JSONSchema, 'ApiOperations', {
    additionalProperties: false,
    bannerComment: '/* Written by npm run openapi from the OpenAPI document. */',
    ignoreMinAndMaxItems: true,
    format: true,
    style: { semi: false, singleQuote: true, printWidth: 100 },
  })
}
