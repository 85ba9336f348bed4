import type { ClosingBody, FirstTaken } from '../../sdk/api-types.ts'
import { counted } from '../text.ts'
import { addDays, shortMoment } from '../time.ts'
import { Checkbox, DateField } from '../ui/fields.tsx'
import { Paged } from '../ui/paged.tsx'

type DayOf = (person: FirstTaken) => string

/** The most frequent day for everybody, and other days by person. This keeps the request short. */
export const openingsOf = (
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
  dayOf: DayOf
  before: string
  onChange: (employee_id: string, day: string) => void
}

/** Lists the people who are paid here for the first time, each with a first day to confirm. */
export const FirstDays = ({ people, dayOf, before, onChange }: Props) => (
  <section class="first-days">
    <h3>Se paga aquí por primera vez a {counted(people.length, 'persona')}</h3>
    <p class="note">
      Los días anteriores al primero ya se pagaron en otro lado. Después solo puede moverse hacia
      atrás.
    </p>
    <Paged
      items={people}
      render={(shown) => (
        <ul class="people">
          {shown.map((person) => (
            <li key={person.employee_id}>
              <span>
                <strong>{person.full_name}</strong>{' '}
                <span class="note">
                  {person.employee_id} ·{' '}
                  {person.first_log_at
                    ? `primera checada: ${shortMoment(person.first_log_at)}`
                    : 'sin checadas'}
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
    <Checkbox name="first">Los primeros días son correctos</Checkbox>
  </section>
)
