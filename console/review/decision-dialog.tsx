import { useQuery } from '@tanstack/preact-query'
import { useRef, useState } from 'preact/hooks'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { isLost, messageOf } from '../session/client.ts'
import { connection } from '../session/connection.ts'
import { useStore } from '../session/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { AlertList, Problem } from '../ui/reading.tsx'
import { ACTS, countedLogs, OFFLINE_MESSAGE } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { needsComment } from './abilities.ts'
import { countPeople, DecisionAbout, readyReasons } from './decision-about.tsx'
import {
  type Conflict,
  describeConflict,
  type Outcome,
  peopleReadComments,
  readersNote,
  summarize,
} from './decision-texts.ts'
import { runDecision } from './decisions.ts'
import { notesQuery } from './logs.queries.ts'

const COMMENT_MAX = 500
const CONFLICTS_MAX = 5

/** A sentence for each log that was not changed. After five, the others are only counted. */
const conflictLines = (conflicts: Conflict[]): string[] => {
  const lines = conflicts.slice(0, CONFLICTS_MAX).map(describeConflict)
  const more = conflicts.length - lines.length
  return more > 0 ? [...lines, `Y ${countedLogs(more)} más.`] : lines
}

interface Progress {
  decided: number
  total: number
  stopping: boolean
}

const ProgressBar = ({ progress, onStop }: { progress: Progress; onStop: () => void }) => {
  const { online } = useStore(connection)
  const { decided, total, stopping } = progress
  return (
    <div class="progress">
      <progress max={total} value={decided} aria-label="Avance" />
      <p role="status">
        {online
          ? `${decided} de ${countedLogs(total)}`
          : `Sin conexión: sigue sola cuando vuelva. Van ${decided} de ${total}.`}
      </p>
      <button type="button" onClick={onStop} disabled={stopping}>
        {stopping ? 'Deteniendo…' : 'Detener'}
      </button>
    </div>
  )
}

/** The branch and the person of the logs. Each is undefined if the logs have several. */
const placeOf = (logs: LogRow[]) => {
  const commonOf = (name: 'branch_office' | 'employee_id') => {
    const values = new Set(logs.map(({ employee }) => employee[name]))
    return values.size === 1 ? [...values][0] : undefined
  }
  return { branch_office: commonOf('branch_office'), employee_id: commonOf('employee_id') }
}

/**
 * Counts the logs of days with exceptions, of days over the week's limit, and of days with repeated
 * logs. Empty if there are none, or if only one log is decided. Says so if that is not known.
 */
const useRemarks = (requested: LogRow[], logs: LogRow[]): string => {
  const query = notesQuery(requested, placeOf(requested))
  const { data: notes, error } = useQuery({ ...query, enabled: requested.length > 1 })
  if (error) return `No se pudo leer cuáles son de días con excepción. ${messageOf(error)}`
  const noted = logs.flatMap(({ log_id }) => notes?.get(log_id)?.[0] ?? [])
  const count = (wanted: string) => noted.filter((name) => name === wanted).length
  const [repeated, over] = [count('repetida'), count('semana_sobre_limite')]
  const exceptions = noted.length - repeated - over
  const parts = [
    exceptions > 0 && `${countedLogs(exceptions)} de días con excepción`,
    // These logs are counted apart, because days «sin excepción» may be over the limit too.
    over > 0 && `${countedLogs(over)} de días que pasan el límite de su semana`,
    repeated > 0 && `${countedLogs(repeated)} de días con checadas repetidas`,
  ].filter(Boolean)
  return parts.length > 0 ? `Entre ellas, ${parts.join(' y ')}.` : ''
}

export interface Asked {
  logs: LogRow[]
  status: LogStatus
  note?: string | undefined
  /** The comment at first. */
  comment?: string | undefined
}

/** What came of the decision, or what is asked instead: the same decision about more logs. */
export type Answer = Outcome | { instead: Asked }

interface Props extends Asked {
  /** Called without an answer if the user cancels. */
  onClose: (answer?: Answer) => void
}

