import { payrollContext } from '../../src/payroll/payroll-context.ts'
import type { Target } from './database.ts'
import { configuredSettings } from './installation-file.ts'

/** Returns the installation's settings for payroll, and the current time. */
export const payrollContextOf = ({ installation }: Pick<Target, 'installation'>) =>
  payrollContext({ settings: configuredSettings(installation), now: new Date() })
