import { findEmployeeOfLog } from '../../db/payroll/people.ts'
import { DomainError } from '../../domain/core/errors.ts'
import { reviewDay } from '../../domain/payroll/acts.ts'
import { hoursPages, toDays, totalPages } from '../../domain/payroll/hours.ts'
import { createApp } from '../../http/core/context.ts'
import { success } from '../../http/core/envelope.ts'
import { mapRows, sendRows } from '../../http/core/export-file.ts'
import { limitHours } from '../../http/core/rate-limit.ts'
import { validate, validateQuery } from '../../http/core/validate.ts'
import { HOURS_FILE, TOTALS_FILE, toHoursRow, toTotalRow } from '../../http/payroll/hours-rows.ts'
import { requireReader } from '../../http/people/auth.ts'
import { HoursQuery, ReviewBody } from '../../schemas/payroll/payroll.ts'
import { timeZone } from '../../shared/time-zone.ts'

export const hours = createApp()
  .get('/hours', requireReader, limitHours, validateQuery(HoursQuery), async (c) => {
    const { format, by, preview = false, exceptions = false, ...rest } = c.req.valid('query')
    const { from, to, preview_rejected: rejected, ...filter } = rest
    const { authorizedDb: db, settings, now } = c.var
    const today = timeZone(settings.TIME_ZONE).localTime(now).slice(0, 10)
    const days = toDays({ from, to }, today)
    const maxShiftHours = settings.MAX_SHIFT_HOURS
    const query = { filter, ...days, preview, exceptions, rejected, maxShiftHours, now }
    if (rejected !== undefined) {
      const employee_id = await findEmployeeOfLog(db, rejected)
      if (employee_id === undefined) {
        throw new DomainError('UNKNOWN_LOG_ID', { fields: ['preview_rejected'] })
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
    await reviewDay(authorizedDb, { employee_id, day, comment }, now)
    return c.json(success('El día quedó revisado.', { employee_id, day }), 200)
  })
