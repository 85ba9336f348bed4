import * as z from 'zod'
import { codePoints, isBlank, isStorable } from '../../domain/text.ts'

/** Names carry their article: "El código", "La contraseña". */
const missing = (name: string) =>
  `${name} es ${name.startsWith('La ') ? 'obligatoria' : 'obligatorio'}.`

/** Tells a field that is missing from one that breaks its rule. */
export const orMissing = (name: string, rule: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? missing(name) : rule

/** Text, blank or not. */
export const text = (name: string) =>
  z
    .string({ error: orMissing(name, `${name} debe ser texto.`) })
    .refine(isStorable, { error: `${name} contiene caracteres no válidos.` })

/** Text of at most `max` Unicode code points; zod's own `.max()` counts UTF-16 units. */
const shortText = (name: string, max: number) =>
  text(name)
    .refine((value) => codePoints(value) <= max, {
      error: `${name} no puede tener más de ${max} caracteres.`,
    })
    .meta({ maxLength: max })

/** Text that must say something: nothing but blanks counts as missing. */
export const requiredText = (name: string, max?: number) =>
  (max === undefined ? text(name) : shortText(name, max)).refine((value) => !isBlank(value), {
    error: missing(name),
  })

/** A new password: its length in code points, within bounds. */
export const newPassword = (name: string, min: number, max: number) =>
  requiredText(name, max)
    .refine((value) => codePoints(value) >= min, {
      error: `${name} debe tener al menos ${min} caracteres.`,
    })
    .meta({ minLength: min, maxLength: max })

/** Text that may be absent, null or all blank, and then is none; else kept as sent. */
export const optionalText = (name: string, max: number) =>
  z.preprocess(
    (value) =>
      value === null || (typeof value === 'string' && isBlank(value)) ? undefined : value,
    shortText(name, max).optional(),
  )
