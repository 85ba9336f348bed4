import type { Child } from 'hono/jsx/dom'
import type { Closing, ClosingPerson, FirstTaken } from '../../sdk/api-types.ts'
import { ConsoleError, hasStatus } from '../api/client.ts'
import {
  type PreviewQuery,
  readPreview,
  readSummary,
  requestPreviewFile,
  saveClosing,
  totalOf,
} from '../api/closings.ts'
import { knownUntilText, readSources } from '../api/sources.ts'
import { linkTo } from '../routes.ts'
import { usePersonName } from '../state/person-name.ts'
import { useRead } from '../state/use-read.ts'
import { counted, countedLogs, groupName } from '../text.ts'
import { addDays, dayAndMonth, duration, inHours, laterOf, shortMoment } from '../time.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { FirstDays, openingFields } from './first-days.tsx'

type ClosingSelection = Pick<PreviewQuery, 'payroll_group' | 'employee_id'> & { before: string }

/** A selection, with the first days that were chosen in its preview. */
type PreviewRoute = ClosingSelection & Pick<PreviewQuery, 'from' | 'openings'>

/** In the address, the group `-` means the people without a group. */
export const linkToPreview = ({ payroll_group, ...query }: PreviewRoute): string =>
  linkTo('cierres', { ...query, payroll_group: payroll_group === '' ? '-' : payroll_group })

/** Reads the preview from the query of an address. Undefined if the query has no `before`. */
export const toPreviewRoute = (query: Record<string, string>): PreviewRoute | undefined => {
  const { before, payroll_group, employee_id, from, openings } = query
  if (!before) return undefined
  const group = payroll_group === '-' ? '' : payroll_group
  return { before, payroll_group: group, employee_id, from, openings }
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
    payroll_group: payroll_group === '' ? '-' : payroll_group,
    from: laterOf(first, addDays(to, -30)),
    to,
  }
}

/** A link to a new tab, so that the preview stays open. */
const NewTab = ({ href, children }: { href: string; children?: Child }) => (
  // biome-ignore lint/security/noBlankTarget: the same page gets the session from its opener
  <a href={href} target="_blank" rel="opener">
    {children}
  </a>
)

interface PeopleProps {
  title: string
  people: ClosingPerson[]
  describe?: (person: ClosingPerson) => string
  link: (person: ClosingPerson) => string
}

