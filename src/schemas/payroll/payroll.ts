import * as z from 'zod/mini'
import { DomainError } from '../../domain/core/errors.ts'
import { COMMENT_MAX } from '../../shared/log-values.ts'
import { addDays } from '../../shared/time-zone.ts'
import { optionalText, orMissing, text, trueOrFalse } from '../core/fields.ts'
import { limitUpTo, query } from '../logs/log-query.ts'

/** The queries of the hours and the body of a closing. */

const DAYS_MAX = 366
const DAYS = 31

const day = (name: string) =>
  z.iso.date({ error: orMissing(name, `${name} debe ser una fecha (AAAA-MM-DD).`) })

const format = z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' })

const closingId = (name: string) => {
  const error = orMissing(name, `${name} debe ser el identificador de un cierre.`)
  return z.pipe(
    z.string({ error }).check(z.regex(/^[1-9]\d{0,8}$/, { error })),
    z.transform(Number),
  )
}

export const HoursQuery = query({
  format,
  from: z.optional(day('La fecha inicial')),
  to: z.optional(day('La fecha final')),
  employee_id: z.optional(text('El empleado')),
  department: z.optional(text('El departamento')),
  branch_office: z.optional(text('La sucursal')),
  payroll_group: z.optional(text('El grupo de nómina')),
  by: z.optional(z.enum(['employee'], { error: 'El agrupamiento debe ser employee.' })),
  preview: z.optional(trueOrFalse('La vista previa debe ser true o false.')),
  closing: z.optional(closingId('El cierre')),
}).check(
  z.refine(({ preview, closing }) => !(preview && closing), {
    path: ['preview'],
    error: 'Las horas de un cierre no tienen vista previa.',
  }),
)

export const AdjustmentsQuery = query({
  format,
  since: closingId('El cierre'),
  until: z.optional(closingId('El cierre posterior')),
})

export const ClosingsQuery = query({ limit: z.optional(limitUpTo(500)) })

export const ClosingBody = z.object({
  before: day('La fecha de cierre'),
  payroll_group: z.nullish(text('El grupo de nómina')),
  comment: optionalText('El comentario', COMMENT_MAX),
  leave_pending: z.nullish(z.boolean({ error: 'Dejar pendientes debe ser true o false.' })),
})

/**
 * The days of a query, both included: the last 31 unless given. Those of a closing begin at the day
 * of the closing before it, `start`, and end before its own, `end`.
 * @throws DomainError PERIOD_REVERSED, or PERIOD_TOO_LONG for more than 366 days
 */
export const toDays = (
  { from, to }: Pick<z.output<typeof HoursQuery>, 'from' | 'to'>,
  { today, start, end }: { today: string; start?: string | null; end?: string },
): { from: string; to: string } => {
  const asked = to ?? (end ? addDays(end, -1) : from && from > today ? from : today)
  const last = end && asked >= end ? addDays(end, -1) : asked
  const previous = start && start <= last && addDays(start, DAYS_MAX) > last ? start : undefined
  const first = from ?? previous ?? addDays(last, 1 - DAYS)
  if (first > last) throw new DomainError('PERIOD_REVERSED')
  if (addDays(first, DAYS_MAX) <= last) {
    throw new DomainError('PERIOD_TOO_LONG', { days: DAYS_MAX })
  }
  return { from: first, to: last }
}
