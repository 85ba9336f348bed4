import { type Dated, datedText, valueOn } from '../core/dated.ts'
import { DomainError } from '../core/errors.ts'
import type { PayrollContext } from './payroll-context.ts'

/**
 * The settings by which a closing has counted its days. Later closings count paid days again, and
 * must count them by the same settings.
 */

interface HourSettings {
  MAX_SHIFT_HOURS: Dated<number>
  TIME_ZONE: Dated<string>
}

/** The rules of some active closings as JSON, and the latest `before` of these closings. */
interface PaidRules {
  rules: string
  before: string
}

export const hourRulesText = ({ maxShiftHours, timeZone }: PayrollContext): string =>
  JSON.stringify({ MAX_SHIFT_HOURS: maxShiftHours, TIME_ZONE: timeZone } satisfies HourSettings)

/** The entries that begin before a day, without entries that repeat the previous value. */
const entriesBefore = (dated: Dated<number | string>, before: string) =>
  dated.filter(([from, value], i) => from === '' || (from < before && value !== dated[i - 1]?.[1]))

/**
 * A setting whose current value for paid days is not the value by which these days were counted.
 */
interface ChangedRule {
  setting: keyof HourSettings
  /** The value by which the closing counted. */
  paid: string
  /** The text to set: the old value for paid days, and the new value from the next day on. */
  text: string
}

const changedRule = (
  { rules, before }: PaidRules,
  context: PayrollContext,
): ChangedRule | undefined => {
  const paid = JSON.parse(rules) as HourSettings
  const current = JSON.parse(hourRulesText(context)) as HourSettings
  for (const setting of ['MAX_SHIFT_HOURS', 'TIME_ZONE'] as const) {
    const paidEntries = entriesBefore(paid[setting], before)
    if (datedText(paidEntries) === datedText(entriesBefore(current[setting], before))) continue
    const later = current[setting].filter(([from]) => from > before)
    const next = [before, valueOn<number | string>(current[setting], before)] as const
    const text = datedText([...paidEntries, next, ...later])
    return { setting, paid: datedText(paidEntries), text }
  }
  return undefined
}

/**
 * Refuses settings that would count paid days by other values. `readConcerned` returns the rules of
 * the closings that paid the people concerned. It is called only if the settings would change any
 * of the `paidRules`.
 * @throws DomainError RULES_CHANGED with the setting to write
 */
export const refuseChangedRules = async (
  paidRules: readonly PaidRules[],
  readConcerned: () => Promise<readonly PaidRules[]>,
  context: PayrollContext,
): Promise<void> => {
  if (!paidRules.some((one) => changedRule(one, context))) return
  const [latest] = (await readConcerned())
    .flatMap((one) => ({ ...one, changed: changedRule(one, context) }))
    .filter(({ changed }) => changed !== undefined)
    .toSorted((a, b) => (a.before < b.before ? 1 : -1))
  if (latest?.changed) throw new DomainError('RULES_CHANGED', latest.changed)
}
