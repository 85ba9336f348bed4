import type { ComponentChildren } from 'preact'
import type {
  Closing,
  ClosingPerson,
  FirstTaken as FirstTakenPerson,
  LeftOut,
} from '../../sdk/api-types.ts'
import { knownUntilText, readSources } from '../clocks/sources.api.ts'
import { sumOf } from '../review/counts.ts'
import { hasStatus } from '../session/client.ts'
import { can } from '../session/session.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { usePersonName } from '../ui/person-name.ts'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { linkTo, linkToFiltered } from '../ui/routes.ts'
import { counted, countedLogs, groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, duration, inHours, laterOf, shortMoment } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import {
  type PreviewQuery,
  readPreview,
  requestPreviewFile,
  saveClosing,
  totalOf,
} from './closings.api.ts'
import { GroupDay } from './group-day.tsx'

type ClosingSelection = Pick<PreviewQuery, 'payroll_group' | 'employee_id'> & { before: string }

export const linkToPreview = (selection: ClosingSelection): string =>
  linkToFiltered('cierres', { ...selection })

/** Reads the preview from the query of an address. Undefined if the query has no `before`. */
export const toPreviewRoute = (query: Record<string, string>): ClosingSelection | undefined => {
  const { before, payroll_group, employee_id } = query
  return before ? { before, payroll_group, employee_id } : undefined
}

type Preview = Awaited<ReturnType<typeof readPreview>>

type HoursLink = ReturnType<typeof hoursOf>

/** The filter of the hours page for the closing's days, but for 31 days at most. */
const hoursOf = ({ employee_id, payroll_group, before }: ClosingSelection, firstDays: string[]) => {
  const to = addDays(before, -1)
  // If a later closing has paid a person, the person's first day is after this period.
  const [first = to] = firstDays.filter((day) => day <= to).toSorted()
  return {
    employee_id,
    payroll_group,
    from: laterOf(first, addDays(to, -30)),
    to,
  }
}

/** A link to a new tab, so that the preview stays open. */
const NewTab = ({ href, children }: { href: string; children?: ComponentChildren }) => (
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
  const { data: sources } = useRead(readSources)
  const textOf = (name: string) => {
    const source = sources?.find((one) => one.source === name)
    return source ? `${source.label ?? name} (${knownUntilText(source)})` : name
  }
  return <span>Falta información de {names.map(textOf).join(', ')}.</span>
}

