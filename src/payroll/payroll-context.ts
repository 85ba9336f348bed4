import type { Dated } from '../core/dated.ts'
import type { OwnDays } from '../core/own-days.ts'
import type { Calendar } from '../core/payroll-calendar.ts'

/** The settings that payroll depends on, and the time of the request. */
export interface PayrollContext {
  /** The longest shift of people without one of their own, in hours. */
  maxShiftHours: Dated<number>
  timeZone: Dated<string>
  calendars: ReadonlyMap<string, Calendar>
  ownDays: OwnDays
  /** Whether users may not review or unlock their own days (FORBID_SELF_APPROVAL). */
  forbidOwn: boolean
  /** Today, in the installation's zone. */
  today: string
  now: Date
}
