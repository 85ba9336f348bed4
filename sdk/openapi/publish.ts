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
  if (schema.format) delete published.pattern
  return published
}

/**
 * Changes the document so that client generators can use it. openapi-generator has no type for
 * `null`, fails on constant booleans, assumes 32 bits for integers, and compares a parsed date with
 * the pattern of its text.
 */
export const toPublished = (value: Json): Json => {
  // `null` stays as an alternative in a list, because generators support it there.
  if (Array.isArray(value)) return value.map((item) => (isNull(item) ? item : toPublished(item)))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      EXAMPLES.has(name) ? field : toPublished(field),
    ]),
  )
  return typeof fields.type === 'string' ? publishSchema(fields) : fields
}
