import * as z from 'zod/mini'
import { exportPages, reviewLog, reviewPage, reviewSummary } from '../domain/logs.ts'
import { requireAdmin } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refuse } from '../http/errors.ts'
import { FORMATS, streamFile } from '../http/export-file.ts'
import { logBroken } from '../http/request-log.ts'
import { validateQuery } from '../http/validate.ts'
import {
  cursorField,
  filterFields,
  limitField,
  orderField,
  periodIn,
  writeCursor,
} from '../schemas/log-query.ts'
import { timeZone } from '../shared/time-zone.ts'

const LIMIT_DEFAULT = 50

export const LogFilter = z.object(filterFields)

export const LogList = z.extend(LogFilter, {
  order: orderField,
  limit: z.optional(limitField),
  cursor: z.optional(cursorField),
})

export const LogExport = z.extend(LogFilter, {
  order: orderField,
  format: z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' }),
})

/** A filter as the database understands it. */
const meant = (asked: z.output<typeof LogFilter>, zone: string) => {
  const { from, to, ...rest } = asked
  return { ...rest, ...periodIn(timeZone(zone), { from, to }) }
}

/** `checadas_2026-11-01_2026-11-15.csv`; without dates, the day of the export. */
const fileName = ({ from, to, format }: z.output<typeof LogExport>, today: string): string => {
  const days = [from, to].flatMap((moment) => moment?.slice(0, 10) ?? [])
  return `checadas_${days.length > 0 ? days.join('_') : today}.${format}`
}

export const review = createApp()
  .get('/logs', requireAdmin, validateQuery(LogList), async (c) => {
    const { order, limit = LIMIT_DEFAULT, cursor, ...asked } = c.req.valid('query')
    const { door, settings } = c.var
    const filter = meant(asked, settings.TIME_ZONE)

    const { logs, next } = await reviewPage(door, filter, { order, after: cursor, limit })
    const page = { logs, next_cursor: next && writeCursor(next) }
    return c.json(success('Registros encontrados.', page), 200)
  })
  .get('/logs/summary', requireAdmin, validateQuery(LogFilter), async (c) => {
    const { door, settings } = c.var
    const filter = meant(c.req.valid('query'), settings.TIME_ZONE)
    return c.json(success('Resumen de registros.', await reviewSummary(door, filter)), 200)
  })
  .get('/logs/:log_id', requireAdmin, async (c) => {
    const id = c.req.param('log_id')
    if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) {
      return refuse(c, 'LOG_UNKNOWN')
    }
    return c.json(success('Registro encontrado.', await reviewLog(c.var.door, Number(id))), 200)
  })
  .get('/export', requireAdmin, validateQuery(LogExport), async (c) => {
    const asked = c.req.valid('query')
    const { door, settings, now } = c.var
    const { order, format, ...rest } = asked
    const zone = timeZone(settings.TIME_ZONE)

    const pages = await exportPages(door, meant(rest, settings.TIME_ZONE), order)
    const name = fileName(asked, zone.localTime(now).slice(0, 10))
    const file = streamFile(pages, FORMATS[format], zone, (error) => logBroken(c, error))
    return c.body(file, 200, {
      'Content-Type': FORMATS[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  })
