import type { Child } from 'hono/jsx/dom'
import type { ClosingPerson } from '../../sdk/api-types.ts'
import { Paged } from '../ui/paged.tsx'

/** Leads away from a preview, which stays: as its opener, it hands its session over. */
export const NewTab = ({ href, children }: { href: string; children?: Child }) => (
  // biome-ignore lint/security/noBlankTarget: the same page, which without its opener has no session
  <a href={href} target="_blank" rel="opener">
    {children}
  </a>
)

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
              <NewTab href={link(person)}>{person.full_name}</NewTab>
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
