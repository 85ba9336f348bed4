import { type Schema, Validator } from '@cfworker/json-schema'
import { METHODS, type OpenApiDocument } from './api-types.ts'
import type { Json } from './publish.ts'

const validators = new Map<string, Validator>()

/** A validator of one schema, which can refer to the document's components. */
const validatorOf = (schema: Schema, components: OpenApiDocument['components']): Validator => {
  const key = JSON.stringify(schema)
  const existing = validators.get(key)
  if (existing) return existing
  const validator = new Validator({ ...schema, components } as Schema, '2020-12', false)
  validators.set(key, validator)
  return validator
}

const parseLines = (text: string) =>
  text.split('\n').flatMap((line): Json[] => (line === '' ? [] : [JSON.parse(line)]))

/** Validates a value against a schema of the document. An NDJSON value is given as its text. */
export const schemaErrors = (schema: Schema, value: unknown, { components }: OpenApiDocument) => {
  const validator = validatorOf(schema.contentSchema ?? schema, components)
  const { errors } = validator.validate(schema.contentSchema ? parseLines(String(value)) : value)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

const toExamples = (values: Record<string, unknown>): Record<string, { value: unknown }> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value }]],
    ),
  )

/** A request of an operation and its answers, which test/every-endpoint/examples.test.ts records. */
interface Examples {
  body?: unknown
  /** The good answers by media type and by name. An answer without a name is the only one. */
  answers?: Record<string, Record<string, unknown>>
  /** The answer to a request with invalid input. */
  invalid?: unknown
}

/** The document with the examples of each operation, by method and path. */
export const withExamples = (
  document: OpenApiDocument,
  recorded: Readonly<Record<string, Examples>>,
): OpenApiDocument => {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const { requestBody, responses } = operations[method] ?? {}
      const { body, answers = {}, invalid } = recorded[`${method.toUpperCase()} ${path}`] ?? {}
      const json = requestBody?.content['application/json']
      if (json) json.example = body
      for (const [type, content] of Object.entries(responses?.['200']?.content ?? {})) {
        const { '': only, ...named } = answers[type] ?? {}
        if (only !== undefined) content.example = only
        else content.examples = toExamples(named)
      }
      const unprocessable = responses?.['422']?.content?.['application/json']
      if (unprocessable) {
        unprocessable.examples = { ...toExamples({ invalid }), ...unprocessable.examples }
      }
    }
  }
  return document
}

type Node = { [key: string]: Json }

/** The examples of a media type or of a schema. */
const examplesOf = ({ example, examples = {} }: Node): Json[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples as Record<string, { value: Json }>).map(({ value }) => value),
]

/** Finds missing and invalid examples. Every JSON, NDJSON and CSV body must have one. */
export const exampleErrors = (document: OpenApiDocument): string[] => {
  const errorsIn = (value: Json, path: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    const node = value as Node
    const examples = Array.isArray(value) ? [] : examplesOf(node)
    const missing =
      examples.length === 0 && /(json|csv)$/.test(path) ? [`${path} has no example`] : []
    const schema = (node.schema ?? node) as Schema
    return [
      ...missing,
      ...examples.flatMap((example) =>
        schemaErrors(schema, example, document).map((error) => `${path} ${error}`),
      ),
      ...Object.entries(node).flatMap(([key, child]) =>
        key === 'example' || key === 'examples' ? [] : errorsIn(child, `${path} ${key}`),
      ),
    ]
  }
  return errorsIn(document as unknown as Json, '')
}