/** Says whom the closing pays for the first time, or from an earlier day on than before. */
const FirstTaken = ({ people, hours }: { people: FirstTakenPerson[]; hours: HoursLink }) => {
  const added = people.filter(({ was }) => was !== null)
  const link = ({ employee_id, first_day }: FirstTakenPerson) =>
    linkToFiltered('horas', hours, { employee_id, from: laterOf(first_day, hours.from) })
  const describe = ({ first_day, seconds }: FirstTakenPerson) =>
    `desde el ${dayAndMonth(first_day)}, ${duration(seconds)}`
  return (
    <>
      {people.length > added.length && (
        <Warning icon="in">
          Se paga aquí por primera vez a {counted(people.length - added.length, 'persona')}.
          <PeopleList
            title="Desde qué día"
            people={people.filter(({ was }) => was === null)}
            describe={describe}
            link={link}
          />
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

/** The warnings about what should be checked before the closing is saved. */
const Warnings = ({ summary, people, hours }: Preview & { hours: HoursLink }) => {
  const held = people.filter(({ held_seconds }) => held_seconds > 0)
  const empty = people.filter(({ exceptions }) => exceptions.includes('sin_checadas'))
  const { employee_id, payroll_group, to } = hours
  const { pending, pending_of_period, exceptions_left, unsynced } = summary
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
            {payroll_group ? 'Ver las de todos los grupos' : 'Revisarlas'}
          </NewTab>
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
      {exceptions_left > 0 && (
        <Warning icon="alert">
          {counted(exceptions_left, 'día')} con excepciones que nadie ha revisado.{' '}
          <NewTab href={linkToFiltered('horas', hours)}>Ver la lista</NewTab>
        </Warning>
      )}
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

const Figures = ({ summary }: Pick<Preview, 'summary'>) => {
  const { people, pending, added_seconds, deducted_seconds } = summary
  const total = totalOf(summary)
  const paid = (
    <>
      <strong>{duration(total)}</strong> <span class="note">{inHours(total)}</span>
    </>
  )
  const ofEarlierDays = (
    <>
      {added_seconds > 0 ? `se agregan ${duration(added_seconds)}` : '–'}
      {deducted_seconds > 0 && (
        <p class="note">y {duration(deducted_seconds)} por descontar, aparte</p>
      )}
    </>
  )
  return (
    <Definitions
      class="figures"
      items={[
        ['Personas', people.toLocaleString('es-MX')],
        ['Por pagar', paid],
        ['De días anteriores', ofEarlierDays],
        ['Sin decidir', pending > 0 ? countedLogs(pending) : '–'],
      ]}
    />
  )
}

const toForm = (): void => {
  location.hash = linkTo('cierres')
}

interface Props {
  route: ClosingSelection
  closings: Closing[]
  onClosed: (closing: Closing) => void
  /** Called when somebody has closed or decided since the preview was read. */
  onOutdated: () => void
}

/** Shows what a closing would pay, and saves it after a confirmation. */
export const ClosingPreview = ({ route, closings, onClosed, onOutdated }: Props) => {
  const person = usePersonName(route.employee_id ?? '')
  const name = route.employee_id ? person : groupName(route.payroll_group ?? null)
  const title = `${name}, hasta el ${dayAndMonth(addDays(route.before, -1))}`
  const { data, problem, again } = useRead(() => readPreview(route))
  const groupsWithoutDay = data?.summary.groups_without_day ?? []
  const pending = data?.summary.pending ?? 0
  const inverted = data?.summary.inverted_seconds ?? 0
  const form = useForm({
    draft: `cierre ${JSON.stringify(route)}`,
    check: (given) => ({
      ...(groupsWithoutDay.length > 0 && {
        all: 'Di antes desde qué día se le paga a cada grupo.',
      }),
      ...(pending > 0 &&
        !given('leave_pending') && {
          leave_pending: 'Decídelas antes, o di que se quedan pendientes.',
        }),
      ...(inverted > 0 &&
        !given('confirm_inverted') && {
          confirm_inverted: 'Agrega antes las checadas que faltan, o di que se pagan así.',
        }),
    }),
    send: async (given) => {
      const { before, payroll_group = null, employee_id = null } = route
      const json = {
        before,
        payroll_group,
        employee_id,
        comment: given('comment') || null,
        leave_pending: given('leave_pending') !== '',
        confirm_inverted: Number(given('confirm_inverted')),
        expected_seconds: data ? totalOf(data.summary) - data.summary.deducted_seconds : null,
      }
      try {
        onClosed(await saveClosing(json, closings))
      } catch (error) {
        // The preview is out of date: somebody has closed or decided since it was read.
        if (hasStatus(error, 409) || hasStatus(error, 422)) {
          again()
          onOutdated()
        }
        throw error
      }
    },
  })

  if (problem) {
    return (
      <div>
        <Failure title="No se pudo calcular el cierre" text={problem} onRetry={again} />
        <footer>
          <button key="back" type="button" onClick={toForm}>
            Volver
          </button>
        </footer>
      </div>
    )
  }
  if (!data) return <Skeleton rows={5} />
  const { summary, people } = data
  const firstDays = people.flatMap(({ from_day }) => from_day ?? [])
  const hours = hoursOf(route, firstDays)
  const { problems, busy } = form
  return (
    <form {...form.props}>
      <Heading level="h2">{title}</Heading>
      <Figures summary={summary} />
      <Warnings summary={summary} people={people} hours={hours} />
      {groupsWithoutDay.map((name) => (
        <GroupDay key={`group ${name}`} name={name} onSaved={again} />
      ))}
      {pending > 0 && (
        <div>
          <Checkbox key={pending} name="leave_pending" value={String(pending)}>
            Dejar {countedLogs(pending)} sin decidir: lo que se decida después se paga en el próximo
            cierre
          </Checkbox>
          {form.problem('leave_pending')}
        </div>
      )}
      {inverted > 0 && (
        <div>
          <Checkbox key={inverted} name="confirm_inverted" value={String(inverted)}>
            Pagar así {duration(inverted)} de días con entradas y salidas invertidas
          </Checkbox>
          {form.problem('confirm_inverted')}
        </div>
      )}
      <FormField form={form} name="comment" label="Comentario (opcional)" rows={2} />
      <FormEnd
        form={form}
        problem={problems.all ?? problems.before}
        act={`Cerrar y pagar ${duration(totalOf(summary))}`}
        busyAct="Cerrando…"
      >
        <DownloadButton label="Vista previa" request={() => requestPreviewFile(route, 'csv')} />
        <button
          type="button"
          disabled={busy}
          onClick={() => {
            form.forget()
            toForm()
          }}
        >
          Volver
        </button>
      </FormEnd>
    </form>
  )
}
