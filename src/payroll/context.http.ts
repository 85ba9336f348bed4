import type { Settings } from '../core/http/settings.ts'
import { zoneOf } from '../core/time-zone.ts'
import type { PayrollContext } from './hour-rules.ts'

type PayrollSettings = Pick<
  Settings,
  'MAX_SHIFT_HOURS' | 'TIME_ZONE' | 'PAYROLL_CALENDAR' | 'FORBID_SELF_APPROVAL'
>

export const payrollContext = ({
  settings,
  now,
}: {
  settings: PayrollSettings
  now: Date
}): PayrollContext => ({
  maxShiftHours: settings.MAX_SHIFT_HOURS,
  timeZone: settings.TIME_ZONE,
  calendars: settings.PAYROLL_CALENDAR,
  forbidOwn: settings.FORBID_SELF_APPROVAL,
  today: zoneOf(settings.TIME_ZONE, now).localDay(now),
  now,
})
