import { useState } from 'preact/hooks'
import type { FoundEmployee, PayrollGroup } from '../../sdk/api-types.ts'
import { readPayrollGroups } from '../hours/payroll-groups.api.ts'
import { groupWithCalendar, lastDayOf, PeriodChoice } from '../hours/period-choice.tsx'
import { Choice, DateField } from '../ui/fields.tsx'
import { compare } from '../ui/order.ts'
import { PersonSearch } from '../ui/person-search.tsx'
import { groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, earlierOf, today } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { linkToPreview } from './closing-selection.ts'

interface LastChoice {
  selected?: string | undefined
  person?: FoundEmployee | undefined
  day?: string
}

/** The last choice. The form shows it when the user comes back from the preview. */
let last: LastChoice = {}

/** Forgets the choice, so that the form begins with the next period that is over. */
export const forgetChoice = (): void => {
  last = {}
}

/** The payroll group of a choice. Undefined for everybody and for one person. */
const groupOf = (choice: string): string | undefined =>
  choice.startsWith(':') ? choice.slice(1) : undefined

/**
 * The choice with which the form begins: everybody if all groups have the same calendar, or else the
 * group whose period that is over has waited longest.
 */
const firstChoice = (groups: readonly PayrollGroup[]): string => {
  if (groupWithCalendar(groups, undefined)) return ''
  const [waiting] = groups
    .filter(({ next, people }) => people > 0 && next.before <= today())
    .sort((a, b) => compare(a.next.before, b.next.before))
  return waiting ? `:${waiting.payroll_group}` : ''
}

/** Asks for the people and the last day to pay. The form opens a preview and saves nothing. */
export const ClosingForm = () => {
  const read = useRead(() => readPayrollGroups())
  const { data: groups } = read
  return (
    <>
      <Waiting key="wait" read={read} failure="No se pudieron leer los grupos de nómina" rows={3} />
      {groups && <FormOfGroups key="form" groups={groups} />}
    </>
  )
}

const FormOfGroups = ({ groups }: { groups: readonly PayrollGroup[] }) => {
  const [chosenDay, setDay] = useState(last.day)
  /** Empty for everybody, `one` for a person, or a payroll group after a colon. */
  const [chosen, setSelected] = useState(last.selected)
  const selected = chosen ?? firstChoice(groups)
  const [person, setPerson] = useState(last.person)
  const [problem, setProblem] = useState('')

  const withCalendar = (value: string) =>
    value === 'one' ? undefined : groupWithCalendar(groups, groupOf(value))
  const group = withCalendar(selected)
  // A group's default is the last day of its next period, or today if the period is not over.
  const day = chosenDay ?? (group ? earlierOf(lastDayOf(group.next), today()) : today())

  const submit = (event: Event) => {
    event.preventDefault()
    if (selected === 'one' && !person) return setProblem('Elige a la persona de la lista.')
    last = { selected, person, day }
    location.hash = linkToPreview({
      before: addDays(day, 1),
      payroll_group: groupOf(selected),
      employee_id: selected === 'one' ? person?.employee_id : undefined,
    })
  }
  const names = groups.map(({ payroll_group: one }) => one)
  return (
    <form onSubmit={submit} novalidate>
      <h2>Cerrar un periodo</h2>
      <div class="pair">
        <Choice
          id="closing-whose"
          label="De quién"
          value={selected}
          options={[
            ...(names.some(Boolean) ? names : []).map(
              (one) => [`:${one}`, groupName(one)] as const,
            ),
            ['one', 'Una persona (finiquito)'],
          ]}
          onChange={(value) => {
            last = { selected: value }
            setSelected(value)
            setDay(withCalendar(value) ? undefined : day)
          }}
        />
        <DateField
          id="closing-day"
          label="Último día"
          value={day}
          max={today()}
          onChange={(to) => to && setDay(to)}
        />
      </div>
      {group && (
        <PeriodChoice
          key={`period-${group.payroll_group}`}
          group={group}
          day={day}
          onChange={(period) => setDay(earlierOf(lastDayOf(period), today()))}
        />
      )}
      {group && group.next.before > today() && (
        <p class="note">
          {group.next.name} termina el {dayAndMonth(lastDayOf(group.next))}: de{' '}
          {selected === '' ? 'estos grupos' : 'este grupo'}, ningún periodo terminado espera su
          cierre.
        </p>
      )}
      {selected === 'one' && (
        <PersonSearch
          label="Persona"
          required
          value={person?.full_name}
          invalid={problem}
          onChoose={(one) => {
            setPerson(one)
            if (one?.ended_at) setDay(earlierOf(one.ended_at, today()))
          }}
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
