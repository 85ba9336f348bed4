import type { ClosingBody, ClosingPerson, FirstTaken } from '../../sdk/api-types.ts'
import { sumOf } from '../state/counts.ts'
import { counted } from '../text.ts'
import { addDays, duration, shortMoment, zoneOf } from '../time.ts'
import { Checkbox, DateField } from '../ui/fields.tsx'
import { Paged } from '../ui/paged.tsx'

type DayOf = (person: FirstTaken) => string

/**
 * `from` is the most frequent first day. `openings` has only the people who have another first day,
 * so that the request stays short.
 */
export const openingFields = (
  people: readonly FirstTaken[],
  dayOf: DayOf,
): Pick<ClosingBody, 'from' | 'openings'> => {
  const byDay = [...Map.groupBy(people, dayOf)].toSorted(([, a], [, b]) => b.length - a.length)
  const [[from] = [undefined], ...others] = byDay
  if (!from) return {}
  const openings = Object.fromEntries(
    others.flatMap(([day, group]) => group.map(({ employee_id }) => [employee_id, day])),
  )
  return { from, openings }
}

interface Props {
  people: FirstTaken[]
  /** What each person of the closing would be paid. */
  paid: readonly ClosingPerson[]
  dayOf: DayOf
  before: string
  onChange: (employee_id: string, day: string) => void
  onChangeAll: (day: string) => void
}

/** If more people than this all have the same day, the list is closed: one field is enough. */
const OPEN_MAX = 12

/** Lists the people whom this installation has not paid yet, each with a first day to confirm. */
export const FirstDays = (props: Props) => {
  const { people, paid, dayOf, before, onChange, onChangeAll } = props
  const paidById = new Map(paid.map((one) => [one.employee_id, one]))
  const secondsOf = ({ employee_id }: FirstTaken) => paidById.get(employee_id)?.total_seconds ?? 0
  const firstLogOf = ({ employee_id, first_log_at }: FirstTaken) =>
    first_log_at
      ? `primera checada: ${shortMoment(first_log_at, zoneOf(paidById.get(employee_id)?.branch_office))}`
      : 'sin checadas'
  const total = sumOf(people.map(secondsOf))
  // If a day changes, the days must be confirmed again.
  const chosenDays = people.map(dayOf).join()
  const hasOneDay = new Set(people.map(dayOf)).size === 1
  // People who differ from the most frequent day come first, so that nobody is overlooked.
  const openings = openingFields(people, dayOf).openings ?? {}
  const sorted = people.toSorted(
    (a, b) => Number(b.employee_id in openings) - Number(a.employee_id in openings),
  )
  return (
    <section class="first-days">
      <h3>Se paga aquí por primera vez a {counted(people.length, 'persona')}</h3>
      <p class="note">
        Los días anteriores al primero ya se pagaron en otro lado. Después solo podrás poner una
        fecha anterior.
      </p>
      {people.length > 1 && (
        <DateField
          key="all"
          id="first-all"
          label={`Primer día de todos: se pagarían ${duration(total)}`}
          value={hasOneDay ? (openingFields(people, dayOf).from ?? '') : ''}
          max={addDays(before, -1)}
          onChange={(day) => day && onChangeAll(day)}
        />
      )}
      <details open={people.length <= OPEN_MAX || !hasOneDay}>
        <summary>
          {hasOneDay ? 'Primer día de cada persona' : 'No todos tienen el mismo primer día'}
        </summary>
        <Paged
          items={sorted}
          render={(shown) => (
            <ul class="people">
              {shown.map((person) => (
                <li key={person.employee_id}>
                  <span>
                    <strong>{person.full_name}</strong>{' '}
                    <span class="note">
                      {person.employee_id} · {firstLogOf(person)} · se pagarían{' '}
                      {duration(secondsOf(person))}
                    </span>
                  </span>
                  <DateField
                    id={`first-${person.employee_id}`}
                    label={`Primer día de ${person.full_name}`}
                    value={dayOf(person)}
                    max={addDays(before, -1)}
                    hasHiddenLabel
                    onChange={(day) => day && onChange(person.employee_id, day)}
                  />
                </li>
              ))}
            </ul>
          )}
        />
      </details>
      <Checkbox key={chosenDays} name="first" value={chosenDays}>
        Los primeros días son correctos
      </Checkbox>
    </section>
  )
}
