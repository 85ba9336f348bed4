export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Fields whose values are examples, not schemas. */
export const EXAMPLES = new Set(['example', 'examples'])

const isNull = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.type === 'null'

const publishSchema = (schema: { [key: string]: Json }): { [key: string]: Json } => {
  const { additionalProperties, const: constant, minimum, maximum, ...rest } = schema
  // Fields may be added to a response, so a client must accept more than it knows.
  const open =
    additionalProperties === false
      ? {}
      : { ...(additionalProperties !== undefined && { additionalProperties }) }
  if (schema.type === 'null') return { ...rest, type: ['object', 'null'], maxProperties: 0 }
  if (schema.type === 'boolean') return { ...rest, ...open }
  // The bounds of every integer, unless it is an id.
  const isUnbounded = minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER
  const bounds = isUnbounded
    ? {}
    : { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  return {
    ...rest,
    ...open,
    ...bounds,
    ...(constant !== undefined && { const: constant }),
    ...(schema.type === 'integer' && { format: 'int64' }),
  }
}

/**
 * The document as generators of clients can use it: openapi-generator has no type for `null`, breaks
 * on constant booleans, and takes integers for 32 bits.
 */
export const publish = (value: Json): Json => {
  // In a list of alternatives, generators do know `null`.
  if (Array.isArray(value)) return value.map((item) => (isNull(item) ? item : publish(item)))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      EXAMPLES.has(name) ? field : publish(field),
    ]),
  )
  return typeof fields.type === 'string' ? publishSchema(fields) : fields
}