/** A list of some people of a closing, each with a link to the details. */
const PeopleList = ({ title, people, describe, link }: PeopleProps) => (
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

const Warning = ({ icon, children }: { icon: IconName; children: Child }) => (
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

/** The warnings about what should be checked before the closing is saved. */
const Warnings = ({ summary, people, hours }: Preview & { hours: HoursLink }) => {
  const held = people.filter(({ held_seconds }) => held_seconds > 0)
  const empty = people.filter(({ exceptions }) => exceptions.includes('sin_checadas'))
  const { employee_id, payroll_group, to } = hours
  const { pending, pending_of_period, exceptions_left, unsynced } = summary
  const { inverted_days, inverted_seconds, closed_already } = summary
  return (
    <ul class="warnings">
      {closed_already && (
        <Warning key="closed" icon="alert">
          Estos días ya se cerraron: los pagó el cierre {closed_already.id}, hasta el{' '}
          {dayAndMonth(addDays(closed_already.before, -1))}, que hizo{' '}
          {closed_already.user.full_name} el {shortMoment(closed_already.created_at)}.{' '}
          {totalOf(summary) + summary.deducted_seconds > 0
            ? 'Otro cierre paga solo lo que se muestra aquí.'
            : 'Otro cierre no pagaría nada más.'}
        </Warning>
      )}
      {pending > 0 && (
        <Warning key="pending" icon="alert">
          {countedLogs(pending)} de estas personas sin decidir
          {pending_of_period < pending && `, ${pending_of_period} del periodo`}.{' '}
          <NewTab href={linkTo('checadas', { employee_id, status: 'pending', to })}>
            {payroll_group ? 'Ver las de todos los grupos' : 'Revisarlas'}
          </NewTab>
        </Warning>
      )}
      {held.length > 0 && (
        <Warning key="held" icon="clock">
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
        <Warning key="exceptions" icon="alert">
          {counted(exceptions_left, 'día')} con excepciones que nadie ha revisado.{' '}
          <NewTab href={linkTo('horas', hours)}>Ver la lista</NewTab>
        </Warning>
      )}
      {inverted_days > 0 && (
        <Warning key="inverted" icon="alert">
          {counted(inverted_days, 'día')} con entradas y salidas invertidas porque falta una
          checada: suman {duration(inverted_seconds)}, que serían de descanso.{' '}
          <NewTab href={linkTo('horas', { ...hours, exception: 'posible_desfase' })}>
            Ver la lista
          </NewTab>
        </Warning>
      )}
      {unsynced.length > 0 && (
        <Warning key="clocks" icon="clock">
          <Clocks names={unsynced} /> <NewTab href={linkTo('relojes')}>Ver relojes</NewTab>
        </Warning>
      )}
      {empty.length > 0 && !closed_already && (
        <Warning key="empty" icon="alert">
          {counted(empty.length, 'persona')} sin ninguna checada en el periodo.
          <PeopleList
            title="Quiénes son"
            people={empty}
            link={({ employee_id }) => linkTo('horas', { ...hours, employee_id })}
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

/**
 * Reads the first days of people from the page's address, by employee id. The result is empty if
 * somebody has changed the address to invalid JSON.
 */
const daysOf = (openings = '{}'): Record<string, string> => {
  try {
    return JSON.parse(openings)
  } catch {
    return {}
  }
}

const paysTheSame = (a: Preview['summary'], b: Preview['summary']): boolean =>
  totalOf(a) === totalOf(b) && a.deducted_seconds === b.deducted_seconds

const toForm = (): void => {
  location.hash = linkTo('cierres')
}

interface Props {
  route: PreviewRoute
  closings: Closing[]
  onClosed: (closing: Closing) => void
  /** Called when somebody has closed or decided since the preview was read. */
  onOutdated: () => void
}

/** Shows what a closing would pay, and saves it after a confirmation. */
export const ClosingPreview = ({ route, closings, onClosed, onOutdated }: Props) => {
  const { from, openings, ...selection } = route
  /** The first days of some people. For the others it is `from`, or else the suggested day. */
  const days = daysOf(openings)
  const choose = (first: Pick<PreviewRoute, 'from' | 'openings'>) =>
    location.replace(linkToPreview({ ...selection, ...first }))
  const person = usePersonName(selection.employee_id ?? '')
  const name = selection.employee_id ? person : groupName(selection.payroll_group ?? null)
  const title = `${name}, hasta el ${dayAndMonth(addDays(selection.before, -1))}`
  const query = { ...selection, from, openings }
  const { data, problem, again } = useRead(() => readPreview(query), [from, openings])
  const first_taken = data?.summary.first_taken ?? []
  const pending = data?.summary.pending ?? 0
  const inverted = data?.summary.inverted_seconds ?? 0
  const dayOf = (one: FirstTaken): string => days[one.employee_id] ?? from ?? one.suggested
  const form = useForm({
    draft: `cierre ${JSON.stringify(selection)}`,
    check: (given) => ({
      ...(first_taken.length > 0 && !given('first') && { first: 'Confirma los primeros días.' }),
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
      const { before, payroll_group = null, employee_id = null } = selection
      const json = {
        before,
        payroll_group,
        employee_id,
        ...openingFields(first_taken, dayOf),
        comment: given('comment') || null,
        leave_pending: given('leave_pending') !== '',
        confirm_inverted: Number(given('confirm_inverted')),
      }
      const now = await readSummary(query)
      if (data && !paysTheSame(now, data.summary)) {
        again()
        const paid = duration(totalOf(now))
        throw new ConsoleError(`Algo cambió mientras mirabas: ahora se pagarían ${paid}.`)
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
          {(from || openings) && (
            <button key="suggested" type="button" onClick={() => choose({})}>
              Volver a los primeros días sugeridos
            </button>
          )}
          <button key="back" type="button" onClick={toForm}>
            Volver
          </button>
        </footer>
      </div>
    )
  }
  if (!data) return <Skeleton rows={5} />
  const { summary, people } = data
  const firstIds = new Set(first_taken.map(({ employee_id }) => employee_id))
  const others = people.filter(({ employee_id }) => !firstIds.has(employee_id))
  const firstDays = [...first_taken.map(dayOf), ...others.map(({ from_day }) => from_day)]
  const hours = hoursOf(selection, firstDays)
  const { problems, busy } = form
  return (
    <form {...form.props}>
      <Heading level="h2">{title}</Heading>
      <Figures summary={summary} />
      <Warnings summary={summary} people={people} hours={hours} />
      {first_taken.length > 0 && (
        <div key="first">
          <FirstDays
            people={first_taken}
            paid={people}
            dayOf={dayOf}
            before={selection.before}
            onChangeAll={(day) => choose({ from: day })}
            onChange={(employee_id, day) =>
              choose({ from, openings: JSON.stringify({ ...days, [employee_id]: day }) })
            }
          />
          {form.problem('first')}
          {form.problem('openings')}
          {form.problem('from')}
        </div>
      )}
      {pending > 0 && (
        <div key="pending">
          <Checkbox key={pending} name="leave_pending" value={String(pending)}>
            Dejar {countedLogs(pending)} sin decidir: lo que se decida después se paga en el próximo
            cierre
          </Checkbox>
          {form.problem('leave_pending')}
        </div>
      )}
      {inverted > 0 && (
        <div key="inverted">
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
        <DownloadButton label="Vista previa" request={() => requestPreviewFile(query, 'csv')} />
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
