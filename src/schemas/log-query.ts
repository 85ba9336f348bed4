import * as z from 'zod/mini'
import { LOG_KINDS, LOG_STATUSES, type LogPosition } from '../domain/logs.ts'
import type { TimeZone } from '../shared/time-zone.ts'
import { orMissing, text } from './fields.ts'

/** The query of a review: what a client writes, and what it means. */

export const LogStatus = z.enum(LOG_STATUSES, {
  error: orMissing('El estado', 'El estado debe ser pending, approved o rejected.'),
})

const Kind = z.enum(LOG_KINDS, { error: 'El tipo debe ser entrada o salida.' })

const isInstant = (value: string) => z.iso.datetime({ offset: true }).safeParse(value).success
const isDate = (value: string) => z.iso.date().safeParse(value).success

const moment = (name: string) =>
  z.string({ error: `${name} debe ser una fecha.` }).check(
    z.refine((value) => isDate(value) || isInstant(value), {
      error: `${name} debe ser una fecha (AAAA-MM-DD) o un instante ISO 8601 con zona.`,
    }),
  )

export const filterFields = {
  status: z.optional(LogStatus),
  employee_id: z.optional(text('El empleado')),
  department: z.optional(text('El departamento')),
  branch_office: z.optional(text('La sucursal')),
  kind: z.optional(Kind),
  from: z.optional(moment('La fecha inicial')),
  to: z.optional(moment('La fecha final')),
}

export const orderField = z._default(
  z.enum(['oldest', 'newest'], { error: 'El orden debe ser oldest o newest.' }),
  'oldest',
)

const Position = z.tuple([z.iso.datetime(), z.int().check(z.positive())])

/** A page's end as an opaque text. */
export const writeCursor = ({ recorded_at, id }: LogPosition): string =>
  btoa(JSON.stringify([recorded_at, id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const readCursor = (cursor: string): LogPosition | undefined => {
  try {
    const json: unknown = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
    const [recorded_at, id] = Position.parse(json)
    return { recorded_at, id }
  } catch {
    return undefined
  }
}

export const cursorField = z.pipe(
  z.string({ error: 'El cursor no es válido.' }),
  z.transform((input, { issues }) => {
    const position = readCursor(input)
    if (!position) issues.push({ code: 'custom', input, message: 'El cursor no es válido.' })
    return position ?? z.NEVER
  }),
)

const BAD_LIMIT = 'El límite debe ser un número entero de 1 a 200.'

export const limitField = z.pipe(
  z
    .string({ error: 'El límite debe ser un número entero.' })
    .check(z.regex(/^\d{1,3}$/, { error: BAD_LIMIT })),
  z.transform(Number).check(z.refine((limit) => limit >= 1 && limit <= 200, { error: BAD_LIMIT })),
)

interface Period {
  from?: string | undefined
  to?: string | undefined
}

/** A period, its end exclusive: a bare date is that day in the zone, `to` includes its own. */
export const periodIn = (zone: TimeZone, { from, to }: Period) => {
  const start = (value: string) => zone.startOfDay(value) ?? new Date(value)
  const end = (value: string) => zone.startOfNextDay(value) ?? new Date(Date.parse(value) + 1)
  return {
    from: from === undefined ? undefined : start(from),
    before: to === undefined ? undefined : end(to),
  }
}
