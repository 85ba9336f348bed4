import { useQuery } from '@tanstack/preact-query'
import type { HoursDay } from '../../sdk/api-types.ts'
import { sumOf } from '../review/counts.ts'
import { messageOf } from '../session/client.ts'
import { Amounts } from '../ui/amounts.tsx'
import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Problem } from '../ui/reading.tsx'
import { counted } from '../ui/text.ts'
import { addDays, daysName, duration } from '../ui/time.ts'
import { weeksQuery } from './hours.queries.ts'
import { type HoursFilter, linkToHours, queryOf } from './hours-filter.ts'
import { peopleOverLimit } from './over-limit.ts'
import { mayReview } from './own-days.ts'
import { ReviewAll } from './review-all.tsx'

interface Props {
  /** The days that pass their week's limit and have nothing else to look at. At least one. */
  days: HoursDay[]
  filter: HoursFilter
}

/**
 * One line for all weeks over the law's limit, with the amounts of each person folded, and one act.
 * The amounts are read apart: a week may begin before the period, and the days do not say them.
 */
export const OverLimitLine = ({ days, filter }: Props) => {
  const query = { ...queryOf(filter), branch_office: undefined, exceptions: true }
  const { data, error } = useQuery(weeksQuery(query))
  const people = peopleOverLimit(days, data ?? [])
  const total = sumOf(people.map(({ over_seconds }) => over_seconds))
  const markable = days.filter(mayReview)
  const passes = days.length === 1 ? 'pasa' : 'pasan'
  return (
    <div class="over-limit">
      <p>
        <strong>
          {counted(days.length, 'semana')} {passes} el límite de la ley
        </strong>
        {data && `: ${duration(total)} de más, de ${counted(people.length, 'persona')}`}.
      </p>
      <Problem text={error ? `No se pudo leer cuánto. ${messageOf(error)}` : ''} />
      {data && (
        <details class="more">
          <summary>Ver de quiénes</summary>
          <Amounts
            label="Semanas sobre el límite"
            rows={people.flatMap(({ employee_id, full_name, weeks }) =>
              weeks.map(({ week_from, over_seconds, limit_seconds }) => ({
                key: employee_id + week_from,
                name: (
                  <a href={linkToHours(filter, { employee_id, exception: undefined })}>
                    {full_name}
                  </a>
                ),
                text: `${daysName({ from: week_from, to: addDays(week_from, 6) })}: ${duration(over_seconds)} sobre el límite de ${duration(limit_seconds)}`,
                parts: [
                  ['whole', limit_seconds],
                  ['over', over_seconds],
                ],
              })),
            )}
          />
        </details>
      )}
      {markable.length > 0 && (
        <ReviewAll rows={markable} name={EXCEPTIONS.semana_sobre_limite ?? ''} />
      )}
    </div>
  )
}
