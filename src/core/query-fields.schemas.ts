import { decodeBase64Url, encodeBase64Url } from 'hono/utils/encode'
import * as z from 'zod/mini'

/** Fields of query strings, whose values are all text. */

/** Rejects unknown names: a misspelt filter would return everybody. */
export const query = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? 'El parámetro no existe.' : undefined),
  })

const isInstant = (value: string) => z.iso.datetime({ offset: true }).safeParse(value).success
const isDate = (value: string) => z.iso.date().safeParse(value).success

/** A date, or an instant with its zone. */
export const moment = (name: string) =>
  z.string({ error: `${name} debe ser una fecha.` }).check(
    z.refine((value) => isDate(value) || isInstant(value), {
      error: `${name} debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.`,
    }),
  )

/** How many elements a page has at most. */
export const limitUpTo = (max: number) => {
  const error = `El límite debe ser un número entero de 1 a ${max}.`
  return z.pipe(
    z
      .string({ error: 'El límite debe ser un número entero.' })
      .check(z.regex(/^\d{1,3}$/, { error })),
    z.transform(Number).check(z.refine((limit) => limit >= 1 && limit <= max, { error })),
  )
}

/** A position in a list as an opaque text. */
export const encodeCursor = (position: readonly (string | number)[]): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(position))
  return encodeBase64Url(bytes.buffer).replace(/=+$/, '')
}

const decodeCursor = <Position>(cursor: string, schema: z.ZodMiniType<Position>) => {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(decodeBase64Url(cursor))))
  } catch {
    return undefined
  }
}

/** A cursor that `encodeCursor` made, as the position that it holds. */
export const cursorField = <Position>(schema: z.ZodMiniType<Position>) =>
  z.pipe(
    z.string({ error: 'El cursor no es válido.' }),
    z.transform((input, { issues }): Position => {
      const position = decodeCursor(input, schema)
      if (!position) issues.push({ code: 'custom', input, message: 'El cursor no es válido.' })
      return position ?? z.NEVER
    }),
  )