/** Asks for a comment, or to confirm a decision about several logs. Shows the progress. */
export const DecisionDialog = (props: Props) => {
  const { logs: requested, status, note, comment = '', onClose } = props
  const stop = useRef<AbortController | null>(null)
  const [logs, setLogs] = useState(requested)
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [progress, setProgress] = useState<Progress>()
  const { online } = useStore(connection)
  const remarks = useRemarks(requested, logs)

  const act = `${ACTS[status].act} ${countedLogs(logs.length)}`
  const paid = logs.filter(({ locked }) => locked).length
  const cancel = () => {
    form.forget()
    onClose()
  }
  const finish = (outcome: Awaited<ReturnType<typeof runDecision>>) => {
    const { done, error, undoable } = outcome
    const [only] = requested.length === 1 ? requested : []
    announce(summarize(outcome, status, only), { undoable })
    if (outcome.conflicts.length === 0 && error === undefined) return onClose(outcome)
    form.focus('comment')
    // The dialog keeps the comment and the logs that are not decided, with their current status.
    const statuses = new Map(outcome.conflicts.map((one) => [one.log_id, one.status]))
    const left = logs.filter(({ log_id }) => !done.includes(log_id))
    setLogs(
      left
        .map((log) => ({ ...log, status: statuses.get(log.log_id) ?? log.status }))
        .filter((log) => log.status !== status),
    )
    setConflicts(outcome.conflicts)
    if (error === undefined) return
    const saved = done.length > 0 ? ` ${summarize({ done, conflicts: [] }, status)}` : ''
    form.refuse({ all: messageOf(error) + saved + (isLost(error) ? ' Inténtalo de nuevo.' : '') })
  }

  const form = useForm({
    // The dialog closes when the address changes. What was typed is there when it opens again.
    draft: `${status} ${requested.map(({ log_id }) => log_id)}`,
    initial: { comment },
    check: ({ comment }) => {
      if (comment === '' && needsComment(logs, status)) {
        const readers = peopleReadComments() ? ': la persona lo va a leer.' : '.'
        return { comment: `Escribe el motivo${readers}` }
      }
      const isLong = [...comment].length > COMMENT_MAX
      return { comment: isLong && `El motivo puede tener ${COMMENT_MAX} caracteres como máximo.` }
    },
    send: async ({ comment }) => {
      stop.current = new AbortController()
      setConflicts([])
      const { signal } = stop.current
      const show = (decided: number) =>
        setProgress({ decided, total: logs.length, stopping: signal.aborted })
      show(0)
      const outcome = await runDecision({
        logs,
        status,
        comment: comment || undefined,
        onProgress: show,
        stop: signal,
      })
      setProgress(undefined)
      finish(outcome)
    },
  })
  const { length } = [...form.values.comment]

  return (
    <Dialog title={act} onClose={progress ? undefined : cancel}>
      <form {...form.props}>
        {note && <p>{note}</p>}
        {remarks && (
          <p class="effect">
            <Icon name="alert" />
            {remarks}
          </p>
        )}
        {paid > 0 && (
          <p class="effect">
            Ya pagadas: {countedLogs(paid)}. El próximo cierre paga o descuenta la diferencia.
          </p>
        )}
        <DecisionAbout
          logs={logs.length > 0 ? logs : requested}
          status={status}
          onAlso={(other) =>
            // With other logs, the dialog is another one. What was typed goes along.
            onClose({ instead: { logs: [...logs, other], status, comment: form.values.comment } })
          }
        />
        {conflicts.length > 0 && <AlertList lines={conflictLines(conflicts)} />}
        <TextField
          {...form.field('comment')}
          label={needsComment(logs, status) ? 'Motivo' : 'Comentario (opcional)'}
          rows={3}
          autofocus
          readOnly={progress !== undefined}
          hint={
            <>
              {readersNote(countPeople(logs))}No escribas datos de salud.{' '}
              <span class={length > COMMENT_MAX ? 'problem' : ''}>
                {length} de {COMMENT_MAX}
              </span>
            </>
          }
        />
        {status === 'rejected' && !progress && (
          <ul class="ready" aria-label="Motivos listos">
            {readyReasons(logs).map((reason) => (
              <li key={reason}>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => {
                    form.set({ comment: reason })
                    form.focus('comment')
                  }}
                >
                  {reason}
                </button>
              </li>
            ))}
          </ul>
        )}
        <Problem text={form.problems.all || (online || progress ? '' : OFFLINE_MESSAGE)} />
        {progress ? (
          <ProgressBar
            progress={progress}
            onStop={() => {
              stop.current?.abort()
              setProgress({ ...progress, stopping: true })
            }}
          />
        ) : (
          <footer>
            <button type="button" onClick={cancel}>
              {conflicts.length > 0 ? 'Cerrar' : 'Cancelar'}
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
