import {
  Column,
  type DriverValueDecoder,
  getTableName,
  is,
  Param,
  Placeholder,
  type Query,
  SQL,
} from 'drizzle-orm'

/**
 * Converts values and rows exactly like Drizzle. Drizzle determines the type of each field again
 * for every value of every row. This module determines the types once per prepared query.
 */

interface Field {
  /** The name of the value in its row. In a nested selection, the name of the group comes first. */
  path: string[]
  field: unknown
}

/** The internals of a query prepared by Drizzle that are needed to map its rows. */
export interface PreparedFields {
  fields?: readonly Field[]
  /** True for tables whose columns are never all null in a joined row. */
  joinsNotNullableMap?: Record<string, boolean>
}

type Decoder = DriverValueDecoder<unknown, unknown>
export type Row = Record<string, unknown>

const decoderOf = (field: unknown): Decoder => {
  if (is(field, Column)) return field
  const expression = is(field, SQL) ? field : (field as SQL.Aliased).sql
  return (expression as unknown as { decoder: Decoder }).decoder
}

/**
 * The nested objects of a row that come from an outer-joined table. If the first column of such an
 * object is null, the whole object becomes null.
 */
const nullableGroups = ({ fields = [], joinsNotNullableMap = {} }: PreparedFields) => {
  const groups = new Map<string, { first: string; tables: Set<string> }>()
  for (const { path, field } of fields) {
    const [name = '', first = ''] = path
    if (path.length !== 2 || !is(field, Column)) continue
    const group = groups.get(name) ?? { first, tables: new Set() }
    groups.set(name, group)
    group.tables.add(getTableName(field.table))
  }
  return [...groups].flatMap(
    ([
      name,
      {
        first,
        tables: [table = '', ...others],
      },
    ]) => (others.length === 0 && !joinsNotNullableMap[table] ? [{ name, first }] : []),
  )
}

/** Returns a function that turns a row, given as an array in column order, into an object. */
export const rowMapper = (mapping: PreparedFields): ((row: unknown[]) => Row) => {
  const columns = (mapping.fields ?? []).map(({ path, field }) => ({
    group: path.length === 2 ? path[0] : undefined,
    name: path.at(-1) as string,
    decoder: decoderOf(field),
  }))
  const nullable = nullableGroups(mapping)
  return (row) => {
    const mapped: Row = {}
    let i = 0
    for (const { group, name, decoder } of columns) {
      const stored = row[i++]
      const value = stored === null ? null : decoder.mapFromDriverValue(stored)
      if (group === undefined) mapped[name] = value
      else {
        mapped[group] ??= {}
        ;(mapped[group] as Row)[name] = value
      }
    }
    for (const { name, first } of nullable) {
      if ((mapped[name] as Row)[first] === null) mapped[name] = null
    }
    return mapped
  }
}

/** A parameter's name and encoder. A constant has no name. */
const partsOf = (param: unknown) => {
  const encoder = is(param, Param) ? param.encoder : undefined
  const placeholder = is(param, Param) ? param.value : param
  return { name: is(placeholder, Placeholder) ? placeholder.name : undefined, encoder }
}

/** Returns a function that takes a parameter's value from the values of a call. */
const valueReader = (param: unknown): ((values: Row) => unknown) => {
  const { name, encoder } = partsOf(param)
  if (name === undefined) return () => param
  return (values) => {
    if (!(name in values)) throw new Error(`No value for placeholder "${name}" was provided`)
    return encoder ? encoder.mapToDriverValue(values[name]) : values[name]
  }
}

const isSameValue = (a: unknown, b: unknown): boolean => {
  const [first, second] = [partsOf(a), partsOf(b)]
  return first.name !== undefined && first.name === second.name && first.encoder === second.encoder
}

/**
 * Numbers the parameters of a query's text, so that a repeated parameter is bound only once. D1
 * allows at most 100 of them. The readers return the values to bind, in the order of the numbers.
 */
export const numberParameters = ({ sql: text, params }: Query) => {
  const bound: unknown[] = []
  const numbers = params.map((param) => {
    const known = bound.findIndex((one) => isSameValue(one, param))
    return known === -1 ? bound.push(param) : known + 1
  })
  const parts = text.split('?')
  if (parts.length !== params.length + 1) throw new Error(`A query's text has a "?": ${text}`)
  const numbered = parts.map((part, i) => (i === 0 ? part : `?${numbers[i - 1]}${part}`))
  return { text: numbered.join(''), readers: bound.map(valueReader) }
}
