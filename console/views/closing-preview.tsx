import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import type { Closing, ClosingPerson, FirstTaken } from '../../sdk/api-types.ts'
import { hasStatus } from '../api/client.ts'
import {
  close,
  type PreviewQuery,
  readPreview,
  requestPreviewFile,
  totalOf,
} from '../api/closings.ts'
import { linkTo } from '../routes.ts'
import { useRead } from '../state/use-read.ts'
import { counted, countLogs } from '../text.ts'
import { addDays, duration, inHours } from '../time.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { Checkbox, Field } from '../ui/fields.tsx'
import { FormEnd, useForm } from '../ui/form.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { FirstDays, openingsOf } from './first-days.tsx'

export type ClosingSelection = Pick<PreviewQuery, 'payroll_group' | 'employee_id'> & {
  before: string
}

type Preview = Awaited<ReturnType<typeof readPreview>>

type HoursLink = ReturnType<typeof hoursOf>

/**
 * The hours filter for the closing's days. They start on the people's first day or after the last
 * closing, but at most one month back.
 */
const hoursOf = (selection: ClosingSelection, firsts: string[], closings: Closing[]) => {
  const { employee_id, payroll_group, before } = selection
  const to = addDays(before, -1)
  const last = closings.find(
    (one) =>
      !one.cancelled &&
      [null, employee_id].includes(one.employee_id) &&
      [null, payroll_group ?? one.payroll_group].includes(one.payroll_group),
  )
  const first = firsts.toSorted()[0] ?? last?.before
  return {
    employee_id,
    payroll_group: payroll_group === '' ? '-' : payroll_group,
    from: first && [first, addDays(to, -30)].toSorted()[1],
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

/** Links to everything that should be checked before the closing is saved. */
const Warnings = ({ summary, people, hours }: Preview & { hours: HoursLink }) => {
  const held = people.filter(({ held_seconds }) => held_seconds > 0)
  const empty = people.filter(({ exceptions }) => exceptions.includes('sin_checadas'))
  const { employee_id, payroll_group, to } = hours
  const { pending, pending_of_period, exceptions_left, unsynced } = summary
  return (
    <ul class="warnings">
      {pending > 0 && (
        <Warning key="pending" icon="alert">
          {countLogs(pending)} de estas personas sin decidir
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
      {unsynced.length > 0 && (
        <Warning key="clocks" icon="clock">
          Falta información de {unsynced.join(', ')}.{' '}
          <NewTab href={linkTo('relojes')}>Ver relojes</NewTab>
        </Warning>
      )}
      {empty.length > 0 && (
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
        ['Sin decidir', pending > 0 ? countLogs(pending) : '–'],
      ]}
    />
  )
}

interface Props {
  selection: ClosingSelection
  title: string
  closings: Closing[]
  onBack: () => void
  onClosed: (closing: Closing) => void
}

/** Shows what a closing would pay, and saves it after a confirmation. */
export const ClosingPreview = ({ selection, title, closings, onBack, onClosed }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [days, setDays] = useState<Record<string, string>>({})
  const openings = Object.keys(days).length > 0 ? JSON.stringify(days) : undefined
  const query = { ...selection, openings }
  const { data, problem, again } = useRead(() => readPreview(query), [openings])
  useLayoutEffect(() => heading.current?.focus(), [data === undefined])
  const first_taken = data?.summary.first_taken ?? []
  const pending = data?.summary.pending ?? 0
  const dayOf = (one: FirstTaken): string => days[one.employee_id] ?? one.suggested
  const form = useForm({
    check: (given) => ({
      ...(first_taken.length > 0 && !given('first') && { first: 'Confirma los primeros días.' }),
      ...(pending > 0 &&
        !given('leave_pending') && {
          leave_pending: 'Decídelas antes, o di que se quedan pendientes.',
        }),
    }),
    send: async (given) => {
      const { before, payroll_group = null, employee_id = null } = selection
      const json = {
        before,
        payroll_group,
        employee_id,
        ...openingsOf(first_taken, dayOf),
        comment: given('comment') || null,
        leave_pending: given('leave_pending') !== '',
      }
      try {
        onClosed(await close(json, closings))
      } catch (error) {
        // The preview is out of date: somebody has closed, decided or unlocked since it was read.
        if (hasStatus(error, 409) || hasStatus(error, 422)) again()
        throw error
      }
    },
  })

  if (problem) {
    return (
      <div>
        <Failure title="No se pudo calcular el cierre" text={problem} onRetry={again} />
        <footer>
          <button type="button" onClick={onBack}>
            Volver
          </button>
        </footer>
      </div>
    )
  }
  if (!data) return <Skeleton rows={5} />
  const { summary, people } = data
  const hours = hoursOf(selection, first_taken.map(dayOf), closings)
  const { id, problems, busy } = form
  return (
    <form {...form.props}>
      <h2 ref={heading} tabindex={-1}>
        {title}
      </h2>
      <Figures summary={summary} />
      <Warnings summary={summary} people={people} hours={hours} />
      {first_taken.length > 0 && (
        <div key="first">
          <FirstDays
            people={first_taken}
            dayOf={dayOf}
            before={selection.before}
            onChange={(employee_id, day) => setDays({ ...days, [employee_id]: day })}
          />
          {form.problem('first')}
          {form.problem('openings')}
          {form.problem('from')}
        </div>
      )}
      {pending > 0 && (
        <div key="pending">
          <Checkbox name="leave_pending">
            Dejar pendientes {countLogs(pending)}: lo que se decida después se paga en el próximo
            cierre
          </Checkbox>
          {form.problem('leave_pending')}
        </div>
      )}
      <Field id={`${id}-comment`} label="Comentario (opcional)">
        <textarea id={`${id}-comment`} name="comment" rows={2} maxlength={500} />
      </Field>
      {form.problem('comment')}
      <FormEnd
        form={form}
        problem={problems.all ?? problems.before}
        act={`Cerrar y pagar ${duration(totalOf(summary))}`}
        busyAct="Cerrando…"
      >
        <DownloadButton label="Vista previa" request={() => requestPreviewFile(query, 'csv')} />
        <button type="button" onClick={onBack} disabled={busy}>
          Volver
        </button>
      </FormEnd>
    </form>
  )
}
