import { useId, useRef, useState } from 'hono/jsx/dom'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { isLost, messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import type { Moved, Outcome } from '../api/decide.ts'
import { signedIn } from '../api/session.ts'
import { needsComment, readByPeople, runDecision, summarize } from '../state/decisions.ts'
import { focusAfter } from '../state/focus.ts'
import { isListDone, readNotes, relistAfterMany } from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { announce, ui } from '../state/ui.ts'
import { useRead } from '../state/use-read.ts'
import { ACTS, countLogs, OFFLINE } from '../text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { About, peopleOf, readyReasons } from './decision-about.tsx'
import { Conflicts, type Progress, ProgressBar } from './decision-progress.tsx'

const COMMENT_MAX = 500

interface Props {
  logs: LogRow[]
  status: LogStatus
  note?: string | undefined
}

/** Asks before a decision that needs a reason, or is about many; and shows how it goes. */
export const DecisionDialog = ({ logs: asked, status, note }: Props) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const stop = useRef(false)
  const [logs, setLogs] = useState(asked)
  const [length, setLength] = useState(0)
  const [problem, setProblem] = useState('')
  const [moved, setMoved] = useState<Moved[]>([])
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const { online } = useStore(connection)

  const { data: notes } = useRead(async () => (asked.length > 1 ? readNotes(asked) : undefined))
  // A repeated punch is no exception: days without any may have one.
  const noted = logs.flatMap(({ log_id }) => notes?.get(log_id)?.[0] ?? [])
  const repeated = noted.filter((name) => name === 'repetida').length
  const marked = [
    [noted.length - repeated, 'excepción'] as const,
    [repeated, 'checadas repetidas'] as const,
  ].flatMap(([count, what]) => (count > 0 ? `${countLogs(count)} de días con ${what}` : []))
  const act = `${ACTS[status].act} ${countLogs(logs.length)}`
  const close = () => ui.set({ deciding: undefined })
  const write = (text: string) => {
    if (field.current) field.current.value = text
    setLength([...text].length)
    setProblem('')
    field.current?.focus()
  }

  const finish = (outcome: Outcome) => {
    const [only] = asked.length === 1 ? asked : []
    const stopped = stop.current && !outcome.error ? ' Se detuvo: el resto queda como estaba.' : ''
    announce(summarize(outcome, status, only) + stopped, { undoable: outcome.done.length > 0 })
    const complete = outcome.moved.length === 0 && outcome.error === undefined
    if (complete) {
      close()
      // Once the dialog is gone: until then the rows cannot have the focus.
      setTimeout(async () => {
        if (asked.length > 1 && !stop.current && isListDone()) await relistAfterMany()
        focusAfter(outcome.done)
      })
      return
    }
    field.current?.focus()
    // The text stays, and so do the logs that were not decided, as they stand now.
    const now = new Map(outcome.moved.map((one) => [one.log_id, one.status]))
    const done = new Set(outcome.done)
    setLogs(
      logs
        .filter(({ log_id }) => !done.has(log_id))
        .map((log) => ({ ...log, status: now.get(log.log_id) ?? log.status }))
        .filter((log) => log.status !== status),
    )
    setMoved(outcome.moved)
    if (outcome.error !== undefined) {
      const saved =
        outcome.done.length > 0 ? ` ${summarize({ done: outcome.done, moved: [] }, status)}` : ''
      const retry = isLost(outcome.error) ? ' Inténtalo de nuevo.' : ''
      setProblem(messageOf(outcome.error) + saved + retry)
    }
  }

  const submit = async (event: Event) => {
    event.preventDefault()
    const comment = field.current?.value.trim() ?? ''
    if (comment === '' && needsComment(status)) {
      setProblem(
        signedIn().employee_clock_in
          ? 'Escribe el motivo: la persona lo va a leer.'
          : 'Escribe el motivo.',
      )
      field.current?.focus()
      return
    }
    if ([...comment].length > COMMENT_MAX) {
      setProblem(`El motivo puede tener ${COMMENT_MAX} caracteres como máximo.`)
      return
    }
    stop.current = false
    setProblem('')
    setMoved([])
    const total = logs.length
    setProgress({ decided: 0, total, stopping: false })
    const outcome = await runDecision({
      logs,
      status,
      comment: comment || undefined,
      onProgress: (decided) => setProgress({ decided, total, stopping: stop.current }),
      shouldStop: () => stop.current,
    })
    setProgress(undefined)
    finish(outcome)
  }

  const readers = peopleOf(logs)
  return (
    <Dialog title={act} onClose={progress ? undefined : close}>
      <form onSubmit={submit} novalidate>
        {note && <p>{note}</p>}
        {marked.length > 0 && (
          <p class="effect" key="exceptions">
            <Icon name="alert" />
            Entre ellas, {marked.join(' y ')}.
          </p>
        )}
        <About logs={logs.length > 0 ? logs : asked} status={status} />
        {moved.length > 0 && <Conflicts moved={moved} />}
        <div class="field">
          <label for={id}>{needsComment(status) ? 'Motivo' : 'Comentario (opcional)'}</label>
          <textarea
            id={id}
            ref={field}
            rows={3}
            autofocus
            readonly={progress !== undefined}
            aria-describedby={`${id}-hint`}
            aria-invalid={problem ? 'true' : undefined}
            onInput={() => setLength([...(field.current?.value ?? '')].length)}
          />
          <p id={`${id}-hint`} class="note">
            {readByPeople(readers)}No escribas datos de salud.{' '}
            <span class={length > COMMENT_MAX ? 'problem' : ''}>
              {length} de {COMMENT_MAX}
            </span>
          </p>
        </div>
        {status === 'rejected' && !progress && (
          <ul class="ready" aria-label="Motivos listos">
            {readyReasons(logs).map((reason) => (
              <li key={reason}>
                <button type="button" class="quiet" onClick={() => write(reason)}>
                  {reason}
                </button>
              </li>
            ))}
          </ul>
        )}
        <p class="problem" role="alert">
          {problem || (online ? '' : OFFLINE)}
        </p>
        {progress ? (
          <ProgressBar
            progress={progress}
            onStop={() => {
              stop.current = true
              setProgress({ ...progress, stopping: true })
            }}
          />
        ) : (
          <footer>
            <button type="button" onClick={close}>
              {moved.length > 0 ? 'Cerrar' : 'Cancelar'}
            </button>
            {logs.length > 0 && (
              <button type="submit" class="primary" disabled={!online}>
                {act}
              </button>
            )}
          </footer>
        )}
      </form>
    </Dialog>
  )
}
