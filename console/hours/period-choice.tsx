import { useState } from 'preact/hooks'
import type { PayrollGroup } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { Icon } from '../ui/icon.tsx'
import { queries } from '../ui/queries.ts'
import { addDays, periodName, shortDay } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { groupsQuery } from './hours.queries.ts'

type PayPeriod = PayrollGroup['next']

export const lastDayOf = ({ before }: PayPeriod): string => addDays(before, -1)

/** Finds a group by its name. Without a name, finds the first group if all calendars are equal. */
export const groupWithCalendar = (
  groups: readonly PayrollGroup[],
  name: string | undefined,
): PayrollGroup | undefined => {
  if (name !== undefined) return groups.find(({ payroll_group }) => payroll_group === name)
  const [first, ...others] = groups
  return others.every(({ calendar }) => calendar === first?.calendar) ? first : undefined
}

interface Props {
  group: PayrollGroup
  /** The chosen day. If it is not in the period, the day is named instead of the period. */
  day: string
  onChange: (period: PayPeriod) => void
}

/** Names a group's period, such as `Semana 43`, with buttons for the previous and next period. */
export const PeriodChoice = ({ group, day, onChange }: Props) => {
  const [period, setPeriod] = useState(group.next)
  const isShown = period.from <= day && day < period.before
  const go = async (to: string) => {
    try {
      const groups = await queries.fetchQuery(groupsQuery(to))
      const found = groups.find(({ payroll_group }) => payroll_group === group.payroll_group)
      if (!found) return
      setPeriod(found.next)
      onChange(found.next)
    } catch (error) {
      announce(messageOf(error))
    }
  }
  const { name, from, before } = period
  const step = (label: string, to: string, icon: 'back' | 'next') => (
    <button type="button" aria-label={label} onClick={() => go(to)}>
      <Icon name={icon} />
    </button>
  )
  return (
    <nav class="period" aria-label="Periodos">
      {step('Periodo anterior', addDays(isShown ? from : day, -1), 'back')}
      <span>
        {isShown ? (
          <>
            <strong>{name}</strong> · {periodName({ from, to: addDays(before, -1) })}
          </>
        ) : (
          `Hasta el ${shortDay(day, '')}`
        )}
      </span>
      {step('Periodo siguiente', isShown ? before : day, 'next')}
    </nav>
  )
}
