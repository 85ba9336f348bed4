import type { Dated } from '../core/dated.ts'
import { zoneOf } from '../core/time-zone.ts'

/** The settings that payroll depends on, and the time of the request. */
export interface PayrollContext {
  /** The longest shift in hours, for people who have no longest shift of their own. */
  maxShiftHours: Dated<number>
  timeZone: Dated<string>
  /** Whether users may not review their own days (FORBID_SELF_APPROVAL). */
  forbidSelfApproval: boolean
  /** Today, in the installation's zone. */
  today: string
  now: Date
}

interface PayrollSettings {
  MAX_SHIFT_HOURS: Dated<number>
  TIME_ZONE: Dated<string>
  FORBID_SELF_APPROVAL: boolean
}

export const payrollContext = ({
  settings,
  now,
}: {
  settings: PayrollSettings
  now: Date
}): PayrollContext => ({
  maxShiftHours: settings.MAX_SHIFT_HOURS,
  timeZone: settings.TIME_ZONE,
  forbidSelfApproval: settings.FORBID_SELF_APPROVAL,
  today: zoneOf(settings.TIME_ZONE, now).localDay(now),
  now,
})
