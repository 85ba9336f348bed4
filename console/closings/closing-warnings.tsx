import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import type { ClosingPerson, FirstTaken as FirstTakenPerson, LeftOut } from '../../sdk/api-types.ts'
import { knownUntilText, sourcesQuery } from '../clocks/sources.queries.ts'
import { needsReview } from '../hours/clean-days.ts'
import { queryOf } from '../hours/hours-filter.ts'
import { sumOf } from '../review/counts.ts'
import { daysQuery } from '../review/logs.queries.ts'
import { messageOf } from '../session/client.ts'
import { can } from '../session/session.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkTo, linkToFiltered } from '../ui/routes.ts'
import { counted, countedLogs } from '../ui/text.ts'
import { addDays, dayAndMonth, duration, laterOf, shortMoment } from '../ui/time.ts'
import type { ClosingSelection } from './closing-selection.ts'
import { type Preview, totalOf } from './closings.queries.ts'

export type HoursLink = ReturnType<typeof hoursOf>

/** The filter of the hours page for the closing's days, but for 31 days at most. */
export const hoursOf = (
  { employee_id, payroll_group, before }: ClosingSelection,
  firstDays: string[],
) => {
  const to = addDays(before, -1)
  // If a later closing has paid a person, the person's first day is after this period.
  const [first = to] = firstDays.filter((day) => day <= to).sort()
  return {
    employee_id,
    payroll_group,
    from: laterOf(first, addDays(to, -30)),
    to,
  }
}

/** A link to a new tab, so that the preview stays open. */
export const NewTab = ({ href, children }: { href: string; children?: ComponentChildren }) => (
  // biome-ignore lint/security/noBlankTarget: the same page gets the session from its opener
  <a href={href} target="_blank" rel="opener">
    {children}
  </a>
)

interface PeopleProps<Person> {
  title: string
  people: Person[]
  describe?: (person: Person) => string
  link: (person: Person) => string
}

