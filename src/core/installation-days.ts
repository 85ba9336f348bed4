import { DomainError } from './errors.ts'
import { addDays, earlier, later, type TimeZone } from './time-zone.ts'

/**
 * The days that an installation pays, if two installations share the calendar. `firstDay` and
 * `lastDay` are included, and local to each branch. Without them, the installation pays every day.
 */
export interface InstallationDays {
  firstDay?: string | undefined
  lastDay?: string | undefined
  otherUrl?: string | undefined
}

export interface DaySettings {
  FIRST_DAY?: string | undefined
  LAST_DAY?: string | undefined
  OTHER_URL?: string | undefined
}

export const installationDaysOf = ({
  FIRST_DAY,
  LAST_DAY,
  OTHER_URL,
}: DaySettings): InstallationDays => ({
  firstDay: FIRST_DAY,
  lastDay: LAST_DAY,
  otherUrl: OTHER_URL,
})

/**
 * How many days of logs are kept before the first day. Pairing must start at a pause, and two weeks
 * always contain one, the weekly rest. One more day covers the difference between the zones of a
 * branch and of the installation.
 */
const LOGS_BEFORE_DAYS = 15

/**
 * How many days of logs are kept after the last day. They are enough for a shift of the last day,
 * for pending logs that can still change the shift (`LOOK_AHEAD_MS`), and for the difference
 * between the zones.
 */
const LOGS_AFTER_DAYS = 4

/** The earliest day whose logs this installation keeps. Undefined if there is no limit. */
export const firstKeptDay = ({ firstDay }: InstallationDays): string | undefined =>
  firstDay && addDays(firstDay, -LOGS_BEFORE_DAYS)

/** The latest day whose logs this installation keeps. Undefined if there is no limit. */
const lastKeptDay = ({ lastDay }: InstallationDays): string | undefined =>
  lastDay && addDays(lastDay, LOGS_AFTER_DAYS)

/** The reason to refuse a log that only the other installation keeps. Null for other logs. */
export const refusalOfDay = (
  recordedAt: string,
  { installationDays, zone }: { installationDays: InstallationDays; zone: TimeZone },
): 'too_old' | 'future' | null => {
  const [first, last] = [firstKeptDay(installationDays), lastKeptDay(installationDays)]
  if (!first && !last) return null
  const day = zone.localDay(new Date(recordedAt))
  if (first && day < first) return 'too_old'
  return last && day > last ? 'future' : null
}

const rangeText = ({ firstDay, lastDay }: InstallationDays): string => {
  if (!lastDay) return `desde el ${firstDay}`
  return firstDay ? `del ${firstDay} al ${lastDay}` : `hasta el ${lastDay}`
}

/** The error of an input field about days of the other installation. */
export const otherInstallationError = (
  field: string,
  installationDays: InstallationDays,
): DomainError => {
  const { otherUrl = '' } = installationDays
  const range = rangeText(installationDays)
  const error = new DomainError('OTHER_INSTALLATION', { range, otherUrl })
  error.fieldErrors = { [field]: [error.text] }
  return error
}

export const isPaidByInstallation = (
  day: string,
  { firstDay, lastDay }: InstallationDays,
): boolean => (!firstDay || day >= firstDay) && (!lastDay || day <= lastDay)

/** @throws DomainError OTHER_INSTALLATION for a day of the other installation */
export const requireInstallationDay = (
  field: string,
  day: string,
  installationDays: InstallationDays,
): void => {
  if (!isPaidByInstallation(day, installationDays))
    throw otherInstallationError(field, installationDays)
}

export const nearestInstallationDay = (
  day: string,
  { firstDay, lastDay }: InstallationDays,
): string => {
  const notBefore = later(day, firstDay ?? null)
  return earlier(notBefore, lastDay ?? notBefore)
}
