import type * as z from 'zod/mini'
import { exportPages, getLog, listLogs, summarizeLogs } from '../domain/logs.ts'
import { requireAdmin } from '../http/auth.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { errorResponse } from '../http/errors.ts'
import { FORMATS, streamFile } from '../http/export-file.ts'
import { logStreamError } from '../http/request-log.ts'
import { validateQuery } from '../http/validate.ts'
import {
  encodeCursor,
  LogExportQuery,
  LogFilterQuery,
  LogListQuery,
  toLogFilter,
} from '../schemas/log-query.ts'
import { timeZone } from '../shared/time-zone.ts'

const LIMIT_DEFAULT = 50

/** `checadas_2026-11-01_2026-11-15.csv`; without dates, the day of the export. */
const fileName = ({ from, to, format }: z.output<typeof LogExportQuery>, today: string): string => {
  const days = [from, to].flatMap((moment) => moment?.slice(0, 10) ?? [])
  return `checadas_${days.length > 0 ? days.join('_') : today}.${format}`
}

export const logs = createApp()
  .get('/logs', requireAdmin, validateQuery(LogListQuery), async (c) => {
    const { order, limit = LIMIT_DEFAULT, cursor: after, ...fields } = c.req.valid('query')
    const { authorizedDb, settings } = c.var
    const filter = toLogFilter(fields, timeZone(settings.TIME_ZONE))

    const { logs, next } = await listLogs(authorizedDb, { filter, order, after, limit })
    const page = { logs, next_cursor: next && encodeCursor(next) }
    return c.json(success('Registros encontrados.', page), 200)
  })
  .get('/logs/summary', requireAdmin, validateQuery(LogFilterQuery), async (c) => {
    const { authorizedDb, settings } = c.var
    const filter = toLogFilter(c.req.valid('query'), timeZone(settings.TIME_ZONE))
    return c.json(success('Resumen de registros.', await summarizeLogs(authorizedDb, filter)), 200)
  })
  .get('/logs/:log_id', requireAdmin, async (c) => {
    const id = c.req.param('log_id')
    if (!/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id))) {
      return errorResponse(c, 'LOG_NOT_FOUND')
    }
    const log = await getLog(c.var.authorizedDb, Number(id))
    return c.json(success('Registro encontrado.', log), 200)
  })
  .get('/export', requireAdmin, validateQuery(LogExportQuery), async (c) => {
    const query = c.req.valid('query')
    const { format, order, ...fields } = query
    const { authorizedDb, settings, now } = c.var
    const zone = timeZone(settings.TIME_ZONE)

    const pages = await exportPages(authorizedDb, toLogFilter(fields, zone), order)
    const name = fileName(query, zone.localTime(now).slice(0, 10))
    const file = streamFile(pages, FORMATS[format], zone, (error) => logStreamError(c, error))
    return c.body(file, 200, {
      'Content-Type': FORMATS[format].contentType,
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  })
