import { useState } from 'hono/jsx/dom'
import type { Closing, FoundEmployee } from '../../sdk/api-types.ts'
import { signedIn } from '../api/session.ts'
import { groupName } from '../text.ts'
import { addDays, dayOfMonth, fortnightOf, today } from '../time.ts'
import { Choice, DateField } from '../ui/fields.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { ClosingPreview, type ClosingSelection } from './closing-preview.tsx'

/** The last day of the latest fortnight that is over. */
const lastFortnightEnd = (): string => addDays(fortnightOf(today()).from, -1)

interface Props {
  closings: Closing[]
  onClosed: (closing: Closing) => void
}

/** Asks for the people and the last day to pay. It shows a preview before anything is saved. */
export const ClosingForm = ({ closings, onClosed }: Props) => {
  const [day, setDay] = useState(lastFortnightEnd())
  /** Empty for everybody, `one` for a person, or a payroll group after a colon. */
  const [selected, setSelected] = useState('')
  const [person, setPerson] = useState<FoundEmployee | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const [isPreview, setPreview] = useState(false)

  const selection: ClosingSelection = {
    before: addDays(day, 1),
    payroll_group: selected.startsWith(':') ? selected.slice(1) : undefined,
    employee_id: selected === 'one' ? person?.employee_id : undefined,
  }
  const { payroll_group, employee_id } = selection
  const name = employee_id ? (person?.full_name ?? '') : groupName(payroll_group ?? null)
  const submit = (event: Event) => {
    event.preventDefault()
    if (selected === 'one' && !person) return setProblem('Elige a la persona de la lista.')
    setProblem('')
    setPreview(true)
  }
  if (isPreview) {
    return (
      <div>
        <ClosingPreview
          selection={selection}
          title={`${name}, hasta el ${dayOfMonth(day)}`}
          closings={closings}
          onBack={() => setPreview(false)}
          onClosed={(closing) => {
            setPreview(false)
            onClosed(closing)
          }}
        />
      </div>
    )
  }
  const groups = signedIn().payroll_groups.some((group) => group !== '')
    ? signedIn().payroll_groups
    : []
  return (
    <form onSubmit={submit} novalidate>
      <h2>Cerrar un periodo</h2>
      <div class="pair">
        <Choice
          id="closing-whose"
          label="De quién"
          value={selected}
          options={[
            ...groups.map((group) => [`:${group}`, groupName(group)] as const),
            ['one', 'Una persona (finiquito)'],
          ]}
          onChange={setSelected}
        />
        <DateField
          id="closing-day"
          label="Último día"
          value={day}
          max={today()}
          onChange={(to) => to && setDay(to)}
        />
      </div>
      {selected === 'one' && (
        <PersonSearch
          key="person"
          label="Persona"
          required
          value={person?.full_name}
          invalid={problem}
          onChoose={setPerson}
        />
      )}
      <footer>
        <button type="submit" class="primary">
          Ver cómo quedaría
        </button>
      </footer>
    </form>
  )
}
