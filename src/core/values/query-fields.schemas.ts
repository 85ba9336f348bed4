import { decodeBase64Url, encodeBase64Url } from 'hono/utils/encode'
import * as z from 'zod/mini'
import { LAST_DAY } from './time-zone.ts'

/** Fields of query strings. All their values are text. */

/** Rejects unknown names, because a misspelled filter would otherwise return all rows. */
export const query = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? 'El parámetro no existe.' : undefined),
  })

const isDate = (value: string) => z.iso.date().safeParse(value).success && value <= LAST_DAY
const isInstant = (value: string) => z.iso.datetime({ offset: true }).safeParse(value).success

/** A date, or an instant with a time zone. */
export const momentField = (name: string) =>
  z.string({ error: `${name} debe ser una fecha.` }).check(
    z.refine((value) => isDate(value) || isInstant(value), {
      error: `${name} debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.`,
    }),
  )

export const pageSizeField = (max: number) => {
  const error = `El límite debe ser un número entero de 1 a ${max}.`
  return z.pipe(
    z
      .string({ error: 'El límite debe ser un número entero.' })
      .check(z.regex(/^\d{1,3}$/, { error })),
    z.transform(Number).check(z.refine((limit) => limit >= 1 && limit <= max, { error })),
  )
}

export const encodeCursor = (position: readonly (string | number)[]): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(position))
  return encodeBase64Url(bytes.buffer).replace(/=+$/, '')
}

/**
 * A page of rows that are sorted by `name_key`, and the cursor of the next page. It is null on the
 * last page. The query must ask for `limit` + 1 rows.
 * @param idOf returns the second sort key, for rows with the same name
 */
export const pageByName = <Row extends { name_key: string }>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string | number,
) => {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    page: shown.map(({ name_key: _, ...row }) => row),
    next_cursor: last ? encodeCursor([last.name_key, idOf(last)]) : null,
  }
}

const decodeCursor = <Position>(cursor: string, schema: z.ZodMiniType<Position>) => {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(decodeBase64Url(cursor))))
  } catch {
    return undefined
  }
}

/** A cursor made by `encodeCursor`, decoded to its position. */
export const cursorField = <Position>(schema: z.ZodMiniType<Position>) =>
  z.pipe(
    z.string({ error: 'El cursor no es válido.' }),
    z.transform((input, { issues }): Position => {
      const position = decodeCursor(input, schema)
      if (!position) issues.push({ code: 'custom', input, message: 'El cursor no es válido.' })
      return position ?? z.NEVER
    }),
  )
