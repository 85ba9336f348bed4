import { ownDaysOf, type Settings } from '../core/http/settings.ts'
import { zoneOf } from '../core/time-zone.ts'
import type { PayrollContext } from './payroll-context.ts'

type PayrollSettings = Pick<
  Settings,
  | 'MAX_SHIFT_HOURS'
  | 'TIME_ZONE'
  | 'PAYROLL_CALENDAR'
  | 'FORBID_SELF_APPROVAL'
  | 'FIRST_DAY'
  | 'LAST_DAY'
  | 'OTHER_URL'
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
  ownDays: ownDaysOf(settings),
  forbidOwn: settings.FORBID_SELF_APPROVAL,
  today: zoneOf(settings.TIME_ZONE, now).localDay(now),
  now,
})
