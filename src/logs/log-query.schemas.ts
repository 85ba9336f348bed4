import * as z from 'zod/mini'
import { orMissing, textField, trueOrFalse } from '../core/values/fields.schemas.ts'
import { LOG_EVENTS, LOG_KINDS, LOG_STATUSES } from '../core/values/log-values.ts'
import {
  cursorField,
  encodeCursor,
  momentField,
  pageSizeField,
  query,
} from '../core/values/query-fields.schemas.ts'
import type { LogPosition } from './logs.ts'

/**
 * The query parameters of the routes for logs. A date without a time is a day in the zone of each
 * log's branch.
 */

export const statusField = z.enum(LOG_STATUSES, {
  error: orMissing('El estado', 'El estado debe ser pending, approved o rejected.'),
})

const kindField = z.enum(LOG_KINDS, { error: 'El tipo debe ser entrada, salida o checada.' })

const orderField = z._default(
  z.enum(['oldest', 'newest'], { error: 'El orden debe ser oldest o newest.' }),
  'oldest',
)

const id = z.int().check(z.positive())
const LogCursor = z.tuple([z.iso.datetime(), id])
const HistoryCursor = z.tuple([id])

/** The cursor of the page after a log. */
export const logCursor = ({ recorded_at, id }: LogPosition) => encodeCursor([recorded_at, id])

/** The cursor of the page after an entry of a log's history. */
export const historyCursor = (id: number) => encodeCursor([id])

const LOG_ID_MESSAGE = 'La checada debe ser un número entero positivo.'

export const logIdField = z.pipe(
  z.string({ error: LOG_ID_MESSAGE }).check(z.regex(/^[1-9]\d{0,15}$/, { error: LOG_ID_MESSAGE })),
  z.transform(Number).check(z.refine(Number.isSafeInteger, { error: LOG_ID_MESSAGE })),
)

export const LogPath = z.object({ log_id: logIdField })

const limitField = pageSizeField(200)

export const LogFilterQuery = query({
  status: z.optional(statusField),
  employee_id: z.optional(textField('El empleado')),
  department: z.optional(textField('El departamento')),
  branch_office: z.optional(textField('La sucursal')),
  kind: z.optional(kindField),
  from: z.optional(momentField('La fecha inicial')),
  to: z.optional(momentField('La fecha final')),
})

export const LogListQuery = z.extend(LogFilterQuery, {
  order: orderField,
  nearby: z.optional(trueOrFalse('nearby debe ser true o false.')),
  limit: z.optional(limitField),
  cursor: z.optional(cursorField(LogCursor)),
})

export const LogHistoryQuery = query({
  limit: z.optional(limitField),
  cursor: z.optional(cursorField(HistoryCursor)),
})

export const LogExportQuery = z.extend(LogFilterQuery, {
  order: orderField,
  format: z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' }),
})

const AFTER_MESSAGE = 'El último id leído debe ser un número entero, 0 o más.'

export const ChangesQuery = query({
  after: z.optional(
    z.pipe(
      z.string({ error: AFTER_MESSAGE }).check(z.regex(/^\d{1,15}$/, { error: AFTER_MESSAGE })),
      z.transform(Number),
    ),
  ),
  limit: z.optional(pageSizeField(500)),
  event: z.optional(z.enum(LOG_EVENTS, { error: 'El evento debe ser recorded o decided.' })),
})

export const OwnLogsQuery = query({
  from: z.optional(momentField('La fecha inicial')),
  to: z.optional(momentField('La fecha final')),
  limit: z.optional(limitField),
  after: z.optional(logIdField),
})
