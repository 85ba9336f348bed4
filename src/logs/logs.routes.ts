import type * as z from 'zod/mini'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { sendRows } from '../core/http/export-file.ts'
import { limitExport } from '../core/http/rate-limit.ts'
import { validatePath, validateQuery } from '../core/http/validate.ts'
import { companyDay } from '../core/values/time-zone.ts'
import { may } from '../session/callers.http.ts'
import { LOGS_FILE } from './export-rows.http.ts'
import {
  historyCursor,
  LogExportQuery,
  LogFilterQuery,
  LogHistoryQuery,
  LogListQuery,
  LogPath,
  logCursor,
} from './log-query.schemas.ts'
import { exportPages, getLog, listLogs, summarizeLogs } from './logs.ts'

const LIST_LIMIT = 50
const HISTORY_LIMIT = 100

/**
 * A name such as `checadas_2026-11-01_2026-11-15.csv`. Without dates, it has the day of the export.
 */
const fileName = ({ from, to, format }: z.output<typeof LogExportQuery>, today: string): string => {
  const days = [from, to].flatMap((moment) => moment?.slice(0, 10) ?? [])
  return `checadas_${days.length > 0 ? days.join('_') : today}.${format}`
}

export const logs = createApp()
  .get('/logs', may('read_hours'), validateQuery(LogListQuery), async (c) => {
    const { order, limit = LIST_LIMIT, cursor, nearby, ...filter } = c.req.valid('query')
    const after = cursor && { recorded_at: cursor[0], id: cursor[1] }
    const { logs, next } = await listLogs(c.var.authorizedDb, {
      filter,
      order,
      after,
      limit,
      nearby,
    })
    const page = { logs, next_cursor: next && logCursor(next) }
    return c.json(success('Registros encontrados.', page), 200)
  })
  .get('/logs/summary', may('read_hours'), validateQuery(LogFilterQuery), async (c) => {
    const summary = await summarizeLogs(c.var.authorizedDb, c.req.valid('query'))
    return c.json(success('Resumen de registros.', summary), 200)
  })
  .get(
    '/logs/:log_id',
    may('read_hours'),
    validatePath(LogPath),
    validateQuery(LogHistoryQuery),
    async (c) => {
      const { log_id } = c.req.valid('param')
      const { limit = HISTORY_LIMIT, cursor: [before] = [Number.MAX_SAFE_INTEGER] } =
        c.req.valid('query')
      const { log, next } = await getLog(c.var.authorizedDb, { log_id, before, limit })
      const page = { ...log, next_cursor: next && historyCursor(next) }
      return c.json(success('Registro encontrado.', page), 200)
    },
  )
  .get('/export', may('read_hours'), limitExport, validateQuery(LogExportQuery), async (c) => {
    const query = c.req.valid('query')
    const { format, order, ...filter } = query
    const { authorizedDb, now } = c.var
    const { zones } = await authorizedDb.ready()

    return sendRows(c, {
      name: fileName(query, companyDay(now, zones)),
      format: LOGS_FILE[format],
      pages: exportPages(authorizedDb, filter, order),
    })
  })
