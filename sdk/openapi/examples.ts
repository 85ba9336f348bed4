import { type Schema, Validator } from '@cfworker/json-schema'
import type { Document } from './api-types.ts'
import type { Json } from './publish.ts'

const validators = new Map<string, Validator>()

/** A validator of one schema, with the document's components beside it. */
const validatorOf = (schema: Schema, components: Document['components']): Validator => {
  const key = JSON.stringify(schema)
  const existing = validators.get(key)
  if (existing) return existing
  const validator = new Validator({ ...schema, components } as Schema, '2020-12', false)
  validators.set(key, validator)
  return validator
}

const parseLines = (text: string) =>
  text.split('\n').flatMap((line): Json[] => (line === '' ? [] : [JSON.parse(line)]))

/** Why a value does not conform to a schema of the document; of NDJSON, its text is the value. */
export const schemaErrors = (schema: Schema, value: unknown, { components }: Document) => {
  const validator = validatorOf(schema.contentSchema ?? schema, components)
  const { errors } = validator.validate(schema.contentSchema ? parseLines(String(value)) : value)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

type Node = { [key: string]: Json }

/** The examples of a media type or of a schema. */
const examplesOf = ({ example, examples = {} }: Node): Json[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples as Record<string, { value: Json }>).map(({ value }) => value),
]

/** What is wrong with the examples of a document: every JSON body and file of rows has one. */
export const exampleErrors = (document: Document): string[] => {
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
