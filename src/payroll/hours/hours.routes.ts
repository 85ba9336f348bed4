import type { Context } from 'hono'
import { type DetailsOf, DomainError } from '../../core/errors.ts'
import { createApp, type UserEnv } from '../../core/http/context.ts'
import { success } from '../../core/http/envelope.ts'
import { mapRows, sendRows } from '../../core/http/export-file.ts'
import { limitHours, limitReviews } from '../../core/http/rate-limit.ts'
import { validate, validateQuery } from '../../core/http/validate.ts'
import { DAY_MS } from '../../core/values/time-zone.ts'
import {
  announceDecision,
  missingComment,
  nameFields,
  toStatusChange,
} from '../../logs/status-change.http.ts'
import { may } from '../../session/callers.http.ts'
import { CAN } from '../../session/can.ts'
import { formatOf } from './file-format.http.ts'
import { HoursQuery, ReviewBody } from './hours.schemas.ts'
import { pagesOfHours } from './hours.ts'
import { HOURS_FILE, TOTALS_FILE, toHoursRow, WEEK_TOTALS_FILE } from './hours-rows.http.ts'
import { findEmployeeOfLog } from './people-of-period.queries.ts'
import { periodOfQuery, readToday } from './period.ts'
import { reviewDays } from './reviews.ts'
import { pagesOfTotals, pagesOfWeeks } from './totals.ts'

const WEEK_MS = 7 * DAY_MS

/**
 * The cost of a query for the rate limit, in weeks of all employees. A query about one person costs
 * one week, whatever its period.
 */
const weeksOf = async (c: Context<UserEnv>): Promise<number> => {
  const { employee_id, preview_rejected, from, to, by } = c.req.query()
  if (employee_id !== undefined || preview_rejected !== undefined) return 1
  const days = periodOfQuery({ from, to, by }, await readToday(c.var.authorizedDb, c.var.now))
  return Math.ceil((Date.parse(days.to) - Date.parse(days.from) + 1) / WEEK_MS)
}

/** A review that approves logs needs the comment that an approval needs. */
const commentToApprove = (c: Context<UserEnv>, body: Record<string, unknown>) =>
  body.approve_log_ids == null ? undefined : missingComment(c, { ...body, status: 'approved' })

export const hours = createApp()
  .get('/hours', may('read_hours'), validateQuery(HoursQuery), limitHours(weeksOf), async (c) => {
    const {
      format,
      headers,
      ids,
      by,
      preview = false,
      exceptions = false,
      working = false,
      ...rest
    } = c.req.valid('query')
    const { from, to, preview_rejected: rejected, ...filter } = rest
    const db = c.var.authorizedDb
    const { now } = c.var
    const days = periodOfQuery({ from, to, by }, await readToday(db, now))
    const query = { filter, ...days, preview, exceptions, working, rejected, now }
    if (rejected !== undefined) {
      const employee_id = await findEmployeeOfLog(db, rejected)
      if (employee_id === undefined) throw new DomainError('UNKNOWN_PREVIEWED_LOG')
      query.filter = { ...filter, employee_id }
    }

    const name = `horas_${days.from}_${days.to}.${format}`
    const form = { format, headers, ids }
    if (by === 'employee') {
      const pages = mapRows(pagesOfTotals(db, query), TOTALS_FILE.withHours)
      return sendRows(c, { name, format: formatOf(TOTALS_FILE, form), pages })
    }
    if (by === 'week') {
      const pages = mapRows(pagesOfWeeks(db, query), WEEK_TOTALS_FILE.withHours)
      return sendRows(c, { name, format: formatOf(WEEK_TOTALS_FILE, form), pages })
    }
    const pages = mapRows(pagesOfHours(db, query), toHoursRow(format))
    return sendRows(c, { name, format: formatOf(HOURS_FILE, form), pages })
  })
  .post(
    '/hours/reviews',
    may('read_hours'),
    limitReviews,
    validate(ReviewBody, { rule: commentToApprove }),
    async (c) => {
      const body = c.req.valid('json')
      const { employee_id = '', day = '', comment = null, confirm_seconds = null } = body
      const { approve_log_ids: approved } = body
      const first = body.days?.[0] ?? { employee_id, day }
      const days = body.days ?? [first]
      const { settings, now } = c.var
      const decision = {
        status: 'approved',
        comment: body.comment,
        expected_status: 'pending',
      } as const
      const approval = approved && {
        logIds: approved,
        change: toStatusChange(decision, c),
        decideRoles: CAN.decide(settings).roles,
      }
      const request = { days, comment, confirmSeconds: confirm_seconds, approval }
      const context = { forbidSelfApproval: settings.FORBID_SELF_APPROVAL, now }
      await reviewDays(c.var.authorizedDb, request, context).catch((error) => {
        // For a list, the error names the field of the inverted day. Such a day must be confirmed in
        // a request of its own.
        if (body.days && error instanceof DomainError && error.code === 'INVERTED_DAY') {
          const { employee_id, day } = error.details as DetailsOf<'INVERTED_DAY'>
          const position = days.findIndex(
            (one) => one.employee_id === employee_id && one.day === day,
          )
          error.fieldErrors = { [`days.${position}`]: [error.text] }
        }
        return nameFields('approve_log_ids', approved ?? [])(error)
      })
      if (approved) announceDecision(c)
      const message = body.days ? 'Los días quedaron revisados.' : 'El día quedó revisado.'
      const data = { ...first, ...(body.days && { days }), approved_log_ids: approved ?? [] }
      return c.json(success(message, data), 200)
    },
  )
