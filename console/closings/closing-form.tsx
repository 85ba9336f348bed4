import { useQuery } from '@tanstack/preact-query'
import type { FoundEmployee, PayrollGroup } from '../../sdk/api-types.ts'
import { groupsQuery } from '../hours/hours.queries.ts'
import { groupWithCalendar, lastDayOf, PeriodChoice } from '../hours/period-choice.tsx'
import { Choice, DateField } from '../ui/fields.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { compare } from '../ui/order.ts'
import { PersonField } from '../ui/person-search.tsx'
import { groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, earlierOf, today } from '../ui/time.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { linkToPreview } from './closing-selection.ts'

interface LastChoice {
  selected?: string | undefined
  person?: FoundEmployee | null
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
export const ClosingForm = () => (
  <Loaded
    read={useQuery(groupsQuery())}
    failure="No se pudieron leer los grupos de nómina"
    rows={3}
  >
    {(groups) => <FormOfGroups groups={groups} />}
  </Loaded>
)

const FormOfGroups = ({ groups }: { groups: readonly PayrollGroup[] }) => {
  const form = useForm({
    initial: {
      /** Empty for everybody, `one` for a person, or a payroll group after a colon. */
      selected: last.selected ?? firstChoice(groups),
      /** Empty for the day that the choice proposes. */
      day: last.day ?? '',
      person: last.person ?? null,
    },
    check: ({ selected, person }) => ({
      person: selected === 'one' && !person && 'Elige a la persona de la lista.',
    }),
    send: async ({ selected, person }) => {
      last = { selected, person, day }
      location.hash = linkToPreview({
        before: addDays(day, 1),
        payroll_group: groupOf(selected),
        employee_id: selected === 'one' ? person?.employee_id : undefined,
      })
    },
  })
  const { selected } = form.values
  const withCalendar = (value: string) =>
    value === 'one' ? undefined : groupWithCalendar(groups, groupOf(value))
  const group = withCalendar(selected)
  // A group's default is the last day of its next period, or today if the period is not over.
  const day = form.values.day || (group ? earlierOf(lastDayOf(group.next), today()) : today())
  const names = groups.map(({ payroll_group: one }) => one)
  return (
    <Form form={form} act="Ver cómo quedaría">
      <h2>Cerrar un periodo</h2>
      <div class="pair">
        <Choice
          {...form.field('selected')}
          label="De quién"
          options={[
            ...(names.some(Boolean) ? names : []).map(
              (one) => [`:${one}`, groupName(one)] as const,
            ),
            ['one', 'Una persona (finiquito)'],
          ]}
          onChange={(selected) => {
            last = { selected }
            form.set({ selected, day: withCalendar(selected) ? '' : day })
          }}
        />
        <DateField
          id="closing-day"
          label="Último día"
          value={day}
          max={today()}
          onChange={(to) => to && form.set({ day: to })}
        />
      </div>
      {group && (
        <PeriodChoice
          key={`period-${group.payroll_group}`}
          group={group}
          day={day}
          onChange={(period) => form.set({ day: earlierOf(lastDayOf(period), today()) })}
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
        <PersonField
          {...form.field('person')}
          onChange={(person) => {
            const ended = person?.ended_at ? { day: earlierOf(person.ended_at, today()) } : {}
            form.set({ person, ...ended })
          }}
        />
      )}
    </Form>
  )
}
