import * as z from 'zod/mini'
import {
  dayField,
  idAsText,
  limitedText,
  optionalText,
  orMissing,
  requiredComment,
  requiredText,
  secretText,
  textField,
  trueOrFalse,
} from '../core/values/fields.schemas.ts'
import { COMMENT_MAX } from '../core/values/log-values.ts'
import { cursorField, pageSizeField, query } from '../core/values/query-fields.schemas.ts'
import { PASSWORD_MAX } from '../session/passwords.ts'

const TITLE_MAX = 200
const TEXT_MAX = 20_000
const LIMIT_MAX = 500

const hash = (name: string) =>
  z
    .string({ error: orMissing(name, `${name} debe ser texto.`) })
    .check(z.regex(/^[0-9a-f]{64}$/, { error: `${name} debe ser un SHA-256 en hexadecimal.` }))

const LINE_BREAK = /[\n\r]/

export const AgreementBody = z.object({
  title: limitedText('El título', TITLE_MAX).check(
    z.refine((title) => !LINE_BREAK.test(title), { error: 'El título es de una línea.' }),
  ),
  // The hash must not depend on the kind of line breaks.
  text: z.pipe(
    limitedText('El texto', TEXT_MAX),
    z.transform((value) => value.replaceAll(/\r\n?/g, '\n')),
  ),
  valid_from: dayField('El primer día'),
})

export const AgreementPath = z.object({
  id: idAsText('El identificador del acuerdo debe ser un número.'),
})

export const AcceptBody = z.object({
  sha256: hash('La huella del texto'),
  password: secretText('La contraseña', PASSWORD_MAX),
})

export const PaperBody = z.object({
  employee_id: requiredText('El empleado'),
  signed_on: dayField('La fecha del papel'),
  file_sha256: hash('La huella del escaneo'),
  comment: optionalText('El comentario', COMMENT_MAX),
})

export const VoidPaperBody = z.object({
  employee_id: requiredText('El empleado'),
  comment: requiredComment,
})

export const AgreementPeopleQuery = query({
  agreed: z.optional(trueOrFalse('Acordado debe ser true o false.')),
  branch_office: z.optional(textField('La sucursal')),
  limit: z.optional(pageSizeField(LIMIT_MAX)),
  cursor: z.optional(cursorField(z.tuple([z.string(), z.string()]))),
})
