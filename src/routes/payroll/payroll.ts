import { listClosings } from '../../db/payroll/closings.ts'
import { DomainError } from '../../domain/core/errors.ts'
import { closePeriod, getClosing } from '../../domain/payroll/closings.ts'
import { adjustmentPages, hoursPages, totalPages } from '../../domain/payroll/hours.ts'
import { createApp } from '../../http/core/context.ts'
import { success } from '../../http/core/envelope.ts'
import { mapRows, sendRows } from '../../http/core/export-file.ts'
import { limitHours } from '../../http/core/rate-limit.ts'
import { validate, validateQuery } from '../../http/core/validate.ts'
import {
  ADJUSTMENTS_FILE,
  HOURS_FILE,
  TOTALS_FILE,
  toAdjustmentRow,
  toHoursRow,
  toTotalRow,
} from '../../http/payroll/hours-rows.ts'
import { requireReader, requireRoleInAllBranches } from '../../http/people/auth.ts'
import {
  AdjustmentsQuery,
  ClosingBody,
  ClosingsQuery,
  HoursQuery,
  toDays,
} from '../../schemas/payroll/payroll.ts'
import { addDays, timeZone } from '../../shared/time-zone.ts'

const CLOSINGS_LIMIT = 100

export const payroll = createApp()
  .get('/hours', requireReader, limitHours, validateQuery(HoursQuery), async (c) => {
    const { format, by, preview = false, closing: id, from, to, ...filter } = c.req.valid('query')
    const { authorizedDb: db, settings, now } = c.var
    const closing = id === undefined ? undefined : await getClosing(db, id, 'closing')
    const zone = timeZone(closing?.time_zone ?? settings.TIME_ZONE)
    const maxShiftHours = closing?.max_shift_hours ?? settings.MAX_SHIFT_HOURS
    const today = zone.localTime(now).slice(0, 10)
    const closed = closing && { start: closing.previous_day, end: closing.before }
    const days = toDays({ from, to }, { today, ...closed })
    const query = { filter, ...days, preview, closing, zone, maxShiftHours, now }

    const name = `horas_${days.from}_${days.to}.${format}`
    if (by === 'employee') {
      const pages = mapRows(totalPages(db, query), toTotalRow)
      return sendRows(c, { name, format: TOTALS_FILE[format], pages })
    }
    const pages = mapRows(hoursPages(db, query), toHoursRow(zone))
    return sendRows(c, { name, format: HOURS_FILE[format], pages })
  })
  .get(
    '/hours/adjustments',
    requireReader,
    limitHours,
    validateQuery(AdjustmentsQuery),
    async (c) => {
      const { format, since, until } = c.req.valid('query')
      const { authorizedDb: db } = c.var
      const closing = await getClosing(db, since, 'since')
      const later = until === undefined ? undefined : await getClosing(db, until, 'until')
      if (later && later.id < closing.id) throw new DomainError('CLOSINGS_REVERSED')
      const pages = adjustmentPages(db, closing, later, timeZone(closing.time_zone))
      return sendRows(c, {
        name: `ajustes_${closing.before}.${format}`,
        format: ADJUSTMENTS_FILE[format],
        pages: mapRows(pages, toAdjustmentRow),
      })
    },
  )
  .get('/closings', requireReader, validateQuery(ClosingsQuery), async (c) => {
    const { limit = CLOSINGS_LIMIT } = c.req.valid('query')
    const closings = await listClosings(c.var.authorizedDb, limit)
    return c.json(success('Cierres encontrados.', closings), 200)
  })
  .post(
    '/closings',
    requireRoleInAllBranches('PAYROLL_ROLES'),
    validate(ClosingBody),
    async (c) => {
      const { before, payroll_group = null, comment = null, leave_pending } = c.req.valid('json')
      const { authorizedDb, settings, now } = c.var
      const zone = timeZone(settings.TIME_ZONE)
      const tomorrow = addDays(zone.localTime(now).slice(0, 10), 1)
      if (before > tomorrow) throw new DomainError('CLOSING_AHEAD')

      const closing = {
        before,
        before_at: (zone.startOfDay(before) ?? new Date(before)).toISOString(),
        payroll_group,
        comment,
        time_zone: settings.TIME_ZONE,
        max_shift_hours: settings.MAX_SHIFT_HOURS,
      }
      const options = { leavePending: leave_pending ?? false, now }
      const created = await closePeriod(authorizedDb, closing, options)
      return c.json(success('El periodo se cerró.', created), 200)
    },
  )
