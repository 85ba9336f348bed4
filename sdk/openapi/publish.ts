import type { OpenApiDocument } from './api-types.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Fields whose values are examples, not schemas. */
const EXAMPLES = new Set(['example', 'examples'])

const isNull = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.type === 'null'

const publishSchema = (schema: { [key: string]: Json }): { [key: string]: Json } => {
  const published = { ...schema }
  if (schema.type === 'null') return { ...published, type: ['object', 'null'], maxProperties: 0 }
  // Fields can be added to a response, so clients must accept unknown ones.
  if (schema.additionalProperties === false) delete published.additionalProperties
  if (schema.type === 'boolean') delete published.const
  // zod adds these bounds to every integer without bounds of its own.
  if (schema.minimum === Number.MIN_SAFE_INTEGER && schema.maximum === Number.MAX_SAFE_INTEGER) {
    delete published.minimum
    delete published.maximum
  }
  if (schema.type === 'integer') published.format = 'int64'
  // zod has one type for all numbers.
  if (schema.type === 'number' && Array.isArray(schema.enum) && schema.enum.every(Number.isInteger))
    published.type = 'integer'
  if (schema.format) delete published.pattern
  return published
}

const isText = (schema: Json): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  !Array.isArray(schema) &&
  schema.type === 'string'

/** A text of one form or another is a text: some generators have no type for it. */
const publishAlternatives = (schema: { [key: string]: Json }): { [key: string]: Json } => {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) && anyOf.every(isText) ? { ...rest, type: 'string' } : schema
}

const publish = (value: Json): Json => {
  // `null` stays as an alternative in a list, because generators support it there.
  if (Array.isArray(value)) return value.map((item) => (isNull(item) ? item : publish(item)))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      EXAMPLES.has(name) ? field : publish(field),
    ]),
  )
  return typeof fields.type === 'string' ? publishSchema(fields) : publishAlternatives(fields)
}

/** Names the values that an earlier enum has too: constants of Go are names of the whole package. */
const withConstantNames = (schemas: { [name: string]: Json }): { [name: string]: Json } => {
  const taken = new Set<string>()
  const published = Object.entries(schemas).map(([title, schema]): [string, Json] => {
    const { enum: values } = schema as { enum?: Json[] }
    if (!values) return [title, schema]
    const constants = values.map((value) => String(value).toUpperCase())
    const prefix = title.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
    const names = constants.map((name) => (taken.has(name) ? `${prefix}_${name}` : name))
    const isNamed = constants.some((name) => taken.has(name))
    for (const name of names) taken.add(name)
    return [title, { ...(schema as object), ...(isNamed && { 'x-enum-varnames': names }) }]
  })
  return Object.fromEntries(published)
}

/**
 * Changes the document so that client generators can use it. openapi-generator has no type for
 * `null`, fails on constant booleans, assumes 32 bits for integers, compares a parsed date with
 * the pattern of its text, has no type in Java for a date or another text, and gives Go constants of
 * the same name.
 */
export const toPublished = (document: OpenApiDocument): Json => {
  const published = publish(document as unknown as Json) as {
    components: { schemas: { [name: string]: Json } }
  }
  const { components } = published
  return {
    ...published,
    components: { ...components, schemas: withConstantNames(components.schemas) },
  }
}
