import { useId, useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import type { Closing, ClosingPerson, FirstTaken } from '../../sdk/api-types.ts'
import { hasStatus } from '../api/client.ts'
import { close, type PreviewQuery, readPreview, requestPreviewFile } from '../api/closings.ts'
import { connection } from '../api/connection.ts'
import { linkTo } from '../routes.ts'
import { useStore } from '../state/store.ts'
import { useRead } from '../state/use-read.ts'
import { counted, countLogs, OFFLINE } from '../text.ts'
import { addDays, duration, inHours } from '../time.ts'
import { DownloadButton } from '../ui/download-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { type Problems, problemsOf } from '../ui/field-problems.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { NewTab, PeopleList } from './closing-words.tsx'
import { FirstDays, openingsOf } from './first-days.tsx'

export type ClosingSelection = Pick<PreviewQuery, 'payroll_group' | 'employee_id'> & {
  before: string
}

interface Read {
  summary: Awaited<ReturnType<typeof readPreview>>['summary']
  people: ClosingPerson[]
}

type HoursLink = ReturnType<typeof hoursOf>

/** The days of a closing in the list of hours, which shows a month: since the first, or the last closing. */
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

/** What somebody should know before the figures are fixed; each with where it can be mended. */
const Warnings = ({ summary, people, hours }: Read & { hours: HoursLink }) => {
  const held = people.filter(({ held_seconds }) => held_seconds > 0)
  const empty = people.filter(({ exceptions }) => exceptions.includes('sin_checadas'))
  const { employee_id, payroll_group, to } = hours
  const { pending, pending_of_period, exceptions_left, unsynced } = summary
  return (
    <ul class="warnings">
      {pending > 0 && (
        <li key="pending">
          <Icon name="alert" />
          <span>
            {countLogs(pending)} de estas personas sin decidir
            {pending_of_period < pending && `, ${pending_of_period} del periodo`}.{' '}
            <NewTab href={linkTo('checadas', { employee_id, status: 'pending', to })}>
              {payroll_group ? 'Ver las de todos los grupos' : 'Revisarlas'}
            </NewTab>
          </span>
        </li>
      )}
      {held.length > 0 && (
        <li key="held">
          <Icon name="clock" />
          <div>
            Se retienen {duration(summary.held_seconds)} de {counted(held.length, 'persona')} hasta
            que se decida lo que está pendiente.
            <PeopleList
              title="Qué las retiene"
              people={held}
              describe={({ held_seconds }) => duration(held_seconds)}
              link={({ employee_id }) => linkTo('checadas', { employee_id, status: 'pending' })}
            />
          </div>
        </li>
      )}
      {exceptions_left > 0 && (
        <li key="exceptions">
          <Icon name="alert" />
          <span>
            {counted(exceptions_left, 'día')} con excepciones que nadie ha revisado.{' '}
            <NewTab href={linkTo('horas', hours)}>Ver la lista</NewTab>
          </span>
        </li>
      )}
      {unsynced.length > 0 && (
        <li key="clocks">
          <Icon name="clock" />
          <span>
            Falta información de {unsynced.join(', ')}.{' '}
            <NewTab href={linkTo('relojes')}>Ver relojes</NewTab>
          </span>
        </li>
      )}
      {empty.length > 0 && (
        <li key="empty">
          <Icon name="alert" />
          <div>
            {counted(empty.length, 'persona')} sin ninguna checada en el periodo.
            <PeopleList
              title="Quiénes son"
              people={empty}
              link={({ employee_id }) => linkTo('horas', { ...hours, employee_id })}
            />
          </div>
        </li>
      )}
    </ul>
  )
}

interface Props {
  selection: ClosingSelection
  title: string
  closings: Closing[]
  onBack: () => void
  onClosed: (closing: Closing) => void
}

/** What a closing would pay, and its confirmation. */
export const ClosingPreview = ({ selection, title, closings, onBack, onClosed }: Props) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [days, setDays] = useState<ReadonlyMap<string, string>>(new Map())
  const [attempt, setAttempt] = useState(0)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const openings = days.size > 0 ? JSON.stringify(Object.fromEntries(days)) : undefined
  const query = { ...selection, openings }
  const { data, problem } = useRead(() => readPreview(query), [openings, attempt])
  useLayoutEffect(() => heading.current?.focus(), [data === undefined])

  if (problem) {
    return (
      <div>
        <Failure
          title="No se pudo calcular el cierre"
          text={problem}
          onRetry={() => setAttempt(attempt + 1)}
        />
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
  const { first_taken, pending } = summary
  const dayOf = (one: FirstTaken): string => days.get(one.employee_id) ?? one.suggested
  const total = summary.period_seconds + summary.added_seconds
  const hours = hoursOf(selection, first_taken.map(dayOf), closings)

  const submit = async (event: Event) => {
    event.preventDefault()
    if (!form.current || busy) return
    const given = new FormData(form.current)
    const missing: Problems = {
      ...(first_taken.length > 0 &&
        !given.has('first') && { first: 'Confirma los primeros días.' }),
      ...(pending > 0 &&
        !given.has('leave_pending') && {
          leave_pending: 'Decídelas antes, o di que se quedan pendientes.',
        }),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      const comment = String(given.get('comment')).trim() || null
      const leave_pending = given.has('leave_pending')
      const { before, payroll_group = null, employee_id = null } = selection
      const confirmed = { ...openingsOf(first_taken, dayOf), comment, leave_pending }
      onClosed(await close({ before, payroll_group, employee_id, ...confirmed }, closings))
    } catch (error) {
      setBusy(false)
      // Somebody closed, decided or unlocked meanwhile: what is on screen is not what would be paid.
      if (hasStatus(error, 409) || hasStatus(error, 422)) setAttempt(attempt + 1)
      setProblems(problemsOf(error))
    }
  }
  const message = (name: string) => (
    <p class="problem" role="alert">
      {problems[name] ?? ''}
    </p>
  )
  return (
    <form ref={form} onSubmit={submit} novalidate>
      <h2 ref={heading} tabindex={-1}>
        {title}
      </h2>
      <dl class="figures">
        <div>
          <dt>Personas</dt>
          <dd>{summary.people.toLocaleString('es-MX')}</dd>
        </div>
        <div>
          <dt>Por pagar</dt>
          <dd>
            <strong>{duration(total)}</strong> <span class="note">{inHours(total)}</span>
          </dd>
        </div>
        <div>
          <dt>De días anteriores</dt>
          <dd>
            {summary.added_seconds > 0 ? `se agregan ${duration(summary.added_seconds)}` : '–'}
            {summary.deducted_seconds > 0 && (
              <p class="note">y {duration(summary.deducted_seconds)} por descontar, aparte</p>
            )}
          </dd>
        </div>
        <div>
          <dt>Sin decidir</dt>
          <dd>{pending > 0 ? countLogs(pending) : '–'}</dd>
        </div>
      </dl>
      <Warnings summary={summary} people={people} hours={hours} />
      {first_taken.length > 0 && (
        <div key="first">
          <FirstDays
            people={first_taken}
            dayOf={dayOf}
            before={selection.before}
            onChange={(employee_id, day) => setDays(new Map([...days, [employee_id, day]]))}
          />
          {message('first')}
          {message('openings')}
          {message('from')}
        </div>
      )}
      {pending > 0 && (
        <div key="pending">
          <label class="pick">
            <input type="checkbox" name="leave_pending" />
            Dejar pendientes {countLogs(pending)}: lo que se decida después se paga en el próximo
            cierre
          </label>
          {message('leave_pending')}
        </div>
      )}
      <div class="field">
        <label for={`${id}-comment`}>Comentario (opcional)</label>
        <textarea id={`${id}-comment`} name="comment" rows={2} maxlength={500} />
      </div>
      {message('comment')}
      <p class="problem" role="alert">
        {problems.all ?? problems.before ?? (online ? '' : OFFLINE)}
      </p>
      <footer>
        <DownloadButton label="Vista previa" request={() => requestPreviewFile(query)} />
        <button type="button" onClick={onBack} disabled={busy}>
          Volver
        </button>
        <button type="submit" class="primary" disabled={!online || busy}>
          {busy ? 'Cerrando…' : `Cerrar y pagar ${duration(total)}`}
        </button>
      </footer>
    </form>
  )
}