/** A list of some people, each with a link to the details. */
const PeopleList = <Person extends Pick<ClosingPerson, 'employee_id' | 'full_name'>>({
  title,
  people,
  describe,
  link,
}: PeopleProps<Person>) => (
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

const Warning = ({ icon, children }: { icon: IconName; children: ComponentChildren }) => (
  <li>
    <Icon name={icon} />
    <div>{children}</div>
  </li>
)

/** The clocks that have not sent everything, each with the time until which its logs are known. */
const Clocks = ({ names }: { names: string[] }) => {
  const { data: sources } = useQuery(sourcesQuery)
  const textOf = (name: string) => {
    const source = sources?.find((one) => one.source === name)
    return source ? `${source.label ?? name} (${knownUntilText(source)})` : name
  }
  return <span>Falta información de {names.map(textOf).join(', ')}.</span>
}

/** Says whom the closing pays for the first time, or from an earlier day on than before. */
const FirstTaken = ({ people, hours }: { people: FirstTakenPerson[]; hours: HoursLink }) => {
  const added = people.filter(({ was }) => was !== null)
  // Who has no hours yet is paid for the first time by a later closing.
  const paidFirst = people.filter(({ was, seconds }) => was === null && seconds > 0)
  const link = ({ employee_id, first_day }: FirstTakenPerson) =>
    linkToFiltered('horas', hours, { employee_id, from: laterOf(first_day, hours.from) })
  const describe = ({ first_day, seconds }: FirstTakenPerson) =>
    `desde el ${dayAndMonth(first_day)}, ${duration(seconds)}`
  return (
    <>
      {paidFirst.length > 0 && (
        <Warning icon="in">
          Se paga aquí por primera vez a {counted(paidFirst.length, 'persona')}.
          <PeopleList title="Desde qué día" people={paidFirst} describe={describe} link={link} />
        </Warning>
      )}
      {added.length > 0 && (
        <Warning icon="undo">
          A {counted(added.length, 'persona')} se le paga desde un día anterior: se agregan{' '}
          {duration(sumOf(added.map(({ seconds }) => seconds)))}.
          <PeopleList title="A quién" people={added} describe={describe} link={link} />
        </Warning>
      )}
    </>
  )
}

const REASONS: Record<LeftOut['reason'], string> = {
  before_start: 'antes de su ingreso',
  paid_from: 'antes del día desde el que se le paga',
}

/** Names the people whose hours before their first day no closing pays. */
const LeftOutPeople = ({ people, hours }: { people: LeftOut[]; hours: HoursLink }) => (
  <Warning icon="alert">
    {counted(people.length, 'persona')} con horas que ningún cierre paga, de antes de su primer día:{' '}
    {duration(sumOf(people.map(({ seconds }) => seconds)))}. Corrige ese día en su registro, o
    rechaza esas checadas.
    <PeopleList
      title="Quiénes son"
      people={people}
      describe={({ days, seconds, reason }) =>
        `${counted(days, 'día')}, ${duration(seconds)}, ${REASONS[reason]}`
      }
      link={({ employee_id }) =>
        can('keep_people')
          ? linkTo('personas/persona', { id: employee_id, hacer: 'editar' })
          : linkToFiltered('horas', hours, { employee_id })
      }
    />
  </Warning>
)

/** The number of days that the page of hours lists, read in the same way. */
const DaysToReview = ({ hours }: { hours: HoursLink }) => {
  const query = { ...queryOf(hours), exceptions: true }
  const { data: days, error } = useQuery(daysQuery(query))
  const count = days?.filter(needsReview).length
  if (count === 0 && !error) return null
  const text =
    count === undefined ? 'Contando los días por aclarar…' : `${counted(count, 'día')} por aclarar.`
  return (
    <Warning icon="alert">
      {error ? messageOf(error) : text}{' '}
      <NewTab href={linkToFiltered('horas', hours)}>Ver la lista</NewTab>
    </Warning>
  )
}

/** The warnings about what should be checked before the closing is saved. */
export const Warnings = ({ summary, people, hours }: Preview & { hours: HoursLink }) => {
  const held = people.filter(({ held_seconds }) => held_seconds > 0)
  const empty = people.filter(({ exceptions }) => exceptions.includes('sin_checadas'))
  const { employee_id, payroll_group, to } = hours
  const { pending, pending_of_period, waiting, unsynced } = summary
  const { inverted_days, inverted_seconds, closed_already, first_taken, left_out } = summary
  return (
    <ul class="warnings">
      <FirstTaken key="first" people={first_taken} hours={hours} />
      {left_out.length > 0 && <LeftOutPeople people={left_out} hours={hours} />}
      {closed_already && (
        <Warning icon="alert">
          Estos días ya se cerraron: los pagó el cierre {closed_already.id}, hasta el{' '}
          {dayAndMonth(addDays(closed_already.before, -1))}, que hizo{' '}
          {closed_already.user.full_name} el {shortMoment(closed_already.created_at)}.{' '}
          {totalOf(summary) + summary.deducted_seconds > 0
            ? 'Otro cierre paga solo lo que se muestra aquí.'
            : 'Otro cierre no pagaría nada más.'}
        </Warning>
      )}
      {pending > 0 && (
        <Warning icon="alert">
          {countedLogs(pending)} de estas personas sin decidir
          {pending_of_period < pending && `, ${pending_of_period} del periodo`}.{' '}
          <NewTab href={linkTo('checadas', { employee_id, status: 'pending', to })}>
            {payroll_group === undefined
              ? `Revisar${pending === 1 ? 'la' : 'las'}`
              : 'Ver las de todos los grupos'}
          </NewTab>
        </Warning>
      )}
      {waiting > 0 && (
        <Warning icon="clock">
          {countedLogs(waiting)} de relojes {waiting === 1 ? 'espera' : 'esperan'}: falta saber de
          quién {waiting === 1 ? 'es' : 'son'}, o su hora no puede ser.{' '}
          <NewTab href={linkTo('relojes')}>Ver relojes</NewTab>
        </Warning>
      )}
      {held.length > 0 && (
        <Warning icon="clock">
          Se retienen {duration(summary.held_seconds)} de {counted(held.length, 'persona')} hasta
          que se decida lo que está pendiente.
          <PeopleList
            title="Qué las retiene"
            people={held}
            describe={({ held_seconds }) => duration(held_seconds)}
            link={({ employee_id }) => linkTo('checadas', { employee_id, status: 'pending' })}
          />
        </Warning>
      )}
      <DaysToReview hours={hours} />
      {inverted_days > 0 && (
        <Warning icon="alert">
          {counted(inverted_days, 'día')} con entradas y salidas invertidas porque falta una
          checada: suman {duration(inverted_seconds)}, que serían de descanso.{' '}
          <NewTab href={linkToFiltered('horas', hours, { exception: 'posible_desfase' })}>
            Ver la lista
          </NewTab>
        </Warning>
      )}
      {unsynced.length > 0 && (
        <Warning icon="clock">
          <Clocks names={unsynced} /> <NewTab href={linkTo('relojes')}>Ver relojes</NewTab>
        </Warning>
      )}
      {empty.length > 0 && !closed_already && (
        <Warning icon="alert">
          {counted(empty.length, 'persona')} sin ninguna checada en el periodo.
          <PeopleList
            title="Quiénes son"
            people={empty}
            link={({ employee_id }) => linkToFiltered('horas', hours, { employee_id })}
          />
        </Warning>
      )}
    </ul>
  )
}
