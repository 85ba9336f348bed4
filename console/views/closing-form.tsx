import { useId, useRef, useState } from 'hono/jsx/dom'
import type { Closing, ClosingBody } from '../../sdk/api-types.ts'
import { call } from '../api/call.ts'
import { api, hasStatus, isLost } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { readClosings } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo } from '../routes.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { useRead } from '../state/use-read.ts'
import { countLogs, OFFLINE } from '../text.ts'
import { addDays, dayOfMonth, fortnightOf, today } from '../time.ts'
import { DateField } from '../ui/date-field.tsx'
import { fieldProblems, type Problems, problemsOf } from '../ui/field-problems.tsx'
import { Icon } from '../ui/icon.tsx'

const close = (json: ClosingBody) => call(() => api.v2.incidents.closings.$post({ json }))

/** Closes once: an answer that is lost is looked for in the list. */
const closeOnce = async (json: ClosingBody, known: readonly Closing[]): Promise<void> => {
  try {
    await close(json)
  } catch (error) {
    if (!isLost(error)) throw error
    const [last] = await readClosings()
    const isOwn =
      last?.user.id === signedIn().user.id &&
      last.before === json.before &&
      last.payroll_group === json.payroll_group
    if (!isOwn || last.id === known[0]?.id) throw error
  }
}

/** How many logs of everybody wait until a day. */
const countPending = async (to: string): Promise<number> => {
  const query = { status: 'pending', to } as const
  return (await call(() => api.v2.incidents.logs.summary.$get({ query }))).total.pending
}

/** The last day of the newest fortnight that is over. */
const lastFortnight = (): string => addDays(fortnightOf(today()).from, -1)

/**
 * The latest day of the closings that a new one replaces: the ruling one of its group; for everybody,
 * that of each group. Closings come newest first.
 */
const replacedDay = (closings: readonly Closing[], group: string | null): string => {
  const ofAll = closings.findIndex(({ payroll_group }) => payroll_group === null)
  const current = ofAll === -1 ? closings : closings.slice(0, ofAll + 1)
  const [own] = current.filter(({ payroll_group: of }) => of === null || of === group)
  const each = [...Map.groupBy(current, (one) => one.payroll_group).values()].map(([one]) => one)
  const replaced = group === null ? each : [own]
  return (
    replaced
      .map((one) => one?.before ?? '')
      .toSorted()
      .at(-1) ?? ''
  )
}

interface Props {
  closings: Closing[]
  onClosed: () => void
}

/** Closes a period until a day, or reopens what is closed beyond it. */
export const ClosingForm = ({ closings, onClosed }: Props) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [day, setDay] = useState(lastFortnight())
  const [whose, setWhose] = useState('all')
  const [name, setName] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const { data: pending = 0 } = useRead(() => countPending(day), [day, closings])

  const before = addDays(day, 1)
  // As the service has it: null for everybody, empty for who has no group.
  const group = whose === 'all' ? null : whose === 'one' ? name : ''
  const reopens = before < replacedDay(closings, group)
  const act = `${reopens ? 'Reabrir después del' : 'Cerrar hasta el'} ${dayOfMonth(day)}`
  const submit = async (event: Event) => {
    event.preventDefault()
    if (!form.current || busy) return
    const given = new FormData(form.current)
    const comment = String(given.get('comment')).trim()
    if (whose === 'one' && !name) return setProblems({ payroll_group: 'Escribe cuál.' })
    setBusy(true)
    setProblems({})
    try {
      const leave_pending = given.has('leave_pending')
      const json = { before, payroll_group: group, comment: comment || null, leave_pending }
      await closeOnce(json, closings)
      announce(`${reopens ? 'Se reabrió después del' : 'Se cerró hasta el'} ${dayOfMonth(day)}.`)
      form.current?.reset()
      onClosed()
    } catch (error) {
      setProblems(hasStatus(error, 409) ? { leave_pending: error.message } : problemsOf(error))
    }
    setBusy(false)
  }

  const { problem, about } = fieldProblems(id, problems)
  const groups = new Set(closings.flatMap(({ payroll_group }) => payroll_group || []))
  const waits = pending > 0 || problems.leave_pending
  return (
    <form ref={form} onSubmit={submit} novalidate>
      <h2>Cerrar un periodo</h2>
      <div class="pair">
        <div>
          <DateField
            id={`${id}-day`}
            label="Último día"
            value={day}
            max={today()}
            onChange={(to) => to && setDay(to)}
          />
          {problem('before')}
        </div>
        <div class="field">
          <label for={`${id}-whose`}>De quién</label>
          <select
            id={`${id}-whose`}
            onChange={(event: Event) => setWhose((event.target as HTMLSelectElement).value)}
          >
            <option value="all">Todos</option>
            <option value="one">Un grupo de nómina</option>
            <option value="none">Quienes no tienen grupo</option>
          </select>
        </div>
      </div>
      {whose === 'one' && (
        <div class="field" key="group">
          <label for={`${id}-group`}>Grupo</label>
          <input
            id={`${id}-group`}
            list={`${id}-groups`}
            {...about('payroll_group')}
            onInput={(event: Event) => setName((event.target as HTMLInputElement).value.trim())}
          />
          <datalist id={`${id}-groups`}>
            {[...groups].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          {problem('payroll_group')}
        </div>
      )}
      <div class="field" key="comment">
        <label for={`${id}-comment`}>
          {reopens ? 'Motivo de la reapertura' : 'Comentario (opcional)'}
        </label>
        <textarea
          id={`${id}-comment`}
          name="comment"
          rows={2}
          maxlength={500}
          {...about('comment')}
        />
        {problem('comment')}
      </div>
      {waits && (
        <div class="field" key="pending">
          <p class="moved">
            <Icon name="alert" />
            <span>
              {problems.leave_pending ?? `${countLogs(pending)} sin decidir hasta ese día.`}{' '}
              <a href={linkTo('checadas', { status: 'pending', to: day })}>Revisarlas</a>
            </span>
          </p>
          <label class="pick">
            <input type="checkbox" name="leave_pending" />
            Dejarlas pendientes: lo que se decida después sale en los ajustes
          </label>
        </div>
      )}
      <p class="problem" role="alert">
        {problems.all ?? (online ? '' : OFFLINE)}
      </p>
      <footer>
        <button type="submit" class="primary" disabled={!online || busy}>
          {busy ? 'Guardando…' : act}
        </button>
      </footer>
    </form>
  )
}
