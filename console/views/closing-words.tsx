import type { ClosingPerson } from '../../sdk/api-types.ts'
import { duration } from '../time.ts'
import { Paged } from '../ui/paged.tsx'

/** `9 h de más`; a dash for nothing. */
export const totalText = (seconds: number, words = ''): string =>
  seconds === 0 ? '–' : `${duration(seconds)} ${words}`.trim()

interface Props {
  title: string
  people: ClosingPerson[]
  describe?: (person: ClosingPerson) => string
  link: (person: ClosingPerson) => string
}

/** Some people of a closing, each with a link to what is behind it. */
export const PeopleList = ({ title, people, describe, link }: Props) => (
  <details>
    <summary>{title}</summary>
    <Paged
      items={people}
      render={(shown) => (
        <ul class="people">
          {shown.map((person) => (
            <li key={person.employee_id}>
              <a href={link(person)}>{person.full_name}</a>
              <span class="note">
                {person.employee_id}
                {describe && `, ${describe(person)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    />
  </details>
)
