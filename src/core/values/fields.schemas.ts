import * as z from 'zod/mini'
import { COMMENT_MAX } from './log-values.ts'
import { codePoints, isBlank, isInvisible, isStorable } from './text.ts'
import { LAST_DAY } from './time-zone.ts'

/** Field names include their article, such as "El código" and "La contraseña". */
export const missingMessage = (name: string) =>
  `${name} es ${name.startsWith('La ') ? 'obligatoria' : 'obligatorio'}.`

const tooLongMessage = (name: string, max: number) =>
  `${name} no puede tener más de ${max} caracteres.`

/** The message of a missing field, or `rule` if the field has an invalid value. */
export const orMissing = (name: string, rule: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? missingMessage(name) : rule

/**
 * An object whose unknown fields are errors, so that a misspelled field is not ignored.
 * @param rule the message if the value is not an object
 */
export const strictObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape, rule: string) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? 'El campo no existe.' : rule),
  })

/** Text that D1 stores unchanged. It may be blank. */
export const textField = (name: string) =>
  z
    .string({ error: orMissing(name, `${name} debe ser texto.`) })
    .check(z.refine(isStorable, { error: `${name} contiene caracteres no válidos.` }))

/** Text of at most `max` Unicode code points, which may be blank. */
export const shortText = (name: string, max: number) =>
  textField(name).check(
    z.refine((value) => codePoints(value) <= max, { error: tooLongMessage(name, max) }),
    z.meta({ maxLength: max }),
  )

/**
 * A name in its composed form (NFC), in which it is compared: files of other systems, and names of
 * files, have their accents apart.
 */
export const nameText = (name: string, max: number) =>
  shortText(name, max).check(z.normalize('NFC'))

/**
 * A list of at most `max` items. A longer list is rejected before its items are parsed, because a
 * small body can have so many items that parsing them takes seconds.
 * @param rules.empty the message for an empty list, if it must have an item
 */
export const listField = <Item extends z.ZodMiniType>(
  item: Item,
  rules: { max: number; tooLong: string; empty?: string; error: z.core.$ZodErrorMap },
) => {
  const { max, tooLong, empty, error } = rules
  const notEmpty = empty === undefined ? [] : [z.minLength(1, { error: empty })]
  const list = z.array(item, { error }).check(...notEmpty, z.meta({ maxItems: max }))
  const judgeLength = z.transform((value: unknown, { issues }) => {
    if (!Array.isArray(value) || value.length <= max) return value
    issues.push({ code: 'custom', message: tooLong, input: value })
    return z.NEVER
  })
  // Without `nonoptional`, zod takes a field that begins with a transformation for one that may be
  // missing.
  return z.nonoptional(z.pipe(judgeLength, list)) as unknown as typeof list
}

/** A local day, such as `2026-11-02`. */
export const dayField = (name: string) =>
  z.iso
    .date({ error: orMissing(name, `${name} debe ser una fecha (AAAA-MM-DD).`) })
    .check(
      z.refine((day) => day <= LAST_DAY, { error: `${name} debe ser ${LAST_DAY} o anterior.` }),
    )

/** A day or null. The field must be there, so that no request removes a day by mistake. */
export const dayOrNull = (name: string) =>
  z.union([z.null(), dayField(name)], {
    error: orMissing(name, `${name} debe ser una fecha (AAAA-MM-DD) o null.`),
  })

/** A first day that is paid, or null. The years keep every period of a calendar within four digits. */
export const paidDayOrNull = (name: string) =>
  dayOrNull(name).check(
    z.refine((day) => day === null || (day >= '2000-01-01' && day < '2100-01-01'), {
      error: `${name} debe ser de los años 2000 a 2099.`,
    }),
  )

export const yesOrNo = (name: string) =>
  z.boolean({ error: orMissing(name, `${name} debe ser true o false.`) })

/** The version that the writer has read. 0 if there must be nothing yet. */
export const expectedVersion = z
  .int({ error: orMissing('La versión', 'La versión debe ser un número entero.') })
  .check(z.refine((version) => version >= 0, { error: 'La versión es 0 o más.' }))

/** An id in a path, as a number. */
export const idAsText = (rule: string) =>
  z.pipe(
    z.string({ error: rule }).check(z.regex(/^[1-9]\d{0,14}$/, { error: rule })),
    z.transform(Number),
  )

/**
 * At most `max` Unicode code points. zod's own `maxLength` counts UTF-16 units instead. White
 * space alone may be longer, because it counts as missing.
 */
const atMost = (name: string, max: number) =>
  z.refine<string>((value) => isBlank(value) || codePoints(value) <= max, {
    error: tooLongMessage(name, max),
  })

/** Text that is not blank. Blank text counts as missing. */
export const requiredText = (name: string) =>
  textField(name).check(
    z.refine((value) => !isBlank(value), { error: missingMessage(name) }),
    z.meta({ minLength: 1 }),
  )

/** Text with at least one visible character. */
export const visibleText = (name: string) =>
  requiredText(name).check(
    z.refine((value) => isBlank(value) || !isInvisible(value), { error: missingMessage(name) }),
  )

/** Text with a visible character and at most `max` code points. */
export const limitedText = (name: string, max: number) =>
  visibleText(name).check(atMost(name, max), z.meta({ maxLength: max }))

const LABEL_MAX = 60

const label = limitedText('El nombre', LABEL_MAX).check(z.normalize('NFC'))

/** What people call a clock. Null if it has no name. */
export const clockLabel = z.union([z.null(), label], {
  error: orMissing('El nombre', `El nombre debe ser texto de 1 a ${LABEL_MAX} caracteres, o null.`),
})

export const requiredComment = limitedText('El comentario', COMMENT_MAX)

/** A secret of `min` to `max` code points. */
export const secretText = (name: string, max: number, min = 1) =>
  requiredText(name).check(
    atMost(name, max),
    z.refine((value) => isBlank(value) || codePoints(value) >= min, {
      error: `${name} debe tener al menos ${min} caracteres.`,
    }),
    z.meta({ minLength: min, maxLength: max }),
  )

/**
 * A field of a body that may be missing. Null counts as missing, because many serializers write it
 * for a value that they do not have. A missing value becomes `fallback`.
 */
export const optional = <Schema extends z.ZodMiniType, Fallback = undefined>(
  field: Schema,
  fallback?: Fallback,
) =>
  z.pipe(
    z.nullish(field).check(z.meta(fallback === undefined ? {} : { default: fallback })),
    z.transform((value) => value ?? (fallback as Fallback)),
  )

/**
 * Text that may be missing. Null and invisible text become undefined, and any other text is kept as
 * it was sent.
 */
export const optionalText = (name: string, max: number) =>
  z.pipe(
    z.nullish(textField(name).check(atMost(name, max), z.meta({ maxLength: max }))),
    z.transform((value) => (value == null || isInvisible(value) ? undefined : value)),
  )

export const trueOrFalse = (error: string) =>
  z.pipe(
    z.enum(['true', 'false'], { error }),
    z.transform((value) => value === 'true'),
  )

/** A day that may have been worked. */
export const dayOfWork = dayField('El día').check(
  z.refine((text) => text >= '2000-01-01', { error: 'El día debe ser de 2000 o posterior.' }),
)
