import { DomainError } from '../core/errors.ts'
import { requireReader } from '../core/http/auth.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { mapRows, sendRows } from '../core/http/export-file.ts'
import { limitHours } from '../core/http/rate-limit.ts'
import { validate, validateQuery } from '../core/http/validate.ts'
import { timeZone } from '../core/time-zone.ts'
import { hoursPages, toDays, totalPages } from './hours.ts'
import { HOURS_FILE, TOTALS_FILE, toHoursRow, toTotalRow } from './hours-rows.http.ts'
import { HoursQuery, ReviewBody } from './payroll.schemas.ts'
import { findEmployeeOfLog } from './people.queries.ts'
import { saveReview } from './reviews.queries.ts'

export const hours = createApp()
  .get('/hours', requireReader, limitHours, validateQuery(HoursQuery), async (c) => {
    const { format, by, preview = false, exceptions = false, ...rest } = c.req.valid('query')
    const { from, to, preview_rejected: rejected, ...filter } = rest
    const { authorizedDb: db, settings, now } = c.var
    const today = timeZone(settings.TIME_ZONE).localDay(now)
    const days = toDays({ from, to }, today)
    const maxShiftHours = settings.MAX_SHIFT_HOURS
    const query = { filter, ...days, preview, exceptions, rejected, maxShiftHours, now }
    if (rejected !== undefined) {
      const employee_id = await findEmployeeOfLog(db, rejected)
      if (employee_id === undefined) {
        throw new DomainError('UNKNOWN_PREVIEWED_LOG')
      }
      query.filter = { ...filter, employee_id }
    }

    const name = `horas_${days.from}_${days.to}.${format}`
    if (by === 'employee') {
      const pages = mapRows(totalPages(db, query), toTotalRow)
      return sendRows(c, { name, format: TOTALS_FILE[format], pages })
    }
    const pages = mapRows(hoursPages(db, query), toHoursRow(format))
    return sendRows(c, { name, format: HOURS_FILE[format], pages })
  })
  .post('/hours/reviews', requireReader, validate(ReviewBody), async (c) => {
    const { employee_id, day, comment = null } = c.req.valid('json')
    const { authorizedDb, now } = c.var
    await saveReview(authorizedDb, { employee_id, day, comment, at: now.toISOString() })
    return c.json(success('El día quedó revisado.', { employee_id, day }), 200)
  })
