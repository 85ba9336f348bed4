import { timeZone } from '../../src/core/time-zone.ts'
import type { Target } from './database.ts'
import { configuredSettings } from './installation-file.ts'

/** Returns the installation's settings for counting hours, and the current time. */
export const payrollContext = ({ installation }: Target) => {
  const { TIME_ZONE, MAX_SHIFT_HOURS } = configuredSettings(installation)
  const now = new Date()
  return {
    timeZone: TIME_ZONE,
    maxShiftHours: MAX_SHIFT_HOURS,
    today: timeZone(TIME_ZONE).localDay(now),
    now,
  }
}
